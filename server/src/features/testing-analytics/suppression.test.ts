import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsAnswer, AnalyticsQuery } from '@caseway/contract/analytics';
import { initialFilters } from '@caseway/contract/search-params';
import { answerOfCategory, type ResultCategory, testingAnalytics } from '@caseway/contract/testing-analytics';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { load } from '../../../test/load.ts';
import { facts } from '../../facts.ts';
import { startAnalytics } from '../../platform/analytics/engine.ts';
import { createLog } from '../../platform/log/log.ts';
import { mostTestsOf } from './people.ts';
import { type AnswerName, answerNames } from './queries.ts';
import { type Row, withheldByFilter, withheldRows } from './suppression.ts';
import {
  anyQuery,
  keysOf,
  lastDay,
  makeResults,
  matching,
  type Result,
  storeResults,
  testingNumbers,
  typeOfProgram,
  values,
  wholeTenant,
} from './test-facts.ts';

const threshold = 11;
const row = (positive: number, negative: number, other: number, part?: string): Row => ({
  answers: { positive, negative, other },
  // One person per test.
  people: { tests: positive + negative + other, positive, negative, other },
  part,
});

describe('which rows of a table are withheld', () => {
  test('hides nothing if every number is zero or large enough', () => {
    expect(withheldRows([row(11, 40, 0), row(0, 25, 12)], { threshold })).toEqual(['nothing', 'nothing']);
  });
  test('a small row, and the next smallest, without which it could be computed by subtraction', () => {
    expect(withheldRows([row(0, 500, 0), row(0, 7, 0), row(0, 60, 0)], { threshold })).toEqual([
      'nothing',
      'all',
      'all',
    ]);
  });
  test('more rows as long as those withheld are small together', () => {
    expect(withheldRows([row(0, 500, 0), row(0, 3, 0), row(0, 4, 0), row(0, 60, 0)], { threshold })).toEqual([
      'nothing',
      'all',
      'all',
      'all',
    ]);
  });
  test('only the answers of a row that is not small but has a small answer, and those of another', () => {
    expect(withheldRows([row(5, 200, 0), row(40, 300, 0), row(30, 100, 0)], { threshold })).toEqual([
      'answers',
      'nothing',
      'answers',
    ]);
  });
  test('many tests of few persons', () => {
    const repeated: Row = {
      answers: { positive: 0, negative: 50, other: 0 },
      people: { tests: 3, negative: 3 },
    };
    expect(withheldRows([repeated, row(0, 60, 0), row(0, 70, 0)], { threshold })).toEqual([
      'all',
      'all',
      'nothing',
    ]);
  });
  test('more rows as long as those withheld have few persons together, however many tests', () => {
    const repeated = (positive: number, negative: number, persons: number): Row => ({
      answers: { positive, negative, other: 0 },
      people: {
        tests: persons,
        positive: Math.min(positive, persons),
        negative: Math.min(negative, persons),
      },
    });
    // 14 tests of three persons at most, then 74 of 63.
    const rows = [repeated(0, 500, 300), repeated(0, 6, 1), repeated(0, 8, 2), repeated(0, 60, 60)];
    expect(withheldRows(rows, { threshold })).toEqual(['nothing', 'all', 'all', 'all']);
    // 13 positive tests of two persons; the third row has twelve of as many.
    const answers = [repeated(0, 500, 300), repeated(6, 90, 80), repeated(7, 91, 80), repeated(12, 95, 90)];
    answers[1]!.people.positive = 1;
    answers[2]!.people.positive = 1;
    expect(withheldRows(answers, { threshold })).toEqual(['nothing', 'answers', 'answers', 'answers']);
  });
  test('within the part whose sum is known', () => {
    const rows = [row(0, 7, 0, 'a'), row(0, 90, 0, 'a'), row(0, 20, 0, 'b'), row(0, 30, 0, 'b')];
    expect(withheldRows(rows, { threshold })).toEqual(['all', 'all', 'nothing', 'nothing']);
  });
  test('no row without tests is drawn in', () => {
    expect(withheldRows([row(0, 7, 0), row(0, 0, 0), row(0, 60, 0)], { threshold })).toEqual([
      'all',
      'nothing',
      'all',
    ]);
  });
});

test('a filter may pick all of the values that are withheld together, or none', () => {
  const rows = [
    { key: 'a', withheld: 'all' as const },
    { key: 'b', withheld: 'all' as const },
    { key: 'c', withheld: 'answers' as const },
    { key: 'd', withheld: 'nothing' as const },
  ];
  expect(withheldByFilter(rows, ['b'])).toBe('all');
  expect(withheldByFilter(rows, ['b', 'c', 'd'])).toBe('all');
  expect(withheldByFilter(rows, ['a', 'b', 'd'])).toBe('answers');
  expect(withheldByFilter(rows, ['a', 'b', 'c'])).toBe('nothing');
  expect(withheldByFilter(rows, ['d'])).toBe('nothing');
});

test('how many tests few persons can have, namely those with the most', () => {
  // Two persons with 5 tests, three with 2, ten with 1: four of them have 5 + 5 + 2 + 2 at most.
  const perPerson = new Map([
    [1, 10],
    [5, 2],
    [2, 3],
  ]);
  expect(mostTestsOf(4, perPerson)).toBe(14);
  expect(mostTestsOf(100, perPerson)).toBe(26);
  expect(mostTestsOf(4, new Map())).toBe(0);
});

// --- The attack: someone writes the answers down as equations and solves them.
// ---------------------------

const { database } = await createTestDatabase();
const sizes = [
  { people: 60, results: 150 },
  { people: 300, results: 700 },
  { people: 900, results: 2500 },
];
const stored = sizes.map((size, index) => makeResults(10 + index, size));
const tenantIds: string[] = [];
for (const results of stored) tenantIds.push(await storeResults(database, results));
const folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
const analytics = await startAnalytics({
  database,
  facts,
  log: createLog('fatal'),
  folder,
  engine: 'duckdb',
});
for (const tenantId of tenantIds) await analytics.caughtUp(tenantId);
afterAll(async () => {
  await analytics.close();
  await rm(folder, { recursive: true, force: true });
});

const asked = (which: number, query: AnalyticsQuery): Promise<AnalyticsAnswer> =>
  analytics.read({ scopes: [wholeTenant(tenantIds[which]!)], freshness: 'any' }, (ask) =>
    testingNumbers(ask, query, {
      today: lastDay,
      timeZone: 'America/New_York',
      asOf: new Date(0),
      threshold,
    }),
  );

/** Linear equations over named unknowns. */
class Equations {
  readonly #rows: Map<string, number>[] = [];

  add(terms: Iterable<readonly [unknown: string, times: number]>, equals: number): void {
    const row = new Map<string, number>();
    for (const [unknown, times] of terms) row.set(unknown, (row.get(unknown) ?? 0) + times);
    row.set('', equals);
    this.#rows.push(row);
  }

  /** The unknowns that have one value only, with that value. */
  solved(): Map<string, number> {
    const pivots: { of: string; row: Map<string, number> }[] = [];
    const reduce = (row: Map<string, number>, by: { of: string; row: Map<string, number> }) => {
      const times = row.get(by.of);
      if (times === undefined) return;
      for (const [unknown, coefficient] of by.row) {
        const left = (row.get(unknown) ?? 0) - times * coefficient;
        if (Math.abs(left) < 1e-9 && unknown !== '') row.delete(unknown);
        else row.set(unknown, left);
      }
    };
    for (const row of this.#rows) {
      for (const pivot of pivots) reduce(row, pivot);
      const of = [...row.keys()].find((unknown) => unknown !== '');
      if (of === undefined) {
        // What is published must fit together.
        expect(Math.abs(row.get('')!)).toBeLessThan(1e-6);
        continue;
      }
      const coefficient = row.get(of)!;
      for (const [unknown, times] of row) row.set(unknown, times / coefficient);
      const pivot = { of, row };
      for (const other of pivots) reduce(other.row, pivot);
      pivots.push(pivot);
    }
    return new Map(pivots.flatMap(({ of, row }) => (row.size === 2 ? [[of, row.get('')!]] : [])));
  }
}

const parts = ['tests', ...answerNames] as const;

/** The equations of one answer from its tiles and some series, about unknowns whose names begin with `about`. */
function writeDown(
  equations: Equations,
  answer: AnalyticsAnswer,
  about: string,
  chosen: readonly string[] = Object.keys(answer.series),
): void {
  const told = (unknown: string, value: number | null | undefined) => {
    if (value !== null && value !== undefined) equations.add([[unknown, 1]], value);
  };
  const total = (part: string) => `${about}total ${part}`;
  for (const part of parts) told(total(part), answer.measures[part]!.numerator);
  equations.add([[total('tests'), 1], ...answerNames.map((name) => [total(name), -1] as const)], 0);
  for (const [share, name] of [
    ['failedShare', 'failed'],
    ['missingDemographicsShare', 'missing'],
  ] as const) {
    told(total(name), answer.measures[share]!.numerator);
    equations.add(
      [
        [total('tests'), 1],
        [total(name), -1],
        [total(`not ${name}`), -1],
      ],
      0,
    );
  }

  for (const [series, rows] of Object.entries(answer.series)) {
    if (rows.length === 0 || !chosen.includes(series)) continue;
    const cell = (key: string, part: string) => `${about}${series} ${key} ${part}`;
    const keys = rows.map(({ key, key2 }) => `${key} ${key2 ?? ''}`);
    rows.forEach((row, index) => {
      for (const part of parts)
        if (series !== 'resultCategory' || part === 'tests')
          told(cell(keys[index]!, part), row.values[part]!.numerator);
      equations.add(
        [
          [cell(keys[index]!, 'tests'), 1],
          ...answerNames.map((name) => [cell(keys[index]!, name), -1] as const),
        ],
        0,
      );
      if (series === 'resultCategory')
        for (const name of answerNames)
          if (answerOfCategory[row.key as ResultCategory] !== name)
            equations.add([[cell(keys[index]!, name), 1]], 0);
      told(`${cell(keys[index]!, 'mean')}`, row.values.testsMean?.numerator);
      if (row.values.testsMean?.numerator != null)
        equations.add(
          keys.slice(index - 6, index + 1).map((key) => [cell(key, 'tests'), 1] as const),
          row.values.testsMean.numerator,
        );
      if (row.values.positivityMean?.numerator != null)
        equations.add(
          keys.slice(index - 6, index + 1).map((key) => [cell(key, 'positive'), 1] as const),
          row.values.positivityMean.numerator,
        );
    });
    for (const part of parts)
      equations.add([[total(part), -1], ...keys.map((key) => [cell(key, part), 1] as const)], 0);
    if (series === 'resultCategory')
      equations.add(
        [
          [total('failed'), -1],
          ...keys
            .filter((key) => /^(invalid|unsatisfactory) /.test(key))
            .map((key) => [cell(key, 'tests'), 1] as const),
        ],
        0,
      );
  }
  // Everyone knows which programs a program type has.
  for (const { key: type } of chosen.includes('program') ? answer.series.programType! : [])
    for (const part of parts)
      equations.add(
        [
          [`${about}programType ${type}  ${part}`, -1],
          ...answer.series
            .program!.filter(({ key }) => (key === 'missing' ? 'missing' : typeOfProgram(key)) === type)
            .map(({ key }) => [`${about}program ${key}  ${part}`, 1] as const),
        ],
        0,
      );
}

/** The numbers with few persons in an answer, by the names that `writeDown` gives them. */
function smallNumbers(results: readonly Result[], query: AnalyticsQuery, about: string): Map<string, number> {
  const of = matching(results, query);
  const small = new Map<string, number>();
  const note = (unknown: string, group: readonly Result[]) => {
    const people = new Set(group.map(({ person }) => person)).size;
    if (people > 0 && people < threshold) small.set(unknown, group.length);
  };
  const noteParts = (name: string, group: readonly Result[]) => {
    note(`${name} tests`, group);
    for (const answer of answerNames) note(`${name} ${answer}`, saying(group, answer));
  };
  noteParts(`${about}total`, of);
  const failed = (result: Result) => ['invalid', 'unsatisfactory'].includes(result.result_category);
  note(`${about}total failed`, of.filter(failed));
  note(
    `${about}total not failed`,
    of.filter((result) => !failed(result)),
  );
  const day = `${query.eventDate}_on` as 'collected_on';
  for (const [series, keys] of [
    ...Object.entries(keysOf),
    ['trend', (result: Result) => [result[day]]] as const,
  ])
    for (const [key, group] of Map.groupBy(of, (result) => {
      const [first, second] = keys(result).map((value) => value ?? 'missing');
      return `${first} ${series === 'ageSex' ? second : ''}`;
    }))
      noteParts(`${about}${series} ${key}`, group);
  return small;
}

const saying = (group: readonly Result[], answer: AnswerName) =>
  group.filter(({ result_category }) => answerOfCategory[result_category] === answer);

test('[P17] no number of few persons is shown or can be worked out from one answer', async () => {
  let withheld = 0;
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 1, 2), anyQuery, async (which, any) => {
      // By days, whose names the equations use.
      const query = { ...any, dateRangeValue: { ...any.dateRangeValue } };
      if (query.dateRangeValue.start < '2026-01-15') query.dateRangeValue.start = '2026-01-15';
      if (query.dateRangeValue.end < query.dateRangeValue.start)
        query.dateRangeValue.end = query.dateRangeValue.start;
      const answer = await asked(which, query);
      const equations = new Equations();
      writeDown(equations, answer, '');
      const solved = equations.solved();
      const small = smallNumbers(stored[which]!, query, '');
      for (const [unknown, n] of small) expect(solved.has(unknown), `${unknown} is ${n}`).toBe(false);
      withheld += small.size;
      shown += solved.size;
    }),
    { numRuns: 60 },
  );
  // The test has found something to withhold, and the answers still contain something.
  expect(withheld).toBeGreaterThan(500);
  expect(shown).toBeGreaterThan(500);
});

const whole: AnalyticsQuery = {
  dateRangeValue: { start: '2026-01-15', end: lastDay },
  filters: initialFilters(testingAnalytics),
  eventDate: 'collected',
};

test.each([
  ['race', 'raceFilter', values.races],
  ['diseaseFamily', 'diseaseFamilyFilter', values.families],
  ['county', 'countyFilter', values.counties],
  ['program', 'programFilter', values.programs],
] as const)(
  '[P17] nor from any number of answers that differ in the values of one filter: %s',
  async (series, filter, list) => {
    // In `npm test` each tenant with two of the filters.
    const tenant = ['county', 'program'].includes(series) ? 1 : 0;
    for (const which of load([tenant], [0, 1])) {
      const equations = new Equations();
      const told = ['programType', 'program', series];
      writeDown(equations, await asked(which, whole), '', told);
      const picks = [...(list as readonly string[]), 'missing'].flatMap((value) => [
        [value],
        [...list, 'missing'].filter((other) => other !== value),
        [value, list[(list.indexOf(value) + 1) % list.length]!],
      ]);
      for (const picked of picks) {
        const query = { ...whole, filters: { ...whole.filters, [filter]: picked } };
        const about = `${picked.join()}: `;
        const answer = await asked(which, query);
        writeDown(equations, answer, about, []);
        // The picked values together are what the answer is about.
        for (const part of parts)
          equations.add(
            [
              [`${about}total ${part}`, -1],
              ...[...new Set(picked)].map((key) => [`${series} ${key}  ${part}`, 1] as const),
            ],
            0,
          );
      }
      const solved = equations.solved();
      for (const [unknown, n] of smallNumbers(stored[which]!, whole, ''))
        expect(solved.has(unknown), `${which}: ${unknown} is ${n}`).toBe(false);
    }
  },
  300_000,
);
