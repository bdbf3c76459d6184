import { type ComponentType, lazy, useEffect, useState } from 'react';
import { loadChunk } from './chunk.ts';

/** Incremented each time someone tries to load a failed part again. */
let asked = 0;
/** Makes failed parts load again the next time they are shown. */
export const loadPartsAgain = (): void => {
  asked += 1;
};

type Load<Props extends object> = () => Promise<{ default: ComponentType<Props> }>;

/** The preloaded parts, by their load function. */
const there = new WeakMap<() => Promise<unknown>, unknown>();

/**
 * Preloads what is shown later, so that it appears at once: React would keep even a loaded part hidden for
 * 300 ms after the surrounding placeholder. A part that fails is loaded again, and reported, where it is
 * shown. [S2.3]
 */
export function loadAhead<Props extends object>(load: Load<Props>): void {
  load().then(
    ({ default: component }) => void there.set(load, component),
    () => {},
  );
}

const quietMs = 1500;

/**
 * Preloads what users may open from this component, a moment after it is shown, because the screen's own
 * content comes first. `load` must stay the same function.
 */
export function useAhead<Props extends object>(load: Load<Props>): void {
  useEffect(() => {
    const timer = setTimeout(() => loadAhead(load), quietMs);
    return () => clearTimeout(timer);
  }, [load]);
}

/** The preloaded component, if it has arrived. */
export const loadedAhead = <Props extends object>(load: Load<Props>): ComponentType<Props> | undefined =>
  there.get(load) as ComponentType<Props> | undefined;

/**
 * A component loaded when first shown. Unlike with React's `lazy`, a failed part can be loaded again: after
 * `loadPartsAgain`, when the surrounding boundary retries. [S2.3]
 */
export function part<Props extends object>(name: string, load: Load<Props>): ComponentType<Props> {
  let failedAt: number | undefined;
  const begin = () => {
    failedAt = undefined;
    return lazy(async () => {
      try {
        return await loadChunk(name, load);
      } catch (error) {
        failedAt = asked;
        throw error;
      }
    }) as unknown as ComponentType<Props>;
  };
  // A lazy component remembers its failure, so each attempt needs a new one.
  let Loaded = begin();
  return function Part(props: Props) {
    // Must stay the same component while shown, or it would remount.
    const [Ahead] = useState(() => loadedAhead(load));
    if (Ahead) return <Ahead {...props} />;
    if (failedAt !== undefined && failedAt !== asked) Loaded = begin();
    return <Loaded {...props} />;
  };
}
