import { type ComponentType, lazy, useEffect, useState } from 'react';
import { loadChunk } from './chunk.ts';

/** Incremented each time someone tries to load a failed part again. */
let asked = 0;
/** Parts that failed are loaded again the next time they are shown. */
export const loadPartsAgain = (): void => {
  asked += 1;
};

type Load<Props extends object> = () => Promise<{ default: ComponentType<Props> }>;

/** The parts that were loaded ahead, by what loads them. */
const there = new WeakMap<() => Promise<unknown>, unknown>();

/**
 * Loads what is shown later. It is then shown at once: React would keep even a part that is there for 300 ms after the
 * placeholder of the one around it. A part that fails is loaded again, and reported, where it is shown. [S2.3]
 */
export function loadAhead<Props extends object>(load: Load<Props>): void {
  load().then(
    ({ default: component }) => void there.set(load, component),
    () => {},
  );
}

const quietMs = 1500;

/**
 * Loads what somebody may open from this component, once it has been shown for a moment: what the screen shows comes
 * first. `load` stays the same function.
 */
export function useAhead<Props extends object>(load: Load<Props>): void {
  useEffect(() => {
    const timer = setTimeout(() => loadAhead(load), quietMs);
    return () => clearTimeout(timer);
  }, [load]);
}

/** What was loaded ahead, if it is there. */
export const loadedAhead = <Props extends object>(load: Load<Props>): ComponentType<Props> | undefined =>
  there.get(load) as ComponentType<Props> | undefined;

/**
 * A component that is loaded when it is first shown. Unlike React's own `lazy`, a part that failed can be loaded
 * again: after `loadPartsAgain`, by the retry of the boundary around it. [S2.3]
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
  // A lazy component remembers its failure: each attempt needs a new one.
  let Loaded = begin();
  return function Part(props: Props) {
    // As long as it is shown it stays the same component, or it would begin again.
    const [Ahead] = useState(() => loadedAhead(load));
    if (Ahead) return <Ahead {...props} />;
    if (failedAt !== undefined && failedAt !== asked) Loaded = begin();
    return <Loaded {...props} />;
  };
}
