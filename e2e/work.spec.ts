import { expect, expectAccessible, holdNotifications, settled, signIn, test, wordsIn } from './fixtures.ts';
import { goWithin } from './walk.ts';

test.use({ language: 'en' });

test("a transition's effects are on the case: a task and a deadline, done and undone", async ({
  page,
  t,
}) => {
  // Only a classified case can be completed.
  await signIn(page, 'epi@demo.caseway.test', {
    at: '/case-reports?f=status~is~under_investigation&f=classification~is~confirmed&view=default',
  });
  await settled(page);
  await page.getByRole('grid').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/case-reports\/[0-9a-f-]{36}/);
  await settled(page);
  const tasks = page.getByRole('region', { name: t('work-tasks:title.tasks') });
  const deadlines = page.getByRole('list', { name: t('work-tasks:title.clocks') });
  const pass = async (transition: string) => {
    const name = t(`case-reports:transition.${transition}`);
    await page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByRole('button', { name, exact: true }).click();
    await expect(dialog).toHaveCount(0);
  };

  await test.step('a complete case waits for its approval', async () => {
    await pass('complete');
    await expect(tasks.getByText(t('work-tasks:work.approve'))).toBeVisible();
    await expect(deadlines.getByText(t('work-tasks:clock.approve'))).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the task is done, and undone', async () => {
    const done = t('work-tasks:end.doneOf', { task: t('work-tasks:work.approve') });
    await tasks.getByRole('button', { name: done }).click();
    // A case may have other tasks too.
    await expect(tasks.getByText(t('work-tasks:work.approve'))).toHaveCount(0);
    await holdNotifications(page);
    await page
      .getByRole('button', { name: t('history.undo') })
      .last()
      .click();
    await expect(tasks.getByText(t('work-tasks:work.approve'))).toBeVisible();
  });

  await test.step('someone who has completed a case cannot approve it, and sees why', async () => {
    await page.getByRole('button', { name: t('transition.all') }).click();
    const approve = page.getByRole('menuitem', { name: t('case-reports:transition.approve') });
    await expect(approve).toHaveAttribute('aria-disabled', 'true');
    await expect(approve).toContainText(t('case-reports:fault.own-work'));
    await page.keyboard.press('Escape');
  });

  await test.step("someone else's case is approved and closed, and then nothing of it waits for approval", async () => {
    await goWithin(page, '/case-reports?f=status~is~complete&view=default');
    await settled(page);
    // Not the one just completed.
    await page.getByRole('grid').getByRole('link').last().click();
    await expect(page).toHaveURL(/\/case-reports\/[0-9a-f-]{36}/);
    await settled(page);
    await pass('approve');
    await pass('close');
    await expect(tasks.getByText(t('work-tasks:work.approve'))).toHaveCount(0);
    await expect(deadlines.getByText(t('work-tasks:clock.approve'))).toHaveCount(0);
  });
});

test('an investigator sees what waits, does a task, undoes it, and opens its case', async ({ page }) => {
  const t = wordsIn('ht');
  const labelled = (key: string) => new RegExp(`^${t(key)}`);
  await signIn(page, 'dis@demo.caseway.test', { language: 'ht', at: '/case-reports' });
  await settled(page);
  await page.getByRole('grid').getByRole('link').nth(1).click();
  await settled(page);
  const tasks = page.getByRole('region', { name: t('work-tasks:title.tasks') });

  await test.step('a task is given to the investigator, on the case', async () => {
    await tasks.getByRole('button', { name: t('work-tasks:edit.addTask') }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel(labelled('work-tasks:column.work')).selectOption('other');
    await form.getByRole('button', { name: t('work-tasks:edit.add') }).click();
    await expect(form.getByText(t('work-tasks:fault.title-needed'))).toBeVisible();
    await form.getByLabel(labelled('work-tasks:column.title')).fill('Bring the kit');
    await form.getByLabel(labelled('work-tasks:column.account')).selectOption({ label: 'Didier Baptiste' });
    await expectAccessible(page);
    await form.getByRole('button', { name: t('work-tasks:edit.add') }).click();
    await expect(form).toHaveCount(0);
    await expect(tasks.getByText('Bring the kit')).toBeVisible();
  });

  await page.goto('/');
  // The home screen's number is that of the list it opens, and is also in the menu.
  const waits = page
    .getByRole('region', { name: t('waiting.title') })
    .getByRole('link', { name: t('waiting.tasks_other') });
  const count = Number((await waits.innerText()).replaceAll(/\D/g, ''));
  await waits.click();
  await expect(page.getByRole('grid', { name: t('work-tasks:list.title') })).toHaveAttribute(
    'aria-rowcount',
    String(count + 1),
  );
  await settled(page);
  // It has no due day, so it comes after all that have one.
  await page.goto('/work-tasks?f=work~is~other&view=default');
  await settled(page);
  const grid = page.getByRole('grid', { name: t('work-tasks:list.title') });
  const row = grid.getByRole('row').filter({ hasText: 'Bring the kit' });
  await expectAccessible(page);

  await test.step('its priority is changed in the list by keyboard, and the row stays', async () => {
    const priority = row.locator('[role=gridcell][data-field=priority]');
    await priority.focus();
    await page.keyboard.press('F2');
    const cell = page.getByRole('dialog', { name: t('work-tasks:column.priority') });
    await cell.getByRole('combobox').selectOption('high');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(cell).toHaveCount(0);
    await expect(priority).toHaveText(t('work-tasks:priority.high'));
    await expect(priority).toBeFocused();
  });

  await test.step('it is done by keyboard, and undone', async () => {
    await row.getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('d');
    await expect(row).toHaveCount(0);
    await holdNotifications(page);
    await page
      .getByRole('button', { name: t('history.undo') })
      .last()
      .click();
    await expect(row).toBeVisible();
  });

  await row.getByRole('link').click();
  await settled(page);
  await expect(tasks.getByText('Bring the kit')).toBeVisible();

  await test.step('a task for a team is taken by one of its members, and given back', async () => {
    await tasks.getByRole('button', { name: t('work-tasks:edit.addTask') }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel(labelled('work-tasks:column.work')).selectOption('letter');
    await form.getByLabel(labelled('work-tasks:column.team')).selectOption({ label: 'Field team' });
    await expectAccessible(page);
    await form.getByRole('button', { name: t('work-tasks:edit.add') }).click();
    await expect(form).toHaveCount(0);
    const task = t('work-tasks:work.letter');
    const letter = tasks.getByRole('listitem').filter({ hasText: task }).filter({ hasText: 'Field team' });
    await letter.getByRole('button', { name: t('work-tasks:take.takeOf', { task }) }).click();
    await expect(letter).toContainText('Didier Baptiste · Field team');
    await letter.getByRole('button', { name: t('work-tasks:take.backOf', { task }) }).click();
    await expect(letter).not.toContainText('Didier Baptiste');
  });
});
