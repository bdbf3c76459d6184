import { expect } from 'vitest';

/** Work whose duration must not reveal whom it is about: each kind runs once per round. */
export interface Timed {
  kinds: number;
  rounds: number;
  /** The start of a round, which is not timed. */
  before?(round: number): Promise<unknown>;
  /** Runs it for one kind; the returned values are durations by name. */
  once(kind: number): Promise<Record<string, number>>;
}

/** The milliseconds that some work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** The processor milliseconds of some work in this thread, however busy the machine is. */
export async function workOf(work: () => unknown): Promise<number> {
  const since = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
}

/** The rounds are examined in this many parts. */
const parts = 3;
/** A difference is measured this many times longer before the test fails. */
const again = 4;

/**
 * Checks that no kind takes longer than another: their medians are within five milliseconds or, on a busy machine
 * where each takes longer, in the same proportion. The kinds take turns in coming first, because the first one pays
 * for the start of a round, and are interleaved, so that other work of the machine affects all of them. It still
 * affects some more than others, so only a difference in each part of the rounds, for the same kind, counts. Few
 * rounds are enough to see that nothing differs; a difference is measured longer. [P12]
 */
export async function expectSameDurations({ kinds, rounds, before, once }: Timed): Promise<void> {
  const times = new Map<string, number[][]>();
  const measure = async (round: number) => {
    await before?.(round);
    for (let turn = 0; turn < kinds; turn += 1) {
      const kind = (turn + round) % kinds;
      for (const [name, time] of Object.entries(await once(kind))) {
        const samples = times.get(name) ?? Array.from({ length: kinds }, (): number[] => []);
        times.set(name, samples);
        samples[kind]!.push(time);
      }
    }
  };
  let round = 0;
  for (; round < rounds; round += 1) await measure(round);
  expect(times.size).toBeGreaterThan(0);
  if ([...times.values()].some(differs)) for (; round < again * rounds; round += 1) await measure(round);
  for (const [name, samples] of times) {
    const medians = samples.map(median);
    console.log(`${name}: median ${medians[0]!.toFixed(2)} ms, gap ${gapOf(medians).toFixed(2)} ms`);
    expect([name, differs(samples) ? mediansOfParts(samples) : 'the same']).toEqual([name, 'the same']);
  }
}

/** The median of each kind, for each part of the rounds. */
const mediansOfParts = (samples: number[][]) =>
  Array.from({ length: parts }, (_, part) =>
    samples.map((list) => median(list.filter((_, round) => round % parts === part))),
  );

function differs(samples: number[][]): boolean {
  const ofParts = mediansOfParts(samples);
  const isSame = (find: (...values: number[]) => number) =>
    new Set(ofParts.map((one) => one.indexOf(find(...one)))).size === 1;
  return (
    ofParts.every((one) => gapOf(one) >= Math.max(5, one[0]! / 2)) && (isSame(Math.max) || isSame(Math.min))
  );
}

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
const gapOf = (medians: number[]) => Math.max(...medians) - Math.min(...medians);
