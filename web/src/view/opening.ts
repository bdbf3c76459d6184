import type { SavedViewCalls } from '@caseway/contract/saved-views';
import { useEffect } from 'react';
import { cacheMs, useApi } from '../data/api.ts';
import { openingKnown } from '../session/preferences.ts';
import { store, useAppSelector } from '../session/store.ts';

/** The view or tab with which a screen opens: the user's own choice, and that for their roles. */
export interface Opening {
  opensWith: string | null;
  roleOpensWith: string | null;
}

/** A choice that stands for none: the screen's own default, whatever the roles say. */
export const ownOpening = 'default';

/** The default that counts: a person's own, then that of their roles, if it is there. */
export function openingIn(
  { opensWith, roleOpensWith }: Opening,
  isThere: (id: string) => boolean,
): string | null {
  if (opensWith === ownOpening) return null;
  return [opensWith, roleOpensWith].find((id) => id !== null && isThere(id)) ?? null;
}

type Answer = Opening & { presets: readonly { id: string }[] };

/** Whether a screen without tabs of its own opens with one of its saved views. */
export const opensWithPreset = (answer: Answer): boolean =>
  openingIn(answer, (id) => answer.presets.some((preset) => preset.id === id)) !== null;

const isChosen = ({ opensWith, roleOpensWith }: Opening) => (opensWith ?? roleOpensWith) !== null;

/** A screen's saved views; this browser remembers under the key whether there is a default. */
export function useSavedViews<View>(calls: SavedViewCalls<View>, key: string) {
  const query = useApi(calls.list, {}, { staleTime: cacheMs });
  const { data } = query;
  useEffect(() => {
    if (data) store.dispatch(openingKnown({ grid: key, chosen: isChosen(data) }));
  }, [data, key]);
  return query;
}

/**
 * Whether a screen waits for its default view. Only if this browser knows there is one: for everyone else it
 * loads at once. `counts`: whether the answer has a default that the screen will show.
 */
export function useWaitsForOpening<View>(
  calls: SavedViewCalls<View>,
  key: string,
  untouched: boolean,
  counts: (answer: Answer) => boolean = isChosen,
): boolean {
  const isKnown = useAppSelector(({ preferences }) => preferences.opened.includes(key));
  const { data, isError } = useApi(calls.list, {}, { staleTime: cacheMs });
  if (!untouched || !isKnown || isError) return false;
  return data === undefined || counts(data);
}
