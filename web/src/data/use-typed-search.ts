import type { Permission } from '@caseway/contract/endpoint';
import type { SortModel } from '@caseway/contract/grid';
import { useEffect, useState } from 'react';
import { useMay } from '../session/permissions.ts';

/** Fewer letters match half of all people. */
const lettersAtLeast = 2;
const pauseMs = 250;
/** `useApi` options for search results. */
export const foundOptions = { staleTime: 30_000, keepPrevious: false };

/** The typed text, and the text to request, which follows it after a pause. */
export function useTyped(typed: string): { wanted: string; asked: string; words: string[] } {
  const wanted = typed.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  return { wanted, asked, words: asked.split(/\s+/).slice(0, 10) };
}
export const isLongEnough = (wanted: string): boolean => wanted.length >= lettersAtLeast;

/**
 * Searches a list for the text being typed, as its search box does: after a pause, and not for people who may
 * not see the list. The text never enters an address.
 */
export function useTypedSearch(
  typed: string,
  { permission, sort, atMost }: { permission: Permission; sort: SortModel[number]; atMost: number },
) {
  const may = useMay();
  const { wanted, asked, words } = useTyped(typed);
  const isWanted = isLongEnough(wanted) && may(permission);
  return {
    isWanted,
    /** Whether the latest text is the one requested. */
    isAsked: isWanted && asked === wanted,
    body: {
      filterModel: {
        items: [],
        logicOperator: 'and' as const,
        quickFilterValues: words,
      },
      sortModel: [sort],
      paginationModel: { page: 0, pageSize: atMost },
      filters: {},
    },
  };
}
