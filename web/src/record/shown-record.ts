import { type AnyRecord, anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../ui/grid/values.tsx';
import type { AnyAnswer } from './EditRecord.tsx';
import { useRecordText } from './use-record-text.ts';

/** A record as its screens show it. The file that is named like it has its words. */
export interface ShownRecord<Row = AnyAnswer> {
  record: AnyRecord;
  /** What a change of it makes old. */
  old: readonly { path: string }[];
  /** What one of them is called, as the values of `{{number}}` or `{{name}}`. */
  called: (row: Row) => Record<string, string>;
  /** The fields that name other records by their ids, each with the field of the row that says how that one is called. */
  named: Readonly<Record<string, keyof Row & string>>;
  /** The key of the words of a field's codes. */
  codesOf: (field: string) => string;
}

/** Declares how a record is shown. What is left out is as most records have it; `old` names what is old besides the record. */
export const shownRecord = <Row>(
  declaration: Pick<AnyRecord, 'id' | 'kind'>,
  {
    old = [],
    called = (row) => ({ number: String((row as { number?: unknown }).number) }),
    named = {},
    codesOf = (field) => `${declaration.id}:choice.${field}`,
  }: Partial<Omit<ShownRecord<Row>, 'record'>> = {},
): ShownRecord<Row> => {
  const record = anyRecord(declaration);
  const { read, history } = record.endpoints;
  const search = { path: `/api/web/grid/${record.grid.id}/search` };
  return { record, old: [read, history, search, readTimeline, ...old], called, named, codesOf };
};

/** How the fields and codes of a record are called. */
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

/** Values of a record in words; another record is called as the row itself says. */
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
