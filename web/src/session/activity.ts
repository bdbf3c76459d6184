import { browserStore } from './storage.ts';

/** When someone last did something, in any tab: epoch milliseconds. */
const activityKey = 'caseway.last-activity';
/** It is noted this often at most. */
const graceMs = 5000;

let own = Date.now();

export function noteActivity(now: number = Date.now()): void {
  own = now;
  browserStore.set(activityKey, String(now));
}

export const lastActivity = (): number => Math.max(own, Number(browserStore.get(activityKey) ?? 0));

const signs = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Records the person's activity in this tab, and reports it; what the page does by itself does not count. Nothing is
 * recorded while `counts` is false.
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
