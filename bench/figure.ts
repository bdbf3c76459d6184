/** One measured figure: its name, value and target, and how it compares with an alternative. */
export interface Figure {
  what: string;
  value: number;
  unit: 'ms' | 'µs' | 's' | 'kB' | 'MB' | 'per second' | '×';
  /** The target, such as `≤ 100` or `≥ 1000`. */
  promised?: string;
  /** The same work done another way in the same run, and how many times longer or larger that was. */
  against?: { what: string; ratio: number };
}

/** A benchmark prints figures; it never decides whether a test passes. */
export interface Bench {
  name: string;
  run(): Promise<Figure[]>;
}

/** The value that this share of the samples does not exceed (nearest rank). */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
}

/** Milliseconds of each of this many runs, after a few uncounted ones. */
export async function timings(runs: number, work: (run: number) => unknown, warmUp = 2): Promise<number[]> {
  for (let run = 0; run < warmUp; run++) await work(run);
  const samples: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work(run);
    samples.push(performance.now() - started);
  }
  return samples;
}

/**
 * Milliseconds of processor time of this process, including DuckDB's threads. On a busy machine it says more than
 * elapsed time.
 */
export async function worked(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const rounded = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString();

export function print(name: string, figures: readonly Figure[]): void {
  console.log(`\n${name}`);
  for (const { what, value, unit, promised, against } of figures) {
    const amount = unit === '×' ? `${rounded(value)} ×` : `${rounded(value)} ${unit}`;
    const hope = promised ? `  (promised ${promised})` : '';
    const ratio = against ? `  — ${against.what}: ${rounded(against.ratio)} ×` : '';
    console.log(`  ${what.padEnd(64)} ${amount.padStart(16)}${hope}${ratio}`);
  }
}
