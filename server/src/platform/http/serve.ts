import type { Readable } from 'node:stream';
import type { AuditDeed } from '@caseway/contract/audit-deed';
import type { Endpoint, Permission } from '@caseway/contract/endpoint';
import type { Fault } from '@caseway/contract/error';
import type { FeatureNeed } from '@caseway/contract/permission';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ScopeOptions, Tx } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Account, ActingOrg, AuditEntry, OwnRecord } from './access.ts';
import { ActiveCall, admit, type Granted } from './active-call.ts';
import type { Device, Visitor } from './anonymous.ts';
import { type App, compressed } from './app.ts';
import { AppError } from './app-error.ts';
import { assertDeclared } from './declared.ts';
import { jsonOf } from './kept-json.ts';
import { limitedUpload } from './limited-upload.ts';
import { guarded } from './long-answer.ts';
import { type ValidPart, validate, validPart } from './validation.ts';

/** The result of a handler: the declared answer, or a file or stream that is sent unchanged. */
export type Answer<Response extends z.ZodType> = Response extends z.ZodUndefined
  ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
    Readable | Buffer | string | void
  : z.input<Response>;

export interface ServeOptions<Body = unknown, Params = unknown, Query = unknown> {
  /**
   * On a public endpoint: the name that the request is about. Strangers can ask about it only a limited number of
   * times.
   */
  named?: (body: Body) => string | undefined;
  /** On a public endpoint: the session that a token in the body proves. It has its own allowance. */
  provenBy?: (body: Body) => Promise<string | undefined>;
  /**
   * The body is a file: the handler reads it from `call.upload`, which fails with `too-large` beyond this many bytes.
   * Any media type is accepted.
   */
  uploadLimit?: number;
  /** Maximum bytes of a JSON body; 1 MiB by default. */
  bodyLimit?: number;
  /**
   * Called if values in the query or the body are wrong. It returns the faults that the handler finds in the others,
   * so that one answer lists all faults. Its call has only the valid parts of both; `faulty` names the incomplete
   * properties. It writes nothing. [S5.1]
   */
  alsoWrong?: (
    call: Call<Params, ValidPart<Query>, ValidPart<Body>>,
    faulty: readonly string[],
  ) => Promise<Fault[]> | Fault[];
  /**
   * The body may contain texts with zero bytes or unpaired surrogates, which the handler does not pass to the
   * database.
   */
  anyText?: boolean;
}

/** One request, as its handler sees it. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The person who is signed in; throws on a public endpoint. */
  readonly account: Account;
  /** The organisation of the request; throws on an endpoint without a permission. */
  readonly org: ActingOrg;
  /** The record of the patient who sent the request; throws on other endpoints. */
  readonly patient: OwnRecord;
  /** The scope of this request in its first tenant; `identity` if the endpoint needs no permission. */
  readonly scope: Scope;
  /** Whether the policy also allows another permission. */
  may(permission: Permission): boolean;
  /** The tenants in which another permission may be used: those that have its features on; none if it is refused. */
  tenantsFor(permission: Permission, feature?: FeatureNeed): readonly string[];
  /** The scope of this request in one of `org.tenantIds`. */
  scopeIn(tenantId: string): Scope;
  /**
   * One transaction in the request's scope. If the endpoint carries patient data, or `audit` was called, the audit
   * row is written in it before it commits: without the row, nothing is stored or answered. [P15] With `own` it is
   * the scope of people's own columns, filters and saved views.
   */
  withScope<T>(
    work: (tx: Tx) => Promise<T>,
    options?: Omit<ScopeOptions, 'readOnly'> & { tenantId?: string; glass?: string; own?: true },
  ): Promise<T>;
  /**
   * The same in the scope of the service in the tenant of the patient who sent the request: for what patients may store
   * but their own scope may not write. Throws on other endpoints.
   */
  withService<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Sets the contents of the audit row of the current transaction, or otherwise of the whole request. Everything
   * except the records also applies to later rows. When the request is answered, every tenant whose scope it used
   * has a row.
   */
  audit(entry: AuditEntry): void;
  /** Writes a separate audit row immediately: for data that is read while the answer is already being sent. */
  writeAudit(tenantId: string, entry: AuditEntry): Promise<void>;
  /**
   * Reports that this many rows of a tenant were written to the answer. If the answer is cut off, the log has the
   * number.
   */
  gaveOut(tenantId: string, rows: number): void;
  /** The kind of action that the endpoint declares. */
  readonly deed: AuditDeed;
  /** Aborted when the caller disconnects; on an event stream also when the server closes. */
  readonly signal: AbortSignal;
  /** The body as it arrives, if `uploadLimit` was given. */
  readonly upload: Readable;
  /** The first language of Accept-Language; `en` without one. [S7.1] */
  readonly language: string;
  readonly requestId: string;
  /** The network address of the request. */
  readonly address: string;
  header(name: string): string | undefined;
  /** Sets a header of the answer, for example the name of a file. */
  setHeader(name: string, value: string): void;
  /** On a public endpoint: the sender's browser, if someone has signed in there before. */
  readonly device: Device | undefined;
}

/**
 * Registers an endpoint of the contract. Before `handler` runs, access is enforced and params, query and body are
 * strictly validated. After it, the audit row is written and the answer sent.
 */
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  app: App,
  endpoint: Endpoint<P, Q, B, R>,
  handler: (call: Call<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Answer<R>> | Answer<R>,
  options: ServeOptions<z.output<B>, z.output<P>, z.output<Q>> = {},
): void {
  app.endpoints.push(endpoint as unknown as Endpoint);
  const granted = new WeakMap<FastifyRequest, Granted>();
  const isUpload = options.uploadLimit !== undefined;
  const visitors = new WeakMap<FastifyRequest, Visitor>();
  // If a token in the body proves a session, the person is unknown until the body is read.
  if (endpoint.access === 'public' && !options.provenBy) app.refusedEarly.add(endpoint.path);

  /** Runs the handler of a public endpoint within the limits for strangers. [P25] */
  async function servePublic<T>(
    request: FastifyRequest,
    body: z.output<B>,
    work: () => Promise<T>,
  ): Promise<T> {
    let visitor = visitors.get(request)!;
    if (options.provenBy) {
      const session = await options.provenBy(body);
      if (session !== undefined) visitor = { key: `session ${session}`, isKnown: true };
      app.anonymous.admit(visitor);
    }
    const name = options.named?.(body);
    return app.anonymous.serve(visitor, name === undefined ? undefined : `${endpoint.path} ${name}`, work);
  }

  app.fastify.register(async (scoped) => {
    if (isUpload) {
      scoped.removeAllContentTypeParsers();
      scoped.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    }
    scoped.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit: options.bodyLimit,
      config: { upload: isUpload },
      // The length of a compressed answer reveals repetitions, so answers with a token are not compressed. Event
      // streams and files other than tables are also sent uncompressed.
      ...((endpoint.path.startsWith('/auth/') ||
        !compressed.test(endpoint.produces ?? 'application/json')) && {
        compress: false as const,
      }),
      // Before the body is read, so that people without access cannot send a large one.
      onRequest: async (request) => {
        granted.set(request, await admit(app, endpoint, request));
        if (endpoint.access === 'public') {
          const visitor = await app.anonymous.visitorOf(request);
          visitors.set(request, visitor);
          if (!options.provenBy) app.anonymous.admit(visitor);
        }
        const length = Number(request.headers['content-length'] ?? 0);
        if (isUpload && length > options.uploadLimit!) throw new AppError('too-large');
      },
      handler: async (request, reply) => {
        const params = endpoint.params ? validate(endpoint.params, request.params) : undefined;
        const isStream = endpoint.produces === 'text/event-stream';
        const callWith = (query: unknown, body: unknown, upload?: Readable) =>
          new ActiveCall(app, endpoint as unknown as Endpoint, request, granted.get(request)!, {
            params,
            query: endpoint.query ? query : undefined,
            body: endpoint.body ? body : undefined,
            upload,
            signal: departure(reply, isStream ? app.closing : undefined),
            setHeader: (name, value) => void reply.header(name, value),
            device: visitors.get(request)?.device,
          });
        const asked = endpoint.query ?? nothing;
        const sent = endpoint.body ?? nothing;
        const given = request.body ?? (endpoint.body ? undefined : {});
        const query = judged(asked, request.query);
        const body = isUpload ? { value: undefined } : judged(sent, given, { anyText: options.anyText });
        if (query.faults || body.faults) {
          const faults = [...(query.faults ?? []), ...(body.faults ?? [])];
          const valid = query.faults ? validPart(asked, request.query, query.faults) : query.value;
          const rest = body.faults ? validPart(sent, given, body.faults) : body.value;
          const faulty = body.faults
            ? Object.keys(given ?? {}).filter((name) => !isWhole(name, body.faults!))
            : [];
          const others = await options.alsoWrong?.(
            callWith(valid, rest) as unknown as Parameters<NonNullable<typeof options.alsoWrong>>[0],
            faulty,
          );
          throw new AppError('validation-failed', { faults: [...faults, ...(others ?? [])] });
        }
        const call: ActiveCall = callWith(
          query.value,
          body.value,
          isUpload ? limitedUpload(request, options.uploadLimit!, app, () => call.confirmation) : undefined,
        );
        // An event stream can be silent for a long time.
        if (isStream) request.raw.socket.setTimeout(0);
        const handle = async () => handler(call as unknown as Call<z.output<P>, z.output<Q>, z.output<B>>);
        const answer = await (endpoint.access === 'public'
          ? servePublic(request, body.value as z.output<B>, handle)
          : handle());
        if (isStream) return reply.type(endpoint.produces!).send(answer);
        if (endpoint.produces) {
          const file = guarded(answer as Readable | Buffer | string, reply, call.confirmation, call.brokeOff);
          try {
            await call.finishAudit();
            await call.confirmation.renew();
          } catch (error) {
            file.destroy(error as Error);
            throw error;
          }
          // The handler sets it for the other type.
          if (!reply.hasHeader('content-type')) reply.type(endpoint.produces);
          return reply.send(file);
        }
        await call.finishAudit();
        // The change was made, and is reported as made.
        if (isLookedAt(endpoint.deed)) await call.confirmation.renew();
        if (!endpoint.response) return reply.code(204).send();
        if (app.checkAnswers)
          assertDeclared(endpoint.response, answer, `${endpoint.method} ${endpoint.path}`);
        return reply.type('application/json').send(jsonOf(answer));
      },
    });
  });
}

/** The value, or its faults; throws other errors. */
function judged(
  schema: z.ZodType,
  value: unknown,
  options?: { anyText?: boolean },
): { value: unknown; faults?: undefined } | { value?: undefined; faults: readonly Fault[] } {
  try {
    return { value: validate(schema, value, options) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation-failed')
      return { faults: error.details.faults ?? [] };
    throw error;
  }
}

/** Whether a property has no fault. */
const isWhole = (name: string, faults: readonly Fault[]) =>
  !faults.some(({ path }) => path === name || path.startsWith(`${name}.`));

/** The schema for a part that an endpoint does not declare: nothing is allowed. */
const nothing = z.strictObject({});

/** Whether an action only reads, so that nothing is lost when its answer is withheld. */
const isLookedAt = (deed: AuditDeed) => ['read', 'search', 'numbers', 'export'].includes(deed);

/** Aborted when the connection closes before the answer was sent, and with `closing`. */
function departure(reply: FastifyReply, closing: AbortSignal | undefined): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return closing ? AbortSignal.any([gone.signal, closing]) : gone.signal;
}
