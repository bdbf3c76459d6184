import {
  type FoundGroup,
  type FoundKind,
  type FoundRecord,
  recentRecords,
  searchEverything,
} from '@caseway/contract/search';
import { useApi } from './api.ts';
import type { AppError } from './transport.ts';
import { foundOptions, isLongEnough, useTyped } from './use-typed-search.ts';

export interface Search {
  groups: readonly FoundGroup[];
  /** The words searched for. */
  words: readonly string[];
  isLooking: boolean;
  /** The answer for the typed text has arrived. */
  isDone: boolean;
  error: AppError | null;
  again: () => void;
}

/** Searches everything the reader may list for the text being typed. */
export function useSearch(typed: string): Search {
  const { wanted, asked, words } = useTyped(typed);
  const isWanted = isLongEnough(wanted);
  const isAsked = isWanted && asked === wanted;
  const query = useApi(searchEverything, { body: { words } }, { ...foundOptions, enabled: isAsked });
  const error = isAsked ? query.error : null;
  return {
    groups: isAsked ? (query.data?.groups ?? []) : [],
    words,
    isLooking: isWanted && !error && (!isAsked || query.isFetching),
    isDone: isAsked && query.isSuccess && !query.isFetching,
    error,
    again: () => void query.refetch(),
  };
}

/** The names of recent records, by id; records no longer visible are left out. */
export function useNames(
  records: readonly { kind: FoundKind; id: string }[],
): ReadonlyMap<string, FoundRecord> {
  const query = useApi(
    recentRecords,
    { body: { records: [...records] } },
    { ...foundOptions, enabled: records.length > 0 },
  );
  return new Map((query.data?.records ?? []).map((one) => [one.id, one]));
}
