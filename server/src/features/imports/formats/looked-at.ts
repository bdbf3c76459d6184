import type { OpenSource } from './csv-read.ts';

/** One second: often enough for people, without keeping the database busy. */
const usualPause = 1000;

/**
 * Reports how much of a file has been read when it is read more than once before its first row is stored. Each pass
 * has a part of the whole; reading the beginning again does not lower the share.
 */
export class LookedAt {
  readonly #size: number;
  readonly #passes: number;
  readonly #tell: (share: number) => Promise<void>;
  readonly #pause: number;
  #share = 0;
  #toldAt = 0;

  /**
   * `size`: bytes of the file. `tell` gets a share from 0 to 1 that never falls, at most once every `pause`
   * milliseconds.
   */
  constructor(size: number, passes: number, tell: (share: number) => Promise<void>, pause = usualPause) {
    this.#size = size;
    this.#passes = passes;
    this.#tell = tell;
    this.#pause = pause;
    this.#toldAt = performance.now();
  }

  /** Opens the file for one of the passes, counted from 0. */
  pass(open: OpenSource, at: number): OpenSource {
    const counted = async function* (this: LookedAt) {
      let read = 0;
      for await (const bytes of open()) {
        yield bytes;
        read += bytes.byteLength;
        this.#share = Math.max(this.#share, Math.min(1, (at + read / this.#size) / this.#passes));
        if (performance.now() - this.#toldAt < this.#pause) continue;
        await this.#tell(this.#share);
        this.#toldAt = performance.now();
      }
    };
    return () => counted.call(this);
  }
}
