import type { BulkAction, BulkRefusal } from '@caseway/contract/bulk';
import { refusedPage } from '@caseway/contract/bulk';
import type { AnyRecord } from '@caseway/contract/record';
import type { Tx } from '../db/database.ts';
import { json } from '../db/rows.ts';
import type { Call } from '../http/serve.ts';
import { enqueue } from '../jobs/jobs.ts';
import { bulkJob } from './bulk-job.ts';
import type { PatientServer } from './patient-record.ts';
import type { Values } from './record-server.ts';

/* Stored actions on many records: the request, its progress, and the records that it leaves unchanged. */

const columns = `id, state, dry_run as "dryRun", undoes, change, transition, at, total, changed, same, refused, stopped_by as "stoppedBy"`;

type Stored = Omit<BulkAction, 'at'> & { at: Date };

/** A person's request to change records of a tenant. */
export interface AskedBulk {
  id: string;
  record: string;
  ids: readonly string[];
  selection?: object | undefined;
  change?: Values | undefined;
  /** The transition that makes the change, and the reason. */
  transition?: string | undefined;
  reason?: string | undefined;
  undoes?: string;
  dryRun: boolean;
}

/** Stores the request and queues its job. A repeated request begins nothing. */
export async function beginBulk(tx: Tx, call: Call, asked: AskedBulk): Promise<void> {
  const { accountId, sessionId } = call.account;
  const { id, record, selection, change, transition, reason, undoes, dryRun } = asked;
  const tenantId = tx.tenantId;
  await tx.run(
    `delete from bulk_action where tenant_id = $1 and account_id = $2
       and (at < now() - interval '30 days' or dry_run and at < now() - interval '1 hour')`,
    [tenantId, accountId],
  );
  const ids = [...asked.ids].sort();
  const begun = await tx.run(
    `insert into bulk_action (tenant_id, id, record, account_id, session_id, org_type, org_id, request_id, address,
       selection, change, undoes, dry_run, record_ids, total, state, transition, reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) on conflict do nothing`,
    [
      tenantId,
      id,
      record,
      accountId,
      sessionId,
      call.org.orgType,
      call.org.id,
      call.requestId,
      call.address,
      selection === undefined ? null : json(selection),
      change === undefined ? null : json(change),
      undoes ?? null,
      dryRun,
      ids,
      ids.length,
      ids.length === 0 ? 'done' : 'running',
      transition ?? null,
      reason ?? null,
    ],
  );
  if (begun > 0 && ids.length > 0)
    await enqueue(tx, bulkJob, { tenantId, action: id }, { key: `bulk ${id}` });
}

/** An action of the person, combined from its parts in each tenant; undefined if there is none. */
export async function readBulk(call: Call, record: string, id: string): Promise<BulkAction | undefined> {
  const parts: Stored[] = [];
  for (const tenantId of call.org.tenantIds)
    parts.push(
      ...(await call.withScope(
        (tx) =>
          tx.rows<Stored>(
            `select ${columns} from bulk_action where tenant_id = $1 and record = $2 and id = $3 and account_id = $4`,
            [tenantId, record, id, call.account.accountId],
          ),
        { tenantId },
      )),
    );
  const [first] = parts;
  if (!first) return undefined;
  const sum = (of: 'total' | 'changed' | 'same' | 'refused') => parts.reduce((so, one) => so + one[of], 0);
  const inState = (state: BulkAction['state']) => parts.find((one) => one.state === state);
  return {
    ...first,
    at: first.at.toISOString(),
    total: sum('total'),
    changed: sum('changed'),
    same: sum('same'),
    refused: sum('refused'),
    state: (inState('running') ?? inState('stopped') ?? first).state,
    stoppedBy: inState('stopped')?.stoppedBy ?? null,
  };
}

/** The person's last action for this organization within a day, except dry runs. */
export async function lastBulk(call: Call, record: string): Promise<BulkAction | null> {
  for (const tenantId of call.org.tenantIds) {
    const [last] = await call.withScope(
      (tx) =>
        tx.rows<{ id: string }>(
          `select id from bulk_action where tenant_id = $1 and account_id = $2 and org_type = $3 and org_id = $4
             and record = $5 and not dry_run and at > now() - interval '1 day' order by at desc limit 1`,
          [tenantId, call.account.accountId, call.org.orgType, call.org.id, record],
        ),
      { tenantId },
    );
    if (last) return (await readBulk(call, record, last.id)) ?? null;
  }
  return null;
}

/** A page of the records that an action left unchanged, with the names and states of those that the reader sees. */
export async function refusedBy(
  call: Call,
  server: PatientServer,
  action: string,
  after: string | undefined,
): Promise<{ refused: BulkRefusal[]; more: boolean }> {
  const { kind, name, workflow } = server.record;
  const refused: BulkRefusal[] = [];
  for (const tenantId of call.org.tenantIds)
    await call.withScope(
      async (tx) => {
        const rows = await tx.rows<Pick<BulkRefusal, 'id' | 'code' | 'field'>>(
          `select record_id as id, code, field from bulk_refusal
           where tenant_id = $1 and action_id = $2 and account_id = $3 and ($4::uuid is null or record_id > $4)
           order by record_id limit ${refusedPage + 1}`,
          [tenantId, action, call.account.accountId, after ?? null],
        );
        const seen = await server.read(
          tx,
          rows.map(({ id }) => id),
        );
        const shown = new Map(
          seen.map((stored) => [
            stored.id,
            {
              name: stored[name] as string,
              state: workflow ? (stored[workflow.of] as string) : null,
            },
          ]),
        );
        refused.push(...rows.map((row) => ({ ...row, name: null, state: null, ...shown.get(row.id) })));
        call.audit({ recordKind: kind, recordIds: [...shown.keys()] });
      },
      { tenantId },
    );
  refused.sort((one, other) => (one.id < other.id ? -1 : 1));
  return { refused: refused.slice(0, refusedPage), more: refused.length > refusedPage };
}

/** The records of a tenant that an action of the person has changed. */
export const changedBy = async (
  tx: Tx,
  { table }: AnyRecord,
  action: string,
  accountId: string,
): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(
      `select record_id as id from ${table}_history where tenant_id = $1 and action_id = $2 and account_id = $3`,
      [tx.tenantId, action, accountId],
    )
  ).map(({ id }) => id);
