import {
  type FollowUpFound,
  type FollowUpWindow,
  followUpFaults,
  type followUpOf,
} from '@caseway/contract/follow-up';
import type { Deciding } from '../carried/carried.ts';
import type { App } from '../http/app.ts';
import { faultAt, refuse } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';
import { addEntry, isSameEntry, keepFollowUp, readEntries, type StoredEntry } from './follow-up-entries.ts';
import { lockedRecord, type PatientServer } from './patient-record.ts';
import type { AnyRow } from './record-server.ts';
import { readRecord } from './record-sql.ts';
import { keyUsed } from './save-record.ts';
import { inItsTenant, patientWriter, readingRecord } from './serve-patient-records.ts';

/** How a kind of record with a follow-up describes one of its records. */
interface Followed<Row> {
  window(stored: Row): FollowUpWindow;
  isFollowed(stored: Row): boolean;
  /** The account that is notified of symptoms. */
  investigator(stored: Row): string | null;
}

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  future: 'the day lies in the future',
  'before-window': 'the day lies before the follow-up',
  'after-window': 'the day lies after the follow-up',
  'only-if-seen': 'the person was not seen',
  'temperature-range': 'no living person has this temperature',
  'not-followed': 'nobody follows up now',
};

/** Stands in for values that are unknown, and has no faults. */
const blank = {
  outcome: 'seen',
  symptoms: [],
  temperature: null,
  temperatureUnit: null,
  note: null,
} as const satisfies Partial<FollowUpFound>;

/** Serves the daily follow-up of a kind of record. Findings are added and never changed. */
export function serveFollowUp<Row extends object>(
  app: App,
  server: PatientServer,
  { read, add }: ReturnType<typeof followUpOf>,
  { window, isFollowed, investigator }: Followed<Row>,
): void {
  const { kind, table } = server.record;
  const answer = (stored: AnyRow, entries: readonly StoredEntry[]) => ({
    window: window(stored as unknown as Row),
    entries: entries.map(({ addedAt, accountId: _, answeredBy: __, ...entry }) => ({
      ...entry,
      addedAt: addedAt.toISOString(),
    })),
  });

  serve(app, read, async (call) => {
    const { id } = call.params;
    const found = await readingRecord(app, server, call, id, async (tx) => {
      const stored = await readRecord(tx, server, id);
      return answer(stored, await readEntries(tx, id, stored.patient));
    });
    return found.answer;
  });

  const faultsOf = (row: Row, found: FollowUpFound, today: string) =>
    isFollowed(row)
      ? followUpFaults(found, window(row), today).map(({ field, code }) =>
          faultAt(field, code, messages[code] ?? code),
        )
      : [faultAt('day', 'not-followed', messages['not-followed']!)];

  serve(
    app,
    add,
    (call) => {
      const { id } = call.params;
      const { id: entryId, ...found } = call.body;
      return inItsTenant(call, kind, id, async (tx, tenantId) => {
        const { accountId, today } = patientWriter(call as Call, tenantId, null);
        // Locked, so that others who add an entry wait and the last one counts.
        const stored = await lockedRecord(tx, server, tenantId, id);
        const before = await readEntries(tx, id, stored.patient);
        const there = before.find((entry) => entry.id === entryId);
        if (there) {
          if (!isSameEntry(there, { ...found, accountId })) throw keyUsed();
          return answer(stored, before);
        }
        refuse(faultsOf(stored as unknown as Row, found, today));
        await addEntry(
          tx,
          { kind, table: table as Deciding, id, investigator: investigator(stored as unknown as Row) },
          { ...found, id: entryId, accountId },
          before,
        );
        const entries = await readEntries(tx, id, stored.patient);
        const { lastSeenOn } = await keepFollowUp(tx, table, id, entries);
        // Findings are not logged.
        call.audit({ action: 'follow-up/added', recordKind: kind, recordIds: [id] });
        return answer({ ...stored, lastSeenOn }, entries);
      });
    },
    {
      alsoWrong: async (call) => {
        const { id } = call.params;
        const given = call.body as Partial<FollowUpFound>;
        return inItsTenant(call, kind, id, async (tx, tenantId) => {
          const { today } = patientWriter(call as Call, tenantId, null);
          const found = { ...blank, day: today, ...given };
          const row = (await readRecord(tx, server, id)) as unknown as Row;
          return faultsOf(row, found, today).filter(({ path }) => path in given);
        });
      },
    },
  );
}
