import type { Analytics } from '../analytics/engine.ts';
import { outboxChannel } from '../analytics/outbox.ts';
import type { Database } from '../db/database.ts';
import type { EventHub } from './hub.ts';

export interface FreshnessOptions {
  analytics: Pick<Analytics, 'onFreshness'>;
  hub: EventHub;
  /** The servers with which this process shares its replicas, so that it notifies their streams too. */
  fleet?: string;
  /** Present if PostgreSQL answers: then a commit is in the numbers as soon as it is announced. */
  database?: Database;
  /** Milliseconds between two notifications of a tenant. During an import its facts change many times a second. */
  pause?: number;
}

/**
 * Tells the open streams of this process, and of those that it shares replicas with, that numbers have changed. Only
 * readers from whom nothing is hidden are notified: to others it would reveal that something was stored that they
 * may not see. They are notified at fixed intervals. [P18, P24]
 */
export async function tellFreshness({
  analytics,
  hub,
  fleet,
  database,
  pause = 1000,
}: FreshnessOptions): Promise<() => Promise<void>> {
  /** What to send when a tenant's pause is over; null if nothing has come since. */
  const waiting = new Map<string, Date | null>();
  const tell = (tenantId: string, asOf: Date) => {
    if (waiting.has(tenantId)) {
      waiting.set(tenantId, asOf);
      return;
    }
    const event = { type: 'freshness' as const, asOf: asOf.toISOString() };
    if (fleet === undefined) hub.tell({ tenantId, whole: true }, event);
    // Without the database nobody could read the new numbers either.
    else hub.publish({ tenantId, whole: true, fleet }, event).catch(hub.miss);
    waiting.set(tenantId, null);
    setTimeout(() => {
      const since = waiting.get(tenantId);
      waiting.delete(tenantId);
      if (since) tell(tenantId, since);
    }, pause).unref();
  };
  const unsubscribe = analytics.onFreshness(({ tenantId, asOf, changed }) => {
    if (changed) tell(tenantId, asOf);
  });
  const unlisten = await database?.listen(outboxChannel, (tenantId) => tell(tenantId, new Date()), hub.miss);
  return async () => {
    unsubscribe();
    await unlisten?.();
  };
}
