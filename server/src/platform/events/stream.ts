import { PassThrough } from 'node:stream';
import type { Permission } from '@caseway/contract/endpoint';
import { events, type StreamEvent } from '@caseway/contract/events';
import { calmMoment } from '../analytics/calm-moment.ts';
import { type Holder, type IdentityAuthorizer, orgTokenHeader } from '../auth/authorizer.ts';
import type { ActingOrg } from '../http/access.ts';
import type { App } from '../http/app.ts';
import { AppError } from '../http/app-error.ts';
import { serve } from '../http/serve.ts';
import { isLimited, type Scope } from '../scope.ts';
import type { EventHub, Hearers } from './hub.ts';

/** The permission needed to open a stream. */
const toListen: Permission = 'general/other';
/** The permission needed for each event. */
const permissionFor: Record<StreamEvent['type'], Permission> = {
  'import-progress': 'imports/read',
  freshness: toListen,
  'bulk-progress': toListen,
  'file-progress': toListen,
  'inbox-changed': toListen,
  'settings-changed': toListen,
};

/** Milliseconds from a visible change to the notification about new numbers. Replicas have followed by then. */
const followedMs = 2000;
/** Streams that one account can have open, over all its devices and tabs. */
const streamsPerAccount = 30;
/** Milliseconds between the ends of streams, on average, after events were lost. */
const sendBackMs = 5;
/** Bytes that may wait for a slow reader. Beyond that it is cut off, and reconnects when it can. */
const patienceBytes = 65_536;

export interface StreamTimes {
  /** Milliseconds between checks of sessions and memberships. [P14] */
  check: number;
  /** Milliseconds between heartbeats. */
  heartbeat: number;
  /** Milliseconds between events that say to read the numbers again, sent whether or not they have changed. */
  beat: number;
}

interface Stream extends Holder {
  org: ActingOrg;
  output: PassThrough;
  /** The previous event. Events are sent in order, although finding the readers takes a query. */
  told: Promise<void>;
  /** When the next event to read the numbers again is due. */
  beatAt: number;
  /** Set while a notification is due for a change that the reader sees. */
  following?: NodeJS.Timeout;
}

/** What a person receives of an event for their organisation; null: nothing. */
export type HeardBy = StreamEvent | null;
export type Hears = (scope: Scope, event: StreamEvent) => Promise<HeardBy>;

/** Serves the stream of events to everyone who is signed in, until their session or their membership ends. */
export function serveEvents(
  app: App,
  authorizer: IdentityAuthorizer,
  hub: EventHub,
  hears: Hears,
  { check, heartbeat, beat }: StreamTimes = { check: 2000, heartbeat: 15_000, beat: 300_000 },
): void {
  const streams = new Set<Stream>();

  const close = (stream: Stream) => {
    if (streams.delete(stream)) stream.output.end();
  };
  const write = (stream: Stream, text: string) => {
    stream.output.write(text);
    if (stream.output.writableLength <= patienceBytes) return;
    streams.delete(stream);
    stream.output.destroy();
  };
  const tellNumbers = (stream: Stream) =>
    write(stream, `event: freshness\ndata: ${JSON.stringify({ asOf: calmMoment().toISOString() })}\n\n`);

  serve(app, events, (call) => {
    const { account, org } = call;
    const own = [...streams].filter((stream) => stream.account.accountId === account.accountId);
    if (own.length >= streamsPerAccount) throw new AppError('too-many-requests', { retryAfter: 60 });
    const stream: Stream = {
      account,
      org,
      orgToken: call.header(orgTokenHeader)!,
      output: new PassThrough(),
      told: Promise.resolve(),
      beatAt: performance.now() + beat,
    };
    streams.add(stream);
    call.signal.addEventListener('abort', () => close(stream), { once: true });
    stream.output.once('close', () => streams.delete(stream));
    // So that proxies pass it on, and the browser knows immediately that the stream is open.
    call.setHeader('x-accel-buffering', 'no');
    // An ended stream leaves no connection that a closing server would wait for.
    call.setHeader('connection', 'close');
    write(stream, ': here\n\n');
    return stream.output;
  });

  const tell = (hearers: Hearers, event: StreamEvent) => {
    const { accountId } = hearers;
    for (const stream of streams) {
      if (accountId !== undefined && stream.account.accountId !== accountId) continue;
      // The jurisdictions that tenants report to may have changed since its stream was opened.
      if (stream.org.orgType === 'PHJ' || reaches(hearers, stream.org))
        stream.told = stream.told.then(() => deliver(stream, hearers, event));
    }
  };
  // Clients whose stream ends reconnect and load their screen again. They do so at different times.
  const sendBack = () => {
    const spread = streams.size * sendBackMs;
    for (const stream of streams) setTimeout(close, Math.random() * spread, stream).unref();
  };
  const unsubscribe = hub.subscribe(tell, sendBack);

  async function deliver(stream: Stream, hearers: Hearers, event: StreamEvent): Promise<void> {
    let heard: HeardBy;
    try {
      const { account, orgToken } = stream;
      const { org, scopeIn } = await authorizer.authoriseFor(account, orgToken, toListen);
      if (!reaches(hearers, org)) return;
      const scope = scopeIn(hearers.tenantId);
      if (hearers.whole && isLimited(scope)) return;
      heard = await hears(scope, event);
      if (!heard) return;
      if (heard.type === 'import-progress' && isLimited(scope))
        stream.following ??= setTimeout(() => {
          stream.following = undefined;
          if (streams.has(stream)) tellNumbers(stream);
        }, followedMs).unref();
      const needed = permissionFor[heard.type];
      if (needed !== toListen) await authorizer.authoriseFor(account, orgToken, needed);
    } catch (error) {
      if (error instanceof AppError && error.status === 403) return;
      // It is unknown whether the event may be sent, so it is not. The reader loads again after reconnecting.
      close(stream);
      return;
    }
    const { type, ...data } = heard;
    if (streams.has(stream)) write(stream, `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  let checking = false;
  const checks = setInterval(async () => {
    if (checking || streams.size === 0) return;
    checking = true;
    try {
      for (const gone of await authorizer.revokedAmong([...streams])) close(gone as Stream);
    } catch (error) {
      // No stream stays open because the database did not answer.
      app.log.warn({ err: error }, 'open streams could not be checked, so they end');
      for (const stream of streams) close(stream);
    } finally {
      checking = false;
    }
  }, check);
  const beats = setInterval(() => {
    const now = performance.now();
    // Each stream has its own intervals, so that not everyone loads at the same moment.
    for (const stream of streams)
      if (now >= stream.beatAt) {
        stream.beatAt = now + beat;
        tellNumbers(stream);
      } else write(stream, ': still here\n\n');
  }, heartbeat);

  app.fastify.addHook('preClose', async () => {
    clearInterval(checks);
    clearInterval(beats);
    unsubscribe();
    for (const stream of streams) close(stream);
  });
}

/** Whether an organisation sees the subject of an event, by the same rule as row-level security. */
function reaches({ tenantId, within }: Hearers, { orgType, id, tenantIds }: ActingOrg): boolean {
  if (!tenantIds.includes(tenantId)) return false;
  if (!within || orgType === 'T') return true;
  return (orgType === 'O' && within.organizationId === id) || (orgType === 'F' && within.facilityId === id);
}
