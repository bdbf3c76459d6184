import { type AnyRecord, type Field, writtenNames, writtenSchema } from '@caseway/contract/record';
import { z } from 'zod';

/** The values of a form over a record: empty texts for unknown ones. */
export type FormValues = Record<string, string | boolean | readonly string[]>;

/** A schema for a text as it is typed; blanks only are `empty`. */
const typed = ({ tidy, kind }: Pick<Field, 'tidy' | 'kind'>, schema: z.ZodType, empty: null | undefined) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const text = (tidy ?? ((same) => same))(value.trim());
    if (text === '') return empty;
    return kind === 'count' ? Number(text) : text;
  }, schema);

/** A schema of several texts as they are typed: blank ones are left out, and those that are stored are not checked again. */
const typedTexts = (each: NonNullable<Field['each']>, stored: FormValues[string] | undefined) =>
  z.array(z.string()).transform((texts, context) =>
    texts.flatMap((text, index) => {
      if (Array.isArray(stored) && stored.includes(text)) return [text];
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
  const { shape } = writtenSchema(fields);
  return Object.fromEntries(
    names.map((name) => {
      const field = fields[name]!;
      if (field.each) return [name, typedTexts(field.each, stored[name])];
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

/** A number is typed. */
const begun = (value: unknown): FormValues[string] | null | undefined =>
  typeof value === 'number' ? String(value) : (value as FormValues[string] | null | undefined);

/** A record as its form begins with it; without one, a new record. */
export const formValues = (
  { fields, begins }: Pick<AnyRecord, 'fields' | 'begins'>,
  stored: Readonly<Record<string, unknown>> | null,
  names: readonly string[] = writtenNames(fields),
): FormValues =>
  Object.fromEntries(
    names.map((name) => [
      name,
      begun(stored === null ? begins[name] : stored[name]) ?? (fields[name]!.each ? [] : ''),
    ]),
  );
