import { labelIn } from '@caseway/contract/label';
import type { Feature } from '@caseway/contract/permission';
import { type LookupOption, lookup } from '@caseway/contract/reference';
import { keepPreviousData, type QueryFunctionContext, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppSelector } from '../session/store.ts';
import { apiQuery, cacheMs, callApi } from './api.ts';
import { type AnswerOf, answerOf, exchange, type InputOf } from './transport.ts';

export type LookupAnswer = AnswerOf<typeof lookup>;

/** One entry of a look-up, in the current language. */
export interface Option {
  id: string;
  label: string;
  /** The ids of its parents in other look-ups, by look-up name. */
  within?: Readonly<Record<string, string>>;
  /** No longer in use: shown where a record refers to it, but not offered for a new one. */
  inactive?: boolean;
}

export const noOptions: readonly Option[] = [];
/** Many parts of a screen use the same entries, so they are translated once. */
const worded = new WeakMap<readonly LookupOption[], Map<string, readonly Option[]>>();
export function optionsIn(entries: readonly LookupOption[], language: string): readonly Option[] {
  const languages = worded.get(entries) ?? new Map<string, readonly Option[]>();
  worded.set(entries, languages);
  const known = languages.get(language);
  if (known) return known;
  const options = entries.map((entry) => ({
    id: entry.id,
    label: labelIn(entry, language),
    ...(entry.within ? { within: entry.within } : {}),
    ...(entry.inactive ? { inactive: true } : {}),
  }));
  languages.set(language, options);
  return options;
}

/** The feature of the surrounding screen. */
export const ScreenFeature = createContext<Feature | undefined>(undefined);

/**
 * The request for a look-up's entries. A jurisdiction sees only what each tenant has on for it; for everyone
 * else a look-up is the same on every screen.
 */
export function useLookupInput(): (name: string) => InputOf<typeof lookup> {
  const feature = useContext(ScreenFeature);
  const isJurisdiction = useAppSelector(
    ({ authentication }) => authentication.selectedTenantOrg?.orgType === 'PHJ',
  );
  const query = isJurisdiction && feature ? { feature } : {};
  return (name) => ({ params: { lookup: name }, query });
}

/**
 * A look-up's entries, followed by the rest from a file that the browser caches. The first ones are shown
 * before that.
 */
export const lookupQuery = (input: InputOf<typeof lookup>) => ({
  ...apiQuery(lookup, input),
  queryFn: async ({ client, queryKey, signal }: QueryFunctionContext): Promise<LookupAnswer> => {
    const answer = await callApi(lookup, input, signal);
    if (answer.rest === undefined) return answer;
    client.setQueryData<LookupAnswer>(queryKey, (known) => known ?? answer);
    const here = new Set(answer.options.map(({ id }) => id));
    // The file is public, so no token is sent.
    const file = await answerOf(lookup, await exchange({ ...lookup, path: answer.rest }, {}, {}, signal));
    return { options: [...answer.options, ...file.options.filter(({ id }) => !here.has(id))] };
  },
});

/**
 * Entries without their rest are never fresh: someone who left the screen early would otherwise never get it.
 */
export const freshFor = ({ state }: { state: { data?: unknown } }): number =>
  (state.data as LookupAnswer | undefined)?.rest === undefined ? cacheMs : 0;

/** Whether entries are still loading. */
export const isIncomplete = ({
  data,
  isPending,
  error,
}: {
  data: LookupAnswer | undefined;
  isPending: boolean;
  error: unknown;
}): boolean => isPending || (data?.rest !== undefined && error === null);

/** A look-up's entries in the server's order; empty until loaded. */
export function useLookup(name: string, { enabled = true }: { enabled?: boolean } = {}) {
  const { i18n } = useTranslation();
  const query = useQuery({
    ...lookupQuery(useLookupInput()(name)),
    enabled,
    staleTime: freshFor,
    placeholderData: keepPreviousData,
  });
  const options = query.data ? optionsIn(query.data.options, i18n.language) : noOptions;
  return { options, loading: isIncomplete(query) && enabled, error: query.error };
}

/** The entries a new record can refer to, plus the one already chosen. */
export const inUse = (options: readonly Option[], chosen: string | null = null): Option[] =>
  options.filter(({ id, inactive }) => !inactive || id === chosen);
