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
  /** The words that were searched. */
  words: readonly string[];
  isLooking: boolean;
  /** The answer for what is typed is here. */
  isDone: boolean;
  error: AppError | null;
  again: () => void;
}

/** What is found in everything that the reader may list, by what is being typed. */
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

/** What records are called that were opened last, by their ids; those that are not seen any more are left out. */
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
