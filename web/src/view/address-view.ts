import { type AddressParams, isBadLink, type ViewCodec } from '@caseway/contract/search-params';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AppError } from '../data/transport.ts';
import { stillHere } from '../session/still-here.ts';
import { store, useAppSelector } from '../session/store.ts';
import { viewSet } from './views.ts';

/**
 * Stores on the server what must not be in an address, which then has only its id. [P16] Created once per
 * codec, so that effects do not run again.
 */
export interface Keeper<V, Part extends object> {
  /** The name of the id in an address. */
  param: string;
  idOf(view: V): string | null;
  /** The part of a view that its address omits; null if none. */
  partOf(view: V): Part | null;
  withPart(view: V, part: Part, id: string | null): V;
  save(part: Part): Promise<string>;
  load(id: string, signal: AbortSignal): Promise<Part>;
}

export interface AddressView<V> {
  view: V;
  /** False while the part named in the address is loading. */
  ready: boolean;
  /** The part of the address that was not understood; the view is then the default. */
  badLink: string | null;
  /** The address has retired names; the view is without them. */
  hasRetired: boolean;
  /** The address is bare, and nothing was shown here before. */
  untouched: boolean;
  set(next: V): void;
  /** The same as a step of its own: Back returns to the view before. */
  step(next: V): void;
}

/** How the view itself writes an address; survives a reload with the history entry. */
const written = { replace: true, state: { own: true } };

/** What a bare address showed when a step led on from it, by its key in the history. */
const leftAt = new Map<string, object>();
// Signing out forgets all views, and these with them.
store.subscribe(() => {
  if (Object.keys(store.getState().views).length === 0) leftAt.clear();
});

/** Views that a screen has set, which need no check. */
const setHere = new WeakSet<object>();

/** A part is stored on the server after this pause, in milliseconds. */
const restMs = 800;

const textOf = (params: AddressParams): string => new URLSearchParams(params).toString();

/**
 * A screen's view: from the address or, if that is bare, what this tab showed last. Every change goes to
 * both, so the address reproduces the screen and returning finds it unchanged.
 */
export function useAddressView<V extends object, Part extends object = never>(
  codec: ViewCodec<V>,
  keeper?: Keeper<V, Part>,
): AddressView<V> {
  const { search, pathname, key, state: history } = useLocation();
  const navigate = useNavigate();
  const stored = useAppSelector((state) => state.views[codec.id]?.view);
  const remembered = useMemo(
    () =>
      stored !== undefined && (setHere.has(stored) || codec.schema.safeParse(stored).success)
        ? (stored as V)
        : undefined,
    [codec, stored],
  );
  const returning = remembered && !codec.isPassing?.(remembered) ? remembered : undefined;

  const left = search === '' ? (leftAt.get(key) as V | undefined) : undefined;
  const parsed = useMemo(
    () => (search === '' ? (left ?? null) : codec.fromParams(new URLSearchParams(search))),
    [codec, search, left],
  );
  const hasRetired = useMemo(() => codec.retiredIn(new URLSearchParams(search)).length > 0, [codec, search]);
  const bad = parsed !== null && isBadLink(parsed) ? parsed.bad : null;
  const fromAddress = parsed !== null && !isBadLink(parsed) ? parsed : null;

  const own = (history as { own?: boolean } | null)?.own === true;
  // A change was made here and its address is not written yet, so the old address is outdated.
  const changedAt = useRef<string | null>(null);
  const ahead = changedAt.current === key;
  const named = fromAddress && keeper ? keeper.idOf(fromAddress) : null;
  const missing = !ahead && named !== null && named !== (remembered && keeper!.idOf(remembered));
  const [lost, setLost] = useState<string | null>(null);
  const view = useMemo<V>(() => {
    if (ahead && remembered) return remembered;
    if (bad !== null) return codec.initial;
    if (!fromAddress) return returning ?? codec.initial;
    if (!keeper || !remembered || keeper.idOf(remembered) !== named) return fromAddress;
    // Under the id in the address or, before the server has given one, for the address written here. A
    // link from elsewhere means only what it says.
    const isOurs =
      named !== null || (own && textOf(codec.toParams(remembered)) === textOf(codec.toParams(fromAddress)));
    const part = isOurs ? keeper.partOf(remembered) : null;
    return part ? keeper.withPart(fromAddress, part, named) : fromAddress;
  }, [codec, keeper, bad, fromAddress, remembered, returning, named, own, ahead]);

  const write = useCallback(
    (next: V, replace = true) =>
      void navigate({ pathname, search: textOf(codec.toParams(next)) }, { ...written, replace }),
    [codec, navigate, pathname],
  );
  const shownKey = useRef(key);
  const shownView = useRef(view);
  useLayoutEffect(() => {
    shownKey.current = key;
    shownView.current = view;
    // Back leads to the same entry again, which then shows what it says.
    if (changedAt.current !== key) changedAt.current = null;
  });
  const change = useCallback(
    (next: V, replace: boolean) => {
      changedAt.current = shownKey.current;
      setHere.add(next);
      store.dispatch(viewSet(codec, next));
      write(next, replace);
    },
    [codec, write],
  );
  const set = useCallback((next: V) => change(next, true), [change]);
  const step = useCallback(
    (next: V) => {
      leftAt.set(shownKey.current, shownView.current);
      change(next, false);
    },
    [change],
  );

  // From now on, this tab remembers a followed link, or the view that Back returns to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address matters.
  useEffect(() => {
    const isNew = !own || !remembered || textOf(codec.toParams(remembered)) !== textOf(codec.toParams(view));
    if (fromAddress && !missing && isNew) store.dispatch(viewSet(codec, view));
  }, [key]);

  // Returning without an address: write it again from memory.
  useEffect(() => {
    if (search === '' && !left && returning && codec.toParams(returning).length > 0) write(returning);
  }, [search, left, returning, codec, write]);

  const wanted = missing ? named : null;
  useEffect(() => {
    if (wanted === null || !fromAddress || !keeper) return;
    const stop = new AbortController();
    keeper.load(wanted, stop.signal).then(
      (part) => {
        setLost(null);
        store.dispatch(viewSet(codec, keeper.withPart(fromAddress, part, wanted)));
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof AppError)) throw error;
        setLost(wanted);
        store.dispatch(viewSet(codec, fromAddress));
      },
    );
    return () => stop.abort();
  }, [wanted, fromAddress, codec, keeper]);

  // A part that may not be in the address is stored on the server after a pause.
  const saving = useRef<Part | null>(null);
  useEffect(() => {
    const part = keeper && keeper.idOf(view) === null ? keeper.partOf(view) : null;
    if (!keeper || part === null || saving.current === part) return;
    const isHere = stillHere();
    const timer = setTimeout(() => {
      if (!isHere()) return;
      saving.current = part;
      keeper.save(part).then(
        (id) => {
          const now = store.getState().views[codec.id]?.view as V | undefined;
          if (isHere() && now && keeper.partOf(now) === part) set(keeper.withPart(now, part, id));
        },
        (error: unknown) => {
          // The screen is filtered anyway; only its address lacks the filter.
          if (!(error instanceof AppError)) throw error;
        },
      );
    }, restMs);
    return () => clearTimeout(timer);
  }, [codec, keeper, view, set]);

  return {
    view,
    ready: !missing,
    badLink: bad ?? (lost !== null && keeper?.idOf(view) === lost ? keeper.param : null),
    hasRetired,
    untouched: search === '' && stored === undefined,
    set,
    step,
  };
}
