import { setTimeout as sleep } from 'node:timers/promises';

/** Runs work that never fails at intervals. Returns a function that stops it. */
export function regularly(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      await work();
      await sleep(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  };
  const looping = loop();
  return () => {
    stop.abort();
    return looping;
  };
}
