import { workTaskRecord } from '@caseway/contract/work-tasks';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { faultAt } from '../../platform/http/app-error.ts';
import { patientServer } from '../../platform/records/patient-record.ts';
import { type AnyRow, recordReading } from '../../platform/records/record-server.ts';
import { readRecords } from '../../platform/records/record-sql.ts';
import { historyShown } from '../../platform/records/record-versions.ts';

/** A task with its case; a reader who sees no case of it sees no task. */
export const workTasks = recordReading<typeof workTaskRecord>({
  record: workTaskRecord,
  endedColumn: 'ended_at',
  history: historyShown(workTaskRecord.table),
  joined: `join case_report of on of.tenant_id = r.tenant_id and of.id = r.record_id and r.record_kind = 'case'`,
  sql: { record: 'of.case_id', patientId: 'of.patient_id', condition: 'of.condition_code' },
  searched: ['record'],
});

interface Context {
  /** Accounts that the writer is offered. */
  offered: ReadonlyMap<string, string>;
}

/** What the declaration of a task does not say. */
export const workTaskServer = (lookups: Lookups) =>
  patientServer<AnyRow, Context>({
    ...workTasks,
    record: workTaskRecord,
    read: (tx, ids) => readRecords<AnyRow>(tx, workTasks as never, ids),
    lock: (tx, tenantId, ids) =>
      tx.rows('select from work_task where tenant_id = $1 and id = any ($2::uuid[]) order by id for update', [
        tenantId,
        ids,
      ]),
    async answer(tx, id) {
      const [answer] = await readRecords(tx, workTasks, [id]);
      return answer ?? null;
    },
    context: async (person) => ({ offered: await lookups.labels('investigators', person) }),
    async faults(_tx, writer, { changes, undoes }) {
      const account = changes.account?.to;
      return [
        ...(account && !writer.context.offered.has(account as string)
          ? [faultAt('account', 'not-an-investigator', 'nobody who can be given cases of this tenant')]
          : []),
        // Taken back with its transition.
        ...(changes.state?.to === 'withdrawn' && undoes === undefined
          ? [faultAt('state', 'not-by-hand', 'a task is withdrawn with the transition that gave it')]
          : []),
      ];
    },
    // What somebody does themselves is not taken back with the transition.
    derived: ({ accountId }, { changes: { state } }) =>
      state ? { ended_by: state.to === 'open' ? null : accountId, ended_version: null } : {},
    sets: ({ state }) => (state ? [`ended_at = ${state.to === 'open' ? 'null' : 'now()'}`] : []),
    async write() {},
  });
