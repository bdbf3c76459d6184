/*
 * Conditions as data, for workflows, rules and forms. Server and browser evaluate them alike, and they are
 * JSON, so they can be stored and shown. No calls and no loops. A comparison with a missing value is false;
 * use `empty` to test for one.
 */

type Scalar = string | number | boolean | null;
export type Value = Scalar | undefined | readonly Scalar[];

export type Expression =
  | { readonly all: readonly Expression[] }
  | { readonly any: readonly Expression[] }
  | { readonly not: Expression }
  | { readonly field: string; readonly is: Scalar }
  | { readonly field: string; readonly in: readonly Scalar[] }
  /** For a field with several values: one of these is among them. */
  | { readonly field: string; readonly has: readonly Scalar[] }
  | { readonly field: string; readonly atLeast: number }
  | { readonly field: string; readonly empty: boolean }
  /** The field holds the acting user's account. */
  | { readonly field: string; readonly me: true }
  /** One day is not after another; also true if either is missing. */
  | { readonly field: string; readonly notAfter: string }
  /** At least one linked record meets a condition. */
  | { readonly some: string; readonly where: Expression };

/** What is known of a record and its linked records. */
export interface Facts {
  readonly values: Readonly<Record<string, Value>>;
  readonly linked?: Readonly<Record<string, readonly Facts[]>>;
  /** The acting user, if any. */
  readonly me?: string;
}

export const isEmpty = (value: Value): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

export function holds(expression: Expression, facts: Facts): boolean {
  if ('all' in expression) return expression.all.every((part) => holds(part, facts));
  if ('any' in expression) return expression.any.some((part) => holds(part, facts));
  if ('not' in expression) return !holds(expression.not, facts);
  if ('some' in expression)
    return (facts.linked?.[expression.some] ?? []).some((one) => holds(expression.where, one));
  const value = facts.values[expression.field];
  if ('is' in expression) return (value ?? null) === expression.is;
  if ('in' in expression) return !isEmpty(value) && expression.in.includes(value as Scalar);
  if ('has' in expression)
    return Array.isArray(value) && value.some((one: Scalar) => expression.has.includes(one));
  if ('atLeast' in expression) return typeof value === 'number' && value >= expression.atLeast;
  if ('empty' in expression) return isEmpty(value) === expression.empty;
  if ('me' in expression) return !isEmpty(value) && value === facts.me;
  const other = facts.values[expression.notAfter];
  return isEmpty(value) || isEmpty(other) || (value as string) <= (other as string);
}

/** The fields of the record itself that an expression reads. */
export function fieldsOf(expression: Expression): string[] {
  if ('all' in expression) return expression.all.flatMap(fieldsOf);
  if ('any' in expression) return expression.any.flatMap(fieldsOf);
  if ('not' in expression) return fieldsOf(expression.not);
  if ('some' in expression) return [];
  return 'notAfter' in expression ? [expression.field, expression.notAfter] : [expression.field];
}

/** Shorthand, so that declarations read as sentences. */
export const given = (field: string): Expression => ({ field, empty: false });
export const empty = (field: string): Expression => ({ field, empty: true });
export const isMe = (field: string): Expression => ({ field, me: true });
export const is = (field: string, value: Scalar): Expression => ({ field, is: value });
export const oneOf = (field: string, ...values: readonly Scalar[]): Expression => ({ field, in: values });
export const has = (field: string, ...values: readonly Scalar[]): Expression => ({ field, has: values });
export const all = (...parts: readonly Expression[]): Expression => ({ all: parts });
export const any = (...parts: readonly Expression[]): Expression => ({ any: parts });
export const not = (part: Expression): Expression => ({ not: part });
