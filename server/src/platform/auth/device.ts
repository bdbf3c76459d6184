import { v7 } from 'uuid';
import type { Device } from '../http/anonymous.ts';
import { deviceCookieName } from './device-cookie.ts';
import type { Signing } from './signing.ts';

/*
 * A browser in which someone has signed in keeps a signed cookie, so that wrong answers and messages of strangers are
 * not counted against its owner (OWASP, "device cookies"). It does not sign anyone in.
 */

const days = 180;
/** Accounts per browser; when there are more, the latest stay. */
const accountsAtMost = 5;

/** The device that a valid cookie names. */
export async function readDevice(
  signing: Pick<Signing, 'readDeviceToken'>,
  cookies: string | undefined,
): Promise<Device | undefined> {
  const [, token] = /(?:^|;\s*)caseway-device=([\w.-]+)/.exec(cookies ?? '') ?? [];
  return token === undefined ? undefined : signing.readDeviceToken(token);
}

/** The cookie that makes a browser known for this account, in addition to earlier ones. */
export async function deviceCookie(
  signing: Pick<Signing, 'deviceToken'>,
  accountId: string,
  known: Device | undefined,
  isSecure: boolean,
): Promise<string> {
  const accounts = [accountId, ...(known?.accounts ?? []).filter((one) => one !== accountId)];
  const seconds = days * 86_400;
  const token = await signing.deviceToken(
    known?.id ?? v7(),
    accounts.slice(0, accountsAtMost),
    new Date(Date.now() + seconds * 1000),
  );
  const flags = `Path=/auth/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
  return `${deviceCookieName}=${token}; ${flags}`;
}
