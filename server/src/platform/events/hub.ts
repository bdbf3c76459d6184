import { type StreamEvent, streamEvent } from '@caseway/contract/events';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database, Tx } from '../db/database.ts';

/**
 * The recipients of an event: everyone in a tenant, people who see what belongs to an organisation or a facility, or
 * one person.
 */
export interface Hearers {
  tenantId: string;
  /**
   * Absent: everyone who reads the tenant. Otherwise the tenant itself and only these, as for a row with these
   * columns.
   */
  within?: { organizationId: string | null; facilityId: string | null };
  /** Only this person. */
  accountId?: string;
  /** Only readers from whom nothing of the tenant is hidden. */
  whole?: true;
  /** Only at the servers that share replicas. */
  fleet?: string;
}

/** Cached data that a change has made outdated: a session, or the look-up entries of a tenant. */
export interface Outdated {
  kind: 'session' | 'lookups';
  id: string;
}

export type Heard = (hearers: Hearers, event: StreamEvent) => void;

/** Carries events from any process to every open stream of any other, through the database. */
export interface EventHub {
  publish(hearers: Hearers, event: StreamEvent): Promise<void>;
  /** Sends only to the open streams of this process. */
  tell: Heard;
  /** Reports to this process that events may have been lost. */
  miss(): void;
  /**
   * `missed` is called when events of other processes may have been lost: a client that shows them has to load again.
   */
  subscribe(heard: Heard, missed?: () => void): () => void;
  /** `forget` is called for data that any process has changed. */
  onOutdated(forget: (outdated: Outdated) => void): void;
  close(): Promise<void>;
}

const channel = 'caseway_events';
const outdated = z.strictObject({
  outdated: z.strictObject({ kind: z.enum(['session', 'lookups']), id: z.uuid() }),
});
const carried = z.strictObject({
  hearers: z.strictObject({
    tenantId: z.uuid(),
    within: z
      .strictObject({ organizationId: z.uuid().nullable(), facilityId: z.uuid().nullable() })
      .optional(),
    accountId: z.uuid().optional(),
    whole: z.literal(true).optional(),
    fleet: z.uuid().optional(),
  }),
  event: streamEvent,
});

/** Attaches an event to a transaction: it is sent when the transaction commits, and not if it is rolled back. */
export async function publishWith(tx: Tx, hearers: Hearers, event: StreamEvent): Promise<void> {
  await tx.rows('select pg_notify($1, $2)', [channel, JSON.stringify(carried.parse({ hearers, event }))]);
}

/** The same for many events, in one statement. */
export async function publishEachWith(
  tx: Tx,
  events: readonly { hearers: Hearers; event: StreamEvent }[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.rows('select pg_notify($1, payload) from unnest($2::text[]) as given (payload)', [
    channel,
    events.map((one) => JSON.stringify(carried.parse(one))),
  ]);
}

/** Makes every process drop cached data once the transaction has committed. */
export async function outdateWith(tx: Tx, changed: Outdated): Promise<void> {
  await tx.rows('select pg_notify($1, $2)', [channel, JSON.stringify({ outdated: changed })]);
}

/** `fleet`: the servers with which this process shares its replicas. */
export async function createEventHub({
  database,
  log,
  fleet,
}: {
  database: Database;
  log: Logger;
  fleet?: string;
}): Promise<EventHub> {
  const listeners = new Set<Heard>();
  const missing = new Set<() => void>();
  const forgetting = new Set<(changed: Outdated) => void>();
  const tell: Heard = (hearers, event) => {
    for (const heard of listeners) heard(hearers, event);
  };
  const hear = (payload: string) => {
    let parsed: z.infer<typeof carried> | z.infer<typeof outdated>;
    try {
      parsed = z.union([carried, outdated]).parse(JSON.parse(payload));
    } catch (error) {
      // Sent by another version of the product, while one replaces the other.
      log.warn({ err: error }, 'an event could not be read');
      return;
    }
    if ('outdated' in parsed) {
      for (const forget of forgetting) forget(parsed.outdated);
      return;
    }
    const { hearers } = parsed;
    if (hearers.fleet === undefined || hearers.fleet === fleet) tell(hearers, parsed.event);
  };
  const miss = () => {
    for (const missed of missing) missed();
  };
  const stop = await database.listen(channel, hear, miss);
  return {
    publish: (hearers, event) =>
      database.withScope({ kind: 'system' }, (tx) => publishWith(tx, hearers, event)),
    tell,
    miss,
    subscribe(heard, missed) {
      listeners.add(heard);
      if (missed) missing.add(missed);
      return () => {
        listeners.delete(heard);
        if (missed) missing.delete(missed);
      };
    },
    onOutdated: (forget) => void forgetting.add(forget),
    close: stop,
  };
}
