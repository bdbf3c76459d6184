import type { Page } from '@playwright/test';
import { expect, settled, signIn, type Translate, test } from './fixtures.ts';
import { sumOf } from './import-sum.ts';
import { chlamydiaReport } from './messages.ts';
import { goWithin } from './walk.ts';

test('an administrator sets up a facility, a jurisdiction and a program, and says what an imported facility is [S3.8, S3.13]', async ({
  page,
  t,
}) => {
  const place = (key: string, values = {}) => t(`places:${key}`, values);
  await signIn(page, 'admin@demo.caseway.test');
  const dialog = page.getByRole('dialog');
  const panel = page.getByRole('complementary');
  const add = dialog.getByRole('button', { name: place('form.make'), exact: true });
  const open = async (kind: string) => {
    await goWithin(page, `/${kind}`);
    await settled(page);
    await page.getByRole('button', { name: place(`kind.${kind}.add`) }).click();
    await expect(dialog).toBeVisible();
  };
  const choose = async (label: string, words: string, option: string | RegExp) => {
    await dialog.getByRole('combobox', { name: label, exact: true }).fill(words);
    await page.getByRole('option', { name: option }).click();
  };

  await test.step('invalid numbers are refused beside their fields, and the typed text stays', async () => {
    await open('facilities');
    await dialog.getByLabel(place('field.name'), { exact: true }).fill('Heron Street Clinic');
    await dialog.getByLabel(place('field.clia')).fill('10D12');
    await dialog.getByLabel(place('field.npi')).fill('1234567890');
    await add.click();
    await expect(dialog.getByText(t('fault.invalid-clia')).first()).toBeVisible();
    await expect(dialog.getByText(t('fault.invalid-npi')).first()).toBeVisible();
    await dialog.getByLabel(place('field.clia')).fill('10d1234567');
    await dialog.getByLabel(place('field.npi')).fill('1234567893');
    await add.click();
    await expect(panel.getByRole('heading', { name: 'Heron Street Clinic' })).toBeVisible();
    await expect(panel.getByText('10D1234567')).toBeVisible();
  });

  await test.step('a jurisdiction of two counties', async () => {
    await open('jurisdictions');
    await dialog.getByLabel(place('field.name'), { exact: true }).fill('Twin Bays Jurisdiction');
    const counties = place('field.counties');
    await choose(counties, 'Hillsb', 'Hillsborough County');
    await choose(counties, 'Pinel', 'Pinellas County');
    await page.keyboard.press('Escape');
    await add.click();
    await expect(panel.getByText('Hillsborough County, Pinellas County')).toBeVisible();
  });

  await test.step('a program, which is in its list at once', async () => {
    await open('programs');
    await dialog.getByLabel(place('field.label'), { exact: true }).fill('Jail screening');
    await dialog.getByLabel(place('field.programType')).selectOption({ label: 'Correctional health' });
    await add.click();
    await expect(panel.getByRole('heading', { name: 'Jail screening' })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'Jail screening' })).toBeVisible();
  });

  await test.step('a change is in the history, and is undone', async () => {
    await panel.getByRole('button', { name: place('panel.edit') }).click();
    await dialog.getByLabel(place('field.label'), { exact: true }).fill('Jail screenings');
    await dialog.getByRole('button', { name: place('form.save') }).click();
    await expect(panel.getByRole('heading', { name: 'Jail screenings' })).toBeVisible();
    await panel.getByRole('button', { name: t('history.show') }).click();
    const history = panel.getByRole('list', { name: t('history.title') });
    await expect(history.getByText('Jail screening → Jail screenings')).toBeVisible();
    await history.getByRole('button').first().click();
    await expect(panel.getByRole('heading', { name: 'Jail screening', exact: true })).toBeVisible();
    await expect(history.getByText('Jail screenings → Jail screening')).toBeVisible();
  });

  await test.step('a team of the staff', async () => {
    await open('teams');
    await dialog.getByLabel(place('field.name'), { exact: true }).fill('Outbreak team');
    const members = `${place('field.members')} ${t('form.optional')}`;
    await choose(members, 'Bapt', 'Didier Baptiste');
    await choose(members, 'Vald', 'Ines Valdez');
    await page.keyboard.press('Escape');
    await add.click();
    await expect(panel.getByText('Didier Baptiste, Ines Valdez')).toBeVisible();
  });

  await test.step('leaving an unfinished form asks first', async () => {
    await open('organizations');
    await dialog.getByLabel(place('field.name'), { exact: true }).fill('Half a name');
    await dialog.getByRole('button', { name: t('action.cancel') }).click();
    await page.getByRole('button', { name: t('leave.stay') }).click();
    await expect(dialog.getByLabel(place('field.name'), { exact: true })).toHaveValue('Half a name');
    await dialog.getByRole('button', { name: t('action.cancel') }).click();
    await page.getByRole('button', { name: t('leave.go') }).click();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('a facility from an import is confirmed', async () => {
    await importReport(page, t);
    await goWithin(page, '/facilities');
    await page.getByRole('button', { name: place('waiting.show') }).click();
    // A click is lost when the list redraws the rows under it.
    await expect(page).toHaveURL(/waiting/);
    await settled(page);
    const row = page
      .getByRole('row')
      .filter({ hasText: place('choice.status.waiting') })
      .first();
    await row.click();
    await panel.getByRole('button', { name: place('waiting.confirm') }).click();
    await expect(panel.getByText(place('choice.status.active'))).toBeVisible();
  });
});

/** A report from a laboratory that the tenant does not know. */
async function importReport(page: Page, t: Translate): Promise<void> {
  const person = {
    last: 'Placeworth',
    first: 'Ida',
    birthDate: '19810302',
    sex: 'F',
    mrn: 'places1',
  } as const;
  const buffer = Buffer.from(chlamydiaReport('places-1', person, '20260115', true));
  await goWithin(page, '/imports');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'places.hl7', mimeType: 'text/plain', buffer });
  await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
  await expect.poll(() => sumOf(page, t)).toEqual([1, 1, 0, 0, 0]);
}
