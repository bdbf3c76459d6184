import { endedVisits, fieldVisitFlow } from '@caseway/contract/field-visit-flow';
import { type FieldVisit, fieldVisitRecord, visitAttempts } from '@caseway/contract/field-visits';
import {
  type AttemptMade,
  attemptFaults,
  attemptsKept,
  mostAttempts,
  type VisitAttempt,
} from '@caseway/contract/visit-attempts';
import { stateAfter } from '@caseway/contract/workflow';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { insertCarried } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { lockedRecord, type PatientServer } from '../../platform/records/patient-record.ts';
import { changedSince, same } from '../../platform/records/record-history.ts';
import { readRecord } from '../../platform/records/record-sql.ts';
import { changedSinceFault, keyUsed } from '../../platform/records/save-record.ts';
import { inItsTenant, patientWriter } from '../../platform/records/serve-patient-records.ts';

/** For API users; the screens have their own words for each code. */
const messages: Readonly<Record<string, string>> = {
  future: 'it lies in the future',
  'too-early': 'it lies more than a month before the visit was written down',
  'not-of-method': 'an attempt by this method has no such outcome',
  'no-letter': 'no letter may be sent or left',
  'nobody-goes': 'nobody is to go there now',
  'too-many': `a visit has at most ${mostAttempts} attempts`,
};

type Stored = Omit<VisitAttempt, 'addedAt'> & { addedAt: Date; accountId: string; visit: string };

/** The attempts of visits, the newest first. */
const readStored = (tx: Tx, ids: readonly string[]) =>
  tx.rows<Stored>(
    `select e.record_id as visit, e.id, e.day, e.at_time as time, e.method, e.outcome, e.next_step as "nextStep", e.left_behind as "left",
       e.note, e.added_at as "addedAt", e.account_id as "accountId",
       nullif(concat_ws(' ', a.first_name, a.last_name), '') as by
     from field_visit_attempt e left join account a on a.id = e.account_id
     where e.tenant_id = $1 and e.record_id = any ($2::uuid[]) order by e.day desc, e.at_time desc, e.added_at desc, e.id desc`,
    [tx.tenantId, ids],
  );
const readAttempts = (tx: Tx, id: string) => readStored(tx, [id]);

const answer = (attempts: readonly Stored[]) => ({
  attempts: attempts.map(({ addedAt, accountId: _, visit: __, ...one }) => ({
    ...one,
    addedAt: addedAt.toISOString(),
  })),
});

/** The attempts of each of these visits, the newest first. */
export async function attemptsOf(tx: Tx, ids: readonly string[]): Promise<(id: string) => VisitAttempt[]> {
  const stored = Map.groupBy(await readStored(tx, ids), ({ visit }) => visit);
  return (id) => answer(stored.get(id) ?? []).attempts;
}

/** Throws `conflict` if others have changed the visit since the caller saw it; its faults name the fields. */
async function refuseChanged(
  tx: Tx,
  server: PatientServer,
  tenantId: string,
  { id, version: current }: FieldVisit,
  version: number,
): Promise<void> {
  if (version === current) return;
  const since = await changedSince(tx, server, tenantId, id, { version, current, hiddenFamilies: [] });
  throw new AppError('conflict', { faults: [...(since ?? [])].map(changedSinceFault) });
}

/** The tenant's current day and time. */
async function nowIn(tx: Tx, tenantId: string): Promise<{ day: string; time: string; clock: string }> {
  const [now] = await tx.rows<{ day: string; time: string; clock: string }>(
    `select to_char(now() at time zone time_zone, 'YYYY-MM-DD') as day,
       to_char(now() at time zone time_zone, 'HH24:MI') as time, clock_timestamp()::text as clock
     from tenant where id = $1`,
    [tenantId],
  );
  return now!;
}

/** Someone is to go there, or is there. */
const isGone = ({ status, worker }: FieldVisit) =>
  worker !== null && !(endedVisits as readonly string[]).includes(status);

/** Serves the attempts of a visit. They are only added; the visit's status follows from them. */
export function serveAttempts(app: App, server: PatientServer): void {
  const { kind } = fieldVisitRecord;

  serve(app, visitAttempts.read, (call) => {
    const { id } = call.params;
    return inItsTenant(call, kind, id, async (tx) => {
      await readRecord(tx, server, id);
      return answer(await readAttempts(tx, id));
    });
  });

  const faultsOf = (visit: FieldVisit, made: AttemptMade, now: { day: string; time: string }) =>
    isGone(visit)
      ? attemptFaults(made, visit, now).map(({ field, code }) => faultAt(field, code, messages[code] ?? code))
      : [faultAt('day', 'nobody-goes', messages['nobody-goes']!)];

  serve(
    app,
    visitAttempts.add,
    (call) => {
      const { id } = call.params;
      const { id: attemptId, version, ...made } = call.body;
      return inItsTenant(call, kind, id, async (tx, tenantId) => {
        const { accountId } = patientWriter(call as Call, tenantId, null);
        // Locked, so that others who add an attempt wait and each counts.
        const visit = (await lockedRecord(tx, server, tenantId, id)) as unknown as FieldVisit;
        const before = await readAttempts(tx, id);
        const there = before.find((one) => one.id === attemptId);
        if (there) {
          const { id: _, addedAt: __, accountId: by, by: ___, visit: ____, ...sent } = there;
          if (by !== accountId || !same(sent, made)) throw keyUsed();
          return answer(before);
        }
        if (version !== undefined) await refuseChanged(tx, server, tenantId, visit, version);
        const now = await nowIn(tx, tenantId);
        refuse([
          ...faultsOf(visit, made, now),
          ...(before.length < mostAttempts ? [] : [faultAt('day', 'too-many', messages['too-many']!)]),
        ]);
        await insertCarried(tx, 'field_visit_attempt', 'field_visit', tenantId, id, {
          id: attemptId,
          day: made.day,
          at_time: made.time,
          method: made.method,
          outcome: made.outcome,
          next_step: made.nextStep,
          left_behind: made.left,
          note: made.note,
          // A column default would be evaluated on another server than its row.
          added_at: now.clock,
          account_id: accountId,
        });
        const attempts = await readAttempts(tx, id);
        const kept = attemptsKept(attempts);
        const status = stateAfter(fieldVisitFlow, {
          state: visit.status as (typeof fieldVisitFlow.states)[number],
          values: { ...visit, ...kept } as never,
        });
        await tx.run(
          `update field_visit set attempt_count = $3, attempt_days = $4, last_attempt_on = $5, last_outcome = $6,
             try_in = $7, status = $8 where tenant_id = $1 and id = $2`,
          [
            tenantId,
            id,
            kept.attemptCount,
            kept.attemptDays,
            kept.lastAttemptOn,
            kept.lastOutcome,
            kept.tryIn,
            status,
          ],
        );
        await recordChange(tx, tenantId, 'field_visit', [id]);
        // The outcome is not logged.
        call.audit({ action: 'field-visit/tried', recordKind: kind, recordIds: [id] });
        return answer(attempts);
      });
    },
    {
      alsoWrong: async (call) => {
        const { id } = call.params;
        const given = call.body as Partial<AttemptMade>;
        return inItsTenant(call, kind, id, async (tx, tenantId) => {
          const now = await nowIn(tx, tenantId);
          const blank = {
            method: 'visit',
            outcome: 'nobody',
            nextStep: null,
            left: 'nothing',
            note: null,
          } as const;
          const made = { ...now, ...blank, ...given };
          const visit = (await readRecord(tx, server, id)) as unknown as FieldVisit;
          return faultsOf(visit, made, now).filter(({ path }) => path in given);
        });
      },
    },
  );
}
