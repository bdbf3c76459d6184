import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  expect,
  expectAccessible,
  expectTranslated,
  signIn,
  signInByForm,
  test,
  wordsIn,
} from './fixtures.ts';
import { codeFor } from './outbox.ts';

for (const language of ['ht'] as const) {
  test.describe(`signing in, ${language}`, () => {
    test.use({ language });

    test('[S4.1, S4.6] a code from the outbox leads to the first organization by name', async ({
      page,
      t,
    }) => {
      await signInByForm(page, 'epi@demo.caseway.test', { language });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expectAccessible(page);
      // [S2.5] Signing out returns to the root, which shows only the sign-in.
      await page.getByRole('button', { name: t('user.open', { name: '' }).trim() }).click();
      await page.getByRole('menuitem', { name: t('user.signOut') }).click();
      await expect(page.getByRole('textbox', { name: t('signIn.email') })).toBeVisible();
      await expectAccessible(page);
    });
  });
}

test('[P11] a wrong code is explained, and the right one still works', async ({ page, t }) => {
  const username = 'analyst@demo.caseway.test';
  await page.goto('/sign-in');
  const since = Date.now();
  await page.getByRole('textbox', { name: t('signIn.email') }).fill(username);
  await page.getByRole('button', { name: t('signIn.sendCode') }).click();
  const right = await codeFor(username, since);
  await page.getByLabel(t('signIn.code')).fill(right === '000000' ? '000001' : '000000');
  await expect(page.getByText(t('error.code-wrong'))).toBeVisible();
  await page.getByLabel(t('signIn.code')).fill(right);
  await expect(page.getByRole('navigation', { name: t('shell.navigation') })).toBeVisible();
});

test('[S10.8] in the demo, one click on an account signs in, and its page has the sent messages', async ({
  page,
  t,
}) => {
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'admin', exact: true }).click();
  await expect(page.getByRole('navigation', { name: t('shell.navigation') })).toBeVisible();
  await page.goto('/');
  await page.getByRole('button', { name: t('user.open', { name: '' }).trim() }).click();
  await page.getByRole('menuitem', { name: t('user.signOut') }).click();
  await page.getByRole('link', { name: t('signIn.demoAll') }).click();
  const messages = page.getByRole('region', { name: t('sign-in:demo.messages') });
  await expect(messages.getByText('admin@demo.caseway.test').first()).toBeVisible();
  await messages.locator('summary').first().click();
  await expectTranslated(page, 'en');
  await expectAccessible(page);
});

// docs/decisions/0011: on a slow line, people wait for every kilobyte.
test('the sign-in screen loads with at most 250 kB of gzipped script', async ({ page, t }) => {
  const scripts = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.set(response.url(), response.body());
  });
  await page.goto('/sign-in');
  await expect(page.locator('#root').getByRole('textbox', { name: t('signIn.email') })).toBeVisible();
  let kilobytes = 0;
  for (const script of scripts.values()) kilobytes += gzipSync(await script, { level: 9 }).length / 1000;
  // Less would mean that it was not counted.
  expect(kilobytes).toBeGreaterThan(100);
  expect(kilobytes).toBeLessThanOrEqual(250);
});

test('what lists have in common is one file of at most 92 kB of gzipped script', async () => {
  const assets = join(import.meta.dirname, '../web/dist/assets');
  const lists = readdirSync(assets).filter((file) => /^list-[^.]+\.js$/.test(file));
  expect(lists).toHaveLength(1);
  const kilobytes = gzipSync(readFileSync(join(assets, lists[0]!)), { level: 9 }).length / 1000;
  expect(kilobytes).toBeGreaterThan(50);
  expect(kilobytes).toBeLessThanOrEqual(92);
});

/** The positions of the form's parts; `later`: of the form that replaces the shown one. */
async function placesOfParts(later: boolean): Promise<string[]> {
  const door = document.getElementById('door')!;
  if (later) await new Promise((taken) => new MutationObserver(taken).observe(door, { childList: true }));
  const form = later ? document.getElementById('root')! : door;
  return [...form.querySelectorAll('h1, p, label, input, button, a')].map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return `${part.tagName} ${part.textContent} ${[x, y, width, height].map(Math.round).join(' ')}`;
  });
}

// docs/decisions/0086: the page has the form, and the program follows.
for (const { path, language, field, send, code } of [
  { path: '/sign-in', field: 'signIn.email', send: 'signIn.sendCode', code: 'signIn.code' },
  {
    path: '/patient/sign-in',
    field: 'portal:signIn.who',
    send: 'portal:signIn.send',
    code: 'portal:signIn.enter',
  },
].flatMap((door) => (['en', 'ht'] as const).map((language) => ({ ...door, language }))))
  test(`[S4.1] the form at ${path} in ${language} works before the program has loaded, and looks the same afterwards`, async ({
    page,
  }) => {
    const t = wordsIn(language);
    await page.addInitScript((chosen) => localStorage.setItem('caseway.locale', chosen), language);
    const program = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await program.promise;
      await route.continue();
    });
    // Text moves a little when its font loads, which is not the subject here.
    await page.route('**/*.woff2', (route) => route.abort());
    await page.goto(path, { waitUntil: 'commit' });
    const textbox = page.getByRole('textbox', { name: t(field), exact: true });
    await expect(textbox).toBeFocused();
    await expectTranslated(page, language);
    await expectAccessible(page, ['light']);
    const before = await page.evaluate(placesOfParts, false);
    await page.keyboard.type('nobody@demo.caseway.te');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: t(send) })).toHaveAttribute('aria-busy', 'true');
    await page.keyboard.type('st');
    await page.getByRole('button', { name: t(send) }).click();
    // A browser's own submission of the form would load another page.
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    const taken = page.evaluate(placesOfParts, true);
    program.resolve();
    expect(await taken).toEqual(before);
    await expect(page.getByRole('button', { name: t(code) }).or(page.getByLabel(t(code)))).toBeVisible();
  });

for (const language of ['es', 'ht'] as const)
  test(`[S1.4] a message's link in ${language} opens the patient portal in that language`, async ({
    page,
  }) => {
    const t = wordsIn(language);
    await page.goto(`/${language}/patient/sign-in`);
    await expect(page.getByRole('heading', { level: 1, name: t('portal:signIn.title') })).toBeVisible();
    await expect(page.getByLabel(t('portal:signIn.who'))).toBeVisible();
    await expect(page).toHaveURL(/:\d+\/patient\/sign-in$/);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expectTranslated(page, language);
  });

test('[S2.2] an unknown path shows a not-found page in the shell, with a way back', async ({ page, t }) => {
  await signIn(page, 'lab@vendor.caseway.test', { at: '/no-such-screen' });
  await expect(page.getByRole('heading', { name: t('screen.notFoundTitle') })).toBeVisible();
  await page.getByRole('link', { name: t('screen.toHome') }).click();
  await expect(page).toHaveURL(/\/$/);
});
