import { todayIn } from '@caseway/contract/date-range';
import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';

test('[S1.2] partner services begin on a case, find someone without a name, and close only after that', async ({
  page,
  t,
}) => {
  const words = (key: string, values?: Record<string, string>) => t(`partner-services:${key}`, values);
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(new RegExp(`^${words(`column.${name}`)}`)).first();
  const today = todayIn('America/New_York');
  const who = 'Tall, anchor tattoo, rides a blue bicycle';
  const entered = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values))
      if (value === 'first') await field(name).selectOption({ index: 1 });
      else if (/^[A-Z]{1,2}\d?$|^original$/.test(value)) await field(name).selectOption(value);
      else await field(name).fill(value);
  };
  /** Does a transition: with the button of the next step, or from the menu. */
  const step = async (transition: string, values: Readonly<Record<string, string>>) => {
    const label = words(`transition.${transition}`);
    const button = page.getByRole('button', { name: label, exact: true });
    const others = page.getByRole('button', {
      name: new RegExp(`^(${t('transition.more')}|${t('transition.all')})$`),
    });
    await expect(button.or(others).first()).toBeVisible();
    if (await button.isVisible()) await button.click();
    else {
      await others.click();
      await page.getByRole('menuitem', { name: label }).click();
    }
    await entered(values);
    await dialog.getByRole('button', { name: label, exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await settled(page);
  };
  const disposed = { dispositionOn: today, dispositionBy: 'first', supervisor: 'first' };
  const exam = { examOn: today, examProvider: 'Dr. Okafor', examFacility: 'Riverside Clinic' };

  await test.step('they begin on the case', async () => {
    await signIn(page, await newAdministrator('partners'), {
      at: '/case-reports?f=condition~is~chlamydia&view=default',
    });
    await settled(page);
    await page.getByRole('grid').getByRole('link').first().click();
    await settled(page);
    const partners = page.getByRole('region', { name: words('list.title') });
    await partners.getByRole('button', { name: words('edit.start') }).click();
    await entered({ referralBasis: 'T1' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('edit.start') }).click();
    await expect(dialog).toHaveCount(0);
    await partners.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/partner-services\/[0-9a-f-]{36}/);
    await settled(page);
  });
  const index = page.url();

  /** The case's tasks, as listed on it. */
  const expectTask = async (work: string, other: string) => {
    await page.getByRole('link', { name: t('record.openCase') }).click();
    await settled(page);
    const tasks = page.getByRole('region', { name: t('work-tasks:title.tasks') });
    await expect(tasks.getByText(t(`work-tasks:work.${work}`), { exact: true })).toBeVisible();
    await expect(tasks.getByText(t(`work-tasks:work.${other}`), { exact: true })).toHaveCount(0);
    await page.goto(index);
    await settled(page);
  };

  await test.step("the case's person is found and interviewed, each by someone with a task", async () => {
    await step('decide', { initialFollowUp: 'FF', initialFollowUpOn: today });
    await step('assignField', { fieldInvestigator: 'first' });
    await expectTask('find', 'interview');
    await step('dispose', { disposition: 'E', ...disposed, ...exam });
    await expect(page.getByText(words('time.met', { days: '0', limit: '7' }))).toBeVisible();
    await step('assignInterviewer', { interviewer: 'first' });
    await expectTask('interview', 'find');
    await step('recordInterview', { interviewStatus: 'I', interviewedOn: today, interviewType: 'original' });
    await expectAccessible(page);
  });

  await test.step('someone without a name is added and looked for', async () => {
    const named = page.getByRole('region', { name: words('record.named') });
    await named.getByRole('button', { name: words('edit.add') }).click();
    await entered({ referralBasis: 'P1', lastExposedOn: today });
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(dialog.getByText(t('fault.required')).first()).toBeVisible();
    await field('description').fill(who);
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(dialog).toHaveCount(0);
    await named.getByRole('link', { name: who }).click();
    await settled(page);
    await step('decide', { initialFollowUp: 'FF', initialFollowUpOn: today });
    await step('assignField', { fieldInvestigator: 'first' });
  });

  await test.step('until then the case cannot be closed, and says whom it waits for', async () => {
    await page.goto(index);
    await settled(page);
    await page.getByRole('button', { name: t('transition.all') }).click();
    await expect(page.getByRole('menuitem', { name: words('fault.6-contacts') })).toBeVisible();
    await page.keyboard.press('Escape');
    const waiting = page.getByRole('alert').filter({ hasText: words('open.title') });
    await waiting.getByRole('link', { name: who }).click();
    await settled(page);
    await step('dispose', { disposition: 'H', ...disposed });
    await page.goto(index);
    await settled(page);
    await step('closeCase', { caseClosedOn: today, closedBy: 'first' });
    await expect(page.getByText(words('choice.stage.CC')).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('many are assigned at once: it says which stay and why, and is undone', async () => {
    await page.goto('/partner-services');
    await settled(page);
    const bar = page.getByRole('region', { name: t('bulk.label') });
    await page.getByRole('checkbox', { name: t('grid.selectPage') }).press('Space');
    await bar.getByRole('button', { name: t('bulk.change') }).press('Enter');
    await dialog.getByLabel(t('bulk.deed')).selectOption({ label: words('transition.assignField') });
    // The option after the one for no one.
    await field('fieldInvestigator').selectOption({ index: 2 });
    const go = dialog.getByRole('button', { name: /^Change [1-9]/ });
    await expect(go).toBeEnabled();
    await expect(dialog.getByRole('listitem').first()).toContainText(/PS-/);
    await expectAccessible(page);
    await go.press('Enter');
    const undo = bar.getByRole('button', { name: t('bulk.undo') });
    await expect(undo).toBeVisible();
    await undo.press('Enter');
    await expect(bar.getByText(/^Change undone for \d/)).toBeVisible();
  });
});
