import type { Page } from '@playwright/test';
import { load } from '../server/test/load.ts';
import { newAdministrator } from './accounts.ts';
import { expect, expectTranslated, type Language, settled, signIn, test, wordsIn } from './fixtures.ts';
import { goWithin } from './walk.ts';

/** The default words for the people and places of testing. */
const defaultWords: Record<Language, RegExp> = {
  en: /\bpatient|\bfacilit/i,
  es: /\bpaciente|\bestablecimiento/i,
  ht: /\bpasyan|\betablisman/i,
};

/** All texts of the page with a default word, including those read aloud and the tab's title. */
async function inDefaultWords(page: Page, language: Language): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!['SCRIPT', 'STYLE'].includes(node.parentElement!.tagName)) texts.push(node.textContent!);
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name)!);
    return texts;
  });
  return shown.filter((text) => defaultWords[language].test(text));
}

async function speak(page: Page, language: Language): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('caseway.locale', chosen), language);
}

test('[S1.5] a school reads about students and schools: as soon as it becomes one, and on every screen', async ({
  page,
  t,
}) => {
  await signIn(page, await newAdministrator('experiences', 'vendor'), { at: '/admin/settings' });
  const link = (experience: string) =>
    page.getByRole('link', { name: t(`settings:section.results${experience}`), exact: true });
  /** Sets the tenant's experience in the settings. */
  const become = async (experience: string) => {
    await page.getByLabel(t('settings:field.experience'), { exact: true }).selectOption(experience);
    await page.getByRole('button', { name: t('action.save') }).click();
  };

  await test.step('the words change on the open screen, without a reload', async () => {
    await settled(page);
    await page.evaluate(() => Object.assign(window, { still: 'here' }));
    await expect(link('')).toBeVisible();
    await become('EDUCATION');
    await expect(link('_EDUCATION')).toBeVisible();
    await expect(link('')).toHaveCount(0);
    expect(await page.evaluate(() => (window as { still?: string }).still)).toBe('here');
  });

  await goWithin(page, '/case-reports');
  await settled(page);
  const record = await page.getByRole('grid').getByRole('link').first().getAttribute('href');
  for (const language of ['es', 'ht'] as const)
    await test.step(`every screen, in ${language}`, async () => {
      await speak(page, language);
      const own = wordsIn(language);
      const paths = [
        '/',
        '/case-reports',
        record!,
        '/analytics/testing',
        '/imports',
        '/imports/pairs',
        '/admin/users/facilities',
        '/facilities',
        '/admin/settings/guide',
        '/admin/settings/messages',
      ];
      // In `npm test`, each screen in one of the two languages.
      const chosen = paths.filter((_, at) => load(at % 2 === (language === 'es' ? 0 : 1), true));
      const [first] = chosen;
      for (const path of chosen) {
        // The language changes with the next page load.
        if (path === first) await page.goto(path);
        else await goWithin(page, path);
        await settled(page);
        expect([path, await inDefaultWords(page, language)]).toEqual([path, []]);
        await expectTranslated(page, language);
      }
      await goWithin(page, '/facilities');
      await expect(
        page.getByRole('heading', { level: 1, name: own('screen.facilities_EDUCATION') }),
      ).toBeVisible();
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
      expect(await inDefaultWords(page, language)).toEqual([]);
    });

  await speak(page, 'en');
  await page.goto('/admin/settings');
  await become('HEALTH_CARE');
  await expect(link('')).toBeVisible();
});
