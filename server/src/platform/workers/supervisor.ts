import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { CrewMessage } from './crew.ts';
import type { Place } from './place.ts';

/** What a worker needs to start work. */
export interface Begin {
  place: Place;
  appUrl: string;
  ownerUrl?: string;
  databaseElsewhere?: string;
  poolSize: number;
}

/** From the primary to a worker. `stop`: finish running requests. `close`: all others have finished. */
export type ToWorker = { begin: Begin } | { stop: true } | { close: true } | CrewMessage;
/** From a worker to the primary: it answers requests, has answered the last one, or has failed for this reason. */
export type FromWorker = { ready: true } | { drained: true } | { failed: string } | CrewMessage;

export interface SupervisorOptions {
  /** The program of a worker. */
  exec: string;
  count: number;
  log: Logger;
  /** Milliseconds after which a worker that was asked to stop is killed. */
  stopMs: number;
}

/**
 * Milliseconds until a worker that ended soon after its start is started again; doubled each time, up to the
 * maximum.
 */
const [firstPauseMs, longestPauseMs] = [500, 30_000];
/** A worker that has lived this long is started again immediately. */
const steadyMs = 60_000;

interface Member {
  place: Place;
  worker: Worker;
  startedAt: number;
  isReady: boolean;
  isDrained: boolean;
  /** It has reported why it ends. */
  hasFailed: boolean;
}

/**
 * The processes that answer the requests of one server behind one port. This process passes messages between them,
 * and restarts a worker that has ended.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #server = randomUUID();
  readonly #members = new Map<number, Member>();
  readonly #shortLives = new Map<number, number>();
  #begin: Omit<Begin, 'place'> | undefined;
  #whenReady = Promise.withResolvers<void>();
  #isServing = false;
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#whenReady.promise.catch(() => {});
    cluster.setupPrimary({ exec: options.exec, serialization: 'advanced' });
    // They load the program while the database starts.
    for (let number = 1; number <= options.count; number += 1) this.#start(number);
  }

  /** Starts the workers' work. Resolves when all of them answer requests; rejects if one cannot. */
  begin(begin: Omit<Begin, 'place'>): Promise<void> {
    this.#begin = begin;
    for (const member of this.#members.values()) this.#sendBegin(member);
    return this.#whenReady.promise;
  }

  #start(number: number): void {
    const { count, log } = this.#options;
    const worker = cluster.fork();
    const place: Place = { number, of: count, server: this.#server, id: randomUUID() };
    const member: Member = {
      place,
      worker,
      startedAt: performance.now(),
      isReady: false,
      isDrained: false,
      hasFailed: false,
    };
    this.#members.set(number, member);
    worker.on('message', (message: FromWorker) => this.#hear(member, message));
    // A message to a worker that has just ended; its end is reported as well.
    worker.on('error', (error) => log.debug({ err: error, worker: number }, 'a worker is not reached'));
    worker.once('exit', (code, signal) => this.#ended(member, code, signal));
    if (this.#begin) this.#sendBegin(member);
  }

  #sendBegin({ worker, place }: Member): void {
    worker.send({ begin: { ...this.#begin!, place } } satisfies ToWorker);
  }

  #hear(member: Member, message: FromWorker): void {
    if ('ready' in message) {
      member.isReady = true;
      const isWhole = [...this.#members.values()].every(({ isReady }) => isReady);
      if (!isWhole || this.#isServing) return;
      this.#isServing = true;
      this.#whenReady.resolve();
    } else if ('drained' in message) {
      member.isDrained = true;
      this.#closeDrained();
    } else if ('failed' in message) {
      member.hasFailed = true;
      if (this.#isServing)
        this.#options.log.error({ worker: member.place.number, reason: message.failed }, 'a worker failed');
      else this.#whenReady.reject(new Error(message.failed));
    } else this.#passOn(member, message);
  }

  #closeDrained(): void {
    const members = [...this.#members.values()];
    if (!members.every(({ isDrained }) => isDrained)) return;
    for (const { worker } of members) worker.send({ close: true } satisfies ToWorker);
  }

  #passOn(from: Member, message: CrewMessage): void {
    for (const [number, { worker, isReady }] of this.#members)
      if (number !== from.place.number && isReady && (message.crew !== 'answer' || message.to === number))
        worker.send(message);
  }

  #ended(member: Member, code: number | null, signal: string | null): void {
    const { number, id } = member.place;
    const { log } = this.#options;
    this.#members.delete(number);
    if (this.#isStopping) {
      this.#closeDrained();
      return;
    }
    if (!this.#isServing) {
      this.#whenReady.reject(new Error(`A worker of the server ended at its start (${signal ?? code}).`));
      return;
    }
    this.#passOn(member, { crew: 'ended', id });
    const isSteady = performance.now() - member.startedAt > steadyMs;
    const shortLives = isSteady ? 0 : (this.#shortLives.get(number) ?? 0) + 1;
    this.#shortLives.set(number, shortLives);
    const pauseMs = isSteady ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (shortLives - 1));
    log.error({ worker: number, code, signal, pauseMs }, 'a worker has ended and is started again');
    setTimeout(() => {
      if (!this.#isStopping) this.#start(number);
    }, pauseMs).unref();
  }

  /** Lets the workers finish running requests. Throws if one had to be killed, or ended with an error. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const ends = [...this.#members.values()].map(async (member) => {
      const { worker, place } = member;
      const ended = new Promise<number | null>((resolve) => worker.once('exit', resolve));
      if (worker.isConnected()) worker.send({ stop: true } satisfies ToWorker);
      const late = new AbortController();
      const code = await Promise.race([
        ended,
        sleep(this.#options.stopMs, 'late' as const, { signal: late.signal }).catch(() => 'late' as const),
      ]);
      late.abort();
      if (code === 0 || (code !== 'late' && member.hasFailed)) return [];
      worker.process.kill('SIGKILL');
      return [place.number];
    });
    const unclean = (await Promise.all(ends)).flat();
    if (unclean.length > 0) throw new Error(`worker ${unclean.join(', ')} did not end cleanly.`);
  }

  /** Kills the workers at once. */
  kill(): void {
    this.#isStopping = true;
    for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL');
  }
}
