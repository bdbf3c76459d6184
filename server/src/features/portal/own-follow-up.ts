import type { FollowUpWindow } from '@caseway/contract/follow-up';
import {
  answerOwnFollowUp,
  answersADay,
  askedDays,
  type OwnFollowUp,
  readOwnFollowUp,
} from '@caseway/contract/own-follow-up';
import type { Tx } from '../../platform/db/database.ts';
import { shareRecords } from '../../platform/db/record-lock.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refused } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import {
  addEntry,
  isSameEntry,
  readEntries,
  type StoredEntry,
} from '../../platform/records/follow-up-entries.ts';
import { keyUsed } from '../../platform/records/save-record.ts';

/** A record with an open follow-up, as its person reads it. */
interface Followed extends FollowUpWindow {
  kind: 'contact' | 'case-follow-up';
  table: 'contact' | 'case_follow_up';
  id: string;
  investigator: string | null;
}

/** The records that ask, as SQL over `c`. The scope of a patient does not see the case of a follow-up. */
const asking = [
  {
    ...{ kind: 'contact', table: 'contact', joined: '' },
    columns: `c.last_exposed_on + 1 as "firstOn", c.follow_until as "followUntil", c.started_on as "startedOn",
      c.investigator_id as investigator`,
  },
  {
    ...{ kind: 'case-follow-up', table: 'case_follow_up' },
    joined: 'left join case_report of on of.tenant_id = c.tenant_id and of.id = c.case_report_id',
    columns: `c.first_on as "firstOn", c.last_on as "followUntil", c.created_on as "startedOn",
      coalesce(of.investigator_id, c.started_by_id) as investigator`,
  },
];

/** The follow-ups that ask a patient; `lock`: until the transaction ends, nobody else adds to them. */
async function readFollowed(tx: Tx, patientId: string, lock = ''): Promise<Followed[]> {
  const all: Followed[] = [];
  for (const { kind, table, columns, joined } of asking)
    all.push(
      ...(await tx.rows<Followed>(
        `select '${kind}' as kind, '${table}' as table, c.id, ${columns}
         from ${table} c join tenant t on t.id = c.tenant_id and 'contacts' = any (t.tenant_features) ${joined}
         where c.tenant_id = $1 and c.patient_id = $2 and c.status = 'under-follow-up'
         order by c.id ${lock}`,
        [tx.tenantId, patientId],
      )),
    );
  return all;
}

async function todayOf(tx: Tx): Promise<string> {
  const [row] = await tx.rows<{ today: string }>(
    'select cast(cast(now() at time zone time_zone as date) as text) as today from tenant where id = $1',
    [tx.tenantId],
  );
  return row!.today;
}

/** Whether a patient is asked how they are, today or later. */
export const isAsked = async (tx: Tx, patientId: string): Promise<boolean> =>
  askedDays(await readFollowed(tx, patientId), await todayOf(tx)) !== null;

/** Entries by record id. */
async function entriesOf(
  tx: Tx,
  followed: readonly Followed[],
  patientId: string,
): Promise<Map<string, StoredEntry[]>> {
  const each = new Map<string, StoredEntry[]>();
  for (const { id } of followed) each.set(id, await readEntries(tx, id, patientId));
  return each;
}
const answersOf = (entries: readonly StoredEntry[], accountId: string): StoredEntry[] =>
  entries.filter((entry) => entry.outcome === 'answered' && entry.accountId === accountId && !entry.former);

/**
 * An answer given for several records is one answer. A record whose follow-up began later asks again, so that no one
 * stays due for staff while the patient reads that all is done.
 */
function answered(
  followed: readonly Followed[],
  today: string,
  stored: ReadonlyMap<string, readonly StoredEntry[]>,
  accountId: string,
): OwnFollowUp {
  const asked = askedDays(followed, today);
  const own = new Map([...stored].map(([id, entries]) => [id, answersOf(entries, accountId)]));
  const entries = [...own.values()].flat();
  const each = [...new Map(entries.map((entry) => [entry.id, entry])).values()].toSorted(
    (a, b) => b.addedAt.getTime() - a.addedAt.getTime(),
  );
  return {
    from: asked?.from ?? null,
    until: asked?.until ?? null,
    today,
    due: followed.some((one) => isAskedOn(one, today) && !own.get(one.id)!.some(({ day }) => day === today)),
    answers: each.map(({ id, day, symptoms, temperature, temperatureUnit, note, addedAt }) => ({
      ...{ id, day, symptoms, temperature, temperatureUnit, note },
      addedAt: addedAt.toISOString(),
    })),
  };
}

/**
 * The daily question for people under follow-up, and their answers. They read it in their own scope, which sees
 * nothing else; the service adds the answers, only for the signed-in patient.
 */
export function serveOwnFollowUp(app: App): void {
  const audit = (call: Call, followed: readonly Followed[], action?: 'follow-up/answered') =>
    call.audit({
      ...(action && { action }),
      recordKind:
        followed.length > 0 && followed.every(({ kind }) => kind === 'case-follow-up')
          ? 'case-follow-up'
          : 'contact',
      recordIds: [call.patient.patientId, ...followed.map(({ id }) => id)],
    });

  serve(app, readOwnFollowUp, (call) =>
    call.withScope(async (tx) => {
      const followed = await readFollowed(tx, call.patient.patientId);
      audit(call, followed);
      return answered(
        followed,
        await todayOf(tx),
        await entriesOf(tx, followed, call.patient.patientId),
        call.account.accountId,
      );
    }),
  );

  serve(app, answerOwnFollowUp, (call) =>
    call.withService(async (tx) => {
      const { patientId } = call.patient;
      const { accountId } = call.account;
      const { id, ...sent } = call.body;
      const given = {
        ...sent,
        symptoms: [...new Set(sent.symptoms)],
        temperatureUnit: sent.temperature === null ? null : sent.temperatureUnit,
      };
      await shareRecords(tx, tx.tenantId);
      const followed = await readFollowed(tx, patientId, 'for update of c');
      const today = await todayOf(tx);
      const stored = await entriesOf(tx, followed, patientId);
      const all = [...stored.values()].flat();
      const before = answersOf(all, accountId);
      const found = {
        ...given,
        id,
        day: today,
        outcome: 'answered' as const,
        accountId,
        answeredBy: patientId,
      };
      const there = all.find((entry) => entry.id === id);
      if (there) {
        if (!isSameEntry(there, { ...given, day: there.day, outcome: 'answered', accountId }))
          throw keyUsed();
        audit(call, followed, 'follow-up/answered');
        return answered(followed, today, stored, accountId);
      }
      const asking = followed.filter((one) => isAskedOn(one, today));
      if (asking.length === 0) throw new AppError('conflict');
      if (new Set(before.filter(({ day }) => day === today).map((entry) => entry.id)).size >= answersADay)
        throw refused('id', 'too-many', 'as many answers were added today as one can add');
      for (const one of asking) {
        await addEntry(tx, one, found, stored.get(one.id)!);
        // No entry of a later day exists, and the answer counts.
        await tx.run(
          `update ${one.table} set last_entry_on = $3, last_outcome = 'answered', last_seen_on = $3
           where tenant_id = $1 and id = $2`,
          [tx.tenantId, one.id, today],
        );
      }
      audit(call, asking, 'follow-up/answered');
      return answered(followed, today, await entriesOf(tx, followed, patientId), accountId);
    }),
  );
}

function isAskedOn(window: FollowUpWindow, today: string): boolean {
  const asked = askedDays([window], today);
  return asked !== null && asked.from <= today;
}
