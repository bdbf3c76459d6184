import { type BulkEndpoints, type BulkFailure, bulkLimit } from '@caseway/contract/record';
import type { Tx } from '../db/database.ts';
import type { App } from '../http/app.ts';
import { AppError } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';
import { changePatientRecord, considerChange, type PatientServer, undoOfVersion } from './patient-record.ts';
import type { AnyRow } from './record-server.ts';
import { historyShown } from './record-versions.ts';
import { patientWriter } from './serve-patient-records.ts';

/** Serves the change of many records of a kind, each decided on its own, and taking back all that one action did. */
export function serveBulk(app: App, server: PatientServer): void {
  const { kind, table, name, endpoints } = server.record;
  const { bulk, undoBulk } = endpoints as unknown as BulkEndpoints;

  /** Does something with each of these records in every tenant that has it; what is in the way of one is its failure. */
  async function each(
    call: Call,
    ids: readonly string[],
    isRead: boolean,
    deed: (tx: Tx, stored: AnyRow, tenantId: string) => Promise<void>,
  ): Promise<BulkFailure[]> {
    const failed = new Map<string, BulkFailure>(ids.map((id) => [id, { id, name: null, code: 'not-found' }]));
    for (const tenantId of call.org.tenantIds)
      await call.withScope(
        async (tx) => {
          await server.lock(tx, tenantId, ids);
          const found = await server.read(tx, ids);
          for (const stored of found) {
            try {
              await deed(tx, stored, tenantId);
              failed.delete(stored.id);
            } catch (error) {
              failed.set(stored.id, { id: stored.id, name: stored[name] as string, code: codeOf(error) });
            }
          }
          call.audit({
            action: isRead ? 'consider changes' : 'change',
            ...(isRead && { deed: 'read' as const }),
            recordKind: kind,
            recordIds: found.map(({ id }) => id),
          });
        },
        { tenantId },
      );
    return [...failed.values()];
  }

  serve(app, bulk, async (call) => {
    const { ids, change: given, action, dryRun } = call.body;
    const context = await server.context(call);
    const changed: string[] = [];
    const same: string[] = [];
    const failed = await each(call, [...new Set(ids)], dryRun, async (tx, stored, tenantId) => {
      const writer = patientWriter(call, tenantId, context);
      const change = { given, ...(action !== undefined && { actionId: action }) };
      const asked = [tx, server, writer, stored, stored.version, change] as const;
      const fields = dryRun
        ? Object.keys((await considerChange(...asked)).changes)
        : await changePatientRecord(...asked);
      (fields.length > 0 ? changed : same).push(stored.id);
    });
    return { changed, same, failed };
  });

  serve(app, undoBulk, async (call) => {
    const { action } = call.params;
    const context = await server.context(call);
    const made = new Map<string, number>();
    for (const tenantId of call.org.tenantIds)
      for (const { id, version } of await call.withScope(
        (tx) =>
          tx.rows<{ id: string; version: number }>(
            `select h.record_id as id, h.version from ${historyShown(table)} h
             where h.tenant_id = $1 and h.action_id = $2 and h.account_id = $3 and ($4::uuid is null or h.record_id > $4)
             order by h.record_id limit ${bulkLimit}`,
            [tenantId, action, call.account.accountId, call.body.after ?? null],
          ),
        { tenantId },
      ))
        made.set(id, version);
    const ids = [...made.keys()].sort().slice(0, bulkLimit);
    const failed = await each(call, ids, false, async (tx, stored, tenantId) => {
      const version = made.get(stored.id)!;
      if (stored.version !== version) throw new AppError('conflict');
      const { change } = await undoOfVersion(tx, server, stored, version);
      const writer = patientWriter(call, tenantId, context);
      await changePatientRecord(tx, server, writer, stored, stored.version, change);
    });
    const next = ids.length === bulkLimit ? ids.at(-1)! : null;
    return { undone: ids.length - failed.length, failed, next };
  });
}

/** Why a record stays as it is, as a code. */
function codeOf(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'conflict') return 'changed-meanwhile';
  const [fault] = error.details.faults ?? [];
  if (fault === undefined) throw error;
  return fault.code;
}
