import type { Fault } from '@caseway/contract/error';
import type { AnyRecord, ElsewhereOf, RecordOf, WrittenOf } from '@caseway/contract/record';
import type { Database, Tx } from '../db/database.ts';
import type { ChoiceField } from '../grid/grid-sql.ts';

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

/** What the server adds to the declaration of a record: where fields are that are no column, and what must hold. */
export interface RecordServer<R> {
  record: R;
  /** The column with the tenant whose record it is; `tenant_id` by default. */
  tenantColumn?: string;
  /** Fields that are elsewhere. A status that is not given says whether it is active. */
  sql: Omit<Readonly<Record<ElsewhereOf<R>, Sql>>, 'status'> & { readonly status?: Sql };
  /** What is joined with the row, and which rows are records at all. */
  joined?: string;
  only?: string;
  /** What the list needs besides the fields: further columns of `f`, and the filters of the declaration over them. */
  more?: Readonly<Record<string, string>>;
  filters?: Readonly<Record<string, ChoiceField>>;
  /** The order of the codes of a look-up in a list, if that is not the order of their labels. */
  orders?: Readonly<Record<string, readonly string[]>>;
  /** The columns of `f` by whose words a record is found. */
  searched: readonly string[];
  /** Runs the writes that depend on each other one after the other, so that what was checked is true when it is written. */
  lock(tx: Tx, tenantId: string): Promise<unknown>;
  /** Adds what no single query says. */
  complete?(tx: Tx, rows: RecordOf<R>[]): Promise<RecordOf<R>[]>;
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
export interface AnyServer<Row = AnyRow>
  extends Omit<
    RecordServer<AnyRecord>,
    'sql' | 'complete' | 'faults' | 'faultsElsewhere' | 'prepare' | 'derived' | 'write'
  > {
  readonly row?: Row;
  sql: Readonly<Record<string, Sql | undefined>>;
  complete?(tx: Tx, rows: AnyRow[]): Promise<AnyRow[]>;
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

/** What the server adds to a record, checked against its declaration. */
export const recordServer = <R extends Pick<AnyRecord, 'id' | 'kind' | 'fields'>>(
  server: RecordServer<R>,
): AnyServer<RecordOf<R>> => server as unknown as AnyServer<RecordOf<R>>;
