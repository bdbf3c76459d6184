import { missingKey } from '@caseway/contract/analytics';
import { lookup } from '@caseway/contract/reference';
import { notifyManager } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from './api.ts';
import { type Option, useLookup } from './use-lookup.ts';

const indexes = new WeakMap<readonly Option[], ReadonlyMap<string, string>>();
/** The labels of entries by their ids, made once for each list. */
function indexOf(options: readonly Option[]): ReadonlyMap<string, string> {
  const known = indexes.get(options) ?? new Map(options.map(({ id, label }) => [id, label]));
  indexes.set(options, known);
  return known;
}

/** What the entries of a look-up are called. There is no way to get an entry's own key as its label. */
export interface Labels {
  /** Its label, or words that say why there is none. Null for no entry. */
  of(id: string): string;
  of(id: string | null | undefined): string | null;
  /** The labels are on their way: `of` gives an ellipsis. */
  loading: boolean;
  /** They could not be loaded, and may be the next time. */
  failed: boolean;
}

export function useLabels(name: string, { enabled = true }: { enabled?: boolean } = {}): Labels {
  const { t } = useTranslation();
  const { options, loading, error } = useLookup(name, { enabled });
  // Somebody who may not look them up is told the same as for an entry that is not theirs to see.
  const failed = error !== null && error !== undefined && !(error.status >= 400 && error.status < 500);
  return useMemo(() => {
    const index = indexOf(options);
    const of = (id: string | null | undefined) => {
      if (id === null || id === undefined || id === '') return null;
      if (id === missingKey) return t('filter.missing');
      if (loading) return t('label.loading');
      const label = index.get(id);
      if (label !== undefined) return label;
      return failed ? t('label.failed') : t([`label.unknown.${name}`, 'label.unknown.other']);
    };
    return { of: of as Labels['of'], loading, failed };
  }, [options, loading, failed, name, t]);
}

const lookups = { queryKey: [lookup.path], type: 'active' } as const;
/** Refused is not failed: asking again would be refused again. */
const failedLookups = () =>
  queryClient
    .getQueryCache()
    .findAll(lookups)
    .filter(({ state }) => {
      const status = (state.error as { status?: number } | null)?.status ?? 0;
      return state.status === 'error' && !(status >= 400 && status < 500);
    });

/** Whether names that the screen shows could not be loaded, and how to ask for them again. */
export function useFailedLabels(): { failed: boolean; retry: () => void } {
  const subscribe = useCallback(
    (changed: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
    [],
  );
  const failed = useSyncExternalStore(subscribe, () => failedLookups().length > 0);
  return { failed, retry: () => void Promise.all(failedLookups().map((query) => query.fetch())) };
}
