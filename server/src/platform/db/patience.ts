import pg from 'pg';

/*
 * How long a database may be silent. A plain timer also counts the time in which this process was busy, and fires
 * before data that arrived in the meantime is read. So a start on a busy machine failed because the database "does
 * not answer", although it had answered.
 */

/** The longest turn that counts in full, in milliseconds. */
const longestTurn = 100;

/**
 * Calls `late` after this many milliseconds in which an answer could have been heard. A turn in which the process
 * was busy counts as a short one, and data that has arrived is read first. Returns a function that ends the waiting.
 */
export function afterSilence(milliseconds: number, late: () => void): () => void {
  const step = Math.min(longestTurn, milliseconds / 4);
  let listened = 0;
  let ended = false;
  const timer = setInterval(() => {
    listened += step;
    if (listened < milliseconds) return;
    clearInterval(timer);
    // Runs after data that has arrived since the last turn.
    setImmediate(() => {
      if (!ended) late();
    });
  }, step);
  return () => {
    ended = true;
    clearInterval(timer);
  };
}

/** `patienceMs`: how long the database may be silent before it accepts a connection; 5 s by default. */
export interface PatientConfig extends pg.ClientConfig {
  patienceMs?: number;
}

/** A connection that fails with `ETIMEDOUT` when the database is silent. */
export class PatientClient extends pg.Client {
  readonly #patienceMs: number;

  constructor({ patienceMs = 5000, ...config }: PatientConfig = {}) {
    super(config);
    this.#patienceMs = patienceMs;
  }

  override connect(): Promise<pg.Client>;
  override connect(called: (error: Error) => void): void;
  override connect(called?: (error: Error) => void): Promise<pg.Client> {
    const { connection } = this as unknown as { connection: { stream: { destroy(error: Error): void } } };
    const heard = afterSilence(this.#patienceMs, () =>
      connection.stream.destroy(
        Object.assign(new Error('Connection terminated: the database says nothing'), { code: 'ETIMEDOUT' }),
      ),
    );
    this.once('connect', heard).once('end', heard);
    return super.connect(called as never) as unknown as Promise<pg.Client>;
  }
}

/** Cuts a connection that gets no answer in time; the statement then fails as on any lost connection. */
export async function watched<T>(
  client: pg.ClientBase,
  milliseconds: number,
  answer: Promise<T>,
): Promise<T> {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  const heard = afterSilence(milliseconds, () => connection.stream.destroy());
  try {
    return await answer;
  } finally {
    heard();
  }
}
