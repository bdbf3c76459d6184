import { newAdministrator } from './accounts.ts';
import { expect, settled, signIn, test } from './fixtures.ts';
import { codeFor } from './outbox.ts';

test('[S2.5, S4.6] after switching to another organization, the product starts at the root and shows only its records', async ({
  page,
  t,
}) => {
  await signIn(page, 'clinician@demo.caseway.test', { at: '/case-reports' });
  await settled(page);
  const rows = async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount'));
  const ofDepartment = await rows();
  const other = 'Mangrove Community Clinic Ybor City';
  await page
    .getByRole('button', { name: new RegExp(`^${t('org.switch', { name: 'Gulfstream' }).split('.')[0]}`) })
    .click();
  await page.getByRole('option', { name: new RegExp(other) }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText(t('home.title', { name: 'Clara' }))).toBeVisible();
  await expect(page.getByRole('button', { name: t('org.switch', { name: other }) })).toBeVisible();
  await page
    .getByRole('link', { name: t('screen.caseReports') })
    .first()
    .click();
  await settled(page);
  expect(await rows()).toBeGreaterThan(0);
  expect(await rows()).toBeLessThan(ofDepartment);
  // The tab keeps it.
  await page.reload();
  await expect(page.getByRole('button', { name: t('org.switch', { name: other }) })).toBeVisible();
});

test.describe('in Haitian Creole', () => {
  test.use({ language: 'ht' });

  test('[S8.1] an ended session is restarted in place, and the typed text is still there', async ({
    page,
    t,
  }) => {
    const account = await newAdministrator('writer');
    await signIn(page, account, { language: 'ht', at: '/case-reports' });
    await settled(page);
    await page.getByRole('grid').getByRole('link').first().click();
    await settled(page);
    const note = page.getByLabel(t('case-reports:note.label'), { exact: true });
    await note.fill('Rele l ankò lendi');
    await page.route('**/api/web/case-reports/*/notes', (route) =>
      route.fulfill({ status: 401, json: { code: 'session-expired', message: 'the session has ended' } }),
    );
    await page.getByRole('button', { name: t('case-reports:note.add') }).click();
    const again = page.getByRole('dialog', { name: t('expired.title') });
    await expect(again).toBeVisible();
    await page.unroute('**/api/web/case-reports/*/notes');
    const since = Date.now();
    await again.getByRole('button', { name: t('signIn.sendCode') }).click();
    await again.getByLabel(t('signIn.code')).fill(await codeFor(account, since));
    await expect(again).toHaveCount(0);
    await expect(note).toHaveValue('Rele l ankò lendi');
    await page.getByRole('button', { name: t('case-reports:note.add') }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Rele l ankò lendi' })).toBeVisible();
  });
});

test('[S8.2] a refused action is explained, and a closed screen says which permission opens it', async ({
  page,
  t,
}) => {
  await signIn(page, 'analyst@vendor.caseway.test', { at: '/case-reports' });
  await expect(page.getByRole('heading', { name: t('screen.noAccessTitle') })).toBeVisible();
  await expect(
    page.getByText(t('screen.noAccess', { permission: t('permission.case-reports/read') })),
  ).toBeVisible();
  await page.route('**/api/web/analytics/testing', (route) =>
    route.fulfill({
      status: 403,
      json: { code: 'forbidden', message: 'no', permission: 'testing-analytics/read' },
    }),
  );
  await page
    .getByRole('link', { name: t('screen.testingAnalytics') })
    .first()
    .click();
  await expect(page.getByText(t('notification.forbidden')).first()).toBeVisible();
});

test('[S2.3, S8.4] a screen that did not load, or whose texts did not, loads on another try', async ({
  page,
  t,
}) => {
  await signIn(page, 'analyst@vendor.caseway.test');
  await settled(page);
  await page.context().setOffline(true);
  await page
    .getByRole('link', { name: t('screen.testingAnalytics') })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: t('screen.chunkTitle') })).toBeVisible();
  await page.getByRole('button', { name: t('action.retry') }).click();
  await expect(page.getByRole('heading', { name: t('screen.chunkTitle') })).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: t('action.retry') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('screen.testingAnalytics') })).toBeVisible();

  // Its texts can be missing separately.
  await page.goto('/');
  await page.route('**/locales/*/dashboards/testing.json', (route) =>
    route.fulfill({ status: 404, body: '' }),
  );
  await page
    .getByRole('link', { name: t('screen.testingAnalytics') })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: t('words.lostTitle') })).toBeVisible();
  await expect(page.getByText(/\b\w+\.\w+\.title\b|screen\.lead/)).toHaveCount(0);
  await page.unroute('**/locales/*/dashboards/testing.json');
  await page.getByRole('button', { name: t('action.retry') }).click();
  await expect(page.getByText(t('dashboards/testing:measure.people.title'))).toBeVisible();
});

test('[S2.3] no file that fails leaves a blank page', async ({ page }) => {
  const files = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\.(js|css|json)$/.test(pathname)) files.add(pathname);
  });
  await page.goto('/sign-in');
  await expect(page.getByRole('textbox').first()).toBeVisible();
  expect([...files].some((file) => file.includes('/first-'))).toBe(true);
  for (const file of files) {
    // Permanently missing texts are not awaited.
    await page.route(`**${file}`, (route) =>
      file.endsWith('.json') ? route.fulfill({ status: 404, body: '' }) : route.abort(),
    );
    await page.goto('/sign-in');
    await expect(page.getByText(/Try again|Caseway/).first(), file).toBeVisible();
    await page.unroute(`**${file}`);
  }
});

test('[S2.3] a screen whose part of the program is missing after an update says so, and the shell stays usable', async ({
  page,
  t,
}) => {
  await signIn(page, 'analyst@vendor.caseway.test');
  await settled(page);
  await page.route('**/assets/TestingAnalytics-*.js', (route) => route.fulfill({ status: 404, body: '' }));
  await page
    .getByRole('link', { name: t('screen.testingAnalytics') })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: t('screen.chunkTitle') })).toBeVisible();
  await expect(page.getByRole('button', { name: t('action.reload') })).toBeVisible();
  await page.getByRole('link', { name: t('screen.home'), exact: true }).click();
  await expect(page.getByText(t('home.title', { name: 'Ada' }))).toBeVisible();
  // The new version has it: the page is reloaded.
  await page.goBack();
  await expect(page.getByRole('heading', { name: t('screen.chunkTitle') })).toBeVisible();
  await page.unroute('**/assets/TestingAnalytics-*.js');
  await page.getByRole('button', { name: t('action.reload') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('screen.testingAnalytics') })).toBeVisible();
});
