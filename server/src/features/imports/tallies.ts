import type { Effect, TallyWrite } from './batch-state.ts';

/** What a batch comes to, counted by disease families. */
export class Tallies {
  readonly #tallies = new Map<string, TallyWrite>();

  get all(): TallyWrite[] {
    return [...this.#tallies.values()];
  }

  count(kind: TallyWrite['kind'], key: string, families: readonly string[], n: number): void {
    const place = [kind, key, ...families].join('\u0000');
    const tally = this.#tallies.get(place);
    if (tally) tally.n += n;
    else this.#tallies.set(place, { kind, key, families: [...families], n });
  }

  effect(effect: Effect, families: readonly string[]): void {
    this.count('effect', effect, families, 1);
  }
}
