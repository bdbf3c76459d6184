import { browserStore } from './storage.ts';

/** When someone was last active, in any tab: epoch milliseconds. */
const activityKey = 'caseway.last-activity';
/** Activity is recorded at most this often, in milliseconds. */
const graceMs = 5000;

let own = Date.now();

export function noteActivity(now: number = Date.now()): void {
  own = now;
  browserStore.set(activityKey, String(now));
}

export const lastActivity = (): number => Math.max(own, Number(browserStore.get(activityKey) ?? 0));

const signs = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Records and reports the user's activity in this tab; what the page does on its own does not count. Nothing
 * is recorded while `counts` is false.
 */
export function watchActivity(told: () => void, counts: () => boolean): () => void {
  const sign = () => {
    const now = Date.now();
    if (now - own < graceMs || !counts()) return;
    noteActivity(now);
    told();
  };
  for (const name of signs) window.addEventListener(name, sign, { capture: true, passive: true });
  return () => {
    for (const name of signs) window.removeEventListener(name, sign, { capture: true });
  };
}
