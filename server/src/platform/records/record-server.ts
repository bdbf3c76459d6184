import type { Fault } from '@caseway/contract/error';
import type { AnyRecord, ElsewhereOf, RecordOf, WrittenOf } from '@caseway/contract/record';
import type { Database, Tx } from '../db/database.ts';
import type { ChoiceField, Field as GridField, GridSource } from '../grid/grid-sql.ts';

/** The context of a record that is being written. */
export interface Writing<Values> {
  tenantId: string;
  id: string;
  /** The stored record; null for a new one. */
  before: Values | null;
  /** Codes of disease families that the writer may not see. [P18] */
  hiddenFamilies: readonly string[];
}

/** SQL over the row `r` of the record's table; a function of the SQL of the tenant if it reads another table. */
type Sql = string | ((tenant: string) => string);

/** What reading a record needs in addition to its declaration: the fields that are not columns. */
export interface RecordReading<R> {
  record: R;
  /** The column with the record's tenant; `tenant_id` by default. */
  tenantColumn?: string;
  /** The column with the time since which it is inactive; `deactivated_at` by default. */
  endedColumn?: string;
  /**
   * The table of its history, whose rows have columns that say who reads them; by default the history that the whole
   * tenant reads.
   */
  history?: string;
  /** Fields that are not columns. A status that is not given says whether the record is active. */
  sql: Omit<Readonly<Record<ElsewhereOf<R>, Sql>>, 'status'> & { readonly status?: Sql };
  /** Joins with the row, and the condition for rows that are records at all. */
  joined?: string;
  only?: string;
  /** What the list needs besides the fields: further columns of `f`, and filters without a column. */
  more?: Readonly<Record<string, string>>;
  filters?: Readonly<Record<string, ChoiceField>>;
  /** How a list sorts and filters a column, if differently from what it shows. */
  columns?: Readonly<Record<string, GridField>>;
  /** The condition for the records of each list, as SQL over `r`, if there are several lists. */
  lists?: Readonly<Record<string, string>>;
  /** The order of a look-up's codes in a list, if it is not the order of their labels. */
  orders?: Readonly<Record<string, readonly string[]>>;
  /** The columns of `f` whose words a search finds, or a text of these words over `f`. */
  searched?: readonly string[] | string;
  /** Instead: the columns of `f` with the ids of the records whose search keys find it. */
  searchBy?: GridSource['searchBy'];
  /** How it finds the records behind a number, if dashboards count them. */
  behind?: GridSource['behind'];
  /** Reads records by id, if they are not simply rows of a table as every reader sees them. */
  read?(tx: Tx, ids: readonly string[]): Promise<AnyRow[]>;
  /** Adds what one query cannot read. */
  complete?(tx: Tx, rows: RecordOf<R>[]): Promise<RecordOf<R>[]>;
}

/** The same, and the rules for writing it. */
export interface RecordServer<R> extends RecordReading<R> {
  /** Serializes writes that depend on each other, so that a check still holds when the record is written. */
  lock(tx: Tx, tenantId: string): Promise<unknown>;
  /** The faults of the changed record. A field that is invalid by itself is absent and not checked. */
  faults(tx: Tx, next: Partial<WrittenOf<R>>, writing: Writing<WrittenOf<R>>): Promise<Fault[]>;
  /** The faults of a change because of other tenants, which the tenant's own scope does not see. */
  faultsElsewhere?(
    database: Database,
    given: Partial<WrittenOf<R>>,
    writing: Pick<Writing<WrittenOf<R>>, 'tenantId' | 'id'>,
  ): Promise<Fault[]>;
  /** Preparations before the record is written. */
  prepare?(tx: Tx, next: WrittenOf<R>, writing: Writing<WrittenOf<R>>): Promise<void>;
  /** Columns that follow from its fields. */
  derived?(next: WrittenOf<R>, writing: Writing<WrittenOf<R>>): Record<string, unknown>;
  /** Further writes after the record itself. */
  write?(tx: Tx, next: WrittenOf<R>, writing: Writing<WrittenOf<R>>): Promise<void>;
}

/** A record with the common fields and any others. */
export type AnyRow = { id: string; version: number; active: boolean } & Record<string, unknown>;
export type Values = Record<string, unknown>;

/**
 * The same for any record, for code that serves all of them. `row`: a type marker for the record's rows; it has no
 * value.
 */
export interface AnyReading<Row = AnyRow> extends Omit<RecordReading<AnyRecord>, 'sql' | 'complete'> {
  readonly row?: Row;
  sql: Readonly<Record<string, Sql | undefined>>;
  complete?(tx: Tx, rows: AnyRow[]): Promise<AnyRow[]>;
}

export interface AnyServer<Row = AnyRow> extends AnyReading<Row>, Pick<RecordServer<AnyRecord>, 'lock'> {
  faults(tx: Tx, next: Values, writing: Writing<Values>): Promise<Fault[]>;
  faultsElsewhere?(
    database: Database,
    given: Values,
    writing: Pick<Writing<Values>, 'tenantId' | 'id'>,
  ): Promise<Fault[]>;
  prepare?(tx: Tx, next: Values, writing: Writing<Values>): Promise<void>;
  derived?(next: Values, writing: Writing<Values>): Values;
  write?(tx: Tx, next: Values, writing: Writing<Values>): Promise<void>;
}

type Declared = Pick<AnyRecord, 'id' | 'kind' | 'fields'>;

/** What the server adds to a record, checked against its declaration. */
export const recordServer = <R extends Declared>(server: RecordServer<R>): AnyServer<RecordOf<R>> =>
  server as unknown as AnyServer<RecordOf<R>>;
/** The same for a record with its own way of writing (`recordApart`). */
export const recordReading = <R extends Declared>(reading: RecordReading<R>): AnyReading<RecordOf<R>> =>
  reading as unknown as AnyReading<RecordOf<R>>;
