import type { Page } from '@playwright/test';
import { stepAt, totpCode } from '../server/src/platform/auth/totp.ts';
import { load } from '../server/test/load.ts';
import { newAdministrator } from './accounts.ts';
import {
  test as base,
  expect,
  expectAccessible,
  type Language,
  settled,
  signIn,
  type Translate,
} from './fixtures.ts';
import { codeFor } from './outbox.ts';
import { keepRecoveryCodes, namedHost, openProfile, signOut, withAuthenticator } from './passkeys.ts';
import { goWithin } from './walk.ts';

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern.
  baseURL: async ({}, use) => use(namedHost()),
});

const shell = (page: Page, t: Translate) => page.getByRole('navigation', { name: t('shell.navigation') });

for (const language of ['en', 'es'] as const) {
  test.describe(`people sign in, ${language}`, () => {
    test.use({ language });

    // In Spanish, someone invited to a new tenant adds a passkey.
    if (language === 'en')
      test('a passkey: added, used, and a session ended elsewhere without loss', async ({
        page,
        context,
        browser,
        t,
      }) => {
        const device = await withAuthenticator(context, page);

        await test.step('[P21] is added in the profile, with recovery codes', async () => {
          await signIn(page, await newAdministrator(`passkey.${language}`), { language });
          await openProfile(page, t);
          await expectAccessible(page);
          await page.getByRole('button', { name: t('profile:passkeys.add') }).click();
          await keepRecoveryCodes(page, t);
          await expect(page.getByText(t('profile:recovery.left_other', { count: 10 }))).toBeVisible();
        });

        await test.step('signs in without a name or a code', async () => {
          await signOut(page, t);
          await page.getByRole('button', { name: t('sign-in:way.PASSKEY') }).click();
          await expect(shell(page, t)).toBeVisible();
        });

        // The same passkey on another machine, as with a password manager.
        const elsewhere = await browser.newContext({ baseURL: new URL(page.url()).origin });
        const other = await elsewhere.newPage();
        let changed = '';
        await test.step('signs in on another machine, where someone changes a case', async () => {
          const there = await withAuthenticator(elsewhere, other);
          const { credentials } = await device.session.send('WebAuthn.getCredentials', {
            authenticatorId: device.authenticatorId,
          });
          await there.session.send('WebAuthn.addCredential', {
            authenticatorId: there.authenticatorId,
            credential: credentials[0]!,
          });
          await signInByPasskey(other, t, language);
          await goWithin(other, '/case-reports');
          await settled(other);
          await other.getByRole('grid').getByRole('link').first().click();
          changed = (await outcome(other, t).inputValue()) === 'ill' ? 'unknown' : 'ill';
          await outcome(other, t).selectOption(changed);
        });

        await test.step('[P14, S8.1] ended from the first, it asks to sign in there, over unsaved work', async () => {
          await openProfile(page, t);
          const sessions = page
            .getByRole('list', { name: t('profile:sessions.title') })
            .getByRole('listitem');
          await expect(sessions).toHaveCount(2);
          await sessions.getByRole('button', { name: t('profile:sessions.end') }).click();
          await expect(sessions).toHaveCount(1);
          const dialog = other.getByRole('dialog', { name: t('expired.title') });
          await expect(dialog).toBeVisible();
          await expectAccessible(other);
          await dialog.getByRole('button', { name: t('sign-in:way.PASSKEY') }).click();
          await expect(dialog).toBeHidden();
          await expect(outcome(other, t)).toHaveValue(changed);
          await other.getByRole('button', { name: t('case-reports:change.save') }).click();
          await expect(other.getByText(t('case-reports:change.saved', { caseId: '' }).trim())).toBeVisible();
          await elsewhere.close();
        });

        await test.step('[S4.3] signing out in one tab signs out in the other', async () => {
          const tab = await context.newPage();
          await tab.goto('/profile');
          await expect(tab.getByRole('heading', { level: 1, name: t('screen.profile') })).toBeVisible();
          await signOut(page, t);
          await expect(tab.getByRole('textbox', { name: t('signIn.email') })).toBeVisible();
        });
      });

    // In `npm test`, each of the two stories runs in one language.
    if (load(language === 'es', true))
      test('[P21] an authenticator app is required after the code from the email', async ({ page, t }) => {
        const username = await newAdministrator(`app.${language}`);
        await signIn(page, username, { language });
        await openProfile(page, t);
        await page.getByRole('button', { name: t('profile:methods.totpAdd') }).click();
        const dialog = page.getByRole('dialog', { name: t('profile:methods.totpAdd') });
        await expect(dialog.getByRole('img', { name: t('profile:totp.picture') })).toBeVisible();
        await expectAccessible(page);
        const secret = keyOf(await dialog.getByText(/^([A-Z2-7]{4} ?){8}$/).innerText());
        await dialog.getByLabel(t('profile:totp.code')).fill(totpCode(secret, stepAt(Date.now())));
        await dialog.getByRole('button', { name: t('profile:totp.add'), exact: true }).click();
        const codes = await keepRecoveryCodes(page, t);
        await signOut(page, t);

        await askForSecondStep(page, username, t);
        await expectAccessible(page);
        // The app's clock may be half a minute ahead; the code shown when it was added is used up.
        await page.getByLabel(t('signIn.code')).fill(totpCode(secret, stepAt(Date.now()) + 1));
        await expect(shell(page, t)).toBeVisible();
        await signOut(page, t);

        await askForSecondStep(page, username, t);
        await page.getByRole('button', { name: t('sign-in:second.instead.RECOVERY_CODE') }).click();
        await page.getByLabel(t('sign-in:second.recoveryCode')).fill(codes[0]!);
        await page.getByRole('button', { name: t('signIn.enter') }).click();
        await openProfile(page, t);
        await expect(page.getByText(t('profile:recovery.left_other', { count: 9 }))).toBeVisible();
      });
  });
}

const outcome = (page: Page, t: Translate) =>
  page.getByRole('combobox', { name: t('case-reports:column.outcome') });

async function signInByPasskey(page: Page, t: Translate, language: Language): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem('caseway.locale', chosen), language);
  await page.goto('/sign-in');
  await page.getByRole('button', { name: t('sign-in:way.PASSKEY') }).click();
  await expect(shell(page, t)).toBeVisible();
}

async function askForSecondStep(page: Page, username: string, t: Translate): Promise<void> {
  const since = Date.now();
  await page.getByRole('textbox', { name: t('signIn.email') }).fill(username);
  await page.getByRole('button', { name: t('signIn.sendCode') }).click();
  const code = page.getByLabel(t('signIn.code'));
  await code.waitFor();
  await code.fill(await codeFor(username, since));
  await expect(page.getByRole('heading', { name: t('sign-in:second.title') })).toBeVisible();
}

/** The bytes of a base 32 key, as shown for typing. */
function keyOf(shown: string): Buffer {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...shown.replaceAll(/\s/g, '')].map((one) =>
    digits.indexOf(one).toString(2).padStart(5, '0'),
  );
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
}
