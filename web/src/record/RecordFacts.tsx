import type { AnyRecord } from '@caseway/contract/record';
import { Facts } from '../ui/Facts.tsx';
import { shownField } from './shown-field.tsx';

/** Fields of a record as they are read, each with what it is called. */
export function RecordFacts<Row extends object, Name extends keyof Row & string>({
  record,
  row,
  names,
  label,
  text,
}: {
  record: Pick<AnyRecord, 'fields'>;
  row: Row;
  names: readonly Name[];
  label: (name: Name) => string;
  text: (name: string, value: unknown) => string;
}) {
  return (
    <Facts facts={names.map((name) => [label(name), shownField(record, text, name, row[name])] as const)} />
  );
}
