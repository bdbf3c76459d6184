import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { constants } from 'node:zlib';
import type { Endpoint } from '@caseway/contract/endpoint';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { awayServer } from '../db/away-server.ts';
import type { Database } from '../db/database.ts';
import type { Auditor, Authorizer } from './access.ts';
import { AnonymousLimits, type AnonymousOptions } from './anonymous.ts';
import { AppError, asAppError } from './app-error.ts';
import { isInside, refuseFloods } from './flood.ts';
import { measure } from './metrics.ts';

export interface AppOptions {
  database: Database;
  authorizer: Authorizer;
  auditor: Auditor;
  log: Logger;
  /** The public address of the product; https adds headers that only make sense there. */
  publicUrl: string;
  behindProxy?: boolean;
  /** Checks each answer against its declaration; for tests and development. */
  checkAnswers?: boolean;
  patience?: Patience;
  /** Milliseconds that a list may take, if different from the default of `findRows`. */
  listMs?: number;
  /** The pool for signed-out requests, so that people who are signed in do not wait behind them. [P25] */
  anonymousDatabase?: Database;
  anonymous?: AnonymousOptions;
}

/** Milliseconds to wait for a client. */
export interface Patience {
  /** Time to send the head of a request. */
  headers: number;
  /** Time to send its body; for an upload, the longest silence while it is sent. */
  body: number;
  /** The longest silence while the answer is made and received. */
  answer: number;
}

/** The running application that endpoints are registered with. */
export interface App {
  readonly fastify: FastifyInstance;
  readonly database: Database;
  readonly authorizer: Authorizer;
  readonly auditor: Auditor;
  readonly log: Logger;
  readonly checkAnswers: boolean;
  /** All endpoints served so far, for the API description. */
  readonly endpoints: Endpoint[];
  /** Checks of /health/ready by name; each rejects when its part is not ready. */
  readonly readiness: Map<string, () => Promise<void>>;
  readonly metrics: Registry;
  /** Aborted when the server closes. It ends event streams; other requests are finished. */
  readonly closing: AbortSignal;
  readonly patience: Patience;
  readonly listMs: number | undefined;
  readonly anonymousDatabase: Database;
  readonly anonymous: AnonymousLimits;
  /** Paths of public endpoints, where a stranger can be refused before the request is read. */
  readonly refusedEarly: Set<string>;
  /** Answers an address without a route; the web client puts its page here. */
  notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a stream that the handler reads itself, at its own pace. */
    upload?: boolean;
  }
}

/** Media types that are compressed. The library compresses others too, so each route also decides. */
export const compressed = /^(application\/json|text\/csv)\b/;

/** Paths under which the web client is never served. */
export const apiPaths = ['/api/', '/auth/', '/health/', '/metrics'];

/** Creates the HTTP layer: limits, security headers, request ids, error answers, measurements; no endpoint yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const {
    database,
    authorizer,
    auditor,
    log,
    publicUrl,
    behindProxy = false,
    checkAnswers = false,
  } = options;
  const patience = options.patience ?? { headers: 10_000, body: 10_000, answer: 60_000 };
  const instance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 2 ** 20,
    connectionTimeout: patience.answer,
    keepAliveTimeout: 65_000,
    // Uploads may take long; other bodies have their own limit below.
    requestTimeout: 0,
    http: { headersTimeout: patience.headers, connectionsCheckingInterval: Math.min(2000, patience.headers) },
    // Addresses in the audit log come from the proxy, and only one in a private network is trusted.
    trustProxy: behindProxy && isInside,
    return503OnClosing: true,
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request as FastifyRequest, reply as FastifyReply),
  }) as unknown as FastifyInstance;
  const metrics = new Registry();
  const closing = new AbortController();

  instance.removeAllContentTypeParsers();
  const parseJson = instance.getDefaultJsonParser('error', 'error');
  // Read as bytes, because decoding invalid UTF-8 would make text that nobody sent.
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    let text: string;
    try {
      text = utf8.decode(bytes as Buffer);
    } catch (cause) {
      done(new AppError('malformed-request', { message: 'The request is not in UTF-8.', cause }));
      return;
    }
    if (text === '') done(null, undefined);
    else parseJson(request, text, done);
  });

  await instance.register(helmet, securityHeaders(publicUrl));
  // Lists and tables shrink to a fifth or less. The web client's files are compressed when it is built. A file that
  // is written in pieces is sent in pieces; otherwise even the start of a slow file would wait for a full block.
  await instance.register(compress, {
    encodings: ['br', 'gzip'],
    customTypes: compressed,
    threshold: 1400,
    // A small body that unpacks to a large one would pass the limits.
    globalDecompression: false,
    brotliOptions: {
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    },
    zlibOptions: { flush: constants.Z_SYNC_FLUSH },
  });
  instance.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // For everything, however the address is written; the files of the web client set their own. [P20]
    reply.header('cache-control', 'no-store');
  });
  limitBodyTime(instance, patience.body);
  measure(instance, metrics, database);
  instance.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, id } = request;
    // The route's pattern, never the address itself, which can contain search terms. [P16]
    const route = routeOptions.url ?? 'no route';
    const entry = {
      requestId: id,
      method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    // Probes and files of the web client would hide people's requests.
    const told = ['/api/', '/auth/'].some((path) => route.startsWith(path)) || reply.statusCode >= 400;
    log[reply.statusCode >= 500 ? 'warn' : told ? 'info' : 'debug'](entry, 'answered');
  });
  // A connection that finishes its request while the server closes would be kept for the next request, and keep the
  // server open.
  instance.addHook('onResponse', async (request) => {
    if (closing.signal.aborted) request.raw.socket.destroySoon();
  });
  instance.addHook('preClose', async () => closing.abort());

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    // Not a failure: the reader has left during the request, and nobody reads an answer.
    if (reply.raw.destroyed && error instanceof Error && error.name === 'AbortError') {
      log.info({ requestId: request.id, route: request.routeOptions?.url }, 'the reader left');
      return reply.send();
    }
    const refusal = asAppError(error);
    // These headers belong to the file that was to be sent.
    for (const name of ['content-encoding', 'content-disposition']) reply.removeHeader(name);
    if (refusal.code === 'internal')
      log.error({ err: error, requestId: request.id, route: request.routeOptions?.url }, 'a request failed');
    else if (refusal.passes)
      log.warn(
        { code: (error as { code?: string }).code, ...awayServer(error), requestId: request.id },
        refusal.code === 'disk-full' ? 'the disk is full' : 'the database was not available',
      );
    if (refusal.details.retryAfter !== undefined) reply.header('retry-after', refusal.details.retryAfter);
    // Closing a connection while its body is being sent loses the answer: a proxy then says 502. So the rest of the
    // body is read and discarded for a moment.
    if (refusal.code === 'too-large') reply.removeHeader('connection');
    return reply
      .code(refusal.status)
      .header('cache-control', 'no-store')
      .type('application/json')
      .send(JSON.stringify(refusal.body(request.id)));
  }
  instance.setErrorHandler(answerError);
  instance.setNotFoundHandler((request, reply) => app.notFound(request, reply));

  const app: App = {
    notFound() {
      throw new AppError('not-found');
    },
    fastify: instance,
    database,
    authorizer,
    auditor,
    log,
    checkAnswers,
    endpoints: [],
    readiness: new Map([['database', () => database.ping()]]),
    metrics,
    closing: closing.signal,
    patience,
    listMs: options.listMs,
    anonymousDatabase: options.anonymousDatabase ?? database,
    anonymous: new AnonymousLimits(options.anonymous),
    refusedEarly: new Set(),
  };
  refuseFloods(instance.server as Server, {
    limits: app.anonymous,
    paths: app.refusedEarly,
    behindProxy,
    log,
    registry: metrics,
  });
  return app;
}

/** Answers requests that are not valid HTTP, like any other refusal. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  // Browsers open spare connections. They would take an answer on one for that of the next request.
  if (socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const refusal = new AppError(error.code === 'HPE_HEADER_OVERFLOW' ? 'too-large' : 'malformed-request');
  const body = JSON.stringify(refusal.body(randomUUID()));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A sender who continues is not awaited.
  setTimeout(() => socket.destroy(), 1000).unref();
}

/** A one-time value that allows the scripts and styles of one page. */
export const nonceOf = (reply: FastifyReply): string => {
  const raw = reply.raw as typeof reply.raw & { cspNonce?: string };
  raw.cspNonce ??= randomUUID();
  return raw.cspNonce;
};

/** [P20] */
function securityHeaders(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const nonce = (_: unknown, response: unknown) => `'nonce-${nonceOf({ raw: response } as FastifyReply)}'`;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", nonce],
        styleSrc: ["'self'", nonce],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    frameguard: { action: 'deny' as const },
    hsts: secure ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
  };
}

/** Milliseconds for the rest of a body after the answer has been sent: a busy sender notices the answer only later. */
const afterAnswerMs = 3000;

/**
 * Cuts off a sender who does not send a request's body in time. A handler that reads an upload does this itself.
 * [P10]
 */
function limitBodyTime(instance: FastifyInstance, milliseconds: number): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  instance.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.upload) return;
    timers.set(
      request,
      setTimeout(() => request.raw.destroy(), milliseconds),
    );
  });
  const arrived = async (request: FastifyRequest) => clearTimeout(timers.get(request));
  instance.addHook('preValidation', arrived);
  instance.addHook('onResponse', async (request) => {
    clearTimeout(timers.get(request));
    const { raw } = request;
    // The answer was sent, so the rest of the body is not needed and not waited for.
    if (!raw.complete) setTimeout(() => !raw.complete && raw.destroy(), afterAnswerMs).unref();
  });
  instance.addHook('onRequestAbort', arrived);
}
