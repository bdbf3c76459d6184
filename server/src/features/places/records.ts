import type { AuditRecordKind } from '@caseway/contract/audit-action';
import type { Endpoint } from '@caseway/contract/endpoint';
import type { Fault } from '@caseway/contract/error';
import { v7 } from 'uuid';
import type { Database, Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import type { GridSource } from '../../platform/grid/grid-sql.ts';
import { type Lookups, lookupsChanged } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import { changesBetween } from '../../platform/http/acting.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, faultAt, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';

/** The parts of every record besides its fields. */
export interface Kept {
  id: string;
  version: number;
  active: boolean;
}

/** The context of a record that is being written. */
export interface Writing<Fields> {
  tenantId: string;
  id: string;
  /** The stored record; null for a new one. */
  before: Fields | null;
  /** Codes of disease families that the person who makes the change may not see. [P18] */
  hiddenFamilies: readonly string[];
}

/** One kind of record that an administrator sets up. */
export interface RecordKind<Fields extends object, Stored extends Kept> {
  /** The kind in the audit log, and the first part of its actions there. */
  name: AuditRecordKind & ('organization' | 'facility' | 'jurisdiction' | 'program' | 'task' | 'location');
  table: string;
  tenantColumn: 'tenant_id' | 'managed_by_tenant_id';
  endpoints: Readonly<Record<'read' | 'make' | 'change', unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: the source of any grid
  source: GridSource<any>;
  /** The columns of its table by field. */
  columns: Readonly<Partial<Record<keyof Fields, string>>>;
  /** The fields that are in no column; `write` stores them. */
  others?: readonly (keyof Fields)[];
  read(tx: Tx, ids: readonly string[]): Promise<Stored[]>;
  /** The faults of a record as it would be. A field that is invalid by itself is absent, and not checked. */
  faults(tx: Tx, next: Partial<Fields>, writing: Writing<Fields>): Promise<Fault[]>;
  /** The faults of a change because of other tenants, which the tenant's own scope does not see. */
  faultsElsewhere?(
    database: Database,
    given: Partial<Fields>,
    writing: Pick<Writing<Fields>, 'tenantId' | 'id'>,
  ): Promise<Fault[]>;
  /** Preparations before the record is written. */
  prepare?(tx: Tx, next: Fields, writing: Writing<Fields>): Promise<void>;
  /** Columns that follow from its fields. */
  derived?(next: Fields, writing: Writing<Fields>): Record<string, unknown>;
  /** Further writes after the record itself. */
  write?(tx: Tx, next: Fields, writing: Writing<Fields>): Promise<void>;
}

/** Changes to a tenant's setup run one after the other, so that what was checked is still true when it is written. */
export const lockPlaces = (tx: Tx, tenantId: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('places ' || $1, 0))`, [tenantId]);

export const tenantOf = ({ scope }: Call): string => (scope as { tenantId: string }).tenantId;
const hiddenFor = ({ scope }: Call): readonly string[] =>
  'hiddenFamilies' in scope ? scope.hiddenFamilies : [];

/** The record with this id; `not-found` when the reader sees none. */
export async function readOne<Stored>(
  tx: Tx,
  { read }: { read: (tx: Tx, ids: readonly string[]) => Promise<Stored[]> },
  id: string,
): Promise<Stored> {
  const [stored] = await read(tx, [id]);
  if (stored === undefined) throw new AppError('not-found');
  return stored;
}

/** The same for a change based on a version of it; throws `conflict` if it has changed since. */
export async function readToChange<Stored extends Kept>(
  tx: Tx,
  kind: { read: (tx: Tx, ids: readonly string[]) => Promise<Stored[]> },
  id: string,
  version: number,
): Promise<Stored> {
  const stored = await readOne(tx, kind, id);
  if (stored.version !== version) throw new AppError('conflict');
  return stored;
}

/** Serves the grid and the endpoints of one kind. */
export function serveRecords<Fields extends object, Stored extends Kept & Record<keyof Fields, unknown>>(
  app: App,
  lookups: Lookups,
  kind: RecordKind<Fields, Stored>,
): void {
  serveGrid<Stored>(app, askDatabase(app.database), {
    source: kind.source,
    recordKind: kind.name,
    orders: (names, call) => lookups.orders(names, call),
    read: kind.read,
  });
  const { read, make, change } = kind.endpoints as Record<string, Endpoint>;
  const fieldNames = [...Object.keys(kind.columns), ...(kind.others ?? [])] as (keyof Fields)[];
  const fieldsOf = (stored: Stored) =>
    Object.fromEntries(fieldNames.map((field) => [field, stored[field]])) as Fields;
  const params = (call: Call) => call.params as { id: string };

  serve(app, read!, (call) => call.withScope((tx) => readOne(tx, kind, params(call).id)));

  const newOne = (call: Call): Writing<Fields> => ({
    tenantId: tenantOf(call),
    id: v7(),
    before: null,
    hiddenFamilies: hiddenFor(call),
  });
  const makeOne = async (call: Call) => {
    const writing = newOne(call);
    const { tenantId } = writing;
    const next = call.body as Fields;
    const made = await call.withScope(async (tx) => {
      await lockPlaces(tx, tenantId);
      refuse(await kind.faults(tx, next, writing));
      await kind.prepare?.(tx, next, writing);
      const row = { [kind.tenantColumn]: tenantId, id: writing.id, ...columnsOf(kind, next, writing) };
      const names = Object.keys(row);
      await tx.run(
        `insert into ${kind.table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
        Object.values(row),
      );
      await kind.write?.(tx, next, writing);
      call.audit({
        action: `${kind.name}/made`,
        recordKind: kind.name,
        recordIds: [writing.id],
        detail: { after: next },
      });
      return readOne(tx, kind, writing.id);
    });
    await lookupsChanged(app, tenantId);
    return made;
  };
  serve(app, make!, makeOne, {
    alsoWrong: (call) => call.withScope((tx) => kind.faults(tx, call.body as Partial<Fields>, newOne(call))),
  });

  const changeOne = async (call: Call) => {
    const tenantId = tenantOf(call);
    const { id } = params(call);
    const { version, active, ...given } = call.body as { version: number; active?: boolean };
    const elsewhere = await faultsElsewhere(call);
    const changed = await call.withScope(async (tx) => {
      await lockPlaces(tx, tenantId);
      const stored = await readToChange(tx, kind, id, version);
      const before = fieldsOf(stored);
      const writing: Writing<Fields> = { tenantId, id, before, hiddenFamilies: hiddenFor(call) };
      const next = { ...before, ...given };
      const changes = changesBetween(
        { ...before, active: stored.active },
        { ...next, active: active ?? stored.active },
      );
      const names = Object.keys(changes.after);
      if (names.length === 0) return stored;
      if (active === true || names.some((name) => name !== 'active')) {
        refuse([...elsewhere, ...(await kind.faults(tx, next, writing))]);
        await kind.prepare?.(tx, next, writing);
      }
      const row = columnsOf(kind, next, writing);
      const sets = Object.keys(row).map((name, index) => `${name} = $${index + 3}, `);
      await tx.run(
        `update ${kind.table} set ${sets.join('')}version = version + 1,
           deactivated_at = ${changes.after.active === undefined ? 'deactivated_at' : changes.after.active ? 'null' : 'now()'}
         where ${kind.tenantColumn} = $1 and id = $2`,
        [tenantId, id, ...Object.values(row)],
      );
      await kind.write?.(tx, next, writing);
      const deed = changes.after.active === undefined ? 'changed' : active ? 'reactivated' : 'deactivated';
      call.audit({
        action: `${kind.name}/${deed}`,
        recordKind: kind.name,
        recordIds: [id],
        detail: { ...changes },
      });
      return readOne(tx, kind, id);
    });
    await lookupsChanged(app, tenantId);
    return changed;
  };
  const faultsElsewhere = async (call: Call) =>
    (await kind.faultsElsewhere?.(app.database, call.body as Partial<Fields>, {
      tenantId: tenantOf(call),
      id: params(call).id,
    })) ?? [];
  serve(app, change!, changeOne, {
    alsoWrong: async (call, faulty) => {
      const { id } = params(call);
      const elsewhere = await faultsElsewhere(call);
      return call.withScope(async (tx) => {
        const before = fieldsOf(await readOne(tx, kind, id));
        const { version: _, active: __, ...given } = call.body as { version?: number; active?: boolean };
        const next: Partial<Fields> = { ...before, ...given };
        for (const name of faulty) delete next[name as keyof Fields];
        const writing = { tenantId: tenantOf(call), id, before, hiddenFamilies: hiddenFor(call) };
        return [...elsewhere, ...(await kind.faults(tx, next, writing))];
      });
    },
  });
}

function columnsOf<Fields extends object>(
  { columns, derived }: Pick<RecordKind<Fields, Kept>, 'columns' | 'derived'>,
  next: Fields,
  writing: Writing<Fields>,
): Record<string, unknown> {
  const own = Object.entries(columns).map(([field, column]) => [column, next[field as keyof Fields]]);
  return { ...Object.fromEntries(own), ...derived?.(next, writing) };
}

/** The fault of a name that another record of the kind has; whether letters are capital makes no difference. */
export async function nameTaken(
  tx: Tx,
  from: string,
  name: string | undefined,
  id: string,
  field = 'name',
  params: readonly unknown[] = [],
): Promise<Fault[]> {
  if (name === undefined) return [];
  const rows = await tx.rows(
    `select from ${from} and id <> $1 and app_fold(${field}) = app_fold($2) limit 1`,
    [id, name, ...params],
  );
  return rows.length > 0 ? [faultAt(field, 'name-taken', 'another one has this name')] : [];
}

/** The fault of a reference to what the tenant does not have. */
export async function unknownIn(
  tx: Tx,
  table: string,
  path: string,
  id: string | null | undefined,
  condition = 'tenant_id = (select app_tenant())',
): Promise<Fault[]> {
  if (id === null || id === undefined) return [];
  const rows = await tx.rows(`select from ${table} where id = $1 and ${condition}`, [id]);
  return rows.length > 0 ? [] : [faultAt(path, 'unknown-choice', 'there is no such record')];
}

/** Words of columns as the search box finds them: folded, without punctuation, a blank before each. */
export function wordsOf(...columns: string[]): string {
  return columns
    .map((column) => `' ' || translate(app_fold(coalesce(${column}, '')), '-/.,()&''’', '       ')`)
    .join(' || ');
}
