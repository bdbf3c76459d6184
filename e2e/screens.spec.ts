import type { Browser, Page } from '@playwright/test';
import { load } from '../server/test/load.ts';
import { newAdministrator } from './accounts.ts';
import { expectColumnsFit } from './columns.ts';
import { expectTextsReadable } from './cut-text.ts';
import {
  expect,
  expectAccessible,
  expectTranslated,
  type Language,
  settled,
  signIn,
  test,
  wordsIn,
} from './fixtures.ts';
import { sumOf } from './import-sum.ts';
import { answered, keepNames, shown } from './late-names.ts';
import { chlamydiaReport } from './messages.ts';
import { goWithin, kindOf, linksOf } from './walk.ts';

const wide = { width: 1440, height: 900 };
const tablet = { width: 1024, height: 768 };
const phone = { width: 360, height: 780 };
const widths = [wide, tablet, phone];

type Size = { width: number; height: number; themes: ('light' | 'dark')[] };
interface Walk {
  name: string;
  /** They alternate by screen. */
  languages: readonly Language[];
  /**
   * Each address is opened in a new page, like a link in an email, and its names load late; otherwise from
   * within, as by a click.
   */
  loaded: boolean;
  /** How the screen with this number is viewed. */
  sizes: (turn: number) => readonly Size[];
}

/**
 * Every screen in every language, theme and width, and Axe in each theme. In `npm test` every screen is
 * opened once: in Spanish or Creole, at one of the widths, in one of the themes. The stories are in English.
 */
const walks = load<readonly Walk[]>(
  [
    {
      name: 'Spanish and Creole by turns',
      languages: ['es', 'ht'],
      loaded: true,
      sizes: (turn) => [{ ...widths[turn % 3]!, themes: [turn % 4 < 2 ? 'light' : 'dark'] }],
    },
  ],
  [
    {
      name: 'English',
      languages: ['en'],
      loaded: false,
      sizes: () => [
        { ...wide, themes: ['light'] },
        { ...tablet, themes: [] },
        { ...phone, themes: [] },
      ],
    },
    { name: 'Spanish', languages: ['es'], loaded: true, sizes: () => [{ ...wide, themes: [] }] },
    {
      name: 'Creole',
      languages: ['ht'],
      loaded: false,
      sizes: () => [
        { ...wide, themes: [] },
        { ...phone, themes: ['dark'] },
      ],
    },
  ],
);

/** A signed-in user with their own page, and what went wrong on it. */
async function visitor(browser: Browser, language: Language) {
  const page = await (await browser.newContext()).newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(`${page.url()}: ${message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`);
  });
  const names = await keepNames(page);
  const everythingElse = answered(page);
  await signIn(page, await newAdministrator(`crawl.${language}`), { language });
  await bringSomethingToDecide(page, language);
  return { page, language, errors, names, everythingElse };
}

/** In parts, so that no test comes near the timeout for hanging tests. */
const parts = 4;
/** The last part takes the rest. */
const screensOfPart = 17;

for (const { name, languages, loaded, sizes } of walks)
  test.describe
    .serial(`[S1.4, P20] every screen is accessible, fits its width, has columns that fit, is translated, shows no code for a name and breaks no rule of the browser: ${name}`, () => {
      let visitors: Awaited<ReturnType<typeof visitor>>[];
      const raw: { kind: string; when: string; texts: string[] }[] = [];
      let late = 0;
      // From link to link, each kind of screen once; and those that a menu, a number or a wrong address leads
      // to.
      const seen = new Set<string>();
      const waiting = ['/', '/inbox', '/files', '/analytics/testing/records', '/no/such/screen'];

      test.beforeAll(async ({ browser }) => {
        visitors = await Promise.all(languages.map((language) => visitor(browser, language)));
      });
      test.afterAll(async () => {
        await Promise.all(visitors.map(({ page }) => page.context().close()));
      });

      async function look(path: string): Promise<void> {
        const kind = kindOf(path);
        const turn = seen.size;
        seen.add(kind);
        const { page, language, names, everythingElse } = visitors[turn % visitors.length]!;
        await test.step(`${kind} ${language}`, async () => {
          if (loaded) {
            names.hold();
            // Loaded from its address, so that no name is known yet.
            await page.goto(path);
            await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
            await everythingElse();
            const before = await shown(page);
            late += await names.release();
            await settled(page);
            for (const [when, texts] of [
              ['before', names.rawIn(before)],
              ['after', names.rawIn(await shown(page))],
            ] as const)
              if (texts.length > 0) raw.push({ kind, when, texts });
          } else await goWithin(page, path);
          for (const { themes, ...size } of sizes(turn)) {
            await page.setViewportSize(size);
            await settled(page);
            await expectNothingCutOff(page);
            await expectColumnsFit(page);
            await expectTextsReadable(page);
            await expectAccessible(page, themes);
          }
          await expectTranslated(page, language);
          waiting.push(...(await linksOf(page)));
        });
      }

      for (let part = 1; part <= parts; part++)
        test(`part ${part} of ${parts}`, async () => {
          const last = part === parts ? Number.POSITIVE_INFINITY : part * screensOfPart;
          for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
            if (!seen.has(kindOf(path))) await look(path);
            if (seen.size >= last) break;
          }
          expect(raw).toEqual([]);
          expect(visitors.flatMap(({ errors }) => errors)).toEqual([]);
        });

      test('and none is missing', () => {
        if (loaded) expect(late).toBeGreaterThan(20);
        expect([...seen]).toEqual(
          expect.arrayContaining([
            '/case-reports',
            '/case-reports/:id',
            '/analytics/testing',
            '/imports',
            '/imports/:id',
            '/imports/codes',
            '/imports/pairs',
            '/admin/settings',
            '/admin/settings/labels',
            '/admin/settings/forms',
            '/admin/settings/population',
            '/admin/settings/messages',
            '/admin/settings/guardians',
            '/admin/settings/guide',
            '/organizations',
            '/facilities',
            '/jurisdictions',
            '/reporting',
            '/programs',
            '/tasks',
            '/inbox',
            '/files',
            '/contacts',
            '/contacts/:id',
            '/case-follow-ups',
            '/case-follow-ups/:id',
            '/partner-services',
            '/partner-services/:id',
            '/field-visits',
            '/field-visits/kept',
            '/field-visits/:id',
            '/vaccinations',
            '/documents',
            '/incident-reports',
            '/incident-reports/:id',
            '/analytics/incident-reports',
            '/analytics/field-visits',
            '/analytics/telemedicine',
            '/analytics/partner-services',
            '/analytics/operations',
            '/telemedicine',
            '/telemedicine/availability',
            '/telemedicine/:id',
            '/sample-shipments',
            '/sample-shipments/:id',
            '/sample-shipments/unassigned',
            '/sample-shipments/storage',
            '/teams',
            '/locations',
          ]),
        );
      });
    });

test('everything the shell opens over a screen is accessible', async ({ page, t }) => {
  await signIn(page, 'lab@vendor.caseway.test');
  await settled(page);
  const openers = [
    page.getByRole('button', { name: new RegExp(`^${t('org.switch', { name: '.*' }).split('.')[0]}`) }),
    page.getByRole('button', { name: new RegExp(t('language.choose', { language: '' })) }),
    page.getByRole('button', { name: new RegExp(t('notifications.title')) }),
    page.getByRole('button', { name: new RegExp(t('user.open', { name: '' }).trim()) }),
    page.getByRole('button', { name: new RegExp(t('palette.open')) }),
  ];
  for (const opener of openers) {
    await opener.click();
    await expect(page.locator('.MuiPopover-paper, .MuiMenu-paper, .MuiDialog-paper').first()).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.locator('.MuiPopover-paper, .MuiMenu-paper, .MuiDialog-paper')).toHaveCount(0);
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: t('keys.title') })).toBeVisible();
  await expectAccessible(page);
});

/**
 * Nothing extends past the right edge, except in parts with their own scrolling, or below the frame, which
 * stays.
 */
const expectNothingCutOff = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const [main, root] = [document.querySelector('main')!, document.documentElement];
        return Math.max(main.scrollWidth - main.clientWidth, root.scrollHeight - root.clientHeight);
      }),
    )
    .toBeLessThanOrEqual(0);

/** A message waiting for a code, a refused one, and two possible duplicates. */
async function bringSomethingToDecide(page: Page, language: Language): Promise<void> {
  const day = '20260115';
  const person = (first: string, mrn: string) =>
    ({
      last: `Crawlworth${language}`,
      first,
      birthDate: '19810302',
      sex: 'F',
      mrn: `crawl${language}${mrn}`,
    }) as const;
  const file = [
    chlamydiaReport(`crawl-${language}-1`, person('Georgiana', '1'), day, true),
    chlamydiaReport(`crawl-${language}-2`, person('Georgina', '2'), day, false),
    chlamydiaReport(
      `crawl-${language}-3`,
      person('Ada', '3'),
      day,
      true,
      `CRAWL${language}^A code in house^L`,
    ),
    chlamydiaReport('', person('Eda', '4'), day, true),
  ].join('');
  await page.goto('/imports');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: `crawl-${language}.hl7`, mimeType: 'text/plain', buffer: Buffer.from(file) });
  await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
  await expect.poll(() => sumOf(page, wordsIn(language))).toEqual([4, 2, 1, 1, 0]);
}
