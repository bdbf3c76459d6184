import type { Fault } from '@caseway/contract/error';
import type { Facts } from '@caseway/contract/expression';
import { type AnyRecord, columnFor, emptied } from '@caseway/contract/record';
import { act, type Refusal, refusalsAfter, refusalsOfUndo, stateAfter } from '@caseway/contract/workflow';
import type { Database, Tx } from '../db/database.ts';
import { AppError, faultAt, refuse } from '../http/app-error.ts';
import type { Call } from '../http/serve.ts';
import { carryOut, carryOutNew } from './effects.ts';
import { faultsOfConditions, faultsOfTexts } from './record-faults.ts';
import { type Changes, readChanges, same } from './record-history.ts';
import type { AnyReading, AnyRow, Values } from './record-server.ts';
import { readRecord } from './record-sql.ts';
import { type Done, keepFirstVersions, keepingVersions, shownVersions } from './record-versions.ts';
import {
  type Change,
  changedSinceFault,
  givenBack,
  keptFaults,
  keyUsed,
  planChange,
  refuseConflict,
  type Writer,
} from './save-record.ts';

/* Changes records about patients (`patientRecord`). */

/** The writer, in a request or in a background job. */
export type Person = Pick<Call, 'account' | 'org' | 'scopeIn' | 'may' | 'language'>;

/** The writer, their tenant, and what `context` has found. */
export interface PatientWriter<Context = unknown> extends Writer {
  may: Person['may'];
  /** The current day in the tenant, and the instant. */
  today: string;
  now: string;
  context: Context;
}

/** A change with the values that the server adds, and the fields as the writer saw them. */
export interface PatientChange extends Change {
  also?: Values;
  /** The transition that the change is. */
  done?: Done | undefined;
  /** The transition of the version that it undoes. */
  takesBack?: string | null;
  seen?: Values | undefined;
}

/** A change that is about to be made to a stored record. */
export interface Changing<Row = AnyRow> {
  stored: Row;
  /** The changed fields, including what comes with them. */
  changes: Changes;
  /** The values that the server adds. */
  also?: Values | undefined;
  /** The transition that the change is. */
  done?: Done | undefined;
  /** The version that it undoes. */
  undoes?: number | undefined;
}

/** How records are stored that only the service may write, in a transaction in its scope. */
export interface ServiceWrites<Row extends AnyRow = AnyRow, Context = unknown> {
  /**
   * Stores the planned changes, and returns the records that stay unchanged with the reasons: one that has another
   * version by now is a `conflict`. `actionId`: the bulk action that the change belongs to.
   */
  change(
    tx: Tx,
    writer: PatientWriter<Context>,
    considered: readonly Changing<Row>[],
    actionId?: string,
  ): Promise<ReadonlyMap<string, AppError>>;
  /** Stores a new record that is about no other record, with its first version. */
  make(tx: Tx, writer: PatientWriter<Context>, id: string, given: Values): Promise<void>;
}

/** What the server adds to the declaration of a record about patients. */
export interface PatientServer<Row extends AnyRow = AnyRow, Context = unknown>
  extends Pick<AnyReading<Row>, 'sql' | 'searched' | 'searchBy' | 'history'> {
  record: AnyRecord;
  /** Records in the form for changes, as the reader sees them. */
  read(tx: Tx, ids: readonly string[]): Promise<Row[]>;
  /** Waits for others who change these records, and blocks them until the transaction ends. */
  lock(tx: Tx, tenantId: string, ids: readonly string[]): Promise<unknown>;
  /** The answer about a record; null if the reader does not see it. */
  answer(tx: Tx, id: string, reader: Pick<Person, 'may'>): Promise<object | null>;
  /** Emergency access to a record that is otherwise hidden, and the answer that it gives; absent if there is none. */
  opened?: {
    find(database: Database, call: Call, id: string): Promise<{ id: string } | undefined>;
    answer(answer: object, access: { id: string }): object;
  };
  /** What the checks need to know about the writer; found before the transaction. */
  context(person: Person): Promise<Context>;
  faults(tx: Tx, writer: PatientWriter<Context>, changing: Changing<Row>): Promise<Fault[]>;
  /** Values of other fields that follow from a change. */
  follows?(changes: Changes): Values;
  /** Columns that follow from a change. */
  derived(writer: PatientWriter<Context>, changing: Changing<Row>): Record<string, unknown>;
  /** Further assignments to its row; `param` makes a parameter of a value. */
  sets(changes: Changes, param: (value: unknown) => string): string[];
  /** Inserts a record that people make (`patientRecordOfPeople`), with what decides who sees it. */
  insert?(tx: Tx, writer: PatientWriter<Context>, id: string, given: Values): Promise<void>;
  /**
   * Present if only the service may write: a person's change is planned as they see the record, and then stored by
   * these functions.
   */
  byService?: ServiceWrites<Row, Context>;
  /** Further writes after the records themselves. */
  write(tx: Tx, writer: PatientWriter<Context>, changed: readonly Changing<Row>[]): Promise<void>;
}

/** The same, typed for code that serves and changes any of them. */
export const patientServer = <Row extends AnyRow, Context>(
  server: Omit<PatientServer<Row, Context>, 'record'> & { record: Pick<AnyRecord, 'id' | 'kind' | 'fields'> },
): PatientServer => server as unknown as PatientServer;

/**
 * What a change would change, by field; writes nothing. Throws what prevents it: `conflict` if someone else has
 * changed one of the same fields, and all of its faults.
 */
export async function considerChange(
  tx: Tx,
  server: PatientServer,
  writer: PatientWriter,
  stored: AnyRow,
  version: number,
  { also = {}, done, takesBack = null, seen = {}, undoes, ...change }: PatientChange,
): Promise<Changing> {
  refuseOvertaken(stored, seen, change.given);
  const { changes: asked } = await planChange(tx, server, writer, stored, version, change);
  const set = Object.entries(also).filter(([name, value]) => !same(stored[name], value));
  const changedTo = (values: readonly (readonly [string, unknown])[]): Changes =>
    Object.fromEntries(values.map(([name, to]) => [name, { from: stored[name], to }]));
  const follows = undoes === undefined ? (server.follows?.(asked) ?? {}) : {};
  const changes: Changes = withoutUnasked(server.record, stored, {
    ...changedTo(Object.entries(follows).filter(([name, value]) => !same(stored[name], value))),
    ...withStateAfter(server.record, stored, asked),
    ...changedTo(set),
  });
  const changing = { stored, changes, also, done, undoes };
  const next = newValues(changes);
  if (undoes !== undefined) refuse(faultsOfUndo(server.record, writer, stored, changes, takesBack));
  refuse([
    ...faultsOfState(server.record, stored, changes),
    ...keptFaults(server, stored, next),
    ...faultsOfTexts(server.record, stored, next),
    ...faultsOfConditions(server.record, { ...stored, ...next }, Object.keys(changes)),
    ...(await server.faults(tx, writer, changing)),
  ]);
  return changing;
}

/** Throws `conflict` for fields that differ from what the writer saw, although no version shows the change. */
function refuseOvertaken(stored: AnyRow, seen: Values, given: Values): void {
  const overtaken = Object.keys(given).filter(
    (name) => name in seen && !same(seen[name], stored[name]) && !same(given[name], stored[name]),
  );
  if (overtaken.length > 0) throw new AppError('conflict', { faults: overtaken.map(changedSinceFault) });
}

/** The same changes, with the resulting state; a derived state also follows when a version is undone. */
function withStateAfter({ workflow }: AnyRecord, stored: AnyRow, changes: Changes): Changes {
  if (!workflow || (changes[workflow.of] !== undefined && !workflow.flow.derive)) return changes;
  const { of, flow } = workflow;
  const values = { ...stored, ...newValues(changes) } as Facts['values'];
  const from = stored[of] as string;
  const to = stateAfter(flow, { state: from, values });
  if (to !== from) return { ...changes, [of]: { from, to } };
  const { [of]: _, ...others } = changes;
  return others;
}

/** What the workflow refuses in the changed record. */
function faultsOfState({ workflow }: AnyRecord, stored: AnyRow, changes: Changes): Fault[] {
  const names = Object.keys(changes);
  if (!workflow || names.length === 0) return [];
  const { of, flow } = workflow;
  // Fields that change with a transition, or with its undo, are part of it, and so are not locked.
  const isLocked = changes[of] === undefined && flow.locked?.includes(stored[of] as string);
  if (isLocked) return names.map((name) => faultAt(name, 'locked', refusalMessages.locked!));
  const values = { ...stored, ...newValues(changes) } as Facts['values'];
  const state = values[of] as string;
  // A new state also needs its required fields.
  const asked = changes[of] ? [...names, ...(flow.needs?.[state] ?? [])] : names;
  return faultsOfRefusals(of, refusalsAfter(flow, { state, values }, asked));
}

/** Why the writer may not undo a transition. */
function faultsOfUndo(
  { workflow, fields }: AnyRecord,
  { accountId, may, today, now }: PatientWriter,
  stored: AnyRow,
  changes: Changes,
  takesBack: string | null,
): Fault[] {
  if (!workflow || !Object.keys(changes).some((name) => fields[name]!.set === 'transitions')) return [];
  const { of, flow } = workflow;
  const before = stored as unknown as Facts['values'];
  const after = { ...before, ...newValues(changes) } as Facts['values'];
  const subject = (values: Facts['values']) => ({ state: values[of] as string, values });
  const actor = { id: accountId, may, today, now };
  return faultsOfRefusals(of, refusalsOfUndo(flow, subject(before), subject(after), takesBack, actor));
}

/** For API users; the screens have their own words for each code. */
const refusalMessages: Readonly<Record<string, string>> = {
  required: 'it has to have a value',
  'reason-needed': 'it has to be said why',
  'not-asked': 'the transition does not ask for it',
  'not-in-this-state': 'the transition cannot be done in this state',
  'not-permitted': 'the transition may not be done',
  locked: 'it cannot be changed in this state',
};

/** Refusals of a workflow as faults, at their fields or at the state. */
const faultsOfRefusals = (of: string, refusals: readonly Refusal[]): Fault[] =>
  refusals.flatMap(({ rule, at }) =>
    (at.length > 0 ? at : [of]).map((name) => faultAt(name, rule, refusalMessages[rule] ?? rule)),
  );

/** A transition that a person does, with the fields that come with it. */
export interface Deed {
  transition: string;
  fields: Facts['values'];
  reason?: string | undefined;
}

/**
 * What a transition changes in a stored record. Throws everything that prevents it: `conflict` if someone else has
 * changed the state since the writer's version.
 */
export async function changeOfDeed(
  tx: Tx,
  server: PatientServer,
  writer: PatientWriter,
  stored: AnyRow,
  version: number,
  { transition, fields, reason = '' }: Deed,
): Promise<PatientChange> {
  const { of, flow } = server.record.workflow!;
  if (version !== stored.version && (await isDone(tx, server, writer, stored, version, transition)))
    return { given: {} };
  // Checked for the state, whatever it was then.
  await refuseConflict(tx, server, writer, stored, version, { [of]: undefined });
  const subject = { state: stored[of] as string, values: stored as unknown as Facts['values'] };
  const { accountId, may, today, now } = writer;
  const outcome = act(flow, subject, transition, fields, { id: accountId, may, today, now }, reason);
  if (!outcome.done)
    throw new AppError('validation-failed', { faults: faultsOfRefusals(of, outcome.refusals) });
  const { state, values } = outcome.subject;
  const next = { ...values, [of]: state };
  const given = Object.fromEntries(
    Object.entries(next).filter(([name, value]) => name in fields || !same(stored[name], value)),
  );
  return { given, done: { transition, reason: reason || null } };
}

/**
 * Whether this request was sent before and its answer was lost: the next version has the same person and the same
 * transition.
 */
async function isDone(
  tx: Tx,
  { history }: PatientServer,
  { tenantId, accountId }: PatientWriter,
  { id }: AnyRow,
  version: number,
  transition: string,
): Promise<boolean> {
  const rows = await tx.rows(
    `select from ${history} h where h.tenant_id = $1 and h.record_id = $2 and h.version = $3 and h.account_id = $4
       and h.transition = $5`,
    [tenantId, id, version + 1, accountId, transition],
  );
  return rows.length > 0;
}

/** The same changes, with fields that no longer apply emptied. */
function withoutUnasked({ fields }: AnyRecord, stored: AnyRow, changes: Changes): Changes {
  if (Object.keys(changes).length === 0) return changes;
  const gone = Object.entries(emptied(fields, { ...stored, ...newValues(changes) }));
  return {
    ...Object.fromEntries(
      gone.filter(([name]) => !(name in changes)).map(([name, to]) => [name, { from: stored[name], to }]),
    ),
    ...changes,
  };
}

const newValues = (changes: Changes): Values =>
  Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));

/**
 * Changes a record, and stores its version. What others have changed since the writer's version stays; the same
 * field is refused. Returns the changed fields; none if the record already has the values.
 */
export async function changePatientRecord(
  tx: Tx,
  server: PatientServer,
  writer: PatientWriter,
  stored: AnyRow,
  version: number,
  change: PatientChange,
): Promise<string[]> {
  const changing = await considerChange(tx, server, writer, stored, version, change);
  await writeChanges(tx, server, writer, [changing]);
  return Object.keys(changing.changes);
}

/**
 * Writes planned changes and stores the versions; unchanged records are not written. The number of statements grows
 * with the different values that are set, not with the records. `actionId`: the bulk action that the change belongs
 * to.
 */
export async function writeChanges(
  tx: Tx,
  server: PatientServer,
  writer: PatientWriter,
  considered: readonly Changing[],
  actionId?: string,
): Promise<void> {
  const { record } = server;
  const { tenantId, accountId } = writer;
  const changed = considered.filter(({ changes }) => Object.keys(changes).length > 0);
  if (changed.length === 0) return;
  const undone = changed.flatMap(({ stored: { id }, undoes }) =>
    undoes === undefined ? [] : [{ id, version: undoes }],
  );
  const maker = {
    accountId,
    actionId,
    undone: await shownVersions(tx, record, undone),
    done: new Map(changed.flatMap(({ stored: { id }, done }) => (done ? [[id, done] as const] : []))),
  };
  const ids = changed.map(({ stored }) => stored.id);
  await keepingVersions(tx, record, tenantId, ids, maker, async () => {
    for (const alike of Map.groupBy(
      changed.map((one) => assigned(server, writer, one)),
      ({ key }) => key,
    ).values())
      await tx.run(
        `update ${record.table} set ${alike[0]!.sets.join(', ')} where tenant_id = $1 and id = any ($2::uuid[])`,
        [tenantId, alike.map(({ id }) => id), ...alike[0]!.params],
      );
    await server.write(tx, writer, changed);
    await carryOut(
      tx,
      { record, tenantId, accountId },
      changed.map(({ stored, changes, done }) => ({
        stored,
        changes,
        done: done?.transition,
        undoes: maker.undone.get(stored.id)?.number,
      })),
    );
  });
}

/**
 * Makes a record. If this request was sent before and its answer was lost, the record already exists, and nothing is
 * made. Another request with the same id is refused.
 */
export async function makePatientRecord(
  tx: Tx,
  server: PatientServer,
  writer: PatientWriter,
  id: string,
  given: Values,
): Promise<boolean> {
  const { record } = server;
  const { tenantId, accountId } = writer;
  const [there] = await server.read(tx, [id]);
  if (there) {
    await refuseOther(tx, server, accountId, id, given);
    return false;
  }
  refuse([
    ...faultsOfTexts(record, {}, given),
    ...faultsOfConditions(record, given, Object.keys(given)),
    ...(await server.faults(tx, writer, newOne(id, given))),
  ]);
  await server.insert!(tx, writer, id, given).catch(refuseUsedKey);
  const assignee = record.workflow?.flow.assignee;
  const to = assignee === undefined ? null : (given[assignee] as string | null | undefined);
  await carryOutNew(tx, { record, tenantId, accountId }, [{ id, on: writer.today, assignee: to }]);
  await keepFirstVersions(tx, record, tenantId, [id], accountId);
  return true;
}

/** Refuses to make an existing record, unless this is the request that made it. */
export async function refuseOther(
  tx: Tx,
  server: PatientServer,
  accountId: string,
  id: string,
  given: Values,
): Promise<void> {
  const first = await readChanges(tx, server, id, 1, []);
  const isRepeated =
    first?.accountId === accountId &&
    // The server may have filled in what was left empty.
    Object.entries(given).every(([name, value]) => value === null || same(first.changes[name]?.to, value));
  if (!isRepeated) throw keyUsed();
}

/** The fault for an id that belongs to a record which the writer does not see. */
export function refuseUsedKey(error: { code?: string; constraint?: string }): never {
  throw error.code === '23505' && /_pkey$/.test(error.constraint ?? '') ? keyUsed() : error;
}

/** A record as the checks see it before it is made. */
export const newOne = (id: string, given: Values): Changing => ({
  stored: { id, version: 0, active: true, ...given },
  changes: Object.fromEntries(Object.entries(given).map(([name, to]) => [name, { to }])),
});

/**
 * The assignments to the row of a record, with parameters from `$3` on. Records with the same key are updated in one
 * statement.
 */
function assigned(server: PatientServer, writer: PatientWriter, changing: Changing) {
  const { record } = server;
  const { workflow } = record;
  const { stored, changes, also = {} } = changing;
  const columns: Values = {
    ...columnsOf(record, newValues(changes)),
    ...server.derived(writer, changing),
    ...columnsOf(record, also),
  };
  const params: unknown[] = [];
  const param = (value: unknown) => `$${params.push(value) + 2}`;
  const sets = [
    ...Object.entries(columns).map(([column, value]) => `${column} = ${param(value)}`),
    'version = version + 1',
    ...(workflow && changes[workflow.of] ? [`flow_version = ${workflow.flow.version}`] : []),
    ...server.sets(changes, param),
  ];
  return { id: stored.id, sets, params, key: JSON.stringify([sets, params]) };
}

const columnsOf = ({ fields }: AnyRecord, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      columnFor(name, fields[name]!),
      // The driver would send a list as a PostgreSQL array.
      fields[name]!.kind === 'rows' ? JSON.stringify(value) : value,
    ]),
  );

/** What undoes a version, given its changes. If all of them are undone, so are the values that the server added. */
export function undoOfChanges(
  { record }: Pick<PatientServer, 'record'>,
  stored: AnyRow,
  version: number,
  changes: Changes,
  takesBack: string | null,
): { change: PatientChange; kept: string[] } {
  const { given, kept } = givenBack(record, stored, version, changes);
  const set = Object.entries(changes).filter(
    ([name]) => kept.length === 0 && record.fields[name]?.set === 'server',
  );
  const also = Object.fromEntries(set.map(([name, { from }]) => [name, from ?? null]));
  return { change: { given, also, undoes: version, takesBack }, kept };
}

/** The same for a version of the history. */
export async function undoOfVersion(tx: Tx, server: PatientServer, stored: AnyRow, version: number) {
  const of = await readChanges(tx, server, stored.id, version, []);
  return undoOfChanges(server, stored, version, of?.changes ?? {}, of?.transition ?? null);
}

/**
 * Locks a record for a change, after others who change it have finished; `not-found` if the writer does not see it.
 */
export async function lockedRecord(
  tx: Tx,
  server: PatientServer,
  tenantId: string,
  id: string,
): Promise<AnyRow> {
  await server.lock(tx, tenantId, [id]);
  return readRecord(tx, server, id);
}
