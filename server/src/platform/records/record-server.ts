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
  /** Codes of disease families that the person who writes may not see. [P18] */
  hiddenFamilies: readonly string[];
}

/** SQL over the row `r` of the record's table; a function of the SQL of the tenant if it asks another table. */
type Sql = string | ((tenant: string) => string);

/** What reading a record needs besides its declaration: where fields are that are no column. */
export interface RecordReading<R> {
  record: R;
  /** The column with the tenant whose record it is; `tenant_id` by default. */
  tenantColumn?: string;
  /** The column with the time since which it is not active; `deactivated_at` by default. */
  endedColumn?: string;
  /** The table of its history, whose rows have columns that say who reads them; by default what the whole tenant reads. */
  history?: string;
  /** Fields that are elsewhere. A status that is not given says whether it is active. */
  sql: Omit<Readonly<Record<ElsewhereOf<R>, Sql>>, 'status'> & { readonly status?: Sql };
  /** What is joined with the row, and which rows are records at all. */
  joined?: string;
  only?: string;
  /** What the list needs besides the fields: further columns of `f`, and the filters that narrow no column. */
  more?: Readonly<Record<string, string>>;
  filters?: Readonly<Record<string, ChoiceField>>;
  /** Where a list finds a column that it sorts and filters otherwise than it shows it. */
  columns?: Readonly<Record<string, GridField>>;
  /** Which of the records are in each list, as SQL over `r`, where there are several. */
  lists?: Readonly<Record<string, string>>;
  /** The order of the codes of a look-up in a list, if that is not the order of their labels. */
  orders?: Readonly<Record<string, readonly string[]>>;
  /** The columns of `f` by whose words a record is found, or a text of these words over `f`. */
  searched?: readonly string[] | string;
  /** Instead: the columns of `f` with the ids of the records by whose search keys it is found. */
  searchBy?: GridSource['searchBy'];
  /** How it finds those behind a number, where dashboards count them. */
  behind?: GridSource['behind'];
  /** Reads records by their ids, where they are not rows of a table as every reader sees them. */
  read?(tx: Tx, ids: readonly string[]): Promise<AnyRow[]>;
  /** Adds what no single query says. */
  complete?(tx: Tx, rows: RecordOf<R>[]): Promise<RecordOf<R>[]>;
}

/** The same, and what must hold when it is written. */
export interface RecordServer<R> extends RecordReading<R> {
  /** Runs the writes that depend on each other one after the other, so that what was checked is true when it is written. */
  lock(tx: Tx, tenantId: string): Promise<unknown>;
  /** The faults of a record as it would be. A field that is invalid by itself is absent, and not checked. */
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

/** A record with what every one has, and any other field. */
export type AnyRow = { id: string; version: number; active: boolean } & Record<string, unknown>;
export type Values = Record<string, unknown>;

/** The same for any record, as what serves all of them knows it. `row`: only for types, how one of them is read. */
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
/** The same for one that is written in its own way (`recordApart`). */
export const recordReading = <R extends Declared>(reading: RecordReading<R>): AnyReading<RecordOf<R>> =>
  reading as unknown as AnyReading<RecordOf<R>>;
