import { PassThrough } from 'node:stream';
import type { Permission } from '@caseway/contract/endpoint';
import { events, type StreamEvent } from '@caseway/contract/events';
import { type Holder, type IdentityAuthorizer, orgTokenHeader } from '../auth/authorizer.ts';
import type { ActingOrg } from '../http/access.ts';
import type { App } from '../http/app.ts';
import { AppError } from '../http/app-error.ts';
import { serve } from '../http/serve.ts';
import type { Scope } from '../scope.ts';
import type { EventHub, Hearers } from './hub.ts';

/** What one has to be allowed to hear of it. */
const permissionFor: Record<StreamEvent['type'], Permission> = {
  'import-progress': 'imports/read',
  freshness: 'general/other',
  'settings-changed': 'general/other',
};

/** Streams one account can hold open, over all its devices and tabs. */
const streamsPerAccount = 30;
/** Streams end so many milliseconds after each other, on average, when events were lost. */
const sendBackMs = 5;
/** Bytes that may wait for a reader who does not take them; then it is cut off, and comes back when it can. */
const patienceBytes = 65_536;

export interface StreamTimes {
  /** Milliseconds between looks at who has lost session or membership. [P14] */
  check: number;
  /** Milliseconds between signs of life. */
  heartbeat: number;
}

interface Stream extends Holder {
  org: ActingOrg;
  output: PassThrough;
  /** Of the event before: they come in their order, though it takes a look who hears them. */
  told: Promise<void>;
}

/** Whether somebody of this scope may hear an event that reaches their organisation. */
export type Hears = (scope: Scope, event: StreamEvent) => Promise<boolean>;

/** Serves the stream of events to everybody who is signed in, until their session or their membership ends. */
export function serveEvents(
  app: App,
  authorizer: IdentityAuthorizer,
  hub: EventHub,
  hears: Hears,
  { check, heartbeat }: StreamTimes = { check: 2000, heartbeat: 15_000 },
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
    };
    streams.add(stream);
    call.signal.addEventListener('abort', () => close(stream), { once: true });
    stream.output.once('close', () => streams.delete(stream));
    // So that proxies pass it on, and the browser knows at once that it is there.
    call.setHeader('x-accel-buffering', 'no');
    // A stream that ends leaves no connection behind that a closing server would wait for.
    call.setHeader('connection', 'close');
    write(stream, ': here\n\n');
    return stream.output;
  });

  const tell = (hearers: Hearers, event: StreamEvent) => {
    // To whom a jurisdiction's tenants report may have changed since its stream was opened.
    for (const stream of streams)
      if (stream.org.orgType === 'PHJ' || reaches(hearers, stream.org))
        stream.told = stream.told.then(() => deliver(stream, hearers, event));
  };
  // Whose stream ends comes back and reads again what the screen shows; not everybody at the same moment.
  const sendBack = () => {
    const spread = streams.size * sendBackMs;
    for (const stream of streams) setTimeout(close, Math.random() * spread, stream).unref();
  };
  const unsubscribe = hub.subscribe(tell, sendBack);

  async function deliver(stream: Stream, hearers: Hearers, event: StreamEvent): Promise<void> {
    const { type, ...data } = event;
    try {
      const { account, orgToken } = stream;
      const { org, scopeIn } = await authorizer.authoriseFor(account, orgToken, permissionFor[type]);
      if (!reaches(hearers, org) || !(await hears(scopeIn(hearers.tenantId), event))) return;
    } catch (error) {
      if (error instanceof AppError && error.status === 403) return;
      // It could not be found out whether it may be told, so it is not; the reader asks again when it comes back.
      close(stream);
      return;
    }
    if (streams.has(stream)) write(stream, `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  let checking = false;
  const checks = setInterval(async () => {
    if (checking || streams.size === 0) return;
    checking = true;
    try {
      for (const gone of await authorizer.revokedAmong([...streams])) close(gone as Stream);
    } catch (error) {
      // Nobody keeps a stream because the database could not be asked.
      app.log.warn({ err: error }, 'open streams could not be checked, so they end');
      for (const stream of streams) close(stream);
    } finally {
      checking = false;
    }
  }, check);
  const beats = setInterval(() => {
    for (const stream of streams) write(stream, ': still here\n\n');
  }, heartbeat);

  app.fastify.addHook('preClose', async () => {
    clearInterval(checks);
    clearInterval(beats);
    unsubscribe();
    for (const stream of streams) close(stream);
  });
}

/** Whether an organisation sees what an event is about, by the same rule as row-level security. */
function reaches({ tenantId, within }: Hearers, { orgType, id, tenantIds }: ActingOrg): boolean {
  if (!tenantIds.includes(tenantId)) return false;
  if (!within || orgType === 'T') return true;
  return (orgType === 'O' && within.organizationId === id) || (orgType === 'F' && within.facilityId === id);
}
