import { fieldVisitRecord, visitAttempts } from '@caseway/contract/field-visits';
import { comparedFields, type KeptVisit, keptHours, readKeptVisits } from '@caseway/contract/kept-visits';
import { orgKey } from '@caseway/contract/session';
import type { AttemptMade } from '@caseway/contract/visit-attempts';
import { becameOld, callApi } from '../../../data/api.ts';
import { outsideValue } from '../../../data/outside-value.ts';
import { AppError, isOutage } from '../../../data/transport.ts';
import { type Lease, leaseState, untilOf } from '../../../kept/lease.ts';
import { onWiped, setKeptMark, wipeKept } from '../../../kept/mark.ts';
import { deliver, type Entry, type Outcome, type Refusal } from '../../../kept/outbox.ts';
import { keepProgram } from '../../../kept/program.ts';
import { browserShelf as shelf, type Write } from '../../../kept/shelf.ts';
import { hasVault, makeVault, openVault, type Sealed, type Vault } from '../../../kept/vault.ts';
import { newId } from '../../../record/new-id.ts';
import { notify } from '../../../session/notify.ts';
import { store } from '../../../session/store.ts';
import { fieldVisits } from '../visit-words.ts';
import { initialsOf } from './initials.ts';

/** The person of a visit; decrypted only with the visit. */
export type KeptPerson = Pick<KeptVisit, 'name' | 'birthDate'>;
/** A visit in the list. */
export type Outline = Omit<KeptVisit, keyof KeptPerson> & { initials: string; birthYear: string | null };
export type AttemptEntry = Entry<AttemptMade>;

/** The data on this device, and the state of sending it. */
export interface KeptList {
  /** `locked`: the PIN is needed. */
  phase: 'loading' | 'none' | 'locked' | 'open';
  lease: Lease | null;
  visits: readonly Outline[];
  entries: readonly AttemptEntry[];
  sending: boolean;
  /** The next try, by the device's clock. */
  nextAt: number | null;
  /** Why sending waits. */
  waits: 'later' | 'signed-out' | 'other-org' | null;
}

const nothing: KeptList = {
  phase: 'loading',
  lease: null,
  visits: [],
  entries: [],
  sending: false,
  nextAt: null,
  waits: null,
};
const state = outsideValue<KeptList>(nothing);
export const useKeptList = state.use;
const set = (more: Partial<KeptList>) => state.set({ ...state.get(), ...more });

let vault: Vault | null = null;
onWiped(() => {
  vault = null;
  set({ ...nothing, phase: 'none' });
});

const visitKey = (id: string) => `visit/${id}`;
const personKey = (id: string) => `person/${id}`;
const leaseKey = 'lease';

/** Milliseconds between tries to send. */
const againMs = 60_000;
/** Milliseconds the list stays open while the page is hidden. */
const hiddenMs = 2 * 60_000;

const authentication = () => store.getState().authentication;
const actingOrg = () => {
  const { selectedTenantOrg } = authentication();
  return selectedTenantOrg && { key: orgKey(selectedTenantOrg), ...selectedTenantOrg };
};

function noteMark(): void {
  const { lease, entries } = state.get();
  if (!lease) return;
  const asks = entries.filter(({ refusal }) => refusal).length;
  setKeptMark({ account: lease.account, org: lease.org, unsent: entries.length, asks });
}

/** Checks whether this device has data, and deletes data that is too old; the contents need the PIN. */
export async function loadKept(): Promise<void> {
  if (state.get().phase !== 'loading') return;
  await heldLease();
  set({ phase: state.get().lease && (await hasVault(shelf)) ? 'locked' : 'none' });
  watch();
}

/** Opens it with the PIN, or returns how many tries are left. After the last one, everything is deleted. */
export async function unlock(pin: string): Promise<number | null> {
  const opened = await openVault(shelf, pin);
  if ('left' in opened) {
    if (opened.left === 0) {
      await wipeKept();
      notify('error', 'field-visits:kept.wiped');
    }
    return opened.left;
  }
  vault = opened;
  await readAll();
  void sendKept();
  return null;
}

async function readAll(): Promise<void> {
  const lease = await heldLease();
  const sealed = await shelf.all<Sealed>('list');
  const outlines = lease
    ? await Promise.all(
        sealed
          .filter(([key]) => key.startsWith(visitKey('')))
          .map(([key, value]) => vault!.open<Outline>(key, value)),
      )
    : [];
  const entries = await Promise.all(
    (await shelf.all<Sealed>('outbox')).map(([key, value]) => vault!.open<AttemptEntry>(key, value)),
  );
  set({
    phase: 'open',
    visits: outlines.toSorted((a, b) => (`${a.plannedFor} ${a.id}` < `${b.plannedFor} ${b.id}` ? -1 : 1)),
    entries,
  });
  noteMark();
}

/** The lease, if the list may still be shown. A list that is too old is deleted, with its people. */
async function heldLease(): Promise<Lease | null> {
  const lease = await shelf.read<Lease>('list', leaseKey);
  if (!lease) return null;
  const now = Date.now();
  const held = leaseState(lease, now);
  if (held === 'over') {
    const ids = (await shelf.all('list')).map(([key]) => key).filter((key) => key !== leaseKey);
    await shelf.write([...ids.map((key): Write => ({ drawer: 'list', key })), { drawer: 'drafts' }]);
  }
  const next = held === 'good' ? { ...lease, seenAt: Math.max(now, lease.seenAt) } : lease;
  if (next !== lease) await shelf.write([{ drawer: 'list', key: leaseKey, value: next }]);
  set({ lease: next });
  return held === 'good' ? next : null;
}

export function lockKept(): void {
  if (vault === null) return;
  vault = null;
  set({ phase: 'locked', visits: [], entries: [], nextAt: null });
}

/** Takes today's visits along, replacing earlier ones. `pin`: for a device that has none yet. */
export async function takeKept(pin?: string): Promise<void> {
  const org = actingOrg();
  const { user } = authentication();
  if (!org || !user) return;
  let answer: Awaited<ReturnType<typeof callApi<typeof readKeptVisits>>>;
  try {
    answer = await callApi(readKeptVisits);
  } catch (error) {
    // The user may no longer have it.
    if (error instanceof AppError && error.status === 403) await wipeKept();
    throw error;
  }
  const now = Date.now();
  const lease: Lease = {
    ...{ account: user.id, org: org.key, orgName: org.name, timeZone: org.timeZone },
    ...{ takenAt: now, until: untilOf(now, keptHours), seenAt: now, more: answer.more },
  };
  if (pin !== undefined) {
    vault = await makeVault(shelf, pin);
    set({ entries: [] });
  }
  const own = vault;
  if (own === null) return;
  const sealed = await Promise.all(
    answer.visits.flatMap(({ name, birthDate, ...visit }) => {
      const outline: Outline = {
        ...visit,
        initials: initialsOf(name),
        birthYear: birthDate?.slice(0, 4) ?? null,
      };
      const person: KeptPerson = { name, birthDate };
      return [[visitKey(visit.id), outline] as const, [personKey(visit.id), person] as const].map(
        async ([key, value]): Promise<Write> => ({ drawer: 'list', key, value: await own.seal(key, value) }),
      );
    }),
  );
  await shelf.write([{ drawer: 'list' }, { drawer: 'list', key: leaseKey, value: lease }, ...sealed]);
  set({ phase: 'open', lease });
  await readAll();
  if (pin !== undefined) await keepProgram();
}

/** The person of a visit. */
export async function personOf(id: string): Promise<KeptPerson | null> {
  const key = personKey(id);
  const sealed = await shelf.read<Sealed>('list', key);
  return sealed && vault ? vault.open<KeptPerson>(key, sealed) : null;
}

/** The draft of an attempt on a visit. */
export async function draftOf(id: string): Promise<unknown> {
  const sealed = await shelf.read<Sealed>('drafts', id);
  return sealed && vault ? vault.open(id, sealed) : null;
}
export async function keepDraft(id: string, draft: unknown): Promise<void> {
  if (vault) await shelf.write([{ drawer: 'drafts', key: id, value: await vault.seal(id, draft) }]);
}

async function keepEntries(entries: readonly AttemptEntry[], more: readonly Write[] = []): Promise<void> {
  const before = state.get().entries;
  const removed = before.filter(({ id }) => !entries.some((one) => one.id === id));
  const changed = entries.filter((entry) => !before.includes(entry));
  await shelf.write([
    ...removed.map(({ id }): Write => ({ drawer: 'outbox', key: id })),
    ...(await Promise.all(
      changed.map(
        async (entry): Promise<Write> => ({
          drawer: 'outbox',
          key: entry.id,
          value: await vault!.seal(entry.id, entry),
        }),
      ),
    )),
    ...more,
  ]);
  set({ entries });
  noteMark();
}

/** Stores an attempt, and sends it if possible. It is on disk when this resolves. */
export async function addKept(visit: Outline, made: AttemptMade): Promise<void> {
  const seen = Object.fromEntries([...comparedFields, 'number' as const].map((name) => [name, visit[name]]));
  const entry: AttemptEntry = {
    ...{ id: newId(), record: visit.id, base: visit.version, seen, made, at: Date.now() },
  };
  await keepEntries([...state.get().entries, entry], [{ drawer: 'drafts', key: visit.id }]);
  void sendKept();
}

/** Once the user has seen others' changes, all entries of that record are based on them. */
const onTopOf = (theirs: Refusal['theirs'], record: string) => (entry: AttemptEntry) =>
  theirs && entry.record === record
    ? { ...entry, base: theirs.version, seen: { ...entry.seen, ...theirs } }
    : entry;

/** Sends it again, unchanged or changed. */
export async function sendAgain({ id, record, refusal }: AttemptEntry, made?: AttemptMade): Promise<void> {
  const entries = state.get().entries.map(onTopOf(refusal?.theirs, record));
  await keepEntries(
    entries.map((entry) => {
      if (entry.id !== id) return entry;
      const { refusal: _, ...waiting } = entry;
      return { ...waiting, ...(made && { made }) };
    }),
  );
  await sendKept();
}

/** Discards unsent work. */
export async function discard({ id, record, refusal }: AttemptEntry): Promise<void> {
  const others = state.get().entries.filter((entry) => entry.id !== id);
  await keepEntries(others.map(onTopOf(refusal?.theirs, record)));
  void sendKept();
}

async function sendOne({ id, record, base, made }: AttemptEntry): Promise<Outcome> {
  const params = { id: record };
  try {
    await callApi(visitAttempts.add, { params, body: { ...made, id, version: base } });
    return 'sent';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, code, faults } = error;
    if (isOutage(error) || status >= 500 || status === 429) return 'later';
    if (status === 401) return 'signed-out';
    const refusal = { code, faults: faults.map(({ path, code }) => ({ path, code })) };
    if (code !== 'conflict') return refusal;
    return withTheirs(record, refusal);
  }
}

async function withTheirs(id: string, refusal: Refusal): Promise<Outcome> {
  try {
    const row = await callApi(fieldVisitRecord.endpoints.read, { params: { id } });
    const theirs = Object.fromEntries(comparedFields.map((name) => [name, row[name]]));
    return { ...refusal, theirs: { ...theirs, version: row.version } };
  } catch (error) {
    if (isOutage(error)) return 'later';
    if (error instanceof AppError && error.status === 404) return { code: 'not-found', faults: [] };
    throw error;
  }
}

/** Sends waiting entries in order, one tab at a time; then takes the current list. */
export async function sendKept(): Promise<void> {
  const { lease, sending, phase } = state.get();
  if (phase !== 'open' || !lease || sending) return;
  const waiting = state.get().entries.filter(({ refusal }) => !refusal);
  const { user, authenticated, phase: start } = authentication();
  if (waiting.length === 0) {
    set({ nextAt: null, waits: null });
    return;
  }
  const later = (waits: KeptList['waits']) => set({ sending: false, nextAt: Date.now() + againMs, waits });
  if (!user && start === 'ready') return later('signed-out');
  if (!navigator.onLine || !user || !authenticated) return later('later');
  if (user.id !== lease.account || actingOrg()?.key !== lease.org) return later('other-org');
  set({ sending: true });
  try {
    const end = await navigator.locks.request('caseway-outbox', () =>
      deliver(state.get().entries, sendOne, (entry, outcome) =>
        keepEntries(
          outcome === 'sent'
            ? state.get().entries.filter(({ id }) => id !== entry.id)
            : state.get().entries.map((one) => (one.id === entry.id ? { ...one, refusal: outcome } : one)),
        ),
      ),
    );
    if (end !== 'all') return later(end);
    set({ sending: false, nextAt: null, waits: null });
  } catch (error) {
    later('later');
    throw error;
  }
  for (const one of fieldVisits.old) becameOld(one);
  // The current list includes the sent attempts and who goes there now. Without it nothing is lost.
  await takeKept().catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

let watching = false;
/** Sends when the network is back, when the page is shown, and every minute; locks a list no one looks at. */
function watch(): void {
  if (watching) return;
  watching = true;
  let hiddenAt: number | null = null;
  const look = () => {
    if (document.visibilityState === 'hidden') {
      hiddenAt ??= Date.now();
      return;
    }
    if (hiddenAt !== null && Date.now() - hiddenAt > hiddenMs) lockKept();
    hiddenAt = null;
    void tick();
  };
  const tick = async () => {
    if (hiddenAt !== null && Date.now() - hiddenAt > hiddenMs) lockKept();
    if (state.get().phase !== 'open') return;
    if ((await heldLease()) === null && state.get().visits.length > 0) set({ visits: [] });
    await sendKept();
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', () => void tick());
  window.addEventListener('focus', () => void tick());
  setInterval(() => void tick(), againMs);
  // When someone has signed in, or the session continues.
  let was = authentication().authenticated;
  store.subscribe(() => {
    const is = authentication().authenticated;
    if (is && !was) void tick();
    was = is;
  });
}
