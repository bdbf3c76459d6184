/** A small deterministic source of numbers (sfc32): the same seed gives the same data on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: string) {
    // FNV-1a, three times with another offset, spreads the seed's text over the state.
    const hash = (offset: number) => {
      let value = offset >>> 0;
      for (let i = 0; i < seed.length; i++) value = Math.imul(value ^ seed.charCodeAt(i), 16_777_619) >>> 0;
      return value;
    };
    this.a = hash(2_166_136_261);
    this.b = hash(3_344_921_057);
    this.c = hash(987_654_321);
    for (let i = 0; i < 12; i++) this.integer();
  }

  /** A whole number from 0 to 2³² − 1. */
  integer(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return t >>> 0;
  }

  /** From 0 (included) to 1 (excluded). */
  next(): number {
    return this.integer() / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!;
  }

  /** Log-normal with the given median; `spread` is the standard deviation of the logarithm. */
  logNormal(median: number, spread: number): number {
    const u = Math.max(this.next(), 1e-12);
    const normal = Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(spread * normal);
  }

  /** An identifier in the form of a UUID version 4, from this source. */
  uuid(): string {
    const hex = (value: number, digits: number) =>
      (value >>> 0).toString(16).padStart(8, '0').slice(0, digits);
    const a = this.integer();
    const b = this.integer();
    const c = this.integer();
    const d = this.integer();
    const middle = hex(b, 8);
    const variant = ((c >>> 28) & 0x3) | 0x8;
    return `${hex(a, 8)}-${middle.slice(0, 4)}-4${middle.slice(5, 8)}-${variant.toString(16)}${hex(c, 8).slice(1, 4)}-${hex(c, 8).slice(4, 8)}${hex(d, 8)}`;
  }
}

/** Picks an index with a probability in proportion to its weight. Weights are summed once. */
export class Weighted<T> {
  private readonly cumulative: Float64Array;
  private readonly items: readonly T[];

  constructor(items: readonly T[], weightOf: (item: T, index: number) => number) {
    this.items = items;
    this.cumulative = new Float64Array(items.length);
    let sum = 0;
    items.forEach((item, index) => {
      sum += Math.max(0, weightOf(item, index));
      this.cumulative[index] = sum;
    });
    if (!(sum > 0)) throw new Error('weights must have a positive sum');
  }

  pick(random: Random): T {
    const target = random.next() * this.cumulative[this.cumulative.length - 1]!;
    let low = 0;
    let high = this.cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.cumulative[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return this.items[low]!;
  }
}
