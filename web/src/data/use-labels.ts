import { missingKey } from '@caseway/contract/label';
import { lookup } from '@caseway/contract/reference';
import { notifyManager, useQueries } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from './api.ts';
import type { AppError } from './transport.ts';
import {
  freshFor,
  isIncomplete,
  type LookupAnswer,
  lookupQuery,
  noOptions,
  type Option,
  optionsIn,
  useLookup,
  useLookupInput,
} from './use-lookup.ts';

const indexes = new WeakMap<readonly Option[], ReadonlyMap<string, string>>();
/** Labels by id, indexed once per list. */
function indexOf(options: readonly Option[]): ReadonlyMap<string, string> {
  const known = indexes.get(options) ?? new Map(options.map(({ id, label }) => [id, label]));
  indexes.set(options, known);
  return known;
}

/** The labels of a look-up's entries. An entry's key is never its label. */
export interface Labels {
  /** Its label, or a text that says why there is none. Null for no entry. */
  of(id: string): string;
  of(id: string | null | undefined): string | null;
  /** Labels are loading: `of` returns an ellipsis for missing ones. */
  loading: boolean;
  /** They could not be loaded; trying again may help. */
  failed: boolean;
}

/** The state of a requested look-up. */
interface Asked {
  name: string;
  options: readonly Option[];
  loading: boolean;
  error: AppError | null;
}

// People without permission for the look-up see the same text as for an entry they may not see.
const hasFailed = ({ error }: Asked) => error !== null && !(error.status >= 400 && error.status < 500);

function labelsOf(asked: Asked, t: TFunction): Labels {
  const { name, options, loading } = asked;
  const failed = hasFailed(asked);
  const index = indexOf(options);
  const of = (id: string | null | undefined) => {
    if (id === null || id === undefined || id === '') return null;
    if (id === missingKey) return t('filter.missing');
    const label = index.get(id);
    if (label !== undefined) return label;
    if (loading) return t('label.loading');
    return failed ? t('label.failed') : t([`label.unknown.${name}`, 'label.unknown.other']);
  };
  return { of: of as Labels['of'], loading, failed };
}

export function useLabels(name: string, { enabled = true }: { enabled?: boolean } = {}): Labels {
  const { t } = useTranslation();
  const { options, loading, error } = useLookup(name, { enabled });
  return useMemo(() => labelsOf({ name, options, loading, error }, t), [name, options, loading, error, t]);
}

/**
 * The labels of several look-ups by name, requested once for a whole list, and the same object until one
 * changes.
 */
export function useLabelsOf(
  names: readonly string[],
  { enabled = true }: { enabled?: boolean } = {},
): ReadonlyMap<string, Labels> {
  const { t, i18n } = useTranslation();
  const inputOf = useLookupInput();
  const answers = useQueries({
    queries: names.map((name) => ({
      ...lookupQuery(inputOf(name)),
      staleTime: freshFor,
      enabled,
    })),
    combine: takeAnswers,
  });
  const joined = names.join(' ');
  return useMemo(
    () =>
      new Map(
        joined.split(' ').map((name, at): [string, Labels] => {
          const answer = answers[at];
          const options = answer?.entries ? optionsIn(answer.entries, i18n.language) : noOptions;
          const asked = { name, options, loading: answer?.pending ?? true, error: answer?.error ?? null };
          return [name, labelsOf(asked, t)];
        }),
      ),
    [joined, answers, i18n.language, t],
  );
}

// One function for all, so the result is the same object as long as the answers are.
const takeAnswers = (
  queries: readonly { data: LookupAnswer | undefined; isPending: boolean; error: AppError | null }[],
) =>
  queries.map((query) => ({
    entries: query.data?.options,
    pending: isIncomplete(query),
    error: query.error,
  }));

const lookups = { queryKey: [lookup.path], type: 'active' } as const;
/** A refusal is not a failure: asking again would not help. */
const failedLookups = () =>
  queryClient
    .getQueryCache()
    .findAll(lookups)
    .filter(({ state }) => {
      const status = (state.error as { status?: number } | null)?.status ?? 0;
      return state.status === 'error' && !(status >= 400 && status < 500);
    });

/** Whether labels on the screen could not be loaded, and how to reload them. */
export function useFailedLabels(): { failed: boolean; retry: () => void } {
  const subscribe = useCallback(
    (changed: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
    [],
  );
  const failed = useSyncExternalStore(subscribe, () => failedLookups().length > 0);
  const retry = () => {
    const again = new Set(failedLookups());
    // Each query reports its own failure; abandonment by another screen is not one.
    void queryClient.refetchQueries({ predicate: (query) => again.has(query) });
  };
  return { failed, retry };
}
