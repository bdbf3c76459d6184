import { type AnyRecord, writtenNames, writtenSchema } from '@caseway/contract/record';
import { z } from 'zod';

/** The values of a form over a record: empty texts for unknown ones. */
export type FormValues = Record<string, string | boolean | readonly string[]>;

/** The contract's schemas for fields of a form: an empty field is null if that is allowed, otherwise a fault. */
export function formShape(
  { fields }: Pick<AnyRecord, 'fields'>,
  names: readonly string[] = writtenNames(fields),
): Record<string, z.ZodType> {
  const { shape } = writtenSchema(fields);
  return Object.fromEntries(
    names.map((name) => {
      const field = shape[name] as z.ZodType;
      const bare = (value: unknown) => {
        if (typeof value !== 'string') return value;
        const text = (fields[name]!.tidy ?? ((same) => same))(value.trim());
        return text === '' ? (field instanceof z.ZodNullable ? null : undefined) : text;
      };
      return [name, z.preprocess(bare, field)];
    }),
  );
}

export const formSchema = (
  record: Pick<AnyRecord, 'fields'>,
  names?: readonly string[],
): z.ZodType<Record<string, unknown>, FormValues> =>
  z.object(formShape(record, names)) as unknown as z.ZodType<Record<string, unknown>, FormValues>;

/** A record as its form begins with it; without one, a new record. */
export const formValues = (
  { fields, begins }: Pick<AnyRecord, 'fields' | 'begins'>,
  stored: Readonly<Record<string, unknown>> | null,
  names: readonly string[] = writtenNames(fields),
): FormValues =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (stored === null ? begins[name] : (stored[name] as FormValues[string])) ?? '',
    ]),
  );
