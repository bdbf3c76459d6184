import { labelIn } from '@caseway/contract/label';
import { lookup } from '@caseway/contract/reference';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi } from './api.ts';

/** One entry of a look-up, in the current language. */
export interface Option {
  id: string;
  label: string;
  /** Ids of the entries of other look-ups it belongs to, by look-up name. */
  within?: Readonly<Record<string, string>>;
}

/** The entries of a look-up, sorted as the server gave them; empty until they are there. */
export function useLookup(name: string, { enabled = true }: { enabled?: boolean } = {}) {
  const { i18n } = useTranslation();
  const query = useApi(lookup, { params: { lookup: name } }, { enabled, staleTime: cacheMs });
  const { data } = query;
  const options = useMemo<readonly Option[]>(
    () =>
      data?.options.map((entry) => ({
        id: entry.id,
        label: labelIn(entry, i18n.language),
        ...(entry.within ? { within: entry.within } : {}),
      })) ?? [],
    [data, i18n.language],
  );
  return { options, loading: query.isPending && enabled, error: query.error };
}
