import { addDays, todayIn } from '@caseway/contract/date-range';
import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { goWithin } from './walk.ts';

test('[S1.2] a visit is added on a case and assigned; the worker sets out, records attempts, comes back and finishes', async ({
  page,
  t,
}) => {
  const words = (key: string, values?: Record<string, string>) => t(`field-visits:${key}`, values);
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(new RegExp(`^${words(`column.${name}`)}`)).first();
  const act = (transition: string) =>
    page.getByRole('button', { name: words(`transition.${transition}`), exact: true });
  const confirm = async (transition: string) => {
    await dialog.getByRole('button', { name: words(`transition.${transition}`), exact: true }).click();
    await expect(dialog).toHaveCount(0);
  };
  const attempts = page.getByRole('list', { name: words('attempt.list') });
  const yesterday = addDays(todayIn('America/New_York'), -1);

  await test.step('it is added on a case, about its person', async () => {
    await signIn(page, await newAdministrator('visits'), {
      at: '/case-reports?f=condition~is~pertussis&view=default',
    });
    await settled(page);
    await page.getByRole('grid').getByRole('link').first().click();
    await settled(page);
    const visits = page.getByRole('region', { name: words('list.title') });
    await visits.getByRole('button', { name: words('edit.add') }).click();
    await field('visitType').selectOption('specimen');
    await field('note').fill('Ring twice.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(dialog).toHaveCount(0);
    await visits.getByRole('link').last().click();
    await expect(page).toHaveURL(/\/field-visits\/[0-9a-f-]{36}/);
    await settled(page);
    await expectAccessible(page);
    await expect(page.getByRole('button', { name: words('attempt.add') })).toHaveCount(0);
  });

  await test.step('it is assigned, and the worker sets out', async () => {
    await act('assign').click();
    await field('worker').selectOption({ index: 1 });
    await confirm('assign');
    await act('set-out').click();
    // Without a time, no one could tell that they are late.
    await dialog.getByRole('button', { name: words('transition.set-out'), exact: true }).click();
    await expect(dialog.getByText(words('fault.lacking')).first()).toBeVisible();
    await field('minutesOut').selectOption('90');
    await confirm('set-out');
    await expect(page.getByRole('alert').first()).toBeVisible();
  });

  await test.step('an attempt in the morning says when to try again', async () => {
    await page.getByRole('button', { name: words('attempt.add') }).click();
    await field('day').fill(yesterday);
    await field('time').fill('09:30');
    await field('outcome').selectOption('moved-unknown');
    await expect(field('nextStep')).toHaveValue('record-search');
    await field('outcome').selectOption('nobody');
    await expect(field('nextStep')).toHaveValue('other-time');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('attempt.add') }).click();
    await expect(dialog).toHaveCount(0);
    await expect(attempts.getByRole('listitem')).toHaveCount(1);
    await expect(
      page.getByText(
        [words('cadence.days', { days: '1', needed: '3' }), words('cadence.evening')].join('; '),
      ),
    ).toBeVisible();
  });

  await test.step('they come back, and cannot finish it as not found yet', async () => {
    await act('come-back').click();
    await confirm('come-back');
    await act('finish').click();
    await field('result').selectOption('not-found');
    await dialog.getByRole('button', { name: words('transition.finish'), exact: true }).click();
    await expect(dialog.getByText(words('fault.too-few-attempts')).first()).toBeVisible();
    await dialog.getByRole('button', { name: t('action.cancel'), exact: true }).click();
    await page.getByRole('button', { name: t('leave.go'), exact: true }).click();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('the person is reached by telephone, and the visit is finished', async () => {
    await page.getByRole('button', { name: words('attempt.add') }).click();
    await field('day').fill(yesterday);
    await field('time').fill('18:15');
    await field('method').selectOption('phone');
    await field('outcome').selectOption('done');
    await field('note').fill('Comes to the clinic on Monday.');
    await dialog.getByRole('button', { name: words('attempt.add') }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(words('cadence.reached'))).toBeVisible();
    await act('finish').click();
    await field('result').selectOption('cooperative');
    await confirm('finish');
    await expect(page.getByText(words('choice.status.done'), { exact: true }).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the list has it among all visits, and the demo’s late worker among the overdue', async () => {
    await goWithin(page, '/field-visits');
    await settled(page);
    await expectAccessible(page);
    const view = (code: string) =>
      page.getByRole('link', { name: words(`view.${code}`), exact: true }).click();
    await view('overdue');
    await settled(page);
    await expect(
      page.getByRole('grid').getByText(words('choice.return.overdue'), { exact: true }).first(),
    ).toBeVisible();
    await view('all');
    await settled(page);
    await expect(
      page.getByRole('grid').getByText(words('choice.status.done'), { exact: true }).first(),
    ).toBeVisible();
  });

  await test.step('many are assigned at once, by keyboard: it says in advance which cannot be, and is undone', async () => {
    await page.goto('/field-visits?show=all&view=default');
    await settled(page);
    const bar = page.getByRole('region', { name: t('bulk.label') });
    const all = page.getByRole('checkbox', { name: t('grid.selectPage') });
    await all.focus();
    await page.keyboard.press('Space');
    await expect(bar.getByText(/^\d+ /)).toBeVisible();
    await bar.getByRole('button', { name: t('bulk.change') }).press('Enter');
    await dialog.getByLabel(t('bulk.deed')).selectOption({ label: words('transition.assign') });
    await field('worker').selectOption({ index: 2 });
    // Finished visits are not assigned: each is listed with its number and the reason.
    await expect(dialog.getByRole('listitem').first()).toContainText(
      /cannot be done in the status “.+”\. You can: |nothing you can do in the status “/,
    );
    await expect(dialog.getByRole('listitem').first()).toContainText(/FV-/);
    await field('plannedFor').fill('');
    await expectAccessible(page);
    const go = dialog.getByRole('button', { name: /^Change \d/ });
    await expect(go).toBeEnabled();
    const changed = Number((await go.innerText()).replaceAll(/\D/g, ''));
    expect(changed).toBeGreaterThan(0);
    await go.press('Enter');
    const undo = bar.getByRole('button', { name: t('bulk.undo') });
    await expect(undo).toBeVisible();
    await expectAccessible(page);
    await undo.press('Enter');
    await expect(bar.getByText(new RegExp(`^Change undone for ${changed}\\b`))).toBeVisible();
  });
});
