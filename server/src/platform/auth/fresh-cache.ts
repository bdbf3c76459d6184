/**
 * Caches what was found for a key for a short while, so that a change shows within that time. Simultaneous requests
 * for the same key share one query. Failures are not cached.
 */
export class FreshCache<Value> {
  readonly #freshMs: number;
  readonly #capacity: number;
  readonly #entries = new Map<string, { value: Promise<Value>; since: number }>();

  constructor({ freshMs, capacity = 20_000 }: { freshMs: number; capacity?: number }) {
    this.#freshMs = freshMs;
    this.#capacity = capacity;
  }

  get(key: string, look: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    // Counted from the start of the query: changes during it may not be in its result.
    if (known && performance.now() - known.since < this.#freshMs) return known.value;
    const entry = { value: look(), since: performance.now() };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    // A map keeps insertion order, so the first entry is the oldest look-up.
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value!);
    return entry.value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Looks everything up again, including look-ups that are running. */
  clear(): void {
    this.#entries.clear();
  }
}
