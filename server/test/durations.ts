import { expect } from 'vitest';

/** Something whose duration must not reveal whom it is about: each kind runs once per round. */
export interface Timed {
  kinds: number;
  rounds: number;
  /** The start of a round, which is not timed. */
  before?(round: number): Promise<unknown>;
  /** Runs it for one kind; the values that it returns are durations by name. */
  once(kind: number): Promise<Record<string, number>>;
}

/** How long some work takes, in milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/**
 * Checks that no kind takes longer than another: their medians are within five milliseconds; on a busy machine where
 * each takes longer, in the same proportion. The kinds take turns in coming first, because the first one pays for the
 * start of a round, and are interleaved, so that other work of the machine affects all of them. [P12]
 */
export async function expectSameDurations({ kinds, rounds, before, once }: Timed): Promise<void> {
  const times = new Map<string, number[][]>();
  for (let round = 0; round < rounds; round += 1) {
    await before?.(round);
    for (let turn = 0; turn < kinds; turn += 1) {
      const kind = (turn + round) % kinds;
      for (const [name, time] of Object.entries(await once(kind))) {
        const samples = times.get(name) ?? Array.from({ length: kinds }, (): number[] => []);
        times.set(name, samples);
        samples[kind]!.push(time);
      }
    }
  }
  expect(times.size).toBeGreaterThan(0);
  for (const [name, samples] of times) {
    const medians = samples.map((list) => list.sort((a, b) => a - b)[Math.floor(rounds / 2)]!);
    const gap = Math.max(...medians) - Math.min(...medians);
    console.log(`${name}: median ${medians[0]!.toFixed(2)} ms, gap ${gap.toFixed(2)} ms`);
    expect([name, gap < Math.max(5, medians[0]! / 2) ? 'the same' : medians]).toEqual([name, 'the same']);
  }
}
