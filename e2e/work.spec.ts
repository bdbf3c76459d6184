import { expect, expectAccessible, holdNotifications, settled, signIn, test } from './fixtures.ts';

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
    await expect(tasks).toHaveCount(0);
    await expect(deadlines).toHaveCount(0);
    await move('complete');
    await expect(tasks.getByText(t('work-tasks:work.approve'))).toBeVisible();
    await expect(deadlines.getByText(t('work-tasks:clock.approve'))).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the task is done, and taken back', async () => {
    const done = t('work-tasks:end.doneOf', { task: t('work-tasks:work.approve') });
    await tasks.getByRole('button', { name: done }).click();
    await expect(tasks).toHaveCount(0);
    await holdNotifications(page);
    await page
      .getByRole('button', { name: t('history.undo') })
      .last()
      .click();
    await expect(tasks.getByText(t('work-tasks:work.approve'))).toBeVisible();
  });
});
