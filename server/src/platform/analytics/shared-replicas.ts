import { randomUUID } from 'node:crypto';
import { type ErrorCode, errorStatus } from '@caseway/contract/error';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AppError, asAppError } from '../http/app-error.ts';
import type { Scope } from '../scope.ts';
import {
  type Analytics,
  type AnalyticsOptions,
  type Elsewhere,
  type PartElsewhere,
  type Request,
  startAnalytics,
} from './engine.ts';
import { AnalyticsBusy, AnalyticsTimeout } from './limits.ts';
import type { Reading } from './readings.ts';
import { askOwner, NoAnswer, openDoor } from './replica-door.ts';
import { type LeaseTimes, type Owner, ReplicaOwners, tooManyForPostgres } from './replica-owners.ts';
import { Sealed } from './sealed.ts';

export interface Sharing {
  /** The servers that share replicas. */
  fleet: string;
  /** The id of this process. */
  process: string;
  /** How many processes start together. */
  processes: number;
  /** The address that this process listens on for the others; port 0 picks a free one. */
  host: string;
  port: number;
  /** TOKEN_SECRET, from which the key of their messages is derived. */
  secret: string;
  times?: Partial<LeaseTimes>;
}

export type SharedOptions = Omit<AnalyticsOptions, 'owns' | 'elsewhere'> & { sharing: Sharing };

/** By then another process is the owner. */
const retryAfterSeconds = 5;
const defaultTimeoutMs = 10_000;
/** Milliseconds allowed for an answer in transit. */
const graceMs = 300;
/** Milliseconds that a process waits for a tenant it asked for; the other one closes the file first. */
const giveMs = 10_000;

const orgScope = z.strictObject({
  kind: z.literal('org'),
  tenantId: z.uuid(),
  orgType: z.enum(['A', 'T', 'O', 'F', 'PHJ']),
  orgId: z.string(),
  accountId: z.string(),
  counties: z.array(z.string()),
  hiddenFamilies: z.array(z.string()),
  genderIdentityShown: z.boolean(),
  privacyOfficer: z.boolean().optional(),
});
const asked = {
  reading: z.string(),
  args: z.unknown(),
  scope: orgScope,
  freshness: z.enum(['any', 'current']),
  urgency: z.enum(['list', 'chart']).optional(),
  timeoutMs: z.number().positive().max(600_000),
};
const rows = z.array(z.record(z.string(), z.unknown()));
const question = z.discriminatedUnion('kind', [
  /** A reading about one tenant. */
  z.strictObject({ kind: z.literal('whole'), ...asked }),
  /** The share of one tenant in a reading about several. It stays open until the reading ends. */
  z.strictObject({ kind: z.literal('part'), ...asked }),
  /** The rows of all shares for the last question of a reading. */
  z.strictObject({ kind: z.literal('merged'), session: z.uuid(), rows }),
  z.strictObject({ kind: z.literal('close'), session: z.uuid() }),
  /** A process that has fewer tenants asks for one. */
  z.strictObject({
    kind: z.literal('give'),
    server: z.uuid(),
    address: z.string(),
    held: z.number().int().nonnegative(),
  }),
]);
type Asked = Extract<z.infer<typeof question>, { kind: 'whole' | 'part' }>;

const reply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answer'), answer: z.unknown() }),
  z.strictObject({
    kind: z.literal('rows'),
    session: z.uuid(),
    rows,
    asOf: z.number(),
    version: z.string().optional(),
    by: z.enum(['duckdb', 'postgres']),
  }),
  z.strictObject({ kind: z.literal('end') }),
  z.strictObject({ kind: z.literal('not-mine') }),
  z.strictObject({ kind: z.literal('timeout') }),
  z.strictObject({ kind: z.literal('busy') }),
  z.strictObject({ kind: z.literal('refused'), code: z.string(), retryAfter: z.number().optional() }),
]);
type Reply = z.infer<typeof reply>;

/** The share of a reading over several tenants that this process answers for another. */
interface Session {
  /** The reply that the other process waits for. */
  reply: PromiseWithResolvers<Reply>;
  merged: PromiseWithResolvers<readonly object[]>;
  end: AbortController;
}

/**
 * Analytics with replicas that are shared among the processes of one or several servers. Each tenant's replica
 * belongs to one process; the others check the reader and send it their questions. No process sends SQL.
 */
export async function startSharedAnalytics({ sharing, ...options }: SharedOptions): Promise<Analytics> {
  const { log, database } = options;
  const server = sharing.process;
  const sealed = new Sealed(sharing.secret);
  const readings = new Map<string, Reading<unknown, unknown>>();
  const sessions = new Map<string, Session>();
  let engine: Analytics;

  const door = await openDoor({
    ...sharing,
    server,
    sealed,
    async answer(given, signal): Promise<Reply> {
      const parsed = question.safeParse(given);
      if (!parsed.success) return { kind: 'refused', code: 'internal' };
      return answerOther(parsed.data, signal).catch((error) => asReply(error, log));
    },
  });
  const owners = new ReplicaOwners({
    ...sharing,
    database,
    log,
    server,
    address: door.address,
    size: (tenantId) => engine.size(tenantId),
    taken: (tenantId) => engine.take(tenantId),
    lost: (tenantId) => engine.letGo(tenantId),
    askForOne: (owner, wish) => askOwner(owner, sealed, { kind: 'give', ...wish }, { withinMs: giveMs }),
  });

  /** Answers from this process's replica or from PostgreSQL, without asking another process. */
  const readHere = <Args, Answer>(request: Request, reading: Reading<Args, Answer>, args: Args) =>
    engine.read({ ...request, asks: reading.asks }, (ask, asOf, by, version) =>
      reading.run(ask, args, { scopes: request.scopes, asOf, by, version }),
    );

  /** Answers another process, which has already checked the reader. */
  async function answerOther(given: z.infer<typeof question>, signal: AbortSignal): Promise<Reply> {
    if (given.kind === 'whole' || given.kind === 'part') {
      const reading = readings.get(given.reading);
      // This process is still starting, or has lost the lease.
      if (!reading || !owners.isMine(given.scope.tenantId)) return { kind: 'not-mine' };
      if (given.kind === 'part') return openSession(given, reading);
      const args = reading.args.parse(given.args);
      const answer = await readHere({ ...requestOf(given), signal }, reading, args);
      return { kind: 'answer', answer };
    }
    if (given.kind === 'give') {
      await owners.give(given);
      return { kind: 'end' };
    }
    const session = sessions.get(given.session);
    if (!session) throw new AnalyticsTimeout();
    if (given.kind === 'close') {
      session.end.abort(new Error('the reader has gone'));
      return { kind: 'end' };
    }
    session.reply = Promise.withResolvers();
    session.merged.resolve(given.rows);
    return session.reply.promise;
  }

  /** Runs a reading in step with the process that asked, on one state of the facts. Answers with its first rows. */
  function openSession(given: Asked, reading: Reading<unknown, unknown>): Promise<Reply> {
    const id = randomUUID();
    const end = new AbortController();
    const session: Session = { reply: Promise.withResolvers(), merged: Promise.withResolvers(), end };
    sessions.set(id, session);
    const late = setTimeout(() => end.abort(new AnalyticsTimeout()), given.timeoutMs);
    end.signal.addEventListener('abort', () => session.merged.reject(end.signal.reason));
    session.merged.promise.catch(() => {});
    const request = { ...requestOf(given), signal: end.signal };
    engine
      .read(request, async (ask, asOf, by, version) => {
        const inStep: typeof ask = async <Row extends object>(one: Parameters<typeof ask>[0]) => {
          const own = await ask<Row>(one);
          const answered = {
            asOf: asOf.getTime(),
            version,
            by: by === 'duckdb' ? by : ('postgres' as const),
          };
          session.reply.resolve({
            kind: 'rows',
            session: id,
            rows: own as Record<string, unknown>[],
            ...answered,
          });
          const merged = (await session.merged.promise) as Row[];
          session.merged = Promise.withResolvers();
          session.merged.promise.catch(() => {});
          return merged;
        };
        // Without a version, because a cached answer would ask no questions.
        await reading.run(inStep, reading.args.parse(given.args), { scopes: request.scopes, asOf, by });
      })
      .then(
        () => session.reply.resolve({ kind: 'end' }),
        (error) => session.reply.resolve(asReply(error, log)),
      )
      .finally(() => {
        clearTimeout(late);
        sessions.delete(id);
      });
    return session.reply.promise;
  }

  /**
   * Asks the owner of a tenant's replica and, if it does not answer, the next owner. `here` answers if this process
   * is the owner, or if PostgreSQL has to.
   */
  async function withOwner<T>(
    tenantId: string,
    ask: (owner: Owner) => Promise<T>,
    here: () => Promise<T>,
  ): Promise<T> {
    let owner: Owner | undefined;
    for (const isLast of [false, true]) {
      if (owners.isMine(tenantId)) return here();
      owner = owners.ownerOf(tenantId);
      if (owner && !owner.isOver && owner.server !== server) {
        try {
          return await ask(owner);
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error;
        }
      }
      if (isLast || !owner) break;
      await owners.look().catch(() => {});
    }
    if ((owner?.size ?? 0) >= tooManyForPostgres)
      throw new AppError('unavailable', { retryAfter: retryAfterSeconds });
    return here();
  }

  const send = async (
    owner: Owner,
    body: z.input<typeof question>,
    deadline: number,
    signal?: AbortSignal,
  ): Promise<Reply> => {
    // The owner enforces the time limit itself.
    const withinMs = Math.max(0, deadline - performance.now()) + graceMs;
    // An owner that hangs is waited for until another process takes its place.
    const left = new AbortController();
    const forget = owners.whenLeft(owner, () => left.abort(new NoAnswer('its lease has ended')));
    const asking = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
    const given = await askOwner(owner, sealed, body, { withinMs, signal: asking }).finally(forget);
    const parsed = reply.safeParse(given);
    if (!parsed.success || parsed.data.kind === 'not-mine') throw new NoAnswer('it is not the owner');
    throwRefusal(parsed.data);
    return parsed.data;
  };

  const elsewhere: Elsewhere = async (given, deadline) => {
    const { scope, signal, ...rest } = given;
    if (scope.kind !== 'org' || owners.isMine(scope.tenantId)) return undefined;
    const timeoutMs = Math.max(1, Math.floor(deadline - performance.now()));
    return withOwner<PartElsewhere | undefined>(
      scope.tenantId,
      async (owner) => {
        const opening = { kind: 'part' as const, ...rest, scope: plain(scope), timeoutMs };
        const first = await send(owner, opening, deadline, signal);
        // The reading asked no question.
        if (first.kind !== 'rows') return undefined;
        const { session, version, by } = first;
        let next: Promise<Reply> = Promise.resolve(first);
        return {
          asOf: new Date(first.asOf),
          by,
          version,
          async ask<Row extends object>() {
            const given = await next;
            if (given.kind !== 'rows') throw new Error('another process reads something else');
            return given.rows as Row[];
          },
          merged(all) {
            const told = { kind: 'merged' as const, session, rows: all as Record<string, unknown>[] };
            next = send(owner, told, deadline, signal).catch((error) => {
              throw error instanceof NoAnswer
                ? new AppError('unavailable', { retryAfter: retryAfterSeconds, cause: error })
                : error;
            });
            next.catch(() => {});
          },
          close: () => void send(owner, { kind: 'close', session }, deadline).catch(() => {}),
        };
      },
      async () => undefined,
    );
  };

  engine = await startAnalytics({ ...options, owns: (tenantId) => owners.isMine(tenantId), elsewhere });
  await owners.start();

  return {
    ...engine,
    declare: (reading) => void readings.set(reading.name, reading as Reading<unknown, unknown>),
    answer<Args, Answer>(request: Request, reading: Reading<Args, Answer>, args: Args): Promise<Answer> {
      const [scope] = request.scopes;
      if (request.scopes.length !== 1 || scope?.kind !== 'org') return engine.answer(request, reading, args);
      const { freshness, urgency, signal, timeoutMs = defaultTimeoutMs } = request;
      const deadline = performance.now() + timeoutMs;
      const whole = { kind: 'whole' as const, reading: reading.name, args, scope: plain(scope), timeoutMs };
      return withOwner<Answer>(
        scope.tenantId,
        async (owner) => {
          const given = await send(owner, { ...whole, freshness, urgency }, deadline, signal);
          if (given.kind !== 'answer') throw new NoAnswer('it answers something else');
          return given.answer as Answer;
        },
        () => readHere(request, reading, args),
      );
    },
    ended: (id) => owners.ended(id),
    async close() {
      await owners.stop();
      await door.close();
      for (const { end } of sessions.values()) end.abort(new AnalyticsTimeout());
      await engine.close();
      await owners.release().catch((error) => {
        log.warn({ err: error }, 'the leases of the analytics replicas run out by themselves');
      });
    },
  };
}

/** The scope as it is sent, without cached decisions. */
const plain = ({ glass: _, ...scope }: Extract<Scope, { kind: 'org' }>): z.input<typeof orgScope> => scope;

const requestOf = ({ scope, freshness, urgency, timeoutMs }: Asked): Request => ({
  scopes: [scope as Scope],
  freshness,
  urgency,
  timeoutMs,
});

function asReply(error: unknown, log: Logger): Reply {
  if (error instanceof AnalyticsTimeout) return { kind: 'timeout' };
  if (error instanceof AnalyticsBusy) return { kind: 'busy' };
  // Database errors are reported as for a local query: a database that does not answer is no fault of the program.
  const { code, details } = asAppError(error);
  if (code === 'internal') log.error({ err: error }, 'a question of another process could not be answered');
  return { kind: 'refused', code, retryAfter: details.retryAfter };
}

function throwRefusal(given: Reply): void {
  if (given.kind === 'timeout') throw new AnalyticsTimeout();
  if (given.kind === 'busy') throw new AnalyticsBusy();
  if (given.kind !== 'refused') return;
  const code = given.code in errorStatus ? (given.code as ErrorCode) : 'internal';
  throw new AppError(code, { retryAfter: given.retryAfter });
}
