import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { languageNames } from './languages.ts';
import { codeFor } from './outbox.ts';

export type Language = 'en' | 'es' | 'ht';

const locales = path.resolve(import.meta.dirname, '../web/public/locales');
type Words = { [key: string]: string | Words };
const read = (language: Language, namespace: string) =>
  JSON.parse(readFileSync(path.join(locales, language, `${namespace}.json`), 'utf8')) as Words;

/** The product's own words, so that a story told once runs in every language: `t('imports:drop.title')`. */
export function wordsIn(language: Language) {
  return (key: string, values: Record<string, string | number> = {}): string => {
    const [namespace, rest] = key.includes(':')
      ? (key.split(':') as [string, string])
      : (['common', key] as const);
    let found: string | Words | undefined = read(language, namespace);
    for (const part of rest.split('.')) found = typeof found === 'object' ? found[part] : undefined;
    if (typeof found !== 'string') throw new Error(`${language} has no words for ${key}`);
    return found.replace(/\{\{(\w+)[^}]*\}\}/g, (_, name: string) => String(values[name] ?? ''));
  };
}
export type Translate = ReturnType<typeof wordsIn>;

export const test = base.extend<{ language: Language; t: Translate; faults: string[] }>({
  language: ['en', { option: true }],
  t: async ({ language }, use) => use(wordsIn(language)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from this pattern.
  baseURL: async ({}, use) => use(process.env.CASEWAY_E2E_URL!),
  // No page may throw, or break the content security policy. [P20]
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(`threw: ${error.message}`));
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) faults.push(message.text());
      });
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };

/** Signs an account in by the code that arrives in the outbox, in a language chosen on the way. */
export async function signIn(page: Page, username: string, language: Language = 'en'): Promise<void> {
  await page.goto('/sign-in');
  if (language !== 'en') {
    await page
      .getByRole('button', { name: wordsIn('en')('language.choose', { language: languageNames.en }) })
      .click();
    await page.getByRole('menuitemradio', { name: languageNames[language] }).click();
  }
  const t = wordsIn(language);
  const since = Date.now();
  await page.getByLabel(t('signIn.email')).fill(username);
  await page.getByRole('button', { name: t('signIn.sendCode') }).click();
  const code = page.getByLabel(t('signIn.code'));
  await code.waitFor();
  await code.fill(await codeFor(username, since));
  await page
    .getByRole('navigation', { name: t('shell.navigation') })
    .or(page.getByRole('button', { name: t('shell.openMenu') }))
    .first()
    .waitFor();
}

/** No violation of WCAG 2.2 AA on the page, in the light and in the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze();
    expect(
      violations.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join('; ')}`,
      ),
    ).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
