import type { Browser, Page } from '@playwright/test';
import { newAdministrator } from './accounts.ts';
import { expect, expectTranslated, type Language, settled, signIn, test, wordsIn } from './fixtures.ts';

// Wide enough for a row to show its county and facility.
test.use({ viewport: { width: 2400, height: 900 } });

/** Another user on another computer, signed in. */
async function elsewhere(browser: Browser, baseURL: string, username: string, at = '/'): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: { width: 2400, height: 900 } });
  const page = await context.newPage();
  await signIn(page, username, { at });
  return page;
}
/** Opens the list of cases, and returns the number of cases. */
async function cases(page: Page, query = ''): Promise<number> {
  await page.goto(`/case-reports?${query}`);
  await settled(page);
  // The names of facilities and people load separately.
  await expect(page.getByRole('gridcell').filter({ hasText: /^[0-9a-f]{8}-[0-9a-f]{4}-/ })).toHaveCount(0);
  return Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
}
async function column(page: Page, label: string): Promise<string[]> {
  const head = page.locator('[role=columnheader]').filter({ hasText: new RegExp(`^${label}$`) });
  const at = await head.getAttribute('aria-colindex');
  return page.locator(`[role=gridcell][aria-colindex="${at}"]`).allInnerTexts();
}
/** Shows a column that is hidden by default; the list is open. */
async function show(page: Page, language: Language, label: string): Promise<void> {
  await settled(page);
  const kept = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/grid/case-reports/columns'),
  );
  await page.getByRole('button', { name: wordsIn(language)('grid.columns') }).click();
  await page.getByRole('checkbox', { name: label, exact: true }).check();
  await kept;
}
/** The first and last value of a column of the whole list. */
async function extremes(page: Page, field: string, label: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const order of ['', '-']) {
    await cases(page, `sort=${order}${field}&view=default`);
    const [first] = await column(page, label);
    found.add(first!);
  }
  return found;
}
/** The outcome of opening the address of someone else's record. */
async function refused(page: Page, href: string, language: Language): Promise<void> {
  await page.goto(href);
  await expect(page.getByText(wordsIn(language)('error.not-found'))).toBeVisible();
}

test.describe('a facility', () => {
  test.use({ language: 'es' });

  test('[S6.9, P1] its user sees only its own records, and can open no other', async ({
    page,
    browser,
    baseURL,
    t,
  }) => {
    await signIn(page, 'facility@demo.caseway.test', { language: 'es', at: '/case-reports' });
    const facility = t('case-reports:column.facility');
    await show(page, 'es', facility);
    const own = await extremes(page, 'facility', facility);
    expect(own.size).toBe(1);
    const [name] = own;
    await expect(page.getByRole('banner').getByText(name!)).toBeVisible();
    await expectTranslated(page, 'es');

    const department = await elsewhere(
      browser,
      baseURL!,
      await newAdministrator('scopes.facility'),
      '/case-reports',
    );
    await show(department, 'en', wordsIn('en')('case-reports:column.facility'));
    expect(await cases(page)).toBeLessThan(await cases(department));
    const others = department.getByRole('row').filter({ hasNotText: name! }).getByRole('link');
    const href = await others.first().getAttribute('href');
    await department.goto(href!);
    await settled(department);
    await expect(department.getByText(wordsIn('en')('error.not-found'))).toHaveCount(0);
    await refused(page, href!, 'es');
    await department.context().close();
  });
});

test.describe('a jurisdiction', () => {
  test.use({ language: 'ht' });

  test('[S6.9, P1] its user sees the residents of its counties, from every tenant that reports to it, and no one else, and accepts cases sent to it', async ({
    page,
    browser,
    baseURL,
  }) => {
    // Hillsborough, Pasco and Pinellas; Miami-Dade belongs to another.
    const inside = 'f=county~isAnyOf~12057~12101~12103';
    const outside = 'f=county~is~12086';
    // About a disease that all of them may see.
    const family = 'f=diseaseFamily~is~chlamydia&view=default';
    await signIn(page, 'jurisdiction@demo.caseway.test', { language: 'ht' });
    const all = await cases(page, family);
    expect(await cases(page, `${inside}&${family}`)).toBe(all);
    await expectTranslated(page, 'ht');
    expect(await cases(page, `${outside}&${family}`)).toBe(0);

    const [department, vendor] = [
      await elsewhere(browser, baseURL!, await newAdministrator('scopes.jurisdiction')),
      await elsewhere(browser, baseURL!, await newAdministrator('scopes.jurisdiction', 'vendor')),
    ];
    const [ofDepartment, ofVendor] = [
      await cases(department, `${inside}&${family}`),
      await cases(vendor, `${inside}&${family}`),
    ];
    expect(Math.min(ofDepartment, ofVendor)).toBeGreaterThan(0);
    expect(ofDepartment + ofVendor).toBe(all);

    // A resident's record opens, whichever tenant has it; one from elsewhere does not.
    const resident = await vendor.getByRole('grid').getByRole('link').first().getAttribute('href');
    await page.goto(resident!);
    await settled(page);
    await expect(
      page.getByRole('region', { name: wordsIn('ht')('case-reports:record.timeline') }),
    ).toBeVisible();
    expect(await cases(department, `${outside}&${family}`)).toBeGreaterThan(0);
    const stranger = await department.getByRole('grid').getByRole('link').first().getAttribute('href');
    await refused(page, stranger!, 'ht');

    // The department sends a case there, and it is accepted; nothing else of it can be changed there.
    const en = wordsIn('en');
    const ht = wordsIn('ht');
    const going = 'f=status~isAnyOf~assigned~under_investigation~awaiting_interview';
    expect(await cases(department, `${inside}&${family}&${going}`)).toBeGreaterThan(0);
    const sent = await department.getByRole('grid').getByRole('link').first().getAttribute('href');
    await department.goto(sent!);
    await department.getByRole('button', { name: en('transition.more') }).click();
    await department.getByRole('menuitem', { name: en('case-reports:transition.route') }).click();
    const sending = department.getByRole('dialog', { name: en('case-reports:transition.route') });
    // Its county's jurisdiction is preselected.
    const chosen = sending.getByRole('combobox', { name: en('case-reports:column.jurisdiction') });
    await expect(chosen.locator('option:checked')).toHaveText('Tampa Bay Tri-County Health Jurisdiction');
    await sending.getByRole('button', { name: en('case-reports:transition.route') }).click();
    await expect(
      department.getByText(en('case-reports:status.assigned_to_jurisdiction')).first(),
    ).toBeVisible();
    await page.goto(sent!);
    await settled(page);
    await expect(page.getByRole('button', { name: ht('case-reports:transition.assign') })).toHaveCount(0);
    await page.getByRole('button', { name: ht('case-reports:transition.accept') }).click();
    const accepting = page.getByRole('dialog', { name: ht('case-reports:transition.accept') });
    await expectTranslated(page, 'ht');
    await accepting.getByRole('button', { name: ht('case-reports:transition.accept') }).click();
    await expect(page.getByText(ht('case-reports:status.accepted')).first()).toBeVisible();
    await expect(page.getByRole('button', { name: ht('case-reports:transition.accept') })).toHaveCount(0);
    for (const one of [department, vendor]) await one.context().close();
  });
});
