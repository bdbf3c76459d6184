import type { Tokens } from '@caseway/contract/session';
import type { storageKeys } from '../session/storage-keys.ts';
import type { Begun } from './ahead.ts';

export interface SessionAddresses {
  renewal: string;
  person: string;
  /** The lock that lets only one tab renew at a time. */
  lock: string;
  keys: typeof storageKeys;
}

interface SessionAhead {
  tokens: Promise<Tokens | null>;
  /** The answer's body; null if there is none. */
  person: Promise<unknown>;
  /** The organization and language of the request. */
  org: string | null;
  language: string;
}

declare global {
  interface Window {
    sessionAhead?: SessionAhead | undefined;
  }
}

/**
 * Renews a staff session and requests who is signed in while the program is still loading, which saves two
 * round trips. Does nothing if this tab and the others have different tokens; the program then decides which
 * to use.
 *
 * The build writes this function into index.html as text, so it may not use anything outside itself.
 */
export function renewAhead(begun: Begun, { renewal, person, lock, keys }: SessionAddresses): void {
  const { language } = begun;
  if (begun.beginning !== 'shell' || !('locks' in navigator)) return;
  const headers = { Accept: 'application/json', 'Accept-Language': language };
  const renew = async (): Promise<Tokens | null> => {
    const token = window.localStorage.getItem(keys.refreshToken);
    const ofTab = window.sessionStorage.getItem(keys.refreshToken);
    if (token === null || (ofTab !== null && ofTab !== token)) return null;
    const answer = await fetch(renewal, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken: token }),
    });
    if (!answer.ok) return null;
    const tokens = (await answer.json()) as Tokens;
    // At once: a page closed before the program arrives would otherwise leave a used token behind.
    window.sessionStorage.setItem(keys.refreshToken, tokens.refreshToken);
    window.localStorage.setItem(keys.refreshToken, tokens.refreshToken);
    return tokens;
  };
  const read = (): string | null => {
    try {
      return window.sessionStorage.getItem(keys.lastUsedOrg) ?? window.localStorage.getItem(keys.lastUsedOrg);
    } catch {
      // A browser that blocks its storage has no session in it.
      return null;
    }
  };
  const org = read();
  // The program retries failures and reports them.
  const tokens = navigator.locks.request(lock, renew).catch(() => null);
  const ask = async ({ accessToken }: Tokens) => {
    const answer = await fetch(org === null ? person : `${person}?org=${encodeURIComponent(org)}`, {
      headers: { ...headers, Authorization: `Bearer ${accessToken}` },
    });
    return answer.ok ? answer.json() : null;
  };
  window.sessionAhead = {
    tokens,
    person: tokens.then((renewed) => renewed && ask(renewed)).catch(() => null),
    org,
    language,
  };
}

let person: (Pick<SessionAhead, 'person' | 'org' | 'language'> & { accessToken: string }) | undefined;

/** The page's new tokens, if they are the ones it stored. Works once, because later there are newer ones. */
export async function tokensAhead(refreshToken: string): Promise<Tokens | undefined> {
  const ahead = window.sessionAhead;
  window.sessionAhead = undefined;
  const tokens = await ahead?.tokens;
  if (!ahead || tokens?.refreshToken !== refreshToken) return undefined;
  person = { ...ahead, accessToken: tokens.accessToken };
  return tokens;
}

/**
 * The page's answer to who is signed in, if requested for the same organization and language; otherwise null.
 * Works once.
 */
export async function personAhead(asked: {
  accessToken: string | null;
  org: string | null;
  language: string;
}): Promise<unknown> {
  const ahead = person;
  person = undefined;
  const isSame = (['accessToken', 'org', 'language'] as const).every((name) => ahead?.[name] === asked[name]);
  return isSame ? ahead!.person : null;
}
