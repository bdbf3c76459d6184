import { carriers } from '../../../platform/carried/carried.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Read } from '../../../platform/db/rows.ts';
import { blockKeys } from '../../patients/matching.ts';
import { type BatchState, byVersion, type Plan } from '../batch-state.ts';
import { type WriteOptions, writePlan } from './write-plan.ts';

/**
 * The tables that a batch writes to, and those joined with the written rows: on several servers, no others can be
 * joined.
 */
const written = new Set([
  'case_counter', 'change_counter', 'case_event', 'case_report', 'case_report_history', 'case_report_transition', 'case_result', 'code_mapping', 'facility',
  'import', 'import_message', 'import_tally', 'patient', 'patient_block', 'patient_consent', 'patient_identifier', 'patient_match',
  'portal_invitation', 'record_clock', 'result', 'search_key', 'specimen', 'treatment', 'treatment_history',
  ...[...carriers.patient, ...carriers.specimen].map(({ table }) => table),
]); // biome-ignore format: a list

/** The first case number of a dry run, far from the number of any real case. */
const firstCaseNumber = 2_500_000;

/**
 * Holds the writes of a dry run during its transaction, in temporary tables with the names of the stored ones.
 * Batches write only to these, and read their rows on top of the stored rows; so no row is locked and nobody waits,
 * however long it takes. The statements are the same: the search path decides which tables they mean, and PostgreSQL
 * plans a prepared statement again when the path has changed.
 */
export class Overlay {
  readonly #tx: Tx;
  readonly #tenantId: string;

  private constructor(tx: Tx, tenantId: string) {
    this.#tx = tx;
    this.#tenantId = tenantId;
  }

  static async over(tx: Tx, tenantId: string, importId: string): Promise<Overlay> {
    for (const table of written)
      await tx.run(
        `create temporary table ${table} (like public.${table} including defaults including identity including indexes) on commit drop`,
      );
    await tx.run('insert into pg_temp.import select * from public.import where tenant_id = $1 and id = $2', [
      tenantId,
      importId,
    ]);
    await tx.run('set local search_path = pg_temp, public');
    await tx.run('insert into change_counter (tenant_id, last_number) values ($1, 0)', [tenantId]);
    await tx.run(
      `insert into case_counter (tenant_id, year, last_number, restricted_number, secret, numbered_before)
       select $1, extract(year from now()) + y, ${firstCaseNumber}, ${firstCaseNumber},
         coalesce(c.secret, gen_random_uuid()), coalesce(c.numbered_before, 0)
       from unnest(array[-1, 0, 1]) as y
       left join public.case_counter c on c.tenant_id = $1 and c.year = extract(year from now()) + y
       returning 1`,
      [tenantId],
    );
    return new Overlay(tx, tenantId);
  }

  /** For `loadState`; `settle` what it has loaded. */
  readonly read: Read = async <Row extends object>(
    text: string,
    params: readonly unknown[],
    keyOf: (row: Row) => string,
    join = (_: Row, upper: Row): Row => upper,
  ) => {
    await this.#tx.run('set local search_path = public, pg_temp');
    const rows = new Map((await this.#tx.rows<Row>(text, params)).map((row) => [keyOf(row), row]));
    await this.#tx.run('set local search_path = pg_temp, public');
    for (const upper of await this.#tx.rows<Row>(text, params)) {
      const lower = rows.get(keyOf(upper));
      rows.set(keyOf(upper), lower ? join(lower, upper) : upper);
    }
    return [...rows.values()];
  };

  /** Removes rows of the lower layer that were changed in the upper one. */
  settle(state: BatchState): BatchState {
    const keys = new Map<string, ReadonlySet<string>>();
    for (const { id, prepared } of state.patients.values()) keys.set(id, new Set(blockKeys(prepared)));
    for (const [key, ids] of state.byKey)
      for (const id of ids) if (keys.get(id)?.has(key) === false) ids.delete(id);
    for (const versions of state.results.values()) versions.sort(byVersion);
    return { ...state, cases: state.cases.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
  }

  async write(importId: string, plan: Plan, options: WriteOptions): Promise<void> {
    const known = (records: readonly { id: string; isNew: boolean }[]) =>
      records.filter(({ isNew }) => !isNew).map(({ id }) => id);
    const patients = known(plan.patients);
    const superseded = plan.superseded.map(({ id }) => id);
    await this.#lift('patient', 'id', patients);
    await this.#lift('patient_identifier', 'patient_id', patients);
    await this.#lift('case_report', 'id', [
      ...known(plan.cases),
      ...plan.treatments.map(({ caseRecord }) => caseRecord),
    ]);
    const told = plan.treatmentsTold.map(({ id }) => id);
    const added = plan.treatmentsAdded.map(({ id }) => id);
    await this.#lift('treatment', 'id', [...new Set([...told, ...added])]);
    await this.#lift('treatment_history', 'record_id', told);
    await this.#lift(
      'facility',
      'id',
      plan.changedFacilities.map(({ id }) => id),
    );
    await this.#lift(
      'specimen',
      'id',
      plan.correctedSpecimens.map(({ id }) => id),
    );
    await this.#lift('result', 'id', superseded);
    await this.#lift('case_result', 'result_id', superseded);
    // Nobody will read the messages again.
    const messages = plan.messages.map((write) => ({
      ...write,
      incoming: { ...write.incoming, raw: undefined },
    }));
    await writePlan(this.#tx, this.#tenantId, importId, { ...plan, messages }, options);
  }

  /** Copies stored rows that will be changed to the upper layer, unless they are already there. */
  async #lift(table: string, column: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#tx.run(
      `insert into pg_temp.${table} select * from public.${table} where tenant_id = $1 and ${column} = any ($2)
       on conflict do nothing`,
      [this.#tenantId, ids],
    );
  }
}
