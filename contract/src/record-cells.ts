import { type Expression, fieldsOf } from './expression.ts';
import type { Grid } from './grid.ts';
import { type AnyRecord, type Field, isAsked } from './record.ts';

/*
 * Which fields of a record are edited in the rows of its list. The form and the server decide what is lawful; a cell
 * only shows less of the form.
 */

/** Whether another field is asked or required because of this one. */
const decides = (name: string, fields: Readonly<Record<string, Field>>): boolean =>
  Object.values<Field>(fields).some(({ askedIf, neededIf }) =>
    [askedIf, neededIf].some((when?: Expression) => when !== undefined && fieldsOf(when).includes(name)),
  );

/**
 * The columns of a list that can be edited in it: those named like a field of the record's form. What names a
 * person or the record, refers to a person or case, has rows, or decides about other fields needs the whole
 * form; so does a column that says so (`formOnly`).
 */
export function cellFields({ fields, form, name: ofRecord }: AnyRecord, { columns }: Grid): string[] {
  const names: string[] = form.flat();
  return names.filter((name): boolean => {
    const column = columns[name];
    const { kind, set, options } = fields[name]!;
    return (
      column !== undefined &&
      !column.sensitive &&
      !column.formOnly &&
      name !== ofRecord &&
      set === 'always' &&
      kind !== 'rows' &&
      (kind !== 'reference' || options !== undefined) &&
      !decides(name, fields)
    );
  });
}

/** Why a field cannot be edited in this record now; null if it can. */
export function cellFault(
  { fields, workflow }: AnyRecord,
  name: string,
  values: Readonly<Record<string, unknown>>,
): 'locked' | 'not-asked' | null {
  if (workflow?.flow.locked?.includes(String(values[workflow.of]))) return 'locked';
  return isAsked(fields[name]!, values) ? null : 'not-asked';
}
