import { accessTokenPayload, refreshTokenPayload, tokenMarginMs } from '@caseway/contract/session';
import type { z } from 'zod';
import { splitLanguage } from '../words/language-of-link.ts';
import { browserStore, tabStore } from './storage.ts';
import { storageKeys } from './storage-keys.ts';

/**
 * Patients have a separate sign-in: someone signed in there is not signed in as staff, and vice versa. It
 * stays fixed until the page reloads. A link in a message may begin with a language.
 */
export const atPatientDoor = /^\/(portal|patient)(\/|$)/.test(splitLanguage(window.location.pathname).path);

/** The path of this sign-in. The staff sign-in accepts no patients, and does not say so. */
export const doorAddress = atPatientDoor ? '/patient/sign-in' : '/';

/** Where the browser's tabs share the token of this sign-in. */
export const sharedTokenKey = atPatientDoor ? storageKeys.patientToken : storageKeys.refreshToken;

export function storeRefreshToken(token: string): void {
  tabStore.set(storageKeys.refreshToken, token);
  browserStore.set(sharedTokenKey, token);
}

/** Removes the token here and in all other tabs, which signs all of them out. [S4.3] */
export function removeRefreshToken(): void {
  tabStore.remove(storageKeys.refreshToken);
  browserStore.remove(sharedTokenKey);
}

/** Removes a token that no longer works. A token of another session, from another tab, stays. */
export function removeRefusedToken(): void {
  const own = tabToken();
  const shared = browserStore.get(sharedTokenKey);
  tabStore.remove(storageKeys.refreshToken);
  if (own === null || shared === null || sameSession(own, shared)) browserStore.remove(sharedTokenKey);
}

/** The tab's token, unless it belongs to the other kind of sign-in, from which the tab came. */
function tabToken(): string | null {
  const token = tabStore.get(storageKeys.refreshToken);
  return token !== null && isPatientToken(token) === atPatientDoor ? token : null;
}

/** Uses in this tab the token another tab has put into the browser's storage. */
export const adoptRefreshToken = (token: string): void => tabStore.set(storageKeys.refreshToken, token);

/**
 * The refresh token to use now. Tokens rotate, and another tab may have rotated this tab's: the browser's
 * storage then has the newer one of the same session. Another user's token is never used.
 */
export function currentRefreshToken(): string | null {
  const own = tabToken();
  const shared = browserStore.get(sharedTokenKey);
  if (own === null || shared === null) return own ?? shared;
  return sameSession(own, shared) ? shared : own;
}

/** Whether two refresh tokens belong to one session; tokens that do not say count as the same. */
export function sameSession(one: string, other: string): boolean {
  const [a, b] = [payloadOf(one, refreshTokenPayload), payloadOf(other, refreshTokenPayload)];
  return a?.sub === b?.sub && a?.sid === b?.sid;
}

/** Whether two refresh tokens belong to one account. */
export function sameAccount(one: string, other: string): boolean {
  const [a, b] = [payloadOf(one, refreshTokenPayload), payloadOf(other, refreshTokenPayload)];
  return a?.sub !== undefined && a.sub === b?.sub;
}

export const isPatientToken = (refreshToken: string): boolean =>
  payloadOf(refreshToken, refreshTokenPayload)?.patient === true;

/**
 * Whether an access token has expired or will within five minutes; an unreadable one counts as expired.
 * [S4.5, S9.11]
 */
export function lapsesSoon(accessToken: string | null, now: number = Date.now()): boolean {
  const payload = accessToken === null ? null : payloadOf(accessToken, accessTokenPayload);
  return payload === null || payload.atExpAt - now <= tokenMarginMs;
}

/**
 * The unverified payload of a JSON web token, which the browser uses only for scheduling. Null for anything
 * else.
 */
export function payloadOf<T extends z.ZodType>(token: string, schema: T): z.infer<T> | null {
  const part = token.split('.')[1];
  if (part === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    );
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
