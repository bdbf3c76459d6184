import { type ComponentType, lazy } from 'react';
import { loadChunk } from './chunk.ts';

/** Incremented each time someone tries to load a failed part again. */
let asked = 0;
/** Parts that failed are loaded again the next time they are shown. */
export const loadPartsAgain = (): void => {
  asked += 1;
};

/**
 * A component that is loaded when it is first shown. Unlike React's own `lazy`, a part that failed can be loaded
 * again: after `loadPartsAgain`, by the retry of the boundary around it. [S2.3]
 */
export function part<Props extends object>(
  name: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
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
    if (failedAt !== undefined && failedAt !== asked) Loaded = begin();
    return <Loaded {...props} />;
  };
}
