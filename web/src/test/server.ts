import { ordinaryFeatures } from '@caseway/contract/permission';
import type { InitUserAnswer, OrgEntry } from '@caseway/contract/session';
import { vi } from 'vitest';

/** One request as the product sent it. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  signal: AbortSignal | null;
}
type Answer = { status?: number; body?: unknown; raw?: string; headers?: Record<string, string> } | Error;

/**
 * Replaces the server in one test: answers fetch by `METHOD /path`, and records the requests. A path without
 * an answer gets 404, which fails the test.
 */
export function serve(answers: Record<string, Answer | ((sent: Sent) => Answer | Promise<Answer>)>): Sent[] {
  const requests: Sent[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://caseway.test');
    const sent: Sent = {
      method: init.method ?? 'GET',
      path: url.pathname,
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      signal: init.signal ?? null,
    };
    requests.push(sent);
    const found = answers[`${sent.method} ${sent.path}`];
    const answer = (typeof found === 'function' ? await found(sent) : found) ?? {
      status: 404,
      body: { code: 'not-found', message: `nothing answers ${sent.method} ${sent.path}` },
    };
    if (answer instanceof Error) throw answer;
    if (sent.signal?.aborted) throw sent.signal.reason;
    // A response with this status has no body.
    const body = answer.status === 204 ? null : (answer.raw ?? JSON.stringify(answer.body ?? {}));
    return new Response(body, {
      status: answer.status ?? 200,
      headers: { 'Content-Type': 'application/json', ...answer.headers },
    });
  });
  return requests;
}

const encoded = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
/** A token with this payload and an invalid signature. */
export const token = (payload: object): string => `${encoded({ alg: 'none' })}.${encoded(payload)}.signature`;

const minute = 60_000;
export const accessToken = (minutesLeft = 60, now = Date.now()): string =>
  token({ atExpAt: now + minutesLeft * minute });
export const refreshToken = (more: object = {}): string => token({ sub: 'u1', sid: 's1', ...more });

export const org = (id: string, name: string, more: Partial<OrgEntry> = {}): OrgEntry => ({
  id,
  name,
  orgType: 'T',
  experience: 'PUBLIC_HEALTH',
  token: `org token of ${id}`,
  ...more,
});

/** The init answer for a staff member of these organizations. */
export function initAnswer(
  orgs: OrgEntry[] = [org('t1', 'Alder')],
  more: Partial<InitUserAnswer> = {},
): InitUserAnswer {
  const first = orgs[0];
  return {
    user: {
      id: 'u1',
      cognitoAccountId: 'c1',
      lastName: 'Wren',
      firstName: 'Robin',
      middleName: null,
      phone: null,
      email: 'robin@example.org',
      languageCode: 'en',
      tenant: { id: 't1', name: 'Alder' },
      adminOrg: null,
      facility: null,
      timeZone: 'America/New_York',
    },
    availableOrgs: orgs,
    selectedOrg: first
      ? {
          ...first,
          tenant: { id: 't1', name: 'Alder' },
          logo: null,
          timeZone: 'America/New_York',
          secondFactorNeeded: false,
        }
      : null,
    casbinPolicy: [],
    betaFeatures: [],
    tenantFeatures: [...ordinaryFeatures],
    suspendedTenants: [],
    languageSupport: {
      tenantLanguages: ['en', 'en-GB', 'es', 'ht'],
      externalLanguages: ['en'],
      defaultLanguage: 'en',
    },
    labelOverrides: {},
    ...more,
  };
}
