import { type ErrorCode, errorStatus, type Fault, namedBack } from '@caseway/contract/error';
import type { z } from 'zod';
import { AppError } from './app-error.ts';

/**
 * The value as the schema understands it. Throws an AppError with every fault at once: `validation-failed` when only
 * values are wrong, else the code of the first fault that names something unknown or a range the wrong way round.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { anyText = false }: { anyText?: boolean } = {},
): z.output<Schema> {
  const unkeepable = anyText ? [] : unkeepableTexts(value);
  if (unkeepable.length > 0)
    throw new AppError('validation-failed', {
      faults: unkeepable.map((path) => ({
        path,
        code: 'invalid-value',
        message: 'the text holds a zero byte or half a character',
      })),
    });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap(faultsOf);
  const structural = faults.find(({ code }) => errorStatus[code as ErrorCode] === 400);
  throw new AppError((structural?.code as ErrorCode | undefined) ?? 'validation-failed', { faults });
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path.map((part) => namedBack(String(part)));
  if (issue.code === 'unrecognized_keys') {
    // Filters are declared by screen, so an unknown property among them is an unknown filter.
    const isFilter = path.at(-1) === 'filters';
    return issue.keys.map((key) => ({
      path: [...path, namedBack(key)].join('.'),
      code: isFilter ? 'unknown-filter' : 'unknown-field',
      message: isFilter ? 'there is no such filter' : 'there is no such property',
    }));
  }
  const code = issue.code === 'custom' ? String(issue.params?.code ?? 'invalid-value') : issue.code;
  return [{ path: path.join('.'), code, message: issue.message }];
}

/** Where a text stands that no database can keep: in it, or in the name of a property. Twenty places at most. */
function unkeepableTexts(value: unknown, path: readonly string[] = [], found: string[] = []): string[] {
  if (found.length >= 20) return found;
  if (typeof value === 'string') {
    if (unkeepable.test(value)) found.push(path.join('.'));
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) {
      // The name itself cannot be told.
      if (unkeepable.test(key)) found.push(path.join('.'));
      else unkeepableTexts(part, [...path, namedBack(key)], found);
    }
  return found;
}

const unkeepable = /[\0\p{Surrogate}]/u;
