import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, settled, signIn, test } from './fixtures.ts';
import { signOut } from './passkeys.ts';

test.use({ language: 'en' });

test('[S1.2] a clinician reports a reaction to a vaccine, and a supervisor closes the report', async ({
  page,
  t,
}) => {
  const words = (key: string, values?: Record<string, string>) => t(`incident-reports:${key}`, values);
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(new RegExp(`^${words(`column.${name}`)}`)).first();
  let address = '';

  await test.step('the form asks only what fits, and says what is missing', async () => {
    await signIn(page, 'clinician@demo.caseway.test', { at: '/incident-reports' });
    await settled(page);
    await page.getByRole('button', { name: words('edit.add') }).click();
    await expect(field('category')).toHaveCount(0);
    await field('kind').selectOption('other-incident');
    await expect(field('category')).toBeVisible();
    await expect(dialog.getByRole('group', { name: words('column.vaccines') })).toHaveCount(0);
    await field('kind').selectOption('vaccine-adverse-event');
    await field('narrative').fill('Hives on both arms an hour after the vaccine.');
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(dialog.getByText(words('fault.required'))).toBeVisible();
    await dialog
      .getByRole('button', { name: t('answers.addTo', { list: words('column.vaccines') }) })
      .click();
    await field('vaccine').selectOption('influenza');
    await field('lot').fill('UT8007AB');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words('edit.add') }).click();
    await expect(page).toHaveURL(/\/incident-reports\/[0-9a-f-]{36}/);
    await expect(page.getByText('UT8007AB')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    address = page.url();
    // The only step that a clinician may take is the next one: there is no menu of others.
    await expect(page.getByRole('button', { name: words('transition.review') })).toBeVisible();
    await expect(page.getByRole('button', { name: t('transition.more') })).toHaveCount(0);
  });

  await test.step('a supervisor reviews and closes it', async () => {
    await signOut(page, t);
    await signIn(page, await newAdministrator('incidents'), { at: address });
    await settled(page);
    const step = async (name: string, fill?: () => Promise<unknown>) => {
      await page.getByRole('button', { name: words(`transition.${name}`), exact: true }).click();
      await fill?.();
      await dialog.getByRole('button', { name: words(`transition.${name}`) }).click();
      await expect(dialog).toHaveCount(0);
    };
    await step('review', () => field('investigator').selectOption({ index: 1 }));
    await expect(page.getByText(words('choice.stage.in-review')).first()).toBeVisible();
    await step('report');
    await step('close', async () => {
      await field('classification').selectOption('related');
      await field('outcome').selectOption('recovered');
    });
    await expect(page.getByText(words('choice.stage.final')).first()).toBeVisible();
    await expectAccessible(page);
  });
});
