import type { BulkRefusal } from '@caseway/contract/bulk';
import type { Facts } from '@caseway/contract/expression';
import type { AnyRecord } from '@caseway/contract/record';
import { transitionAccess } from '@caseway/contract/record-transitions';
import { z } from 'zod';
import type { Absent, IdentityAuthorizer } from '../auth/authorizer.ts';
import type { Database, Tx } from '../db/database.ts';
import { givenRows, json } from '../db/rows.ts';
import { fromTenantRow, haveTenantRow } from '../db/tenant-row.ts';
import { publishWith } from '../events/hub.ts';
import type { Auditor } from '../http/access.ts';
import { AppError, isOutage } from '../http/app-error.ts';
import { tell } from '../inbox/tell.ts';
import { defineJob, enqueue, type Work, work } from '../jobs/jobs.ts';
import {
  type Changing,
  changeOfDeed,
  considerChange,
  type PatientServer,
  type PatientWriter,
  type Person,
  type ServiceWrites,
  undoOfChanges,
  writeChanges,
} from './patient-record.ts';
import type { AnyRow, Values } from './record-server.ts';
import { changesOfAction } from './record-versions.ts';
import { patientWriter } from './serve-patient-records.ts';

/* An action on many records, done some hundred at a time, each time with the person's current permissions. */

/** Runs an action to its end, from wherever it stopped. */
export const bulkJob = defineJob({
  name: 'records/bulk',
  payload: z.strictObject({ tenantId: z.uuid(), action: z.uuid() }),
  lane: 'quick',
  attempts: 10,
});

/** As many as the log indexes by record (`audit_record`). */
const batchSize = 200;
/** Milliseconds after which it queues again, so that no message waits behind it. */
const turnMs = 2000;

export interface BulkWorkOptions {
  database: Database;
  auditor: Auditor;
  authorizer: Pick<IdentityAuthorizer, 'authoriseAbsent'>;
  /** Every kind of record that can be changed in bulk. */
  servers: readonly PatientServer[];
  /** How many are decided in one transaction. */
  batch?: number;
}

interface StoredAction extends Absent {
  id: string;
  record: string;
  change: Values | null;
  transition: string | null;
  reason: string | null;
  undoes: string | null;
  dryRun: boolean;
  requestId: string;
  address: string;
}

export function bulkWork(options: BulkWorkOptions): Work {
  return work(bulkJob, async ({ tenantId, action }, { attempt, signal }) => {
    const { database } = options;
    const until = performance.now() + turnMs;
    try {
      while (await doSome(options, tenantId, action))
        if (signal.aborted || performance.now() > until) {
          await database.withScope({ kind: 'service', tenantId }, (tx) =>
            enqueue(tx, bulkJob, { tenantId, action }, { key: `bulk ${action}` }),
          );
          return;
        }
    } catch (error) {
      if (attempt >= bulkJob.attempts && !signal.aborted && !isOutage(error))
        await stopped(options, tenantId, action, 'internal');
      throw error;
    }
  });
}

/** Decides the next records. False if none is left, or if the person may not continue. */
async function doSome(options: BulkWorkOptions, tenantId: string, actionId: string): Promise<boolean> {
  const { database, authorizer, servers } = options;
  const [action] = await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows<StoredAction>(
      `select id, record, account_id as "accountId", session_id as "sessionId", org_type as "orgType", org_id as "orgId",
         change, transition, reason, undoes, dry_run as "dryRun", request_id as "requestId", address
       from bulk_action where tenant_id = $1 and id = $2 and state = 'running'`,
      [tenantId, actionId],
    ),
  );
  if (!action) return false;
  const server = servers.find(({ record }) => record.id === action.record)!;
  let person: Person;
  try {
    const { account, authorisation } = await authorizer.authoriseAbsent(
      action,
      permissionFor(server.record, action),
    );
    person = { account, ...authorisation, language: 'en' };
    // A tenant that no longer reports to the jurisdiction has no scope.
    person.scopeIn(tenantId);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await stopped(options, tenantId, actionId, error.code === 'not-found' ? 'forbidden' : error.code);
    return false;
  }
  const context = await server.context(person);
  const deciding = { ...options, server, action, writer: patientWriter(person, tenantId, context), person };
  return server.byService && !action.dryRun
    ? decideByService(deciding, server.byService)
    : decideSome(deciding);
}

/** What is needed to decide some records of an action. */
interface Deciding extends BulkWorkOptions {
  server: PatientServer;
  action: StoredAction;
  writer: PatientWriter;
  person: Person;
}

/** The next records, and how many are left including them. */
interface Part {
  ids: string[];
  left: number;
}

/** The changes to make, and why the other records stay unchanged. */
interface Looked {
  found: AnyRow[];
  considered: Changing[];
  refusals: Map<string, Stays>;
}

/** One transaction: changes to records are committed together with the progress of the action. */
const decideSome = (deciding: Deciding): Promise<boolean> => {
  const { database, server, action, writer, person } = deciding;
  const { tenantId } = writer;
  return database.withScope(person.scopeIn(tenantId), async (tx) => {
    const part = await nextPart(tx, deciding);
    if (!part) return false;
    if (!action.dryRun) await server.lock(tx, tenantId, part.ids);
    const looked = await look(tx, deciding, part);
    if (!action.dryRun) await writeChanges(tx, server, writer, looked.considered, action.id);
    return keepDecided(tx, deciding, part, looked);
  });
};

/**
 * The same for records that only the service may write: the person's scope decides, and the service commits. Records
 * that someone has changed in between stay unchanged.
 */
async function decideByService(deciding: Deciding, { change }: ServiceWrites): Promise<boolean> {
  const { database, action, writer, person } = deciding;
  const { tenantId } = writer;
  const begun = await database.withScope(person.scopeIn(tenantId), async (tx) => {
    const part = await nextPart(tx, deciding);
    return part && { part, looked: await look(tx, deciding, part) };
  });
  if (!begun) return false;
  const { part, looked } = begun;
  return database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const now = await nextPart(tx, deciding);
    // Another process has continued with it.
    if (now?.left !== part.left) return now !== undefined;
    const stays = await change(tx, writer, looked.considered.filter(isChanged), action.id);
    return keepDecided(tx, deciding, part, {
      found: looked.found,
      considered: looked.considered.filter(({ stored }) => !stays.has(stored.id)),
      refusals: new Map([
        ...looked.refusals,
        ...[...stays].map(([id, error]) => [id, reasonOf(error)] as const),
      ]),
    });
  });
}

/** Locks the action, so that another process cannot run it at the same time. */
async function nextPart(tx: Tx, { action, writer, batch = batchSize }: Deciding): Promise<Part | undefined> {
  const [part] = await tx.rows<Part>(
    `select record_ids[changed + same + refused + 1 : changed + same + refused + $3::integer] as ids,
       total - changed - same - refused as left
     from bulk_action where tenant_id = $1 and id = $2 and state = 'running' for update`,
    [writer.tenantId, action.id, batch],
  );
  return part;
}

const isChanged = ({ changes }: Changing): boolean => Object.keys(changes).length > 0;

/** What the action would do to each record, as the person sees it. */
async function look(tx: Tx, { server, action, writer }: Deciding, { ids }: Part): Promise<Looked> {
  const found = await server.read(tx, ids);
  const refusals = new Map<string, Stays>(ids.map((id) => [id, { code: 'not-found', field: null }]));
  const consider = await considering(tx, server, action, writer, ids);
  const considered: Changing[] = [];
  for (const stored of found)
    try {
      considered.push(await consider(stored));
      refusals.delete(stored.id);
    } catch (error) {
      refusals.set(stored.id, reasonOf(error));
    }
  return { found, considered, refusals };
}

/**
 * Stores the progress of the action, the unchanged records with the reasons, and the log entry. False if none is
 * left.
 */
async function keepDecided(
  tx: Tx,
  { auditor, server, action, writer, person: { org } }: Deciding,
  { ids, left }: Part,
  { found, considered, refusals }: Looked,
): Promise<boolean> {
  const { id: actionId, accountId, dryRun } = action;
  const { tenantId } = writer;
  const changed = considered.filter(isChanged).length;
  await keepRefusals(tx, action, tenantId, refusals);
  await tx.run(
    `update bulk_action set changed = changed + $3, same = same + $4, refused = refused + $5, state = $6
     where tenant_id = $1 and id = $2`,
    [
      tenantId,
      actionId,
      changed,
      considered.length - changed,
      refusals.size,
      left > ids.length ? 'running' : 'done',
    ],
  );
  await auditor.write(tx, {
    tenantId,
    accountId,
    orgType: org.orgType,
    orgId: org.id,
    action: dryRun ? 'consider changes' : 'change',
    deed: dryRun ? 'read' : 'change',
    recordKind: server.record.kind,
    recordIds: found.map(({ id }) => id),
    detail: { bulk: actionId, ...detailOf(action) },
    requestId: action.requestId,
    address: action.address,
  });
  await publishWith(tx, { tenantId, accountId }, { type: 'bulk-progress', action: actionId });
  if (!dryRun && left === ids.length) await tellEnd(tx, tenantId, actionId, accountId);
  return left > ids.length;
}

/** The same permission as for a single record: a transition may have its own, which `act` checks. */
const permissionFor = (record: AnyRecord, { transition }: StoredAction) =>
  transitionAccess(record, {
    transitions: (record.workflow?.flow.transitions ?? []).filter(({ id }) => id === transition),
  });

const detailOf = ({ undoes, change, transition }: StoredAction) =>
  undoes === null
    ? { fields: Object.keys(change ?? {}), ...(transition !== null && { transition }) }
    : { undoes };

/** What the action changes in a record as it is stored. Throws the reason if the record stays unchanged. */
async function considering(
  tx: Tx,
  server: PatientServer,
  { accountId, change, transition, reason, undoes }: StoredAction,
  writer: PatientWriter,
  ids: readonly string[],
): Promise<(stored: AnyRow) => Promise<Changing>> {
  if (transition !== null) {
    const deed = { transition, fields: change as Facts['values'], reason: reason ?? undefined };
    return async (stored) => {
      const { version } = stored;
      const done = await changeOfDeed(tx, server, writer, stored, version, deed);
      return considerChange(tx, server, writer, stored, version, done);
    };
  }
  if (undoes === null)
    return (stored) => considerChange(tx, server, writer, stored, stored.version, { given: change! });
  const done = await changesOfAction(tx, server.record, { actionId: undoes, accountId }, ids);
  return (stored) => {
    const made = done.get(stored.id);
    if (made?.version !== stored.version) throw new AppError('conflict');
    const { change } = undoOfChanges(server, stored, made.version, made.changes, made.transition);
    return considerChange(tx, server, writer, stored, stored.version, change);
  };
}

/** Why a record stays unchanged, as a code, and the field that prevents the change. */
type Stays = Pick<BulkRefusal, 'code' | 'field'>;

function reasonOf(error: unknown): Stays {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'conflict') return { code: 'changed-meanwhile', field: null };
  // It belongs to another record that the person does not see.
  if (error.code === 'not-found') return { code: 'not-found', field: null };
  const [fault] = error.details.faults ?? [];
  if (fault === undefined) throw error;
  return { code: fault.code, field: fault.path || null };
}

async function keepRefusals(
  tx: Tx,
  { id, accountId }: StoredAction,
  tenantId: string,
  refusals: ReadonlyMap<string, Stays>,
): Promise<void> {
  if (refusals.size === 0) return;
  await haveTenantRow(tx, tenantId);
  await tx.run(
    `insert into bulk_refusal (tenant_id, action_id, record_id, account_id, code, field)
     select ${fromTenantRow.id}, $3::uuid, r.id, $4::uuid, r.code, r.field
     from ${fromTenantRow.table} cross join ${givenRows('$2', { id: 'uuid', code: 'text', field: 'text' })} as r
     where ${fromTenantRow.is}`,
    [tenantId, json([...refusals].map(([record, stays]) => ({ id: record, ...stays }))), id, accountId],
  );
}

/** Completed changes stay. The bar shows the reason the next time the person opens the list. */
const stopped = ({ database }: BulkWorkOptions, tenantId: string, action: string, code: string) =>
  database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const [of] = await tx.rows<{ accountId: string; dryRun: boolean }>(
      `update bulk_action set state = 'stopped', stopped_by = $3 where tenant_id = $1 and id = $2 and state = 'running'
       returning account_id as "accountId", dry_run as "dryRun"`,
      [tenantId, action, code],
    );
    if (!of) return;
    await publishWith(tx, { tenantId, accountId: of.accountId }, { type: 'bulk-progress', action });
    if (!of.dryRun) await tellEnd(tx, tenantId, action, of.accountId);
  });

/** Always sent, because the person who began the action may be doing something else by now. */
const tellEnd = (tx: Tx, tenantId: string, action: string, to: string): Promise<void> =>
  tell(tx, { tenantId, recordKind: 'bulk-action', actorId: null }, [
    { kind: 'bulk-ended', recordId: action, to },
  ]);
