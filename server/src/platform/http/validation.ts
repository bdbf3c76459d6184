import { type ErrorCode, errorStatus, type Fault, namedBack } from '@caseway/contract/error';
import { z } from 'zod';
import { AppError } from './app-error.ts';

/**
 * The value as parsed by the schema. Throws an AppError with all faults together: `validation-failed` if only values
 * are wrong, otherwise the code of the first fault that names something unknown or an inverted range.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { anyText = false }: { anyText?: boolean } = {},
): z.output<Schema> {
  const unkeepable = unkeepableTexts(value);
  const parsed = schema.safeParse(value);
  const structural = (issue: z.core.$ZodIssue) => errorStatus[codeOf(issue) as ErrorCode] === 400;
  if (unkeepable.length > 0 && !anyText) {
    const texts = unkeepable.map((path) => ({
      path,
      code: 'invalid-value',
      message: 'the text holds a zero byte or half a character',
    }));
    const others = (parsed.error?.issues ?? [])
      .filter((issue) => !structural(issue))
      .slice(0, faultsTold)
      .flatMap(faultsOf)
      .filter(({ path }) => !unkeepable.includes(path));
    throw new AppError('validation-failed', { faults: [...texts, ...others].slice(0, faultsTold) });
  }
  if (parsed.success) return parsed.data;
  const issues = [
    ...parsed.error.issues.filter(structural),
    ...parsed.error.issues.filter((issue) => !structural(issue)),
  ];
  const code = structural(issues[0]!) ? (codeOf(issues[0]!) as ErrorCode) : 'validation-failed';
  throw new AppError(code, { faults: issues.slice(0, faultsTold).flatMap(faultsOf).slice(0, faultsTold) });
}

/** The valid parts of a refused value: each property may be absent, at any depth. */
export type ValidPart<T> = T extends readonly (infer One)[]
  ? ValidPart<One>[]
  : T extends object
    ? { [Name in keyof T]?: ValidPart<T[Name]> }
    : T;

/**
 * The valid parts of a refused value, as the schema parses them. A handler can still check these, so that one answer
 * lists all faults. A part with a fault is left out; an object or list that contains a fault keeps its valid parts.
 * [S5.1]
 */
export function validPart(
  schema: z.ZodType,
  value: unknown,
  faults: readonly Fault[],
): Record<string, unknown> {
  const paths = faults.map(({ path }) => path);
  return (partOf(schema, value, '', paths) ?? {}) as Record<string, unknown>;
}

function partOf(schema: z.ZodType, value: unknown, path: string, faulty: readonly string[]): unknown {
  if (path !== '' && faulty.includes(path)) return undefined;
  const within = path === '' ? '' : `${path}.`;
  if (path !== '' && !faulty.some((one) => one.startsWith(within))) {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : undefined;
  }
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodArray && Array.isArray(value))
    return value.map(
      (one, index) => partOf(bare.element as z.ZodType, one, `${within}${index}`, faulty) ?? {},
    );
  if (!(bare instanceof z.ZodObject) || typeof value !== 'object' || value === null) return undefined;
  const shape = bare.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, property]) => {
      if (!Object.hasOwn(value, name)) return [];
      const part = partOf(property, (value as Record<string, unknown>)[name], within + name, faulty);
      return part === undefined ? [] : [[name, part]];
    }),
  );
}

/** The schema without optional, nullable and default wrappers. */
function bareSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bareSchema(schema.unwrap() as z.ZodType)
    : schema;
}

/**
 * The most faults that one answer names; otherwise an answer could be longer than the request. More than the longest
 * form has fields, so that an empty new record gets a fault for each.
 */
const faultsTold = 50;
/** The deepest nesting of lists and objects; real bodies have less than a quarter of it. */
const deepest = 32;

/** The code of an issue. Filters are declared by screen, so an unknown property among them is an unknown filter. */
function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return issue.path.at(-1) === 'filters' ? 'unknown-filter' : 'unknown-field';
  return issue.code === 'custom' ? String(issue.params?.code ?? 'invalid-value') : issue.code;
}

export function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path.map((part) => namedBack(String(part)));
  const code = codeOf(issue);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, faultsTold).map((key) => ({
      path: [...path, namedBack(key)].join('.'),
      code,
      message: code === 'unknown-filter' ? 'there is no such filter' : 'there is no such property',
    }));
  return [{ path: path.join('.'), code, message: issue.message }];
}

/**
 * Finds texts that no database can store: in a value, or in the name of a property. The whole request is searched
 * before anything is known about it. A place is described only if there is a fault, and nothing is searched deeper
 * than any schema goes. [P8]
 */
function unkeepableTexts(value: unknown): string[] {
  const found: string[] = [];
  const way: string[] = [];
  const tell = () => found.push(way.map(namedBack).join('.'));
  const look = (part: unknown): void => {
    if (found.length >= faultsTold) return;
    if (typeof part === 'string') {
      if (unkeepable.test(part)) tell();
      return;
    }
    if (typeof part !== 'object' || part === null) return;
    if (way.length === deepest)
      throw new AppError('malformed-request', {
        message: `The request is nested deeper than ${deepest} levels.`,
      });
    for (const key in part) {
      // The name itself must not be revealed.
      if (unkeepable.test(key)) tell();
      else {
        way.push(key);
        look((part as Record<string, unknown>)[key]);
        way.pop();
      }
    }
  };
  look(value);
  return found;
}

const unkeepable = /[\0\p{Surrogate}]/u;
