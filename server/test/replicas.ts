import { expect } from 'vitest';
import { outboxChannel } from '../src/platform/analytics/outbox.ts';
import type { App } from '../src/platform/http/app.ts';
import { asSuperuser } from './database.ts';

/**
 * Waits until this many tenants' analytics replicas, those that the test has queried, answer instead of PostgreSQL.
 * From then on, nobody gets an older answer than before.
 */
export async function replicasAnswer(app: App, tenants: number): Promise<void> {
  const state = async () => {
    const { values } = await app.metrics.getSingleMetric('caseway_analytics_replicas')!.get();
    const count = (state: string) => values.find(({ labels }) => labels.state === state)?.value ?? 0;
    return { answering: count('following') >= tenants, pending: count('being made') + count('failing') };
  };
  await expect.poll(state, { interval: 50 }).toEqual({ answering: true, pending: 0 });
}

/**
 * Waits until the replicas have everything committed before the call. A correct number does not prove this: what was
 * committed after its last row may still be missing.
 */
export async function replicasFollow(app: App, superuserUrl: string): Promise<void> {
  const lag = async () => {
    const { values } = await app.metrics.getSingleMetric('caseway_analytics_lag_seconds')!.get();
    return values[0]!.value * 1000;
  };
  // A replica notes the time of its state a moment after its state. The second one begins when the first has ended.
  for (let times = 0; times < 2; times++) {
    const since = Date.now();
    await asSuperuser('select pg_notify($1, id::text) from tenant', [outboxChannel], superuserUrl);
    await expect.poll(async () => Date.now() - (await lag()) > since, { interval: 20 }).toBe(true);
  }
}
