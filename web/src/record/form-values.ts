import {
  type AnyRecord,
  type Field,
  type Fields,
  isAsked,
  writtenNames,
  writtenSchema,
} from '@caseway/contract/record';
import { z } from 'zod';

/** One of several rows of a field, as it is typed. */
export type RowValues = Readonly<Record<string, string>>;
/** The values of a form over a record: empty texts for unknown ones. */
export type FormValues = Record<string, string | boolean | readonly string[] | readonly RowValues[]>;

/** A schema for a text as it is typed; blanks only are `empty`. */
const typed = ({ tidy, kind }: Pick<Field, 'tidy' | 'kind'>, schema: z.ZodType, empty: null | undefined) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const text = (tidy ?? ((same) => same))(value.trim());
    if (text === '') return empty;
    return kind === 'count' && /^-?\d+$/.test(text) ? Number(text) : text;
  }, schema);

/** A schema of several texts as they are typed: blank ones are left out, and those that are stored are not checked again. */
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
 * The contract's schemas for fields of a form: an empty field is null if that is allowed, otherwise a fault. `stored`: the
 * values with which the form began.
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

/** A record as its form begins with it; without one, a new record. */
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

/** A box that nobody has checked is a no. */
const nothing = (field: Field): FormValues[string] => {
  if (field.kind === 'flag' && field.needed) return false;
  return field.each || isList(field) ? [] : '';
};

const isList = ({ kind }: Field): boolean => ['choices', 'families', 'references'].includes(kind);

/** A row as it is typed; without one, a new row. */
export const rowValues = (fields: Fields, row: Readonly<Record<string, unknown>> = {}): RowValues =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, String(row[name] ?? '')]));

/** A value of a form that nobody has changed, as it is stored; without one, null. */
export function asStored(field: Field, value: FormValues[string] | undefined): unknown {
  if (value === '' || value === undefined) return null;
  if (field.kind === 'count') return Number(value);
  if (!field.rows) return value;
  return (value as readonly RowValues[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, text === '' ? null : text])),
  );
}

/** What is sent of a form: a field that is not asked has no value, whatever was typed before. */
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
