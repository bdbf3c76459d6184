import {
  type InitUserAnswer,
  initPatient,
  initUser,
  type OrgEntry,
  orgKey,
  patientSignOut,
  refreshPatientTokens,
  refreshTokens,
  signOut as signOutEndpoint,
  type Tokens,
  takenAway,
} from '@caseway/contract/session';
import { AppError, answerOf, exchange, isOutage, isRefused, parsedAnswer } from '../data/transport.ts';
import { currentMark, wipeKept } from '../kept/mark.ts';
import { personAhead, tokensAhead } from '../loading/session-ahead.ts';
import { removeSavedViews, restoreViews, saveViews } from '../view/remembered-views.ts';
import { adoptAccountLanguage, language, overrideLabels } from '../words/i18n.ts';
import { noteActivity } from './activity.ts';
import {
  nobody,
  orgChanged,
  patientReady,
  refreshTokenShared,
  renewalUnreachable,
  sessionExpired,
  sessionRenewed,
  signedOut,
  startAgain,
  startFailed,
  tokensReceived,
  userReady,
} from './authentication.ts';
import { removeDrafts } from './drafts.ts';
import { noteOrg } from './recent-orgs.ts';
import { browserStore, tabStore } from './storage.ts';
import { renewalLock, storageKeys } from './storage-keys.ts';
import { store } from './store.ts';
import {
  adoptRefreshToken,
  currentRefreshToken,
  doorAddress,
  isPatientToken,
  lapsesSoon,
  removeRefreshToken,
  removeRefusedToken,
  sameAccount,
  sameSession,
  sharedTokenKey,
  storeRefreshToken,
} from './tokens.ts';
import { leaveUnasked, mayLeave } from './unsaved.ts';

/**
 * Leaves the page; replaced in tests. Reloading at the sign-in clears everything of an organization or user.
 */
export const page = {
  reloadAtRoot: (): void => window.location.assign(doorAddress),
};

const authentication = () => store.getState().authentication;
const languageHeader = () => ({ 'Accept-Language': language() });

/** Starts with the tokens of an earlier visit: renews them and loads the user. */
export async function startSession(): Promise<void> {
  store.dispatch(startAgain());
  const refreshToken = currentRefreshToken();
  if (refreshToken === null) {
    store.dispatch(nobody());
    return;
  }
  await start();
}

async function start(): Promise<void> {
  try {
    await renew();
    await init();
    startFailures = 0;
  } catch (error) {
    startEnded(error);
  }
}

let startFailures = 0;
let nextStart: ReturnType<typeof setTimeout> | undefined;
/** Restarts automatically, after 2 s doubling to 30 s, during an outage. */
function startLater(): void {
  clearTimeout(nextStart);
  nextStart = setTimeout(() => void startOver(), Math.min(2000 * 2 ** startFailures, 30_000));
  startFailures += 1;
}

/** Retries a start that failed in an outage; its message stays on screen until it succeeds. */
async function startOver(): Promise<void> {
  const { phase, failure } = authentication();
  if (phase === 'failed' && failure !== 'misunderstood') await start();
}

/** Uses the tokens of a sign-in; over an open screen, continues the expired session. */
export async function adoptTokens(tokens: Tokens): Promise<void> {
  const before = authentication().user?.id;
  const replaced = authentication().tokens.refreshToken;
  // Ends the previous session, which would otherwise continue until its time is over.
  if (replaced !== null && !sameSession(replaced, tokens.refreshToken)) void endOnServer(replaced);
  takeTokens(tokens);
  noteActivity();
  await init();
  const now = authentication().user?.id;
  // No one may see the previous user's screens.
  if (before !== undefined && before !== now) {
    leaveUnasked();
    forgetViews();
    page.reloadAtRoot();
  }
}

/**
 * Ends the session here, on the server and in every tab, and reloads at the root. Asks before drafts are
 * lost. [S4.3]
 */
export async function signOut(): Promise<void> {
  if (!(await mayLeave('session'))) return;
  const refreshToken = currentRefreshToken();
  // First, because the rest needs a server that may be unreachable.
  await wipeKept();
  if (refreshToken !== null) await endOnServer(refreshToken);
  leave();
}

/** Ends a session on the server. */
async function endOnServer(refreshToken: string): Promise<void> {
  const endpoint = isPatientToken(refreshToken) ? patientSignOut : signOutEndpoint;
  try {
    await exchange(endpoint, { body: { refreshToken } }, languageHeader(), AbortSignal.timeout(5000));
  } catch {
    // The user leaves even if the server is unreachable; an unrevoked session ends by its age.
  }
}

/**
 * Ends a session whose time is over: it was unused for too long, so a passer-by could use it, or is too old. The
 * screen stays below the sign-in, with unsaved changes. [S8.1]
 */
export function endOnTime(): void {
  const refreshToken = currentRefreshToken();
  store.dispatch(sessionExpired());
  if (refreshToken !== null) void endOnServer(refreshToken);
}

/** Reloads who is signed in and what they may do, after a change. */
export async function initAgain(): Promise<void> {
  await accessToken();
  await init();
}

/** Switches to another organization. Asks if there are unsaved changes. [S2.5, S4.7] */
export async function chooseOrg(org: Pick<OrgEntry, 'orgType' | 'id'>): Promise<void> {
  if (!(await mayLeave('page'))) return;
  tabStore.set(storageKeys.lastUsedOrg, orgKey(org));
  browserStore.set(storageKeys.lastUsedOrg, orgKey(org));
  store.dispatch(orgChanged());
  saveViews();
  page.reloadAtRoot();
}

/**
 * The last used organization if still available, otherwise the first by name; undefined if there is none.
 * [S4.6]
 */
export function selectOrg<O extends Pick<OrgEntry, 'orgType' | 'id' | 'name'>>(
  available: readonly O[],
  lastUsed: string | null,
): O | undefined {
  const sorted = available.toSorted((a, b) => a.name.localeCompare(b.name));
  return sorted.find((org) => orgKey(org) === lastUsed) ?? sorted[0];
}

let renewal: Promise<void> | null = null;

/**
 * An access token valid for at least five more minutes; null if no one is signed in. Simultaneous requests
 * share one renewal. [S4.5, S9.11]
 * @throws AppError if the renewal fails; no one is authenticated then [S8.3]
 */
export async function accessToken(): Promise<string | null> {
  const { tokens, ended } = authentication();
  if (ended === 'refused') throw new AppError(401, 'session-expired', 'the session has ended');
  if (tokens.refreshToken === null) return null;
  if (lapsesSoon(tokens.accessToken)) {
    renewal ??= renew().finally(() => {
      renewal = null;
    });
    await renewal;
  }
  return authentication().tokens.accessToken;
}

/** Renews early, because the user wants to stay signed in. A failure ends the session as usual. */
export async function renewNow(): Promise<void> {
  renewal ??= renew().finally(() => {
    renewal = null;
  });
  try {
    await renewal;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/**
 * The server has refused this session. Offline data is deleted only if someone ended the session, which only
 * the answer to a renewal says.
 */
export function sessionRefused(): void {
  store.dispatch(sessionExpired());
  if (currentMark()) void renewNow();
}

/** Retries a renewal that the server did not answer. */
export async function retryRenewal(): Promise<void> {
  const { ended, phase } = authentication();
  if (ended !== 'unreachable' || phase === 'failed') return;
  try {
    await accessToken();
    if (authentication().ended === 'unreachable') store.dispatch(sessionRenewed());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function renew(): Promise<void> {
  try {
    await oneTabAtATime(async () => {
      const refreshToken = currentRefreshToken();
      if (refreshToken === null) throw new AppError(401, 'session-expired', 'there is no session');
      const endpoint = isPatientToken(refreshToken) ? refreshPatientTokens : refreshTokens;
      takeTokens(
        (await tokensAhead(refreshToken)) ??
          (await answerOf(endpoint, await exchange(endpoint, { body: { refreshToken } }, languageHeader()))),
      );
    });
    renewalFailures = 0;
    if (authentication().ended !== null) store.dispatch(sessionRenewed());
  } catch (error) {
    if (isRefused(error)) {
      // Someone ended this session, for example because the device is lost.
      if (error instanceof AppError && error.faults.some(({ code }) => code === takenAway)) await wipeKept();
      store.dispatch(sessionExpired());
    } else {
      store.dispatch(renewalUnreachable());
      retryRenewalLater();
    }
    throw error;
  }
}

let renewalFailures = 0;
let nextRenewal: ReturnType<typeof setTimeout> | undefined;
/** Retries automatically, after 2 s doubling to 30 s, while the server does not answer renewals. [S8.3] */
function retryRenewalLater(): void {
  clearTimeout(nextRenewal);
  nextRenewal = setTimeout(() => void retryRenewal(), Math.min(2000 * 2 ** renewalFailures, 30_000));
  renewalFailures += 1;
}

/**
 * Two tabs renewing at the same time would use one refresh token twice, which the server treats as theft.
 * [P13]
 */
const oneTabAtATime = (work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(renewalLock, work) : work();

function takeTokens(tokens: Tokens): void {
  storeRefreshToken(tokens.refreshToken);
  store.dispatch(tokensReceived(tokens));
}

async function init(): Promise<void> {
  const { tokens } = authentication();
  const headers = { ...languageHeader(), Authorization: `Bearer ${tokens.accessToken}` };
  if (tokens.refreshToken !== null && isPatientToken(tokens.refreshToken)) {
    await initAsPatient(headers);
    return;
  }
  const lastUsed = tabStore.get(storageKeys.lastUsedOrg) ?? browserStore.get(storageKeys.lastUsedOrg);
  const ask = async (org: string | null) =>
    answerOf(initUser, await exchange(initUser, { query: org === null ? {} : { org } }, headers));
  const ahead = await personAhead({ accessToken: tokens.accessToken, org: lastUsed, language: language() });
  let answer = ahead === null ? await ask(lastUsed) : parsedAnswer(initUser, ahead);
  const expected = selectOrg(answer.availableOrgs, lastUsed);
  // The server sorts names by its own rules; policy and features must belong to the organization selected
  // here.
  if (expected && answer.selectedOrg && orgKey(expected) !== orgKey(answer.selectedOrg))
    answer = await ask(orgKey(expected));
  if (answer.selectedOrg) {
    tabStore.set(storageKeys.lastUsedOrg, orgKey(answer.selectedOrg));
    noteOrg(answer.user.id, orgKey(answer.selectedOrg));
  }
  await wipeIfAnothers(answer);
  await overrideLabels(answer.labelOverrides);
  store.dispatch(userReady(answer));
  restoreViews();
  await adoptAccountLanguage(answer.user.languageCode, answer.languageSupport.defaultLanguage);
}

/** Deletes offline data of another account, or of an organization the user no longer belongs to. */
async function wipeIfAnothers({ user, availableOrgs }: InitUserAnswer): Promise<void> {
  const mark = currentMark();
  if (mark && (mark.account !== user.id || !availableOrgs.some((org) => orgKey(org) === mark.org)))
    await wipeKept();
}

/**
 * Handles a failed patient init: no one signed in, no tokens, the root, no message. [S4.4] An outage is not a
 * failure: the patient stays signed in.
 */
async function initAsPatient(headers: Record<string, string>): Promise<void> {
  try {
    const answer = await answerOf(initPatient, await exchange(initPatient, {}, headers));
    await overrideLabels(answer.labelOverrides);
    store.dispatch(patientReady(answer.patient));
  } catch (error) {
    if (isOutage(error)) throw error;
    removeRefreshToken();
    store.dispatch(signedOut());
    store.dispatch(nobody());
    window.history.replaceState(null, '', '/');
  }
}

/**
 * The state after a failed start: after a refusal no one is signed in; an unreachable server can be retried.
 */
function startEnded(error: unknown): void {
  if (isRefused(error)) {
    removeRefusedToken();
    store.dispatch(signedOut());
    // Someone has signed in in another tab since.
    if (currentRefreshToken() !== null) void startSession();
    else store.dispatch(nobody());
    return;
  }
  // The user sees one sentence; the details of the answer are for the operator. [S6.5]
  console.error(error);
  const misunderstood = !(error instanceof AppError) || (error.status >= 200 && error.status < 300);
  store.dispatch(
    startFailed(misunderstood ? 'misunderstood' : error.status === 0 ? 'unreachable' : 'unavailable'),
  );
  if (!misunderstood) startLater();
}

function forgetViews(): void {
  store.dispatch(signedOut());
  removeSavedViews();
  removeDrafts();
}

function leave(): void {
  leaveUnasked();
  removeRefreshToken();
  forgetViews();
  page.reloadAtRoot();
}

/** Continues with the refresh token another tab got for the same user. */
async function goOnWith(refreshToken: string): Promise<void> {
  const { ended, tokens } = authentication();
  adoptRefreshToken(refreshToken);
  if (sameSession(tokens.refreshToken!, refreshToken) && ended === null) {
    store.dispatch(tokensReceived({ refreshToken, accessToken: tokens.accessToken! }));
    return;
  }
  store.dispatch(refreshTokenShared(refreshToken));
  if (ended !== null) await renewNow();
}

/**
 * Follows the other tabs: all sign out together, and signing in again in one continues all. Returns a
 * function that stops it.
 */
export function followOtherTabs(): () => void {
  const changed = (event: StorageEvent) => {
    if (event.key !== sharedTokenKey && event.key !== null) return;
    const { tokens, phase } = authentication();
    const next = event.key === null ? null : event.newValue;
    if (next === null) {
      if (tokens.refreshToken !== null) leave();
    } else if (phase === 'ready') {
      if (tokens.refreshToken === null) void startSession();
      else if (sameAccount(tokens.refreshToken, next)) void goOnWith(next);
    }
  };
  const retry = () => void (authentication().phase === 'failed' ? startOver() : retryRenewal());
  window.addEventListener('storage', changed);
  window.addEventListener('online', retry);
  window.addEventListener('focus', retry);
  return () => {
    window.removeEventListener('storage', changed);
    window.removeEventListener('online', retry);
    window.removeEventListener('focus', retry);
  };
}
