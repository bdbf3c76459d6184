import { randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { deviceCookieName } from '../auth/device-cookie.ts';
import type { AnonymousLimits } from './anonymous.ts';
import { AppError } from './app-error.ts';

const inside = new BlockList();
for (const [network, bits, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const)
  inside.addSubnet(network, bits, family);

const plain = (address: string) => (address.startsWith('::ffff:') ? address.slice(7) : address);

/** Whether an address is in a private network, like the trusted proxy. */
export function isInside(address: string): boolean {
  const given = plain(address);
  return isIP(given) !== 0 && inside.check(given, isIPv6(given) ? 'ipv6' : 'ipv4');
}

/** The sender of a request: the address given by the last proxy outside the private network, as Fastify reads it. */
function addressOf(request: IncomingMessage, behindProxy: boolean): string {
  let address = request.socket.remoteAddress ?? '';
  if (!behindProxy) return address;
  const named = String(request.headers['x-forwarded-for'] ?? '').split(',');
  while (named.length > 0 && isInside(address)) {
    const before = named.pop()!.trim();
    if (before === '') break;
    address = before;
  }
  return address;
}

export interface FloodOptions {
  limits: AnonymousLimits;
  /** The paths of endpoints that are limited only by network and total, before anything of the body is known. */
  paths: ReadonlySet<string>;
  behindProxy: boolean;
  log: Logger;
  registry: Registry;
}

/** A larger body is not read to its end to keep the connection. */
const drainedBytes = 64 * 1024;
const tellEveryMs = 60_000;
/**
 * A refusal waits a random time between these milliseconds. A client that retries after each answer then uses at
 * most a tenth of a core, instead of a whole one, and simultaneous clients are spread out.
 */
const heldMs = { least: 500, most: 1500 };
/** If more than this many wait, refusals are sent immediately, because each wait occupies a connection. */
const heldAtOnce = 2000;

/**
 * Answers strangers whose request is certain to be refused as soon as its head has arrived: no route, no hook, no
 * body, no log line for each. Such a refusal costs a tenth of a later one. [P25]
 */
export function refuseFloods(
  server: Server,
  { limits, paths, behindProxy, log, registry }: FloodOptions,
): void {
  const refused = new Counter({
    name: 'caseway_strangers_refused_total',
    help: 'Requests without a sign-in that were refused before they were read',
    registers: [registry],
  });
  let untold = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let held = 0;
  const [handle] = server.listeners('request') as ((
    request: IncomingMessage,
    answer: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, answer: ServerResponse) => {
    const seconds = secondsFor(request);
    if (seconds === 0) {
      handle!(request, answer);
      return;
    }
    refuseLater(request, answer, seconds);
    refused.inc();
    untold += 1;
    if (performance.now() - toldAt > tellEveryMs) {
      log.warn({ requests: untold }, 'strangers ask too much and are refused');
      untold = 0;
      toldAt = performance.now();
    }
  });

  function refuseLater(request: IncomingMessage, answer: ServerResponse, seconds: number): void {
    if (held >= heldAtOnce) {
      refuse(request, answer, seconds);
      return;
    }
    held += 1;
    const timer = setTimeout(refuse, randomInt(heldMs.least, heldMs.most), request, answer, seconds);
    answer.once('close', () => {
      held -= 1;
      clearTimeout(timer);
    });
  }

  function secondsFor(request: IncomingMessage): number {
    const { url = '', headers } = request;
    const end = url.indexOf('?');
    if (!paths.has(end === -1 ? url : url.slice(0, end))) return 0;
    // A browser in which someone has signed in has its own allowance, if the cookie is valid.
    if (headers.cookie?.includes(deviceCookieName)) return 0;
    return limits.waitOf(addressOf(request, behindProxy));
  }
}

function refuse(request: IncomingMessage, answer: ServerResponse, seconds: number): void {
  const id = randomUUID();
  const refusal = new AppError('too-many-requests', { retryAfter: seconds });
  const body = JSON.stringify(refusal.body(id));
  const length = request.headers['content-length'];
  const isShort = length !== undefined && Number(length) <= drainedBytes;
  answer.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': String(seconds),
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
    ...(!isShort && { connection: 'close' }),
  });
  answer.end(body);
  // The rest of a long body is not read.
  if (!isShort) request.socket.destroySoon();
}
