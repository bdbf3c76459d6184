/**
 * Answers stay valid as long as the facts behind them. A key must include everything else that an answer depends on:
 * the reader's scopes with what is hidden from them, the query, and the day. The least recently used answers are
 * removed.
 */
export class AnswerCache<Answer> {
  readonly #capacity: number;
  readonly #kept = new Map<string, { version: string; answer: Answer }>();

  constructor(capacity = 500) {
    this.#capacity = capacity;
  }

  /** The answer to `key` from facts of this version; `undefined` means an unknown version. */
  async get(key: string, version: string | undefined, make: () => Promise<Answer>): Promise<Answer> {
    if (version === undefined) return make();
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const answer = known?.version === version ? known.answer : await make();
    this.#kept.set(key, { version, answer });
    if (this.#kept.size > this.#capacity) this.#kept.delete(this.#kept.keys().next().value!);
    return answer;
  }
}
