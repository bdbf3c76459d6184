import type { Browser, Page } from '@playwright/test';
import { newAdministrator } from './accounts.ts';
import { expect, expectAccessible, holdNotifications, settled, signIn, test } from './fixtures.ts';
import { expectPrinted } from './paper.ts';
import { goWithin } from './walk.ts';

const clinic = 'Mangrove Community Clinic Ybor City';
const jurisdiction = 'Tampa Bay Tri-County Health Jurisdiction';

/** Another user on another computer, signed in. */
async function elsewhere(browser: Browser, baseURL: string, username: string, at = '/'): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await signIn(page, username, { at });
  return page;
}

test('[S1.6] features are switched for one clinic, and a jurisdiction no longer reads features that a tenant has off', async ({
  page,
  browser,
  baseURL,
  t,
}) => {
  const name = (feature: string, place: string) =>
    t('settings:features.cell', { feature: t(`settings:feature.${feature}`), place });
  /** Finds a place and switches a feature for it. */
  const set = async (by: Page, place: string, feature: string, state: string) => {
    await by.getByLabel(t('settings:features.find')).fill(place);
    await by.getByLabel(t('settings:features.find')).press('Enter');
    await by
      .getByRole('combobox', { name: name(feature, place), exact: true })
      .selectOption(t(`settings:features.${state}`));
  };
  const save = async (by: Page) => {
    const saved = by.getByText(t('settings:done.saved'));
    // Wait until an earlier notification is gone: its undo would be refused.
    await expect(saved).toHaveCount(0);
    await by.getByRole('button', { name: t('action.save') }).click();
    await expect(saved).toBeVisible();
  };
  const menu = (of: Page, label: string) =>
    of
      .getByRole('navigation', { name: t('shell.navigation') })
      .getByRole('link', { name: new RegExp(`^${t(label)}`) });

  const clinician = await elsewhere(browser, baseURL!, 'facility@demo.caseway.test');
  await signIn(page, await newAdministrator('features'), { at: '/admin/settings/features' });
  await settled(page);
  await expectAccessible(page);

  await test.step('a beta feature is given to one clinic, and marked as beta', async () => {
    await expect(menu(clinician, 'screen.weeklyCases')).toHaveCount(0);
    await set(page, clinic, 'weekly-cases', 'on');
    await save(page);
    await expect(menu(clinician, 'screen.weeklyCases')).toBeVisible();
    await menu(clinician, 'screen.weeklyCases').click();
    await settled(clinician);
    await expect(
      clinician.getByRole('heading', { name: `${t('screen.weeklyCases')} ${t('screen.beta')}` }),
    ).toBeVisible();
    await expect(clinician.getByRole('row').filter({ hasText: t('weekly-cases:row.total') })).toBeVisible();
    await expectAccessible(clinician);
    const file = clinician.waitForEvent('download');
    await clinician.getByRole('button', { name: t('weekly-cases:action.file') }).click();
    expect((await file).suggestedFilename()).toMatch(/^cases-\d{4}-W\d{2}\.csv$/);
    await expectPrinted(clinician, async () => {
      // Whose week it is, which one, and the whole table.
      await expect(
        clinician.getByText(clinic, { exact: false }).filter({ visible: true }).first(),
      ).toBeVisible();
      const table = clinician.getByRole('table');
      await expect(table.getByRole('columnheader').last()).toBeVisible();
      await expect(table.getByRole('row').filter({ hasText: t('weekly-cases:row.total') })).toBeVisible();
    });
    // The tenant itself has it off.
    await expect(menu(page, 'screen.weeklyCases')).toHaveCount(0);
  });

  await test.step('a feature switched off there disappears from the open screen, the menu and its address', async () => {
    await set(page, clinic, 'case-reports', 'off');
    await save(page);
    await expect(menu(clinician, 'screen.caseReports')).toHaveCount(0);
    await expect(menu(clinician, 'screen.weeklyCases')).toHaveCount(0);
    await expect(clinician.getByRole('heading', { name: t('screen.notFoundTitle') })).toBeVisible();
    await expect(menu(page, 'screen.caseReports')).toBeVisible();
  });

  await test.step('the clinic’s own record says so, and undo restores it', async () => {
    await goWithin(page, '/facilities');
    await page
      .getByRole('searchbox')
      .or(page.getByPlaceholder(t('places:kind.facilities.search')))
      .first()
      .fill(clinic);
    // The full list has it too: a click is lost when the search redraws the rows under it.
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2');
    await page.getByText(clinic, { exact: true }).first().click();
    await page.getByRole('link', { name: t('settings:features.change') }).click();
    await page
      .getByRole('combobox', { name: name('case-reports', clinic), exact: true })
      .selectOption(t('settings:features.inheritsOn'));
    await page
      .getByRole('combobox', { name: name('weekly-cases', clinic), exact: true })
      .selectOption(t('settings:features.inheritsOff'));
    await save(page);
    await holdNotifications(page);
    await expect(menu(clinician, 'screen.caseReports')).toBeVisible();
    await page
      .getByRole('button', { name: t('settings:features.undo') })
      .last()
      .click();
    await expect(page.getByText(t('settings:features.undone'))).toBeVisible();
    await expect(menu(clinician, 'screen.caseReports')).toHaveCount(0);
    await page
      .getByRole('combobox', { name: name('case-reports', clinic), exact: true })
      .selectOption(t('settings:features.inheritsOn'));
    await save(page);
  });

  await test.step('a jurisdiction’s open list loses the cases of a tenant that switches them off for it', async () => {
    const reader = await elsewhere(browser, baseURL!, 'jurisdiction@demo.caseway.test', '/case-reports');
    await settled(reader);
    const count = async () => Number(await reader.getByRole('grid').getAttribute('aria-rowcount')) - 1;
    const before = await count();
    const vendor = await elsewhere(
      browser,
      baseURL!,
      await newAdministrator('features', 'vendor'),
      '/admin/settings/features',
    );
    await set(vendor, jurisdiction, 'case-reports', 'off');
    await save(vendor);
    await expect.poll(count).toBeLessThan(before);
    const without = await count();
    expect(without).toBeGreaterThan(0);
    await set(vendor, jurisdiction, 'case-reports', 'inheritsOn');
    await save(vendor);
    await expect.poll(count).toBe(before);
  });
});
