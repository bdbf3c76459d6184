import {
  type CodeMapping,
  decideMapping,
  decideMappings,
  importMessages,
  listMappings,
  type MappingState,
  readImport,
} from '@caseway/contract/imports';
import { useCallback, useEffect, useRef, useState } from 'react';
import { becameOld, callApi, queryClient } from '../../data/api.ts';
import { takeBack } from '../../data/take-back.ts';
import { AppError } from '../../data/transport.ts';
import { notify } from '../../session/notify.ts';
import { writtenAs } from './parts.tsx';

/** A code with its decided meaning; null: none, so that one that is accepted is left out. */
export interface Decided {
  mapping: CodeMapping;
  target: string | null;
}

/**
 * Decided codes by id. Each decision is a separate object, so that an earlier one cannot reveal what a later
 * one hides.
 */
type Hidden = ReadonlyMap<string, { state: MappingState }>;

/** How one of several codes is decided: without a meaning, it is left out. */
const stateOf = (state: MappingState, { target }: Decided): MappingState =>
  state === 'mapped' && target === null ? 'ignored' : state;

/** Decides codes; returns the number of messages that are reprocessed. */
async function send(state: MappingState, codes: readonly Decided[]): Promise<number> {
  const sent = [...Map.groupBy(codes, (one) => stateOf(state, one))].map(([each, of]) => sendAlike(each, of));
  return (await Promise.all(sent)).reduce((sum, queued) => sum + queued, 0);
}

async function sendAlike(state: MappingState, codes: readonly Decided[]): Promise<number> {
  const withTargets = codes.map(({ mapping: { id }, target }) => ({ id, target: target ?? '' }));
  const ids = codes.map(({ mapping: { id } }) => ({ id }));
  const [only] = withTargets;
  const { queued } =
    withTargets.length === 1 && only
      ? await callApi(decideMapping, {
          params: { id: only.id },
          body: state === 'mapped' ? { state, target: only.target } : { state },
        })
      : await callApi(decideMappings, {
          body: state === 'mapped' ? { state, codes: withTargets } : { state, codes: ids },
        });
  return queued;
}

/** Reloads the list; messages and imports only when someone looks at them. */
const loadAgain = (): Promise<void> => {
  for (const endpoint of [importMessages, readImport]) becameOld(endpoint);
  return queryClient.invalidateQueries({ queryKey: [listMappings.path] });
};

/**
 * Decides codes while the list stays usable: a decided one leaves the list at once, and comes back if the
 * server refuses. Several decisions can be pending at the same time.
 */
export function useCodeDecisions(rows: readonly CodeMapping[] | undefined) {
  const [hidden, setHidden] = useState<Hidden>(new Map());
  const undo = useRef<(() => Promise<void>) | null>(null);
  const message = useRef<number | null>(null);
  // Rows the list no longer has need not be hidden, and appear again if someone reopens them.
  useEffect(() => {
    if (rows) setHidden((before) => kept(before, (id) => rows.some((row) => row.id === id)));
  }, [rows]);
  const decide = useCallback(async (asked: MappingState, codes: readonly Decided[]) => {
    const [first] = codes as [Decided];
    const { mapping } = first;
    // The words for one code are those of how it is decided.
    const state = codes.length === 1 ? stateOf(asked, first) : asked;
    const decisions = new Map(codes.map((one) => [one.mapping.id, { state: stateOf(asked, one) }]));
    const isOurs = (id: string, decision: { state: MappingState }) => decisions.get(id) === decision;
    const count = codes.length;
    const code = writtenAs(mapping);
    const returned = () => setHidden((before) => kept(before, (id, one) => !isOurs(id, one)));
    setHidden((before) => new Map([...before, ...decisions]));
    const sending = send(state, codes);
    const takenBack = async () => {
      if (undo.current === takenBack) undo.current = null;
      // A refused decision has nothing to undo, and its own message.
      const isDecided = await sending.then(
        () => true,
        () => false,
      );
      if (!isDecided) return;
      const reopen = async () => {
        await send('open', codes);
        // Shown before the list has them again, they would flicker.
        await loadAgain();
        returned();
      };
      await takeBack(reopen, count === 1 ? 'imports:codes.takenBack' : 'imports:codes.reopened', {
        code,
        count,
      });
    };
    if (state !== 'open') undo.current = takenBack;
    try {
      const number = await sending;
      const said =
        state === 'open'
          ? count === 1
            ? 'imports:codes.takenBack'
            : 'imports:codes.reopened'
          : count > 1
            ? 'imports:codes.resolved'
            : state === 'ignored'
              ? 'imports:codes.leftOut'
              : 'imports:codes.decided';
      // Forty decisions in five minutes would otherwise queue forty messages.
      message.current = notify('success', said, {
        // The number of messages selects the plural for one code, the number of codes for several.
        values: { count: count > 1 || state === 'open' ? count : number, number, code },
        replaces: message.current,
        ...(state !== 'open' && {
          action: { label: 'imports:codes.takeBack', run: () => void takenBack() },
        }),
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (undo.current === takenBack) undo.current = null;
      returned();
      notify('error', `error.${error.code}`);
    }
    void loadAgain();
  }, []);
  /** Undoes the last decision. */
  const undoLast = useCallback(() => void undo.current?.(), []);
  /**
   * True for a code whose decision the list does not have yet. The list of codes decided in the same way does
   * show it.
   */
  const isHidden = ({ id, state }: CodeMapping) => {
    const decision = hidden.get(id);
    return decision !== undefined && decision.state !== state;
  };
  return { isHidden, decide, undoLast };
}

function kept(hidden: Hidden, keeps: (id: string, decision: { state: MappingState }) => boolean): Hidden {
  const left = [...hidden].filter(([id, decision]) => keeps(id, decision));
  return left.length === hidden.size ? hidden : new Map(left);
}
