import type { Grid } from '@caseway/contract/grid';
import { type PlaceStatus, placeRecords } from '@caseway/contract/places';
import { type AnyRecord, type Field, writtenSchema } from '@caseway/contract/record';
import { z } from 'zod';

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
  schema: z.ZodObject;
  record: AnyRecord;
  fields: readonly FieldPlan[];
  /** Values of a new record that are not empty. */
  initial: AnyRecord['begins'];
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
  schema: writtenSchema(record.fields),
  record,
  fields: record.form.flatMap((line): FieldPlan[] =>
    typeof line === 'string' ? [planOf(record, line, false)] : line.map((name) => planOf(record, name, true)),
  ),
  initial: record.begins,
  title: record.name,
}));

export const placeKind = (name: PlaceKind['name']): PlaceKind =>
  placeKinds.find((kind) => kind.name === name)!;

/** The values of a form: empty texts for unknown ones. */
export type PlaceValues = Record<string, string | boolean | readonly string[]>;

/** The contract's schema for a form: an empty field is null if that is allowed, otherwise a fault. */
export function formSchema({ schema, record }: PlaceKind): z.ZodType<Record<string, unknown>, PlaceValues> {
  const shape = Object.entries(schema.shape).map(([name, field]) => {
    const bare = (value: unknown) => {
      if (typeof value !== 'string') return value;
      const text = (record.fields[name]!.tidy ?? ((same) => same))(value.trim());
      return text === '' ? (field instanceof z.ZodNullable ? null : undefined) : text;
    };
    return [name, z.preprocess(bare, field as z.ZodType)];
  });
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodType<Record<string, unknown>, PlaceValues>;
}

/** A record as its form begins with it; without one, a new record. */
export function valuesOf({ schema, initial }: PlaceKind, record: PlaceRecord | null): PlaceValues {
  return Object.fromEntries(
    Object.keys(schema.shape).map((name) => {
      const value = record === null ? initial[name] : (record[name] as PlaceValues[string] | null);
      return [name, value ?? ''];
    }),
  );
}
