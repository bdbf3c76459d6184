import type { AnyRecord } from '@caseway/contract/record';

const lists: ReadonlySet<string> = new Set(['choices', 'families', 'references', 'rows', 'texts']);

/** Every field that people set in a new record, without a value. */
export const blankOf = ({ fields }: Pick<AnyRecord, 'fields'>): Record<string, [] | null> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { set, needed, kind }]) =>
      set === 'server' || set === 'transitions' ? [] : [[name, needed && lists.has(kind) ? [] : null]],
    ),
  );
