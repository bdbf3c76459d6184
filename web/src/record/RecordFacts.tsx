import { type AnyRecord, isAsked } from '@caseway/contract/record';
import type { ReactNode } from 'react';
import { Facts } from '../ui/Facts.tsx';
import { shownField } from './shown-field.tsx';

/** A record's fields for reading, with labels: those that apply to it, plus `more`. */
export function RecordFacts<Row extends object, Name extends keyof Row & string>({
  record,
  row,
  names,
  label,
  text,
  more = [],
}: {
  record: Pick<AnyRecord, 'fields'>;
  row: Row;
  names: readonly Name[];
  label: (name: Name) => string;
  text: (name: string, value: unknown) => string;
  more?: readonly (readonly [name: string, value: ReactNode])[];
}) {
  const { fields } = record;
  const asked = names.filter(
    (name) => !fields[name] || isAsked(fields[name], row as Readonly<Record<string, unknown>>),
  );
  return (
    <Facts
      facts={[
        ...asked.map((name) => [label(name), shownField(record, text, name, row[name])] as const),
        ...more,
      ]}
    />
  );
}
