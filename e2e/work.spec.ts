import { expect, expectAccessible, holdNotifications, settled, signIn, test, wordsIn } from './fixtures.ts';

test.use({ language: 'en' });

test('what a status causes is on the case: a task and a deadline, done and taken back', async ({
  page,
  t,
}) => {
  await signIn(page, 'epi@demo.caseway.test');
  await page.goto('/case-reports');
  await settled(page);
  await page.getByRole('grid').getByRole('link').nth(3).click();
  await expect(page).toHaveURL(/\/case-reports\/[0-9a-f-]{36}/);
  await settled(page);
  const form = page.getByRole('form', { name: t('case-reports:record.fields') });
  const status = form.getByLabel(t('case-reports:column.status'), { exact: true });
  const save = form.getByRole('button', { name: t('case-reports:change.save') });
  const tasks = page.getByRole('region', { name: t('work-tasks:title.tasks') });
  const deadlines = page.getByRole('list', { name: t('work-tasks:title.clocks') });
  const move = async (to: string) => {
    if ((await status.inputValue()) === to) return;
    await status.selectOption(to);
    await save.click();
    await expect(save).toHaveCount(0);
  };

  await test.step('a closed case has neither, a complete one waits for its approval', async () => {
    await move('closed');
    await expect(tasks.getByText(t('work-tasks:edit.none'))).toBeVisible();
    await expect(deadlines).toHaveCount(0);
    await move('complete');
    await expect(tasks.getByText(t('work-tasks:work.approve'))).toBeVisible();
    await expect(deadlines.getByText(t('work-tasks:clock.approve'))).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the task is done, and taken back', async () => {
    const done = t('work-tasks:end.doneOf', { task: t('work-tasks:work.approve') });
    await tasks.getByRole('button', { name: done }).click();
    await expect(tasks.getByText(t('work-tasks:edit.none'))).toBeVisible();
    await holdNotifications(page);
    await page
      .getByRole('button', { name: t('history.undo') })
      .last()
      .click();
    await expect(tasks.getByText(t('work-tasks:work.approve'))).toBeVisible();
  });
});

test('an investigator sees what waits, does a task, takes it back, and opens its case', async ({ page }) => {
  const t = wordsIn('ht');
  const labelled = (key: string) => new RegExp(`^${t(key)}`);
  await signIn(page, 'dis@demo.caseway.test', 'ht');
  await page.goto('/case-reports');
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
  await page.getByRole('link', { name: t('home.tasksShow') }).click();
  await settled(page);
  // It has no day, and so is behind all that have one.
  await page.goto('/work-tasks?work=other');
  await settled(page);
  const grid = page.getByRole('grid', { name: t('work-tasks:list.title') });
  const row = grid.getByRole('row').filter({ hasText: 'Bring the kit' });
  await expectAccessible(page);

  await test.step('it is done by the keyboard, and taken back', async () => {
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
});
