import { timelinePath } from '@caseway/contract/patient-record';
import { type AnyRecord, anyRecord } from '@caseway/contract/record';
import { type ComponentProps, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../ui/grid/values.tsx';
import type { AnyAnswer } from './EditRecord.tsx';
import type { RecordFields } from './RecordFields.tsx';
import { useRecordText } from './use-record-text.ts';

/** A record as its screens show it. The file of the same name has its texts. */
export interface ShownRecord<Row = AnyAnswer> {
  record: AnyRecord;
  /** What a change makes stale. */
  old: readonly { path: string }[];
  /** A record's name, as the values of `{{number}}` or `{{name}}`. */
  called: (row: Row) => Record<string, string>;
  /** The fields that hold other records' ids, each with the row's field that has the name. */
  named: Readonly<Record<string, keyof Row & string>>;
  /** The key of the texts of a field's codes. */
  codesOf: (field: string) => string;
  /** The file with its texts. */
  texts: string;
  /** The key of what is said once a change is saved. */
  saved: string;
  /** Whether users who may change such records may change this one; a row of the list knows less. */
  mayEdit: (row: Row) => boolean;
  /** A field's choices in this record, if different from the declaration. */
  offered: (row: Row) => NonNullable<ComponentProps<typeof RecordFields>['offered']>;
}

/**
 * Declares how a record is shown. Anything left out follows the usual pattern; `old` lists what else becomes
 * stale.
 */
export const shownRecord = <Row>(
  declaration: Pick<AnyRecord, 'id' | 'kind'>,
  {
    old = [],
    called = (row) => ({ number: String((row as { number?: unknown }).number) }),
    named = {},
    codesOf = (field) => `${declaration.id}:choice.${field}`,
    texts = declaration.id,
    saved = `${texts}:edit.saved`,
    mayEdit = () => true,
    offered = () => ({}),
  }: Partial<Omit<ShownRecord<Row>, 'record'>> = {},
): ShownRecord<Row> => {
  const record = anyRecord(declaration);
  const { read, history } = record.endpoints;
  const search = { path: `/api/web/grid/${record.grid.id}/search` };
  return {
    record,
    old: [read, history, search, { path: timelinePath }, ...old],
    called,
    named,
    codesOf,
    texts,
    saved,
    mayEdit,
    offered,
  };
};

/** The labels of a record's fields and codes. */
export function useRecordWords<Row>({ record: { id }, codesOf }: ShownRecord<Row>): Required<GridWords> {
  const { t } = useTranslation(id);
  return useMemo(
    () => ({
      column: (field: string) => String(t(`${id}:column.${field}` as 'fault.invalid')),
      choice: (field: string, code: string) =>
        String(
          t(`${codesOf(field)}.${code}` as 'fault.invalid', {
            defaultValue: t('common:label.unknown.other'),
          }),
        ),
    }),
    [t, id, codesOf],
  );
}

/** A record's values in words; the row itself has the names of other records. */
export function useShownText<Row>(
  of: ShownRecord<Row>,
): (row: Row | null) => (name: string, value: unknown) => string {
  const { t } = useTranslation();
  const text = useRecordText(of.record, useRecordWords(of));
  return (row) => (name, value) => {
    const by = of.named[name];
    if (by === undefined || !value) return text(name, value);
    const known = row && value === row[name as keyof Row] && row[by];
    return known ? String(known) : t(name === 'patient' ? 'record.otherPerson' : 'record.otherCase');
  };
}
