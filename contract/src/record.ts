import { z } from 'zod';
import type { AuditRecordKind, NamedAction } from './audit-action.ts';
import { phoneNumber, timeZoneName } from './codes.ts';
import { day as daySchema } from './date-range.ts';
import { endpoint, type Permission } from './endpoint.ts';
import { type Expression, type Facts, fieldsOf, holds, isEmpty } from './expression.ts';
import { mayRead, type Reading } from './fact.ts';
import { type Column, type Grid, gridSearch } from './grid.ts';
import { name as nameSchema, textOfLines } from './name.ts';
import { historyOf } from './record-history.ts';
import type { TransitionEndpoint } from './record-transitions.ts';
import type { Workflow } from './workflow.ts';

/*
 * A record, declared once: its fields, who sets and reads each, its list and its form. Endpoints, grid, form,
 * history, field conflicts, undo and the shared tests (`describeRecord`) follow from the declaration. The
 * server adds only the SQL of fields that are not columns, and checks that need the database
 * (`RecordServer`).
 */

// — Fields —

/** What a field holds, which decides how it is stored, listed, filtered and typed. */
export type FieldKind =
  | 'text'
  | 'texts'
  | 'email'
  | 'phone'
  | 'timeZone'
  | 'choice'
  | 'choices'
  | 'families'
  | 'reference'
  | 'references'
  | 'flag'
  | 'count'
  | 'day'
  | 'instant'
  | 'rows';

/**
 * Who sets a field: users who may write the record, always, only when creating it, or only by transitions; or
 * only the server.
 */
export type SetBy = 'always' | 'creation' | 'transitions' | 'server';
/** Whether it is a column of the record's table, or the server declares its SQL (`RecordServer.sql`). */
export type StoredIn = 'column' | 'elsewhere';

export interface Field<
  Written = unknown,
  Shown = unknown,
  Needed extends boolean = boolean,
  By extends SetBy = SetBy,
  In extends StoredIn = StoredIn,
> {
  readonly kind: FieldKind;
  readonly needed: Needed;
  readonly set: By;
  readonly in: In;
  /** Its column, if not its name in SQL spelling. */
  readonly column?: string;
  /** How lists read it; anything not listed is not allowed. */
  readonly read: Reading;
  /** A value as sent, and as answered. Values stored before a check existed are still answered. */
  readonly written: z.ZodType<Written>;
  readonly shown: z.ZodType<Shown>;
  /** Fixed codes, or the name of a look-up. */
  readonly options?: string | readonly string[];
  /** Normalizes typed text before it is sent: a telephone number without blanks. */
  readonly tidy?: (typed: string) => string;
  /** One of several texts; stored ones are not checked again. */
  readonly each?: {
    readonly kind: FieldKind;
    readonly written: z.ZodType<string>;
    readonly tidy?: Field['tidy'];
  };
  /** The most entries. */
  readonly most?: number;
  /** Its headings in other systems' files, in any language, as an import compares them; separated by bars. */
  readonly importedAs?: string;
  /** A text of several lines. */
  readonly lines?: true;
  /** For rows: the fields of each row. */
  readonly rows?: Fields;
  /** Asked only while this holds; otherwise it has no value. */
  readonly askedIf?: Expression;
  /** Required while this holds. */
  readonly neededIf?: Expression;
  /** How its column in the list looks; absent: no column, unless the list names it. */
  readonly list?: Looks;
  /** Read only with a page of a list, so it cannot be sorted or filtered by. */
  readonly beside?: true;
}
export type Fields = Readonly<Record<string, Field>>;

const field = <Written, Shown>(
  kind: FieldKind,
  read: Reading,
  written: z.ZodType<Written>,
  shown: z.ZodType<Shown>,
  more: Pick<Field, 'options' | 'tidy' | 'each' | 'most' | 'rows' | 'lines'> = {},
): Field<Written, Shown, false, 'always', 'column'> => ({
  ...more,
  kind,
  read,
  written,
  shown,
  needed: false,
  set: 'always',
  in: 'column',
});

type Plain<Written, Shown = Written> = Field<Written, Shown, false, 'always', 'column'>;
const id = z.uuid();
const shownText = z.string();

export const text = (most: number): Plain<string> => field('text', 'record', nameSchema(most), shownText);
/** A text of several lines. */
export const longText = (most: number): Plain<string> =>
  field('text', 'record', textOfLines(most), shownText, { lines: true });
/** A text with its own format, such as a number with a check digit. */
export const coded = (
  schema: z.ZodType<string>,
  tidy: (typed: string) => string = (typed) => typed,
): Plain<string> => field('text', 'record', schema, shownText, { tidy });
export const email = (): Plain<string> => field('email', 'record', z.email().max(254), shownText);
export const phone = (): Plain<string> =>
  field('phone', 'record', phoneNumber, shownText, { tidy: (typed) => typed.replaceAll(/[\s().-]/g, '') });
export const timeZone = (): Plain<string> => field('timeZone', 'record', timeZoneName, shownText);
export const choice = <const C extends string>(codes: readonly C[]): Plain<C, string> =>
  field('choice', 'open', z.enum(codes), shownText, { options: codes });
/** A code that the server computes: always one of these. */
export const foundCode = <const C extends string>(
  codes: readonly C[],
): Field<C, C, true, 'server', 'column'> =>
  byServer(needed(field('choice', 'open', z.enum(codes), z.enum(codes), { options: codes })));
export const choices = <const C extends string>(codes: readonly C[]): Plain<C[], string[]> =>
  field('choices', 'open', z.array(z.enum(codes)).max(codes.length), z.array(shownText), { options: codes });
/** An entry of a look-up of the reference data. */
export const entry = (options: string, schema: z.ZodType<string> = z.string().max(60)): Plain<string> =>
  field('choice', 'open', schema, shownText, { options });
export const entries = (options: string, schema: z.ZodType<string[]>): Plain<string[]> =>
  field('choices', 'open', schema, z.array(shownText), { options });
/**
 * Disease families by code. Families the reader may not see are left out, in the history too, and stay when
 * the reader changes the others. [P18]
 */
export const families = (): Plain<string[]> =>
  field('families', 'open', z.array(z.string().max(60)).max(200), z.array(shownText), {
    options: 'diseaseFamilies',
  });
/** Several texts, the main one first. */
export const several = (
  each: Plain<string>,
  most: number,
): Field<string[], string[], true, 'always', 'column'> =>
  needed(
    field('texts', each.read, z.array(z.string().min(1).max(320)).max(most), z.array(shownText), {
      each,
      most,
    }),
  );
/** Several rows of the same few fields; a row is not a record. */
export const rowsOf = <const F extends Fields>(
  fields: F,
  most: number,
): Field<RowOf<F>[], RowOf<F>[], true, 'always', 'column'> => {
  const row = writtenSchema(fields) as unknown as z.ZodType<RowOf<F>>;
  return needed(field('rows', 'record', z.array(row).max(most), z.array(row), { rows: fields, most }));
};
/** Another record, from a look-up if there is one. */
export const reference = (options?: string): Plain<string> =>
  field('reference', 'open', id, id, options === undefined ? {} : { options });
/** Several other records from a look-up. */
export const references = (options: string, schema: z.ZodType<string[]>): Plain<string[]> =>
  field('references', 'open', schema, z.array(id), { options });
export const flag = (): Plain<boolean> => field('flag', 'key', z.boolean(), z.boolean());
/** An integer; `least` and `most` limit what users may enter. */
export const count = ({ least, most }: { least?: number; most?: number } = {}): Plain<number> => {
  const from = least === undefined ? z.int() : z.int().min(least);
  return field('count', 'counted', most === undefined ? from : from.max(most), z.int());
};
export const day = (): Plain<string> => field('day', 'open', daySchema, daySchema);
export const instant = (): Plain<string> => field('instant', 'record', z.iso.datetime(), z.iso.datetime());

/** A field that always has a value. */
export const needed = <W, S, By extends SetBy, In extends StoredIn>(
  one: Field<W, S, false, By, In>,
): Field<W, S, true, By, In> => ({ ...one, needed: true });
/** Set on creation, and never changed. */
export const onCreation = <W, S, N extends boolean, In extends StoredIn>(
  one: Field<W, S, N, 'always', In>,
): Field<W, S, N, 'creation', In> => ({ ...one, set: 'creation' });
/** Set only by transitions of its workflow. */
export const byTransitions = <W, S, N extends boolean, In extends StoredIn>(
  one: Field<W, S, N, 'always', In>,
): Field<W, S, N, 'transitions', In> => ({ ...one, set: 'transitions' });
/** Set only by the server. */
export const byServer = <W, S, N extends boolean, In extends StoredIn>(
  one: Field<W, S, N, 'always', In>,
): Field<W, S, N, 'server', In> => ({ ...one, set: 'server' });
/** Not a column of the record's table: the server declares its SQL. */
export const elsewhere = <W, S, N extends boolean, By extends SetBy>(
  one: Field<W, S, N, By, 'column'>,
): Field<W, S, N, By, 'elsewhere'> => ({ ...one, in: 'elsewhere' });
/** Computed from other rows: no one sets it, and it is not a column. */
export const computed = <W, S>(
  one: Field<W, S, false, 'always', 'column'>,
): Field<W, S, true, 'server', 'elsewhere'> => elsewhere(byServer(needed(one)));
/** Read by the server in addition to the record; empty if unknown. */
export const known = <W, S>(
  one: Field<W, S, false, 'always', 'column'>,
): Field<W, S, false, 'server', 'elsewhere'> => elsewhere(byServer(one));
/** The same, read only with a page of a list. */
export const beside = <W, S>(one: Field<W, S, false, 'always', 'column'>) =>
  ({ ...known(one), beside: true }) as const;
/** About one person: never used in numbers. */
export const ofOne = <One extends Field>(one: One): One => ({ ...one, read: 'record' });
/** Also a column of the list, in field order. */
export const listed = <One extends Field>(width: number, one: One, looks: Omit<Looks, 'width'> = {}) => ({
  ...one,
  list: { width, ...looks },
});
/** In a column of another name. */
export const inColumn = <W, S, N extends boolean, By extends SetBy>(
  column: string,
  one: Field<W, S, N, By, 'column'>,
): Field<W, S, N, By, 'column'> => ({ ...one, column });

/** Asked only while a condition on other fields holds. */
export const askedIf = <One extends Field>(askedIf: Expression, one: One): One => ({ ...one, askedIf });
/** Required while a condition on other fields holds. */
export const neededIf = <One extends Field>(neededIf: Expression, one: One): One => ({ ...one, neededIf });

/** Recognized in other systems' files by these names, separated by bars. */
export const importedAs = <One extends Field>(names: string, one: One): One => ({
  ...one,
  importedAs: names,
});

// — The record —

/** How a column looks; its field says what it holds and what may be done with it. */
type Looks = Pick<Column, 'width' | 'hidden' | 'whole' | 'sensitive' | 'formOnly'>;
/** The columns of a list, in order. */
type ListOf<F extends Fields> = { readonly [Name in keyof F & string]?: Looks };
/** The fields declared with a column. */
export const listedIn = <F extends Fields>(fields: F): ListOf<F> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { list }]) => (list ? [[name, list]] : [])),
  ) as unknown as ListOf<F>;
export type NameOf<F extends Fields, By extends SetBy> = {
  [Name in keyof F & string]: F[Name]['set'] extends By ? Name : never;
}[keyof F & string];
export type FormField<F extends Fields> = NameOf<F, 'always' | 'creation'>;

/** The kinds of records whose creation, change, deactivation and reactivation have names in the log. */
export type LoggedKind = {
  [K in AuditRecordKind]: `${K}/made` extends NamedAction
    ? `${K}/reactivated` extends NamedAction
      ? K
      : never
    : never;
}[AuditRecordKind];

interface Declaration<
  F extends Fields,
  Kind extends AuditRecordKind = LoggedKind,
  Lists extends string = string,
  Also extends z.ZodRawShape = z.ZodRawShape,
> {
  /** Names all of them, in addresses, the grid and texts. */
  id: string;
  /** Names one of them, in the log and the history. */
  kind: Kind;
  /** For the API description. */
  noun: string;
  table: string;
  /** Who can read, and who can create and change. */
  access: Permission | { readonly read: Permission; readonly write: Permission };
  /** The field that names a record. */
  name: keyof F & string;
  fields: F;
  /** More properties of an answer, in addition to the fields. */
  also?: Also;
  /** The list's columns, if not the fields' own; or several lists of some of the records, by grid id. */
  list?: ListOf<F>;
  lists?: Readonly<Record<Lists, ListOf<F>>>;
  /** The list's default order. */
  sortedBy: keyof F & string;
  /** List filters in addition to those of the columns. */
  filters?: readonly string[];
  /** The form's fields in order, those on one line together. */
  form: readonly (FormField<F> | readonly FormField<F>[])[];
  /** Initial values of a new record's fields. */
  begins?: Readonly<Partial<Record<FormField<F>, string | boolean | readonly string[]>>>;
}

/**
 * What every record has in addition to its fields. A type alias, because an interface is not assignable to a
 * record of any names.
 */
export type Kept = {
  id: string;
  version: number;
  active: boolean;
};

type WrittenIn<F> = F extends Field<infer W, unknown, infer N> ? (N extends true ? W : W | null) : never;
type ShownIn<F> = F extends Field<unknown, infer S, infer N> ? (N extends true ? S : S | null) : never;

/** The fields set when creating a record. */
export type WrittenOf<R> = R extends { fields: infer F extends Fields }
  ? { [Name in NameOf<F, 'always' | 'creation'>]: WrittenIn<F[Name]> }
  : never;
/** The fields that can be changed. */
export type ChangeOf<R> = R extends { fields: infer F extends Fields }
  ? { [Name in NameOf<F, 'always'>]?: WrittenIn<F[Name]> }
  : never;
/** A row of `rowsOf`. */
export type RowOf<F extends Fields> = { [Name in keyof F & string]: WrittenIn<F[Name]> };
/** A record as answered. */
export type RecordOf<R> = R extends { fields: infer F extends Fields }
  ? { [Name in keyof F]: ShownIn<F[Name]> } & Kept
  : never;
/** The fields whose SQL the server must declare. */
export type ElsewhereOf<R> = R extends { fields: infer F extends Fields }
  ? { [Name in keyof F & string]: F[Name]['in'] extends 'elsewhere' ? Name : never }[keyof F & string]
  : never;

/** The schema of a field, nullable unless it always has a value. */
export const ofNeed = <T>({ needed: always }: Field, schema: z.ZodType<T>) =>
  always ? schema : schema.nullable();
const named = (fields: Fields, sets: readonly SetBy[]) =>
  Object.entries(fields).filter(([, { set }]) => sets.includes(set));

/** The names of the fields a client sets when creating a record. */
export const writtenNames = (fields: Fields): string[] =>
  named(fields, ['always', 'creation']).map(([name]) => name);

/** The names of all fields that users set. */
export const setNames = (fields: Fields): string[] =>
  named(fields, ['always', 'creation', 'transitions']).map(([name]) => name);

/** The fields of a new record as sent; `sets` can name others. */
export const writtenSchema = (fields: Fields, sets: readonly SetBy[] = ['always', 'creation']) =>
  z.strictObject(
    Object.fromEntries(named(fields, sets).map(([name, one]) => [name, ofNeed(one, one.written)])),
  );

/** Whether a field has no value; an empty list counts as none. */
const isWithout = (value: unknown): boolean => isEmpty(value as Facts['values'][string]);

/** Whether a field is asked, given the other values. */
export const isAsked = ({ askedIf: when }: Field, values: Readonly<Record<string, unknown>>): boolean =>
  when === undefined || holds(when, { values: values as Facts['values'] });
/** Fields that are not asked but still have a value, with their empty value. */
export const emptied = (
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
): Record<string, null | readonly never[]> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, one]) => !isAsked(one, values) && !isWithout(values[name]))
      .map(([name, one]) => [name, one.needed ? [] : null]),
  );
/** Whether it must have a value. */
export const isNeeded = (
  { needed: always, neededIf: when }: Field,
  values: Readonly<Record<string, unknown>>,
): boolean => always || (when !== undefined && holds(when, { values: values as Facts['values'] }));

/**
 * Fields that have a value but are not asked, and required ones that lack one, as far as a `changed` field
 * decides that.
 */
export const conditionFaults = (
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  changed: readonly string[],
): { field: string; code: 'not-asked' | 'required' }[] =>
  Object.entries(fields).flatMap(([name, one]): { field: string; code: 'not-asked' | 'required' }[] => {
    const about = [name, ...[one.askedIf, one.neededIf].flatMap((when) => (when ? fieldsOf(when) : []))];
    if (about.length === 1 || !about.some((each) => changed.includes(each))) return [];
    if (!isAsked(one, values)) return isWithout(values[name]) ? [] : [{ field: name, code: 'not-asked' }];
    // A required list has at least one entry.
    return one.neededIf && isNeeded({ ...one, needed: false }, values) && isWithout(values[name])
      ? [{ field: name, code: 'required' }]
      : [];
  });

/** A record as answered. */
export const shownSchema = (fields: Fields) =>
  z.object({
    id,
    version: z.number().int(),
    active: z.boolean(),
    ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, ofNeed(one, one.shown)])),
  });

const columnKinds: Readonly<
  Record<FieldKind, Pick<Column, 'kind' | 'as' | 'many' | 'withTime' | 'sortable' | 'filterable'>>
> = {
  text: { kind: 'text' },
  texts: { kind: 'text', sortable: false },
  email: { kind: 'text' },
  phone: { kind: 'text', as: 'phone' },
  timeZone: { kind: 'text', as: 'timeZone' },
  choice: { kind: 'choice' },
  choices: { kind: 'choice', many: true, sortable: false },
  families: { kind: 'choice', many: true, sortable: false },
  reference: { kind: 'choice' },
  flag: { kind: 'choice' },
  references: { kind: 'choice', many: true, sortable: false },
  count: { kind: 'number' },
  day: { kind: 'date' },
  instant: { kind: 'date', withTime: true },
  rows: { kind: 'text', sortable: false, filterable: false },
};

function columnOf(one: Field, looks: Looks): Column {
  return {
    ...columnKinds[one.kind],
    ...(one.options !== undefined && { options: one.options }),
    ...looks,
    ...((one.beside || !mayRead(one, 'sorted', 'list')) && { sortable: false }),
    ...((one.beside || !mayRead(one, 'filtered', 'list')) && { filterable: false }),
  };
}

/** Who can read records, and who can create and change them. */
export const accessOf = ({ access }: Pick<Declaration<Fields>, 'access'>) =>
  typeof access === 'string' ? { read: access, write: access } : access;

/** The endpoints of every record. */
export function endpointsOf<F extends Fields, Also extends z.ZodRawShape>({
  id: ofAll,
  noun,
  access,
  fields,
  also,
}: Pick<Declaration<F, AuditRecordKind, string, Also>, 'id' | 'noun' | 'access' | 'fields' | 'also'>) {
  type Answer = RecordOf<{ fields: F }> & z.infer<z.ZodObject<Also>>;
  const path = `/api/web/${ofAll}`;
  const one = `${path}/:id`;
  const params = z.strictObject({ id });
  const version = z.number().int();
  const shown = shownSchema(fields).extend(also ?? {}) as unknown as z.ZodType<Answer>;
  const written = writtenSchema(fields);
  const { read, write } = accessOf({ access });
  return {
    read: endpoint({
      method: 'GET',
      path: one,
      access: read,
      deed: 'read',
      summary: `One ${noun}`,
      params,
      response: shown,
    }),
    /** `id`: made by the browser, so that a repeated request creates no second record. */
    make: endpoint({
      method: 'POST',
      path,
      access: write,
      deed: 'administration',
      summary: `Make a ${noun}`,
      body: written.extend({ id: id.optional() }) as unknown as z.ZodType<
        WrittenOf<{ fields: F }> & { id?: string }
      >,
      response: shown,
    }),
    /**
     * Refused with `conflict` if one of the same fields has changed since `version`; the faults name them.
     */
    change: endpoint({
      method: 'PATCH',
      path: one,
      access: write,
      deed: 'administration',
      summary: `Change, deactivate or reactivate a ${noun}`,
      params,
      body: written.partial().extend({ version, active: z.boolean().optional() }) as unknown as z.ZodType<
        ChangeOf<{ fields: F }> & { version: number; active?: boolean }
      >,
      response: shown,
    }),
    ...historyOf({ path: one, noun, read, write, shown }),
  };
}

/** A list of records without a fact: its columns are fields. */
export const listOf = <const F extends Fields>(
  fields: F,
  {
    columns = listedIn(fields),
    sortedBy,
    newestFirst = false,
    filters = [],
    narrows = {},
    ...grid
  }: {
    id: string;
    permission: Permission;
    exportable?: Permission;
    /** Absent: the fields' own columns. */
    columns?: ListOf<F>;
    /** One field, or several in order of priority. */
    sortedBy: (keyof F & string) | readonly (keyof F & string)[];
    newestFirst?: boolean;
    filters?: readonly string[];
    /** The column of each filter; by default the one of the same name. */
    narrows?: Readonly<Record<string, keyof F & string>>;
    views?: NonNullable<Grid['views']>;
  } & Pick<Grid, 'defaultRange' | 'rangeFields' | 'counted' | 'keptAcrossOrgs' | 'owner' | 'card' | 'files'>,
) =>
  ({
    ...grid,
    columns: Object.fromEntries(
      Object.entries<Looks | undefined>(columns).map(([name, looks]) => [
        name,
        columnOf(fields[name]!, looks ?? {}),
      ]),
    ),
    defaultSort: [sortedBy].flat().map((field): { field: string; sort: 'asc' | 'desc' } => ({
      field,
      sort: newestFirst ? 'desc' : 'asc',
    })),
    filters,
    narrows: {
      ...Object.fromEntries(filters.filter((name) => name in columns).map((name) => [name, name])),
      ...narrows,
    },
    row: shownSchema(fields) as unknown as z.ZodType<RecordOf<{ fields: F }>>,
  }) satisfies Grid;

function declared<
  F extends Fields,
  Kind extends AuditRecordKind,
  Lists extends string,
  Also extends z.ZodRawShape,
>(declaration: Declaration<F, Kind, Lists, Also>, exportable?: Permission) {
  const { id: ofAll, fields, list, lists, sortedBy, filters = [] } = declaration;
  const gridOf = (name: string, columns: ListOf<F>) =>
    listOf(fields, {
      id: name,
      permission: accessOf(declaration).read,
      columns,
      sortedBy,
      filters,
      ...(exportable !== undefined && { exportable }),
    });
  type GridOf = ReturnType<typeof gridOf>;
  const grids = Object.fromEntries(
    Object.entries<ListOf<F>>(lists ?? { [ofAll]: list ?? listedIn(fields) }).map(([name, columns]) => [
      name,
      gridOf(name, columns),
    ]),
  ) as Record<Lists, GridOf>;
  const grid = Object.values<GridOf>(grids)[0]!;
  return {
    ...declaration,
    filters,
    begins: declaration.begins ?? {},
    grid,
    grids,
    endpoints: { ...endpointsOf(declaration), search: gridSearch(grid) },
  };
}

/**
 * Declares a record. A name that is not one of its fields is a type error. Everyone who can read its list can
 * export it.
 */
export const record = <
  const F extends Fields,
  Lists extends string = string,
  Also extends z.ZodRawShape = Record<never, never>,
>(
  declaration: Declaration<F, LoggedKind, Lists, Also>,
) => declared(declaration, accessOf(declaration).read);

/**
 * Declares a record that the server creates and writes in its own way, with its own endpoint for new ones.
 */
export function recordApart<
  const F extends Fields,
  Lists extends string = string,
  Also extends z.ZodRawShape = Record<never, never>,
>(declaration: Declaration<F, AuditRecordKind, Lists, Also>) {
  const { endpoints, ...rest } = declared(declaration);
  const { make: _, ...others } = endpoints;
  return { ...rest, endpoints: others };
}

/**
 * A record's place in the timeline of its person: the first of these days that is known. The last one always
 * is.
 */
export interface OnTimeline<Name extends string> {
  readonly at: readonly Name[];
  /** What the timeline shows in addition to its name. */
  readonly shows: readonly Name[];
}

/** Any record, as generic code sees it. */
export interface AnyRecord extends Omit<Declaration<Fields, AuditRecordKind>, 'filters' | 'begins'> {
  /** About patients (`patientRecord`). */
  ofPatients?: true;
  alone?: true;
  /** The record it is about, if users create it (`patientRecordOfPeople`). */
  about?: {
    readonly field: string;
    readonly kind: AuditRecordKind;
    readonly or?: { readonly field: string; readonly kind: AuditRecordKind };
  };
  workflow?: { readonly of: string; readonly flow: Workflow };
  /** The transitions that cannot be done in bulk. */
  oneByOne?: readonly string[];
  /** Texts that a bulk transition needs but does not ask for. */
  enteredBefore?: readonly string[];
  timeline?: OnTimeline<string>;
  filters: readonly string[];
  begins: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  grid: Grid;
  grids: Readonly<Record<string, Grid>>;
  endpoints: ReturnType<typeof endpointsOf<Fields, Record<never, never>>> & {
    transition?: TransitionEndpoint;
  };
}

/** The same record, as generic code sees it. */
export const anyRecord = (one: Pick<AnyRecord, 'id' | 'kind'>): AnyRecord => one as AnyRecord;

/** A field's column: its name in SQL spelling, with `_id` for another record. */
export const columnFor = (name: string, { kind, column }: Field): string =>
  column ??
  `${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${kind === 'reference' ? '_id' : ''}`;
