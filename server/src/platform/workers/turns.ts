/** No turn became free in time. */
export class NoTurn extends Error {
  override name = 'NoTurn';
  constructor() {
    super('nothing became free in time');
  }
}

export interface TurnsOptions {
  /** How many may run at the same time. */
  places: number;
  /** How many of one key (an account, a name, a network) may run at the same time. */
  perKey?: number;
  /** Places that only `first` may use, so that one is free for it soon. */
  keptForFirst?: number;
  /** How many may wait, besides `first`. Later ones are refused immediately. */
  waiting?: number;
}

export interface TurnRequest {
  key?: string;
  /** Served before all other waiting requests. */
  first?: boolean;
  /** The longest wait in milliseconds. */
  withinMs: number;
  signal?: AbortSignal;
}

interface Waiting extends TurnRequest {
  start(): void;
}

/**
 * Limits how many tasks run at the same time: in all, and for one key. Waiting ones are served in order, `first`
 * before others.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting: Waiting[] = [];
  readonly #byKey = new Map<string, number>();
  #working = 0;
  #ordinary = 0;
  #waitingOrdinary = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Runs `work` when its turn comes. Throws NoTurn if it does not come in time, or the signal's reason. */
  async run<T>(request: TurnRequest, work: () => Promise<T>): Promise<T> {
    const end = await this.take(request);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Waits for a turn; call the returned function to end it. */
  take(request: TurnRequest): Promise<() => void> {
    const { signal } = request;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#isFree(request)) return Promise.resolve(this.#begin(request));
    const { waiting = Number.POSITIVE_INFINITY } = this.#options;
    const isFull = !request.first && this.#waitingOrdinary >= waiting;
    if (request.withinMs <= 0 || isFull) return Promise.reject(new NoTurn());
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        const place = this.#waiting.indexOf(one);
        if (place !== -1) this.#leave(place);
        reject(reason);
      };
      const gone = () => leave(signal!.reason);
      const timer = setTimeout(() => leave(new NoTurn()), request.withinMs);
      const one: Waiting = {
        ...request,
        start: () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', gone);
          resolve(this.#begin(request));
        },
      };
      signal?.addEventListener('abort', gone, { once: true });
      this.#waiting.push(one);
      if (!one.first) this.#waitingOrdinary += 1;
    });
  }

  #leave(place: number): void {
    const [one] = this.#waiting.splice(place, 1);
    if (!one!.first) this.#waitingOrdinary -= 1;
  }

  /** Whether a request that is not `first` would be refused because there is no room to wait. */
  get isFull(): boolean {
    const { places, keptForFirst = 0, waiting = Number.POSITIVE_INFINITY } = this.#options;
    const isBusy = this.#working >= places || this.#ordinary >= places - keptForFirst;
    return isBusy && this.#waitingOrdinary >= waiting;
  }

  #isFree({ key, first = false }: TurnRequest): boolean {
    const { places, perKey = Number.POSITIVE_INFINITY, keptForFirst = 0 } = this.#options;
    if (this.#working >= places || (!first && this.#ordinary >= places - keptForFirst)) return false;
    return key === undefined || (this.#byKey.get(key) ?? 0) < perKey;
  }

  #begin({ key, first = false }: TurnRequest): () => void {
    const count = (step: 1 | -1) => {
      this.#working += step;
      if (!first) this.#ordinary += step;
      if (key === undefined) return;
      const left = (this.#byKey.get(key) ?? 0) + step;
      if (left === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, left);
    };
    count(1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      count(-1);
      this.#serve();
    };
  }

  #serve(): void {
    for (const isFirst of [true, false])
      for (const one of this.#waiting.filter(({ first = false }) => first === isFirst)) {
        if (!this.#isFree(one)) continue;
        this.#leave(this.#waiting.indexOf(one));
        one.start();
      }
  }
}
