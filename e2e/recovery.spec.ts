import type { Browser, Page } from '@playwright/test';
import { newAdministrator } from './accounts.ts';
import {
  expect,
  expectAccessible,
  expectTranslated,
  signIn,
  signInByForm,
  type Translate,
  test,
} from './fixtures.ts';
import { recoveryCodeFor } from './outbox.ts';

const reason = 'Zqx: telephone and mailbox are gone.';

async function ask(page: Page, t: Translate, name: string, email: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: t('signIn.cannot') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('signIn.cannot') })).toBeVisible();
  await page.getByRole('textbox', { name: t('recovery:ask.name') }).fill(name);
  await page.getByRole('textbox', { name: t('recovery:ask.email') }).fill(email);
  await page.getByRole('textbox', { name: t('recovery:ask.reason') }).fill(reason);
  await page.getByRole('button', { name: t('recovery:ask.send') }).click();
  await expect(page.getByText(t('recovery:ask.done'))).toBeVisible();
}

/** An administrator, in a separate browser, finds the request by the new address and approves it. */
async function approve(
  browser: Browser,
  t: Translate,
  administrator: string,
  email: string,
  checked?: typeof expectAccessible,
): Promise<void> {
  const context = await browser.newContext({ baseURL: process.env.CASEWAY_E2E_URL! });
  const page = await context.newPage();
  await signIn(page, administrator, { at: '/admin/users/tenants' });
  await page.getByRole('link', { name: t('recovery:waiting.look') }).click();
  const request = page.getByRole('listitem').filter({ hasText: email });
  await expect(request.getByText(reason)).toBeVisible();
  await checked?.(page);
  await request.getByRole('button', { name: t('recovery:approve.button') }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: t('recovery:approve.verification') })
    .fill('Called the extension in our directory.');
  await checked?.(page, ['light']);
  await dialog.getByRole('button', { name: t('recovery:approve.button') }).click();
  await expect(dialog).toBeHidden();
  await context.close();
}

test('someone who can no longer sign in requests recovery, two administrators approve, and the code lets them in', async ({
  page,
  browser,
  t,
}) => {
  const [lost, first, second] = await Promise.all(
    ['lost', 'decides.first', 'decides.second'].map((name) => newAdministrator(name)),
  );
  const email = 'found@elsewhere.example';
  const since = Date.now();
  await ask(page, t, lost!, email);
  await expectAccessible(page);
  await approve(browser, t, first!, email, expectAccessible);
  await approve(browser, t, second!, email);

  const code = await recoveryCodeFor(email, since);
  await page.goto('/sign-in/recovery');
  await page.getByRole('radio', { name: t('recovery:door.code') }).click();
  await page.getByRole('textbox', { name: t('recovery:code.label') }).fill(code);
  await page.getByRole('button', { name: t('recovery:complete.send') }).click();
  await expect(page.getByText(t('recovery:complete.done'))).toBeVisible();
  await expectAccessible(page, ['light']);
  await signInByForm(page, email);
});

test('[P12] an unknown name gets the same text', async ({ page, t }) => {
  await ask(page, t, 'nobody@elsewhere.example', 'stranger@elsewhere.example');
  await expect(page.getByText(t('recovery:ask.next'))).toBeVisible();
});

test('a wrong code for stopping a recovery is explained', async ({ page, t }) => {
  await page.goto('/sign-in/stop');
  await expect(page.getByRole('heading', { level: 1, name: t('signIn.stop') })).toBeVisible();
  await page.getByRole('textbox', { name: t('recovery:code.label') }).fill('aaaa-aaaa-aaaa-aaaa');
  await page.getByRole('button', { name: t('recovery:stop.send') }).click();
  await expect(page.getByText(t('recovery:code.code-wrong'))).toBeVisible();
  await expectAccessible(page);
});

for (const language of ['es', 'ht'] as const)
  test.describe(`the links next to the sign-in, ${language}`, () => {
    test.use({ language });

    test('[S1.4] are in the language', async ({ page, language: chosen }) => {
      await page.addInitScript((one) => localStorage.setItem('caseway.locale', one), chosen);
      for (const path of ['/sign-in', '/sign-in/recovery', '/sign-in/stop']) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectTranslated(page, chosen);
      }
    });
  });
