import type { ImportFault } from '@caseway/contract/import-fault';
import type { ImportDetail } from '@caseway/contract/imports';
import { writeEvent } from '../../../platform/audit/auditor.ts';
import { carriedBy } from '../../../platform/carried/carried.ts';
import { json } from '../../../platform/db/rows.ts';
import { fromTenantRow, haveTenantRow } from '../../../platform/db/tenant-row.ts';
import { asAppError } from '../../../platform/http/app-error.ts';
import { testNameI18N } from '../../reference/names-of-tests.ts';
import type { UnknownCode } from '../../results/code-asked.ts';
import type { ObservedResult } from '../../results/interpret.ts';
import { Batch, type Item } from '../batch/batch.ts';
import type { MessageState } from '../batch/incoming.ts';
import { Overlay } from '../batch/overlay.ts';
import type { Plan, TallyWrite } from '../batch-state.ts';
import { publishState } from './import-row.ts';
import { notStorable } from './run-file.ts';
import { NoLongerOurs, type RunEnd, type RunningImport } from './running-import.ts';

const carried = carriedBy('import_tally', 'import');

/** For this many messages, a dry run stores why they would wait or be refused. */
const previewMessages = 200;
/** For this many, it stores the results that would be stored. */
const previewTaken = 50;

export interface PreviewMessage {
  index: number;
  line: number;
  state: MessageState;
  reason: string | null;
  faults: ImportFault[];
  families: string[];
  /**
   * For a message that would be accepted. Whether the results are already known is left out, because it would reveal
   * the person.
   */
  results?: NonNullable<NonNullable<ImportDetail['preview']>[number]['results']>;
}

/** A code that would have to be mapped, with the number of messages of these families that contain it. */
export interface PreviewCode extends Pick<UnknownCode, 'kind' | 'sender' | 'system' | 'code' | 'text'> {
  families: string[];
  n: number;
}
/** Of so many codes, the counts are stored. */
const previewCodes = 1000;

export interface StoredPreview {
  messages: PreviewMessage[];
  codes: PreviewCode[];
}

const previewOf = ({ testName, testLoinc, category, conditionCode }: ObservedResult) => {
  const named = testNameI18N(testLoinc);
  return { testName, ...(named && { testNameI18N: { ...named } }), category, conditionCode };
};

/**
 * Does everything that a run would do, on top of what is stored, in one transaction that is rolled back, and keeps
 * only its counts. Other imports of the tenant continue, and later batches see what they store.
 */
export async function dryRun(run: RunningImport): Promise<RunEnd> {
  const { tenantId, importId, database, signal } = run.options;
  const unreadable = await run.inspect();
  const found = new Map<string, TallyWrite>();
  const examples: PreviewMessage[] = [];
  const codes = new Map<string, PreviewCode>();
  let faulty = 0;
  let taken = 0;
  const notes: ImportFault[] = [];
  const lookedUp = new Set<string>();
  let stopped = false;
  let read = 0;
  const rolledBack = new Error('a dry run is rolled back');
  await database
    .withScope(run.scope, async (tx) => {
      const overlay = await Overlay.over(tx, tenantId, importId);
      let batch = new Batch();
      /**
       * Tries a batch like a run would: halved until only the message that cannot be stored is left, which is
       * refused.
       */
      const attempt = async (items: Item[]): Promise<void> => {
        await tx.run('savepoint batch');
        try {
          const plan = await run.store(tx, items, overlay);
          // A statement that was sent without waiting fails here.
          await tx.run('release savepoint batch');
          note(plan);
        } catch (error) {
          if (error instanceof NoLongerOurs || asAppError(error).code === 'unavailable' || items.length === 0)
            throw error;
          // A statement that is still running fails with the transaction.
          await tx.run('rollback to savepoint batch').catch(() => tx.run('rollback to savepoint batch'));
          if (items.length > 1) {
            const half = items.length >> 1;
            await attempt(items.slice(0, half));
            await attempt(items.slice(half));
            return;
          }
          const refused = notStorable(items[0]!);
          if (!refused) throw error;
          await attempt([refused]);
        }
      };
      const note = (plan: Plan) => {
        for (const tally of plan.tallies) {
          const place = JSON.stringify([tally.kind, tally.key, tally.families]);
          const known = found.get(place);
          if (known) known.n += tally.n;
          else found.set(place, { ...tally });
        }
        for (const { id, isNew } of plan.patients) if (!isNew) lookedUp.add(id);
        for (const { candidateId } of plan.matches) lookedUp.add(candidateId);
        const asked = new Map(plan.mappings.map((mapping) => [mapping.id, mapping]));
        for (const { incoming, state, reason, faults, families, observed, waitingFor } of plan.messages) {
          for (const id of waitingFor) {
            const { kind, sender, system, code, text } = asked.get(id)!;
            const place = JSON.stringify([kind, sender, system, code, families]);
            const known = codes.get(place);
            if (known) known.n += 1;
            else codes.set(place, { kind, sender, system, code, text, families, n: 1 });
          }
          const isFault = state === 'refused' || state === 'waiting';
          const isRead = state === 'taken' && observed.length > 0;
          if (isFault ? faulty >= previewMessages : !isRead || taken >= previewTaken) continue;
          if (isFault) faulty += 1;
          else taken += 1;
          examples.push({
            index: incoming.index,
            line: incoming.line,
            state,
            reason,
            faults: [...faults],
            families,
            ...(isRead && { results: observed.map(previewOf) }),
          });
        }
      };
      const flush = async () => {
        await attempt(batch.items);
        const last = batch.items.at(-1);
        read = (last?.incoming.index ?? -1) + 1;
        await run.tell({
          byteOffset: last?.next?.byteOffset ?? run.row.byte_size,
          messages: read,
          rerunDone: 0,
          rerunTotal: 0,
        });
        batch = new Batch();
      };
      for await (const piece of run.pieces(unreadable)) {
        if (piece.kind === 'note') {
          notes.push(piece.fault);
          continue;
        }
        batch.add(run.itemOf(piece.incoming, piece.next));
        if (!batch.isFull(run.batchSize)) continue;
        await flush();
        stopped = signal?.aborted === true || (await isCancelled(run));
        if (stopped) break;
      }
      if (!stopped && batch.items.length > 0) await flush();
      throw rolledBack;
    })
    .catch((error) => {
      if (error !== rolledBack) throw error;
    });
  if (stopped) return signal?.aborted ? 'stopped' : 'cancelled';
  const preview: StoredPreview = {
    messages: examples,
    codes: [...codes.values()].sort((a, b) => b.n - a.n).slice(0, previewCodes),
  };
  return database.withScope(run.scope, async (tx) => {
    await run.own(tx);
    await tx.run('delete from import_tally where tenant_id = $1 and import_id = $2', [tenantId, importId]);
    await haveTenantRow(tx, tenantId);
    await tx.run(
      `insert into import_tally (tenant_id, import_id, kind, key, families, n, ${carried.columns})
       select ${fromTenantRow.id}, c.import_id, c.kind, c.key, c.families, c.n, ${carried.values}
       from ${fromTenantRow.table} cross join (select $2::uuid as import_id, *
         from json_to_recordset($3::json) as r (kind text, key text, families text[], n integer) where n <> 0) c
       ${carried.join} where ${fromTenantRow.is}`,
      [tenantId, importId, json([...found.values()])],
    );
    await tx.run(
      `update import set state = 'done', finished_at = now(), preview = $3, notes = notes || $4::jsonb, next_index = $5
       where tenant_id = $1 and id = $2`,
      [tenantId, importId, json(preview), json(notes), read],
    );
    // If someone looks up one person after another, this is the only trace. An event without an organization is only
    // for readers who see the whole tenant: it would reveal to the person who tried the file who is known.
    await writeEvent(tx, {
      tenantId,
      accountId: run.row.created_by,
      orgType: null,
      orgId: null,
      action: 'looked up by a dry run',
      deed: 'read',
      recordKind: 'patient',
      recordIds: [...lookedUp],
      detail: { importId },
    });
    await publishState(tx, tenantId, importId, run.row, 'done');
    return 'done' as const;
  });
}

async function isCancelled(run: RunningImport): Promise<boolean> {
  const { tenantId, importId, database } = run.options;
  const [row] = await database.withScope(run.scope, (tx) =>
    tx.rows<{ state: string }>('select state from import where tenant_id = $1 and id = $2', [
      tenantId,
      importId,
    ]),
  );
  return row?.state === 'cancelled';
}
