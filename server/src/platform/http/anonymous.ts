import type { FastifyRequest } from 'fastify';
import { type Crew, crewOf } from '../workers/crew.ts';
import { NoTurn, Turns } from '../workers/turns.ts';
import { AppError } from './app-error.ts';
import { networkOf } from './network.ts';

/**
 * Connections in each process's pool for signed-out requests, given the number of processes. Half of them are for
 * known browsers.
 */
export const anonymousPlaces = (processes: number): number => (processes === 1 ? 4 : 2);

/** A browser in which these accounts have signed in before. */
export interface Device {
  id: string;
  accounts: readonly string[];
}

/** The sender of a signed-out request. */
export interface Visitor {
  /** The allowance that the request uses: that of a device, a session, or otherwise a network. */
  key: string;
  /** Has signed in here before, and is served before strangers. */
  isKnown: boolean;
  device?: Device;
}

/** How many keys are remembered. More networks at the same time are a flood, which the turns hold back. */
const remembered = 50_000;

/** An allowance for each key that refills at an even rate (a token bucket). */
export class Allowances {
  readonly #most: number;
  readonly #perMs: number;
  readonly #kept = new Map<string, { left: number; at: number }>();

  constructor({ most, withinMs }: { most: number; withinMs: number }) {
    this.#most = most;
    this.#perMs = most / withinMs;
  }

  /** Uses one unit of the key's allowance. Returns 0, or the seconds until the next unit if none is left. */
  use(key: string, nowMs = performance.now()): number {
    const known = this.#kept.get(key);
    const left = known ? Math.min(this.#most, known.left + (nowMs - known.at) * this.#perMs) : this.#most;
    const isFree = left >= 1;
    this.#keep(key, isFree ? left - 1 : left, nowMs);
    return isFree ? 0 : this.#secondsUntil(left);
  }

  /** Counts what other processes used of the key's allowance, which may then be negative. */
  count(key: string, nowMs = performance.now()): void {
    const known = this.#kept.get(key);
    const left = known ? Math.min(this.#most, known.left + (nowMs - known.at) * this.#perMs) : this.#most;
    this.#keep(key, Math.max(-this.#most, left - 1), nowMs);
  }

  #keep(key: string, left: number, at: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { left, at });
    if (this.#kept.size > remembered) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /** Seconds until a key with an empty allowance has a unit again; otherwise 0. Uses nothing. */
  wait(key: string, nowMs = performance.now()): number {
    const known = this.#kept.get(key);
    if (!known) return 0;
    const left = known.left + (nowMs - known.at) * this.#perMs;
    return left >= 1 ? 0 : this.#secondsUntil(left);
  }

  #secondsUntil(left: number): number {
    return Math.max(1, Math.ceil((1 - left) / this.#perMs / 1000));
  }
}

export interface AnonymousOptions {
  /** Requests per minute and network. */
  perMinute?: number;
  /** The other processes of the server, which share allowances. */
  crew?: Pick<Crew, 'of' | 'tell' | 'hear'>;
  /** Milliseconds that a request waits for its turn. */
  turnMs?: number;
  /** The device that a valid cookie names. */
  readDevice?: (cookies: string | undefined) => Promise<Device | undefined>;
}

/** Milliseconds in which the shared allowance of all strangers refills. */
const togetherMs = 3000;

/** Minutes over which the requests of strangers from all networks about one name are counted. */
const nameMinutes = 15;

/**
 * Limits all signed-out requests before the database is queried: an allowance for each network and each name, and
 * few requests at the same time. Kept in memory, because counts in the database would cost the connections that they
 * are meant to save. The processes of a server tell each other what was used, so that an allowance covers all of
 * them; each has its part of the allowance that all strangers share. Limits that several servers share (tries,
 * messages, failures) are counted in the database. [P25]
 */
export class AnonymousLimits {
  readonly #visitors: Allowances;
  readonly #names: Allowances;
  /** For all strangers together. More is a flood from many networks, and just reading it would keep others waiting. */
  readonly #together: Allowances;
  readonly #turns: Turns;
  readonly #turnMs: number;
  readonly #crew: Pick<Crew, 'tell'>;
  readonly #readDevice: NonNullable<AnonymousOptions['readDevice']>;

  constructor({
    perMinute = 60,
    crew = crewOf(),
    turnMs = 3000,
    readDevice = async () => undefined,
  }: AnonymousOptions = {}) {
    this.#visitors = new Allowances({ most: perMinute, withinMs: 60_000 });
    this.#names = new Allowances({
      most: Math.max(10, Math.floor(perMinute / 6)),
      withinMs: nameMinutes * 60_000,
    });
    const atOnce = Math.ceil(Math.max(150, perMinute * 2) / crew.of);
    this.#together = new Allowances({ most: atOnce, withinMs: togetherMs });
    const places = anonymousPlaces(crew.of);
    this.#turns = new Turns({
      places,
      keptForFirst: places / 2,
      perKey: 1,
      waiting: Math.ceil(40 / crew.of),
    });
    this.#turnMs = turnMs;
    this.#crew = crew;
    crew.hear('visitor', (key) => this.#visitors.count(key as string));
    crew.hear('name', (key) => this.#names.count(key as string));
    this.#readDevice = readDevice;
  }

  /**
   * Seconds that a stranger has to wait if any request of theirs would be refused now; 0 for everyone else. Used to
   * answer a flood before its requests are read.
   */
  waitOf(address: string): number {
    const seconds = this.#visitors.wait(networkKey(address));
    if (seconds > 0) return seconds;
    return this.#turns.isFull || this.#together.use('all') > 0 ? busySeconds : 0;
  }

  /** The sender of a request. */
  async visitorOf(request: FastifyRequest): Promise<Visitor> {
    const device = await this.#readDevice(request.headers.cookie);
    if (device) return { key: `device ${device.id}`, isKnown: true, device };
    return { key: networkKey(request.ip), isKnown: false };
  }

  /** Uses one request of the visitor's allowance. Throws `too-many-requests` if none is left. */
  admit({ key }: Visitor): void {
    refuse(this.#visitors.use(key));
    this.#crew.tell('visitor', key);
  }

  /** Runs the request's work when its turn comes; requests about one name run one after the other. */
  async serve<T>({ isKnown }: Visitor, name: string | undefined, work: () => Promise<T>): Promise<T> {
    if (name !== undefined && !isKnown) {
      refuse(this.#names.use(name));
      this.#crew.tell('name', name);
    }
    const key = name === undefined ? undefined : `${isKnown ? 'known' : 'stranger'} ${name}`;
    return this.#turns.run({ key, first: isKnown, withinMs: this.#turnMs }, work).catch((error) => {
      throw error instanceof NoTurn
        ? new AppError('too-many-requests', { cause: error, retryAfter: busySeconds })
        : error;
    });
  }
}

const networkKey = (address: string) => `network ${networkOf(address)}`;

/** After this time, others have taken the places. */
const busySeconds = 2;

function refuse(seconds: number): void {
  if (seconds > 0) throw new AppError('too-many-requests', { retryAfter: seconds });
}
