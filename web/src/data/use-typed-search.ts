import type { Permission } from '@caseway/contract/endpoint';
import type { SortModel } from '@caseway/contract/grid';
import { useEffect, useState } from 'react';
import { useMay } from '../session/permissions.ts';

/** Fewer letters find half of all people. */
const lettersAtLeast = 2;
const pauseMs = 250;
/** How `useApi` asks for what was found. */
export const foundOptions = { staleTime: 30_000, keepPrevious: false };

/**
 * The search of a list by what is being typed, as in its search box: asked after a pause, and not for people who may not see
 * the list. The typed text is in no address.
 */
export function useTypedSearch(
  typed: string,
  { permission, sort, atMost }: { permission: Permission; sort: SortModel[number]; atMost: number },
) {
  const may = useMay();
  const wanted = typed.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isWanted = wanted.length >= lettersAtLeast && may(permission);
  return {
    isWanted,
    /** What was typed last is what is asked for. */
    isAsked: isWanted && asked === wanted,
    body: {
      filterModel: {
        items: [],
        logicOperator: 'and' as const,
        quickFilterValues: asked.split(/\s+/).slice(0, 10),
      },
      sortModel: [sort],
      paginationModel: { page: 0, pageSize: atMost },
      filters: {},
    },
  };
}
