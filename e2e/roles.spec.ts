import { load } from '../server/test/load.ts';
import { expect, type Language, settled, signIn, test, wordsIn } from './fixtures.ts';

/** The demo accounts by role, in the account's language, with their menu entries besides the home screen. */
const roles: readonly { account: string; language: Language; screens: readonly string[] }[] = [
  { account: 'analyst', language: 'en', screens: ['testingAnalytics'] },
  {
    account: 'espanol',
    language: 'es',
    screens: [
      'caseReports',
      'patients',
      'contacts',
      'caseFollowUps',
      'partnerServices',
      'fieldVisits',
      'incidentReports',
      'vaccinations',
      'documents',
      'imports',
      'testingAnalytics',
    ],
  },
  {
    account: 'supervisor',
    language: 'en',
    screens: [
      'caseReports',
      'patients',
      'contacts',
      'caseFollowUps',
      'fieldVisits',
      'incidentReports',
      'vaccinations',
      'documents',
      'imports',
      'testingAnalytics',
    ],
  },
  {
    account: 'kreyol',
    language: 'ht',
    screens: [
      'caseReports',
      'patients',
      'contacts',
      'caseFollowUps',
      'partnerServices',
      'fieldVisits',
      'incidentReports',
      'vaccinations',
      'documents',
    ],
  },
  {
    account: 'programs',
    language: 'en',
    screens: [
      'caseReports',
      'patients',
      'partnerServices',
      'testingAnalytics',
      'stiAnalytics',
      'hivAnalytics',
    ],
  },
  {
    account: 'clinician',
    language: 'en',
    screens: [
      'caseReports',
      'patients',
      'incidentReports',
      'vaccinations',
      'documents',
      'telemedicine',
      'sampleShipments',
    ],
  },
  {
    account: 'lab',
    language: 'en',
    screens: [
      'patients',
      'incidentReports',
      'vaccinations',
      'documents',
      'sampleShipments',
      'imports',
      'testingAnalytics',
    ],
  },
  {
    account: 'entry',
    language: 'en',
    screens: [
      'caseReports',
      'patients',
      'incidentReports',
      'vaccinations',
      'documents',
      'telemedicine',
      'sampleShipments',
      'imports',
    ],
  },
  {
    account: 'orgadmin',
    language: 'en',
    screens: [
      'caseReports',
      'patients',
      'incidentReports',
      'vaccinations',
      'documents',
      'sampleShipments',
      'imports',
      'testingAnalytics',
    ],
  },
  {
    account: 'employer',
    language: 'en',
    screens: [
      'caseReports',
      'patients_WORKPLACE',
      'incidentReports',
      'vaccinations',
      'documents',
      'sampleShipments',
      'imports',
      'testingAnalytics',
    ],
  },
  {
    account: 'facility',
    language: 'en',
    screens: [
      'caseReports',
      'patients',
      'incidentReports',
      'vaccinations',
      'documents',
      'sampleShipments',
      'imports',
      'testingAnalytics',
    ],
  },
  {
    account: 'jurisdiction',
    language: 'en',
    screens: [
      'caseReports',
      'patients',
      'contacts',
      'caseFollowUps',
      'fieldVisits',
      'incidentReports',
      'vaccinations',
      'documents',
      'telemedicine',
      'testingAnalytics',
    ],
  },
  { account: 'auditor', language: 'en', screens: [] },
  { account: 'privacy', language: 'en', screens: ['privacy'] },
  { account: 'sysadmin', language: 'en', screens: ['tenants', 'systemHealth'] },
];

/**
 * The addresses opened so far. In `npm test` a role opens only new ones, or else the first entry of its menu.
 */
const opened = new Set<string>();

for (const { account, language, screens } of roles)
  test(`[S6.8] ${account}: every menu entry leads somewhere, and nothing fails`, async ({ page }) => {
    const t = wordsIn(language);
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`);
    });
    await signIn(page, `${account}@demo.caseway.test`, { language });
    await settled(page);
    const menu = page.getByRole('navigation', { name: t('shell.navigation') }).getByRole('link');
    const entries = await menu.allInnerTexts();
    expect(entries).toEqual(expect.arrayContaining(screens.map((screen) => t(`screen.${screen}`))));
    // No one sees an empty page.
    if (entries.length === 1)
      await expect(page.getByRole('heading', { name: t('home.nothingTitle') })).toBeVisible();
    const targets = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    const places = targets.map((href, at) => ({ href, entry: entries[at]! })).slice(1);
    const fresh = places.filter(({ href }) => !opened.has(href));
    for (const { href, entry } of load(fresh.length > 0 ? fresh : places.slice(0, 1), places))
      await test.step(entry, async () => {
        opened.add(href);
        await menu.filter({ hasText: entry }).first().click();
        await settled(page);
        await expect(page.getByRole('heading', { name: t('screen.noAccessTitle') })).toHaveCount(0);
        await expect(page.getByRole('alert').filter({ hasText: /\p{L}/u })).toHaveCount(0);
      });
    expect(errors).toEqual([]);
  });
