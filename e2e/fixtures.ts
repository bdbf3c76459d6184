import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { load } from '../server/test/load.ts';
import { languageNames } from './languages.ts';
import { codeFor } from './outbox.ts';

export type Language = 'en' | 'es' | 'ht';

const locales = path.resolve(import.meta.dirname, '../web/public/locales');
type Words = { [key: string]: string | Words };
/** A function of one text, cached by text. */
function once<Answer>(of: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    if (!answers.has(text)) answers.set(text, of(text));
    return answers.get(text)!;
  };
}
const readFrom = once((file) => JSON.parse(readFileSync(path.join(locales, file), 'utf8')) as Words);
const read = (language: Language, namespace: string) => readFrom(`${language}/${namespace}.json`);

/** The product's own texts, so that each story runs in every language: `t('imports:drop.title')`. */
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
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern.
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

/** How someone signs in. */
interface SigningIn {
  /** The product's language afterwards, if not the account's. */
  language?: Language;
  /** The product's data folder. */
  dataDir?: string | undefined;
}

/**
 * Signs an account in with the code that arrives in the outbox, and opens an address. Skips the sign-in form,
 * which costs more than most steps of a story; `signInByForm` is for stories about it.
 */
export async function signIn(
  page: Page,
  username: string,
  { at = '/', language = 'en', dataDir }: SigningIn & { at?: string } = {},
): Promise<void> {
  const ask = async <Answer>(path: string, data: object): Promise<Answer> => {
    const answer = await page.request.post(path, { data });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  };
  const since = Date.now();
  const { details } = await ask<{ details: string }>('/auth/tenant/sign-in', {
    origin: 'localhost',
    username,
    challengeMethod: 'EMAIL',
  });
  const secret = await codeFor(username, since, dataDir);
  const { refreshToken } = await ask<{ refreshToken: string }>('/auth/tenant/challenge', { details, secret });
  // Browser storage belongs to an address, so this uses an empty page; without its icon, the browser would
  // request one.
  const empty = '/signing-in';
  const body = '<link rel="icon" href="data:,">';
  await page.route(`**${empty}`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(empty);
  await page.unroute(`**${empty}`);
  await page.evaluate(
    ([token, chosen]) => {
      localStorage.setItem('refresh-token', token!);
      if (chosen !== 'en') localStorage.setItem('caseway.locale', chosen!);
    },
    [refreshToken, language],
  );
  await page.goto(at);
  await inside(page, language);
}

/** The same with the form, in a language chosen there. */
export async function signInByForm(
  page: Page,
  username: string,
  { language = 'en', dataDir }: SigningIn = {},
): Promise<void> {
  await page.goto('/sign-in');
  if (language !== 'en') {
    await page
      .getByRole('button', { name: wordsIn('en')('language.choose', { language: languageNames.en }) })
      .click();
    await page.getByRole('menuitemradio', { name: languageNames[language] }).click();
  }
  const t = wordsIn(language);
  const since = Date.now();
  await page.getByRole('textbox', { name: t('signIn.email') }).fill(username);
  await page.getByRole('button', { name: t('signIn.sendCode') }).click();
  const code = page.getByLabel(t('signIn.code'));
  await code.waitFor();
  await code.fill(await codeFor(username, since, dataDir));
  await inside(page, language);
}

/** Waits until someone is signed in. */
const inside = (page: Page, language: Language): Promise<void> =>
  page
    .getByRole('navigation', { name: wordsIn(language)('shell.navigation') })
    .or(page.getByRole('button', { name: wordsIn(language)('shell.openMenu') }))
    .first()
    .waitFor();

/** Waits until the screen is complete and nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('.MuiSkeleton-root, [aria-busy=true]')).toHaveCount(0);
}

/**
 * Waits for a notification and keeps it and others on screen: they stay while the pointer is on them,
 * otherwise for five seconds.
 */
export const holdNotifications = (page: Page): Promise<void> =>
  page.locator('section:has(> [role="status"]) button').first().hover();

/** Waits until nothing moves: colors in a transition belong to neither look. */
export const still = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const drawn = () => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)));
    await drawn();
    // An animation's end can start others: an inherited color changes after its parent's.
    for (let moving = document.getAnimations(); moving.length > 0; moving = document.getAnimations()) {
      await Promise.all(moving.map(({ finished }) => finished.catch(() => {})));
      await drawn();
    }
  });

let axeItself: string | undefined;
const axeText = () =>
  (axeItself ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));

/** Axe's findings on a page; its program is loaded once per page. */
async function violationsOn(page: Page, options: RunOptions): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeText());
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    return (await axe.run(document, options)).violations;
  }, options);
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

let checks = 0;
/** Both themes; in `npm test` they alternate. */
const themesInTurn = (): readonly ('light' | 'dark')[] =>
  load([checks++ % 2 === 0 ? 'light' : 'dark'], ['light', 'dark']);

/**
 * No violation of WCAG 2.2 AA on the page. The themes differ only in color, so the second is checked only for
 * that.
 */
export async function expectAccessible(
  page: Page,
  themes: readonly ('light' | 'dark')[] = themesInTurn(),
): Promise<void> {
  for (const [index, colorScheme] of themes.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await still(page);
    const violations = await violationsOn(page, {
      runOnly: index === 0 ? { type: 'tag', values: wcag } : { type: 'rule', values: ['color-contrast'] },
      // Passing results are not needed, which saves a third of the time.
      resultTypes: ['violations'],
      selectors: false,
    });
    expect(
      violations.map(
        ({ id, nodes }) =>
          `${colorScheme} ${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} (${node.any[0]?.message ?? ''})`).join('; ')}`,
      ),
    ).toEqual([]);
  }
}

/** A language's keys, and whether a text is one of its texts. */
const textsOf = once((language) => {
  const keys = new Set<string>();
  const plain = new Set<string>();
  /** For texts with inserted values. */
  const patterns: RegExp[] = [];
  const walk = (words: Words | string, key: string): void => {
    if (typeof words !== 'string') {
      for (const [name, inner] of Object.entries(words)) walk(inner, key === '' ? name : `${key}.${name}`);
      return;
    }
    keys.add(key);
    if (!words.includes('{{')) plain.add(words);
    // A pattern of fewer than two words would also match other texts.
    else if (/\p{L}{2,}\P{L}+\p{L}{2,}/u.test(words.replaceAll(/\{\{.*?\}\}/g, ' ')))
      patterns.push(
        new RegExp(
          `^${words
            .split(/\{\{.*?\}\}/)
            .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.+')}$`,
          'u',
        ),
      );
  };
  const files = readdirSync(path.join(locales, language), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.json')))
    walk(read(language as Language, file.replace('.json', '')), '');
  return { keys, has: once((text) => plain.has(text) || patterns.some((pattern) => pattern.test(text))) };
});

/** No raw key, no unfilled value, and in other languages no English text. [S1.4] */
export async function expectTranslated(page: Page, language: Language): Promise<void> {
  const shown = await page.evaluate(() => {
    const texts = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    // Texts shown as data, which an administrator rewords.
    const isData = (element: Element) => element.closest('[translate=no]') !== null;
    // One line of a chart label, whose title has the full text.
    const isLine = (element: Element) =>
      element.tagName === 'tspan' && element.parentElement!.querySelector('title') !== null;
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (
        !['SCRIPT', 'STYLE'].includes(node.parentElement!.tagName) &&
        !isLine(node.parentElement!) &&
        !isData(node.parentElement!)
      )
        texts.add(node.textContent!.trim());
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-roledescription'])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (!isData(element)) texts.add(element.getAttribute(name)!.trim());
    return [...texts].filter((text) => /\p{L}/u.test(text));
  });
  const english = textsOf('en');
  const own = textsOf(language);
  const faults = shown.filter(
    (text) =>
      text.includes('{{') ||
      english.keys.has(text.replace(/^[a-z-]+:/, '')) ||
      (language !== 'en' && english.has(text) && !own.has(text)),
  );
  expect(faults).toEqual([]);
}
