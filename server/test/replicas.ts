import { expect } from 'vitest';
import type { App } from '../src/platform/http/app.ts';

/**
 * Waits until the analytics replicas of this many tenants answer in place of PostgreSQL: those that the test has asked
 * about. From then on, nobody gets an older answer than before.
 */
export async function replicasAnswer(app: App, tenants: number): Promise<void> {
  const state = async () => {
    const { values } = await app.metrics.getSingleMetric('caseway_analytics_replicas')!.get();
    const count = (state: string) => values.find(({ labels }) => labels.state === state)?.value ?? 0;
    return { answering: count('following') >= tenants, pending: count('being made') + count('failing') };
  };
  await expect.poll(state, { interval: 50 }).toEqual({ answering: true, pending: 0 });
}
