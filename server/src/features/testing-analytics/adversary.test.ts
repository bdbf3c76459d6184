import { addDays } from '@caseway/contract/date-range';
import { answerOfCategory } from '@caseway/contract/testing-analytics';
import { beforeAll, expect, test } from 'vitest';
import { Random } from '../../../seeds/demo/random.ts';
import { demoRecords } from '../../../seeds/demo/records.ts';
import { readTenantToFill } from '../../../seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { load } from '../../../test/load.ts';
import { type Counted, isCoarse, protectedValue, wholePeriods } from '../../platform/dashboards/protect.ts';
import {
  type Ask,
  adversary,
  anyHalf,
  type By,
  dates,
  hiddenCells,
  periodsBefore,
  type Test,
  testOf,
  truth,
} from './test-adversary.ts';

/* What an adversary finds out from protected numbers, on the demo's people. [P17] */

const lastDay = '2026-03-31';
const threshold = 11;
let tests: Test[];

beforeAll(async () => {
  const { database } = await createTestDatabase();
  const { demo } = await seedDemoTenants(database);
  const tenant = await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    readTenantToFill(tx, demo.id),
  );
  const size = load(
    { patients: 7000, results: 21_000, cases: 0 },
    { patients: 20_000, results: 60_000, cases: 0 },
  );
  const chunks = [...demoRecords(tenant, size, lastDay, Date.parse(`${lastDay}T20:00:00Z`), 'adversary')];
  const people = new Map(chunks.flatMap(({ patients }) => patients.map((one) => [one.id, one] as const)));
  tests = chunks
    .flatMap(({ results }) => results)
    .filter(
      ({ result_category, superseded_by }) =>
        superseded_by === null && answerOfCategory[result_category] !== 'none',
    )
    .map((result) => testOf(people.get(result.patient_id)!, result, result.collected_at !== null));
});

const columns: readonly By[] = ['facility', 'county', 'race', 'ethnicity', 'family', 'programType', 'sex'];
const classes = ['positive', 'negative', 'other'];

/**
 * Computes answers for these tests one by one, with numbers instead of texts, because there are many. `protect`:
 * from the half; otherwise true numbers that are only hidden if they are small.
 */
function answers(protect: boolean): Ask {
  const codes = Object.fromEntries(
    columns.map((by) => [
      by,
      new Map([...new Set(tests.map((one) => one.by[by]))].map((key, code) => [key, code])),
    ]),
  ) as unknown as Record<By, Map<string, number>>;
  const numbers = new Map([...new Set(tests.map(({ person }) => person))].map((id, number) => [id, number]));
  const seen = new Uint32Array(numbers.size);
  let round = 0;
  const indexed = new Map(
    dates.map((date) => {
      const dated = tests
        .filter(({ on }) => on[date] !== null)
        .sort((one, other) => (one.on[date]! < other.on[date]! ? -1 : 1));
      return [
        date,
        {
          days: dated.map(({ on }) => on[date]!),
          code: Object.fromEntries(
            columns.map((by) => [by, Uint16Array.from(dated, (one) => codes[by].get(one.by[by])!)]),
          ) as unknown as Record<By, Uint16Array>,
          rows: Object.fromEntries(
            columns.map((by) => {
              const rows: number[][] = Array.from(codes[by], () => []);
              for (const [row, one] of dated.entries()) rows[codes[by].get(one.by[by])!]!.push(row);
              return [by, rows];
            }),
          ) as unknown as Record<By, number[][]>,
          person: Uint32Array.from(dated, ({ person }) => numbers.get(person)!),
          half: Uint8Array.from(dated, ({ half }) => Number(half)),
          is: Uint8Array.from(dated, (one) => classes.indexOf(one.is)),
          timed: Uint8Array.from(dated, ({ timed }) => Number(timed)),
        },
      ] as const;
    }),
  );
  /** The index of the first day that is not before this one. */
  const from = (days: readonly string[], day: string): number => {
    let [low, high] = [0, days.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (days[middle]! < day) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return async ({ start, end, date, filters }) => {
    const range = wholePeriods({ start, end }, 1);
    const at = indexed.get(date)!;
    const picked = (Object.entries(filters) as [By, readonly string[]][]).map(([by, keys]) => {
      const mask = new Uint8Array(codes[by].size);
      for (const key of keys) mask[codes[by].get(key)!] = 1;
      return { code: at.code[by], mask };
    });
    const [first, last] = [from(at.days, range.start), from(at.days, addDays(range.end, 1))];
    const [one, other] = picked;
    return (of, bar) => {
      if (!isCoarse(Object.keys(filters), bar ? [bar.by] : [])) return undefined;
      const listed = bar ? at.rows[bar.by][codes[bar.by].get(bar.key)!]! : undefined;
      const ofClass = classes.indexOf(of);
      let n = 0;
      let [low, high] = [0, 0];
      round++;
      for (let place = 0; place < (listed ? listed.length : last - first); place++) {
        const row = listed ? listed[place]! : first + place;
        if (row < first || row >= last) continue;
        if (one && !one.mask[one.code[row]!]) continue;
        if (other && !other.mask[other.code[row]!]) continue;
        if (of === 'timed' ? !at.timed[row] : ofClass >= 0 && at.is[row] !== ofClass) continue;
        const person = at.person[row]!;
        if (person & 32) high |= 1 << (person & 31);
        else low |= 1 << (person & 31);
        if ((protect && !at.half[row]) || (of === 'people' && seen[person] === round)) continue;
        seen[person] = round;
        n++;
      }
      const counted: Counted = { n, persons: { low: low >>> 0, high: high >>> 0 } };
      const plain = { value: n, numerator: n, denominator: null, suppressed: false };
      if (!protect) return n > 0 && n < threshold ? undefined : n;
      return protectedValue(plain, { form: 'count' }, [counted], threshold).value ?? undefined;
    };
  };
}

test.each([
  ['a week', 1],
  ['a year', 52],
])(
  'finds few hidden numbers by %s: at most 20 points more than by guessing, and is hardly ever sure',
  async (_, weeks) => {
    const random = new Random(`adversary ${weeks}`);
    const cells = hiddenCells(tests, periodsBefore(lastDay, weeks), random);
    const outcome = await adversary(answers(true), cells, {
      each: load(10, 20),
      questions: load(200, 1000),
      gives: anyHalf,
      random,
    });
    expect(outcome.targets).toBe(load(100, 200));
    expect(outcome.exact).toBeLessThanOrEqual(0.1 + 0.2);
    expect(outcome.sure).toBeLessThanOrEqual(0.01);
  },
);

test('finds most of them if true numbers are only hidden when they are small', async () => {
  const random = new Random('true numbers');
  const cells = hiddenCells(tests, periodsBefore(lastDay, 52), random);
  const outcome = await adversary(answers(false), cells, { each: 2, questions: 60, gives: truth, random });
  expect(outcome.exact).toBeGreaterThan(0.8);
  expect(outcome.sure).toBeGreaterThan(0.8);
});
