import type { Grid } from '@caseway/contract/grid';
import { type PlaceStatus, placeRecords } from '@caseway/contract/places';
import type { AnyRecord, Field } from '@caseway/contract/record';

/** How a field is filled in. */
export interface FieldPlan {
  name: string;
  as: 'text' | 'email' | 'tel' | 'select' | 'one' | 'many' | 'counties' | 'check' | 'timeZone';
  /** Its choices: a look-up by its name, or fixed codes. */
  options?: string | readonly string[];
  /** It shares a line with its neighbour if there is room. */
  half?: true;
  /** Only for a new record: it cannot be changed later. */
  onlyNew?: true;
}

/** A record of any kind, as a screen handles it. */
export type PlaceRecord = { id: string; version: number; active: boolean; status: PlaceStatus } & Record<
  string,
  unknown
>;

/** One kind of record: its grid, its endpoints, and the fields of its form in their order. */
export interface PlaceKind {
  /** Also the name of its words, and its address. */
  name: string;
  grid: Grid;
  endpoints: AnyRecord['endpoints'];
  record: AnyRecord;
  fields: readonly FieldPlan[];
  /** The column that names a record. */
  title: string;
}

const inputs = { email: 'email', phone: 'tel', timeZone: 'timeZone', flag: 'check' } as const;

function inputOf(name: string, field: Field): FieldPlan['as'] {
  if (name === 'counties') return 'counties';
  switch (field.kind) {
    case 'choice':
    case 'reference':
      // A few fixed ones, or a search among the entries of a look-up.
      return typeof field.options === 'string' && !['programTypes', 'taskCategories'].includes(field.options)
        ? 'one'
        : 'select';
    case 'choices':
    case 'families':
      return 'many';
    case 'email':
    case 'phone':
    case 'timeZone':
    case 'flag':
      return inputs[field.kind];
    default:
      return 'text';
  }
}

const planOf = (record: AnyRecord, name: string, half: boolean): FieldPlan => {
  const field = record.fields[name]!;
  return {
    name,
    as: inputOf(name, field),
    ...(field.options !== undefined && { options: field.options }),
    ...(half && { half }),
    ...(field.set === 'creation' && { onlyNew: true }),
  };
};

export const placeKinds: readonly PlaceKind[] = placeRecords.map((record) => ({
  name: record.id,
  grid: record.grid,
  endpoints: record.endpoints,
  record,
  fields: record.form.flatMap((line): FieldPlan[] =>
    typeof line === 'string' ? [planOf(record, line, false)] : line.map((name) => planOf(record, name, true)),
  ),
  title: record.name,
}));

export const placeKind = (name: PlaceKind['name']): PlaceKind =>
  placeKinds.find((kind) => kind.name === name)!;
