import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { expect, type Translate } from './fixtures.ts';

interface Device {
  session: CDPSession;
  authenticatorId: string;
}

/** Passkeys are bound to a host name; a numeric address has none. */
export const namedHost = (): string => process.env.CASEWAY_E2E_URL!.replace('127.0.0.1', 'localhost');

/** A device with a software fingerprint reader that accepts everything. */
export async function withAuthenticator(context: BrowserContext, page: Page): Promise<Device> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

export async function openProfile(page: Page, t: Translate): Promise<void> {
  await page.getByRole('button', { name: t('user.open', { name: '' }).trim() }).click();
  await page.getByRole('menuitem', { name: t('screen.profile') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('screen.profile') })).toBeVisible();
}

export async function signOut(page: Page, t: Translate): Promise<void> {
  await page.getByRole('button', { name: t('user.open', { name: '' }).trim() }).click();
  await page.getByRole('menuitem', { name: t('user.signOut') }).click();
  await expect(page.getByRole('textbox', { name: t('signIn.email') })).toBeVisible();
}

/** Reads the recovery codes, which are shown once. */
export async function keepRecoveryCodes(page: Page, t: Translate): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: t('profile:recovery.title') });
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  await dialog.getByLabel(t('profile:recovery.isKept')).check();
  await dialog.getByRole('button', { name: t('profile:recovery.done') }).click();
  return codes;
}
