import {
  type AnyRecord,
  type Field,
  type Fields,
  isAsked,
  writtenNames,
  writtenSchema,
} from '@caseway/contract/record';
import { z } from 'zod';

/** One row of a field, as typed. */
export type RowValues = Readonly<Record<string, string>>;
/** The values of a record's form; unknown ones are empty text. */
export type FormValues = Record<string, string | boolean | readonly string[] | readonly RowValues[]>;

/** A schema for text as typed; blanks only mean `empty`. */
const typed = ({ tidy, kind }: Pick<Field, 'tidy' | 'kind'>, schema: z.ZodType, empty: null | undefined) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const text = (tidy ?? ((same) => same))(value.trim());
    if (text === '') return empty;
    return kind === 'count' && /^-?\d+$/.test(text) ? Number(text) : text;
  }, schema);

/** A schema for several texts as typed: blank ones are dropped, and stored ones are not checked again. */
const typedTexts = (each: NonNullable<Field['each']>, stored: FormValues[string] | undefined) =>
  z.array(z.string()).transform((texts, context) =>
    texts.flatMap((text, index) => {
      if (Array.isArray(stored) && (stored as readonly unknown[]).includes(text)) return [text];
      const { success, data, error } = typed(each, each.written.optional(), undefined).safeParse(text);
      if (success) return typeof data === 'string' ? [data] : [];
      for (const issue of error.issues) context.addIssue({ ...issue, path: [index] });
      return [];
    }),
  );

/**
 * The contract's schemas for a form's fields: an empty field is null if that is allowed, otherwise a fault.
 * `stored`: the form's initial values.
 */
export function formShape(
  { fields }: Pick<AnyRecord, 'fields'>,
  names: readonly string[] = writtenNames(fields),
  stored: FormValues = {},
): Record<string, z.ZodType> {
  const { shape } = writtenSchema(fields, ['always', 'creation', 'transitions']);
  return Object.fromEntries(
    names.map((name) => {
      const field = fields[name]!;
      if (field.each) return [name, typedTexts(field.each, stored[name])];
      if (field.rows) return [name, z.array(z.object(formShape({ fields: field.rows }))).max(field.most!)];
      const schema = shape[name] as z.ZodType;
      return [name, typed(field, schema, schema instanceof z.ZodNullable ? null : undefined)];
    }),
  );
}

export const formSchema = (
  record: Pick<AnyRecord, 'fields'>,
  names?: readonly string[],
  stored?: FormValues,
): z.ZodType<Record<string, unknown>, FormValues> =>
  z.object(formShape(record, names, stored)) as unknown as z.ZodType<Record<string, unknown>, FormValues>;

/** The initial form values of a record; without one, of a new record. */
export const formValues = (
  { fields, begins }: Pick<AnyRecord, 'fields' | 'begins'>,
  stored: Readonly<Record<string, unknown>> | null,
  names: readonly string[] = writtenNames(fields),
): FormValues =>
  Object.fromEntries(
    names.map((name) => {
      const field = fields[name]!;
      const value = stored === null ? begins[name] : stored[name];
      if (field.rows)
        return [name, ((value ?? []) as readonly object[]).map((row) => rowValues(field.rows!, { ...row }))];
      if (field.kind === 'count') return [name, value === null || value === undefined ? '' : String(value)];
      return [name, (value as FormValues[string] | null | undefined) ?? nothing(field)];
    }),
  );

/** An unchecked box means no. */
const nothing = (field: Field): FormValues[string] => {
  if (field.kind === 'flag' && field.needed) return false;
  return field.each || isList(field) ? [] : '';
};

const isList = ({ kind }: Field): boolean => ['choices', 'families', 'references'].includes(kind);

/** A row as typed; without one, a new row. */
export const rowValues = (fields: Fields, row: Readonly<Record<string, unknown>> = {}): RowValues =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, String(row[name] ?? '')]));

/** An unchanged form value as stored; without one, null. */
export function asStored(field: Field, value: FormValues[string] | undefined): unknown {
  if (value === '' || value === undefined) return null;
  if (field.kind === 'count') return Number(value);
  if (!field.rows) return value;
  return (value as readonly RowValues[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, text === '' ? null : text])),
  );
}

/** The values to send: a field that is not asked has no value, whatever was typed before. */
export const onlyAsked = (
  fields: Fields,
  changes: Readonly<Record<string, unknown>>,
  values: FormValues,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      isAsked(fields[name]!, values) ? value : fields[name]!.needed ? [] : null,
    ]),
  );
