import { Socket } from 'node:net';
import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Milliseconds after which the server checks again whether a long answer may continue. Revoked access must end
 * within five seconds; the rest is for a busy database to answer. [P14]
 */
const confirmedMs = 2000;
/** The same for the first check, because the one that admitted the request can be some seconds old. */
const firstLookMs = 500;

/** Checks whether a running answer may continue: once for all callers, and not again within `confirmedMs`. */
export class Confirmation {
  readonly #confirm: () => Promise<void>;
  #since = performance.now();
  #asking: Promise<void> | undefined;

  /**
   * @param confirm throws if it may not; an earlier check is valid from the moment of this call
   */
  constructor(confirm: () => Promise<void>) {
    this.#confirm = confirm;
  }

  get isFresh(): boolean {
    return performance.now() - this.#since < confirmedMs;
  }

  /** Throws what `confirm` throws. */
  async renew(): Promise<void> {
    if (!this.isFresh) await this.ask();
  }

  /** The same, however recent the last check is. */
  ask(): Promise<void> {
    this.#asking ??= this.#ask();
    return this.#asking;
  }

  async #ask(): Promise<void> {
    // Counted from the start of the query, because its answer may lack changes during it.
    const since = performance.now();
    try {
      await this.#confirm();
      this.#since = since;
    } finally {
      this.#asking = undefined;
    }
  }

  /** A stream that passes on only what has been confirmed. `failed` gets the error of `confirm`. */
  gate(failed: (error: Error) => void): Transform {
    return new Transform({
      transform: (chunk, _encoding, done) => {
        if (this.isFresh) done(null, chunk);
        else this.renew().then(() => done(null, chunk), failed);
      },
    });
  }
}

/**
 * The guarded answer. It is cut off when `confirmation` or its source fails, even if nobody reads and nothing is
 * written: the connection is reset, so that no client or proxy takes half a file for the whole. Before its first
 * byte is sent it becomes a refusal instead. `brokenOff` gets the reason. [P14]
 */
export function guarded(
  answer: Readable | Buffer | string,
  reply: FastifyReply,
  confirmation: Confirmation,
  brokenOff: (error: Error, wasBegun: boolean) => void,
): Readable {
  const source = answer instanceof Readable ? answer : Readable.from([answer]);
  const gate = confirmation.gate((error) => breakOff(error));
  let isOver = false;
  const over = () => {
    isOver = true;
    clearTimeout(first);
    clearInterval(watch);
  };
  const breakOff = (error: Error) => {
    if (isOver) return;
    over();
    const wasBegun = reply.raw.headersSent;
    brokenOff(error, wasBegun);
    gate.destroy(error);
    // To a client or proxy that speaks HTTP/1.0, a normal end would look like a complete file.
    if (!wasBegun) return;
    const { socket } = reply.raw;
    // An injected request has no connection to reset.
    if (socket instanceof Socket) socket.resetAndDestroy();
    else reply.raw.destroy();
  };
  const first = setTimeout(() => confirmation.ask().catch(breakOff), firstLookMs).unref();
  const watch = setInterval(() => confirmation.renew().catch(breakOff), confirmedMs).unref();
  // A slow reader may still be receiving when the last part is written.
  reply.raw.once('close', over);
  source.once('error', breakOff);
  pipeline(source, gate, (error) => error && breakOff(error));
  // It can fail before it is sent, without a listener, which would end the process; sending it reports the error.
  gate.on('error', () => {});
  return gate;
}
