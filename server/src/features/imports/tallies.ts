import { type Effect, type TallyWrite, untold } from './batch-state.ts';

/** What a batch comes to, counted by disease families. */
export class Tallies {
  readonly #tallies = new Map<string, TallyWrite>();

  get all(): TallyWrite[] {
    return [...this.#tallies.values()];
  }

  count(kind: TallyWrite['kind'], key: string, families: readonly string[] | null, n: number): void {
    const list = families ?? [untold];
    const place = [kind, key, ...list].join('\u0000');
    const tally = this.#tallies.get(place);
    if (tally) tally.n += n;
    else this.#tallies.set(place, { kind, key, families: [...list], n });
  }

  effect(effect: Effect, families: readonly string[] | null): void {
    this.count('effect', effect, families, 1);
  }
}
