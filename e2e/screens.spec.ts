import type { Page } from '@playwright/test';
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
import { chlamydiaReport } from './messages.ts';
import { goWithin, kindOf, linksOf } from './walk.ts';

const wide = { width: 1440, height: 900 };
const tablet = { width: 1024, height: 768 };
const phone = { width: 360, height: 780 };

type Size = { width: number; height: number; themes: ('light' | 'dark')[] };
interface Look {
  /** Each address is opened in a new page, as from a link in an email; otherwise from within, as by a click. */
  loaded?: true;
  sizes: Size[];
}

/**
 * How each language is checked: together, every screen in every language, theme and width. Axe runs once in each theme:
 * in English on a desktop in light, in Creole on a phone in dark. In `npm test` every screen is looked at three times:
 * in each language, at one width; in the second theme only its colours are checked.
 */
const looks: Record<'en' | 'es' | 'ht', Look> = {
  en: {
    sizes: load<Size[]>(
      [{ ...wide, themes: ['light'] }],
      [
        { ...wide, themes: ['light'] },
        { ...tablet, themes: [] },
        { ...phone, themes: [] },
      ],
    ),
  },
  es: { loaded: true, sizes: [{ ...load(tablet, wide), themes: [] }] },
  ht: {
    sizes: load<Size[]>(
      [{ ...phone, themes: ['dark'] }],
      [
        { ...wide, themes: [] },
        { ...phone, themes: ['dark'] },
      ],
    ),
  },
};

for (const language of ['en', 'es', 'ht'] as const)
  test.describe(`every screen, ${language}`, () => {
    test.use({ language });

    test('[S1.4, P20] is accessible, fits its width, has columns that fit, is translated and breaks no rule of the browser', async ({
      page,
    }) => {
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`);
      });
      await signIn(page, await newAdministrator(`crawl.${language}`), language);
      await bringSomethingToDecide(page, language);

      // From link to link, each kind of screen once; two that only a number or a wrong address leads to.
      const seen = new Set<string>();
      const waiting = ['/', '/analytics/testing/records', '/no/such/screen'];
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const kind = kindOf(path);
        if (seen.has(kind)) continue;
        seen.add(kind);
        await test.step(kind, async () => {
          const { loaded, sizes } = looks[language];
          if (loaded) await page.goto(path);
          else await goWithin(page, path);
          for (const { themes, ...size } of sizes) {
            await page.setViewportSize(size);
            await settled(page);
            await expectNothingCutOff(page);
            await expectColumnsFit(page);
            await expectTextsReadable(page);
            await expectAccessible(page, themes, { colours: load(language === 'ht', false) });
          }
          await expectTranslated(page, language);
          waiting.push(...(await linksOf(page)));
        });
      }
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
          '/admin/settings/guide',
          '/organizations',
          '/facilities',
          '/jurisdictions',
          '/reporting',
          '/programs',
          '/tasks',
          '/locations',
        ]),
      );
      expect(errors).toEqual([]);
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
    await expectAccessible(page, ['light', 'dark']);
    await page.keyboard.press('Escape');
    await expect(page.locator('.MuiPopover-paper, .MuiMenu-paper, .MuiDialog-paper')).toHaveCount(0);
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: t('keys.title') })).toBeVisible();
  await expectAccessible(page, ['light', 'dark']);
});

/** Nothing is beyond the right edge, except in parts that scroll by themselves. */
const expectNothingCutOff = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const main = document.querySelector('main')!;
        return main.scrollWidth - main.clientWidth;
      }),
    )
    .toBeLessThanOrEqual(0);

/** A message that waits for a code, one that was refused, and two people who may be the same. */
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
