import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import { initialFilters } from '@caseway/contract/search-params';
import { answerOfCategory } from '@caseway/contract/testing-analytics';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { rounds } from '../../../test/load.ts';
import { facts } from '../../facts.ts';
import { type Analytics, startAnalytics } from '../../platform/analytics/engine.ts';
import { allPersons, atLeast, bitOf, nobody, wholePeriods } from '../../platform/dashboards/protect.ts';
import { createLog } from '../../platform/log/log.ts';
import type { Scope } from '../../platform/scope.ts';
import {
  anyQuery,
  keysOf,
  lastDay,
  makeReportedTo,
  makeResults,
  matching,
  type Result,
  storeResults,
  testingNumbers,
  values,
  wholeTenant,
} from './test-facts.ts';

const { database } = await createTestDatabase();
const stored = [
  makeResults(1, { people: 150, results: 900 }),
  makeResults(2, { people: 400, results: 1200 }),
];
const tenantIds: string[] = [];
for (const results of stored) tenantIds.push(await storeResults(database, results));
const jurisdiction = await makeReportedTo(database, tenantIds);

const folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
const options = { facts, database, log: createLog('fatal'), folder };
const duckdb = await startAnalytics({ ...options, engine: 'duckdb' });
const postgres = await startAnalytics({ ...options, engine: 'postgres' });
for (const tenantId of tenantIds) await duckdb.caughtUp(tenantId);
afterAll(async () => {
  await Promise.all([duckdb.close(), postgres.close()]);
  await rm(folder, { recursive: true, force: true });
});

const asked = (analytics: Analytics, scopes: Scope[], query: AnalyticsQuery, threshold?: number) =>
  analytics.read({ scopes, freshness: 'any' }, (ask) =>
    testingNumbers(ask, query, {
      today: lastDay,
      timeZone: 'America/New_York',
      asOf: new Date(0),
      threshold,
    }),
  );

const orgScope = (
  tenantId: string,
  orgType: 'O' | 'F' | 'PHJ',
  orgId: string,
  counties: string[],
): Scope => ({
  ...(wholeTenant(tenantId) as Extract<Scope, { kind: 'org' }>),
  orgType,
  orgId,
  counties,
});
/** Readers of every kind, with and without families hidden from them. */
const anyScopes: fc.Arbitrary<Scope[]> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...tenantIds).map((id) => [wholeTenant(id)]),
      fc
        .tuple(fc.constantFrom(...tenantIds), fc.constantFrom(...values.organizations))
        .map(([id, org]) => [orgScope(id, 'O', org, [])]),
      fc
        .tuple(fc.constantFrom(...tenantIds), fc.constantFrom(...values.facilities))
        .map(([id, facility]) => [orgScope(id, 'F', facility, [])]),
      fc.constant(tenantIds.map((id) => orgScope(id, 'PHJ', jurisdiction.id, jurisdiction.counties))),
    ),
    fc.subarray(['hiv', 'syphilis']),
  )
  .map(([scopes, hiddenFamilies]) => scopes.map((scope) => ({ ...scope, hiddenFamilies }) as Scope));

const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();

test('DuckDB and PostgreSQL under row-level security give the same numbers for any filters, ranges and readers', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyScopes,
      anyQuery,
      fc.constantFrom(undefined, 11, 5),
      async (scopes, query, threshold) => {
        const [here, there] = await Promise.all([
          asked(duckdb, scopes, query, threshold),
          asked(postgres, scopes, query, threshold),
        ]);
        expect(here.measures).toEqual(there.measures);
        expect(here.previous).toEqual(there.previous);
        for (const [name, rows] of Object.entries(here.series))
          expect(inOrder(rows), name).toEqual(inOrder(there.series[name]!));
        expect({ ...here, series: {} }).toEqual({ ...there, series: {} });
      },
    ),
    rounds(15, 60),
  );
});

/** Hours as stored: rounded down to a tenth, and to whole hours from one day on. */
const rounded = (hours: number) =>
  hours < 24 ? Math.floor(hours * 10 + 1e-9) / 10 : Math.floor(hours + 1e-9);

test('the numbers match the results counted one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 1), fc.subarray(['hiv']), anyQuery, async (which, hidden, query) => {
      const answer = await asked(duckdb, [wholeTenant(tenantIds[which]!, hidden)], query);
      const visible = stored[which]!.filter(({ disease_family }) => !hidden.includes(disease_family ?? ''));
      const of = matching(visible, query);
      const saying = (said: string, among = of) =>
        among.filter(({ result_category }) => answerOfCategory[result_category] === said).length;
      const { measures } = answer;
      expect(measures.tests!.value).toBe(of.length);
      expect(measures.people!.value).toBe(new Set(of.map(({ person }) => person)).size);
      expect(measures.positive!.value).toBe(saying('positive'));
      expect(measures.negative!.value).toBe(saying('negative'));
      expect(measures.other!.value).toBe(saying('other'));
      expect(measures.positivity!.denominator).toBe(saying('positive') + saying('negative'));
      expect(measures.failedShare!.numerator).toBe(
        of.filter(({ result_category }) => ['invalid', 'unsatisfactory'].includes(result_category)).length,
      );
      expect(measures.missingDemographicsShare!.numerator).toBe(
        of.filter(
          ({ person, age_years }) =>
            [person.sex_at_birth ?? 'U', person.race ?? 'UNK', person.ethnicity ?? 'UNK'].some(
              (value) => value === 'U' || value === 'UNK',
            ) || age_years === null,
        ).length,
      );
      const timed = of.flatMap(({ collected_at, resulted_at }) => {
        const hours = (Date.parse(resulted_at ?? '') - Date.parse(collected_at ?? '')) / 3_600_000;
        return hours >= 0 ? [rounded(hours)] : [];
      });
      timed.sort((a, b) => a - b);
      expect(measures.collectedToResultedMedian!.denominator).toBe(timed.length);
      if (timed.length > 0) {
        const middle = (timed.length - 1) / 2;
        expect(measures.collectedToResultedMedian!.value).toBeCloseTo(
          (timed[Math.floor(middle)]! + timed[Math.ceil(middle)]!) / 2,
          6,
        );
      }
      for (const [name, keys] of Object.entries(keysOf)) {
        const groups = Map.groupBy(of, (result) =>
          keys(result)
            .map((key) => key ?? 'missing')
            .join(' '),
        );
        const expected = [...groups].map(([key, group]) => [key, group.length, saying('positive', group)]);
        const shown = answer.series[name]!.map((row) => [
          row.key2 ? `${row.key} ${row.key2}` : row.key,
          row.values.tests!.value,
          row.values.positive!.value,
        ]);
        expect(shown.sort(), name).toEqual(expected.sort());
      }
      const trend = answer.series.trend!;
      expect(trend.reduce((sum, row) => sum + row.values.tests!.value!, 0)).toBe(of.length);
    }),
    rounds(15, 60),
  );
});

test('protected numbers are twice those of the half, counted one by one; hidden if few persons are behind them [P17]', async () => {
  const threshold = 11;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 1), anyQuery, async (which, query) => {
      const answer = await asked(duckdb, [wholeTenant(tenantIds[which]!)], query, threshold);
      // Fewer than 10,000 tests a year: four weeks at a time.
      const dateRangeValue = wholePeriods(query.dateRangeValue, 4);
      expect(answer).toMatchObject({ dateRangeValue, granularity: 'four-weeks', half: true });
      const of = matching(stored[which]!, { ...query, dateRangeValue });
      const shown = (
        among: readonly Result[],
        counted = among.filter(({ person }) => person.half).length,
      ) => {
        const persons = among
          .map(({ person }) => bitOf(Number.parseInt(person.id.slice(-2), 16)))
          .reduce(allPersons, nobody);
        if (among.length === 0) return 0;
        return atLeast(persons) < threshold || 2 * counted < threshold ? null : 2 * counted;
      };
      const tests = shown(of);
      expect(answer.measures.tests!.value).toBe(tests);
      const halfPeople = new Set(of.flatMap(({ person }) => (person.half ? [person] : []))).size;
      expect(answer.measures.people!.value).toBe(shown(of, halfPeople));
      const positive = of.filter(({ result_category }) => answerOfCategory[result_category] === 'positive');
      expect(answer.measures.positive!.value).toBe(tests === null ? null : shown(positive));
      const filtered = Object.values(query.filters).filter((values) => values.length > 0).length;
      for (const [name, keys] of Object.entries(keysOf)) {
        const rows = answer.series[name]!;
        if (tests === null || filtered > 2) {
          expect(rows, name).toEqual([]);
          continue;
        }
        if (answer.leftOut?.includes(name)) {
          expect(filtered + (name === 'ageSex' ? 2 : 1)).toBeGreaterThan(2);
          continue;
        }
        const groups = Map.groupBy(of, (result) =>
          keys(result)
            .map((key) => key ?? 'missing')
            .join(' '),
        );
        expect(
          rows.map((row) => [row.key2 ? `${row.key} ${row.key2}` : row.key, row.values.tests!.value]).sort(),
          name,
        ).toEqual([...groups].map(([key, group]) => [key, shown(group)]).sort());
      }
    }),
    rounds(30, 120),
  );
});

test('a jurisdiction counts over all tenants that report to it: people added up, medians over the union', async () => {
  const query: AnalyticsQuery = {
    dateRangeValue: { start: '2026-01-01', end: lastDay },
    filters: initialFilters(testingAnalytics),
    eventDate: 'collected',
  };
  const scopes = tenantIds.map((id) => orgScope(id, 'PHJ', jurisdiction.id, jurisdiction.counties));
  const union = await asked(duckdb, scopes, query);
  const each = await Promise.all(scopes.map((scope) => asked(duckdb, [scope], query)));
  for (const name of ['tests', 'people', 'positive'])
    expect(union.measures[name]!.value).toBe(
      each[0]!.measures[name]!.value! + each[1]!.measures[name]!.value!,
    );
  const hours = stored.flat().flatMap((result) => {
    const isSeen = [result.county_fips, result.person.county_fips].every((county) =>
      jurisdiction.counties.includes(county ?? ''),
    );
    const counted = matching([result], query).length === 1;
    const taken = (Date.parse(result.resulted_at ?? '') - Date.parse(result.collected_at ?? '')) / 3_600_000;
    return isSeen && counted && taken >= 0 ? [rounded(taken)] : [];
  });
  hours.sort((a, b) => a - b);
  const middle = (hours.length - 1) / 2;
  expect(union.measures.collectedToResultedMedian!.denominator).toBe(hours.length);
  expect(union.measures.collectedToResultedMedian!.value).toBeCloseTo(
    (hours[Math.floor(middle)]! + hours[Math.ceil(middle)]!) / 2,
    6,
  );
});

test('[P18] without the permission the restricted family leaves no trace in any number', async () => {
  const without = stored[0]!.filter(({ disease_family }) => disease_family !== 'hiv');
  const tenantId = await storeResults(
    database,
    without.map((result) => ({ ...result })),
  );
  await duckdb.caughtUp(tenantId);
  await fc.assert(
    fc.asyncProperty(anyQuery, async (query) => {
      const hidden = await asked(duckdb, [wholeTenant(tenantIds[0]!, ['hiv'])], query);
      const absent = await asked(duckdb, [wholeTenant(tenantId)], query);
      expect(hidden.measures).toEqual(absent.measures);
      expect(Object.entries(hidden.series).map(([name, rows]) => [name, inOrder(rows)])).toEqual(
        Object.entries(absent.series).map(([name, rows]) => [name, inOrder(rows)]),
      );
    }),
    { numRuns: 20 },
  );
});
