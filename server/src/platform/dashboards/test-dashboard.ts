import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsAnswer, AnalyticsQuery, MeasureValue, SeriesRow } from '@caseway/contract/analytics';
import { type AnySeries, type Dashboard, factOfSeries, shownBy } from '@caseway/contract/dashboard';
import { addDays, previousRange, startOfMmwrWeek } from '@caseway/contract/date-range';
import type { AnyMeasure } from '@caseway/contract/measure';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { rounds } from '../../../test/load.ts';
import { type Analytics, startAnalytics } from '../analytics/engine.ts';
import type { StoredFact } from '../analytics/facts.ts';
import { storedFacts } from '../analytics/stored-facts.ts';
import type { Param } from '../analytics/visible-facts.ts';
import type { Database } from '../db/database.ts';
import { createLog } from '../log/log.ts';
import type { Scope } from '../scope.ts';
import { recordsBehind } from './behind.ts';
import { ofClass } from './classes.ts';
import type { Counting } from './measuring.ts';
import { dashboardComparison, dashboardNumbers } from './numbers.ts';
import type { PopulationSet } from './population.ts';
import { populationsFor } from './population-read.ts';
import { storedFactsOf } from './serve-dashboard.ts';
import { daysBefore, hasValue, meets, type Plain, passes, quantileOf, slowly } from './test-counting.ts';

/*
 * For tests: rules that every dashboard has to keep. Its numbers are also counted row by row, in plain TypeScript
 * that shares nothing with the engines, so that faults of both engines are found.
 */

export interface World {
  /** All facts of the replicas. */
  facts: readonly StoredFact[];
  /**
   * Stores rows in a new tenant, some hundred by default. The same seed gives the same rows. `without`: a family
   * that no row has.
   */
  makeRows(database: Database, seed: number, given?: { without?: string }): Promise<string>;
  /** The last day with rows; used as today. */
  today: string;
  /** A family that can be hidden. */
  family: string;
  organizations: readonly string[];
  facilities: readonly string[];
  /** Makes a jurisdiction of some counties to which the tenants report. */
  makeReportedTo(
    database: Database,
    tenantIds: readonly string[],
  ): Promise<{ id: string; counties: string[] }>;
  /** The populations for rates. */
  populations?: readonly PopulationSet[];
}

/** The first day of the period that contains a day. */
function firstOf(day: string, period: AnalyticsAnswer['granularity']): string {
  if (period === 'month') return `${day.slice(0, 7)}-01`;
  return period === 'week' ? startOfMmwrWeek(day) : day;
}

const close = (found: number | null | undefined, expected: number | null, what: string) => {
  if (expected === null) expect(found, what).toBeNull();
  else expect(found, what).toBeCloseTo(expected, 9);
};

/** The numbers of a dashboard and of its comparison. */
export const comparedNumbers = async (...given: Parameters<typeof dashboardNumbers>) => ({
  ...(await dashboardNumbers(...given)),
  previous: (await dashboardComparison(...given)).measures,
});

/** A dashboard to test, and the series that it counts itself. */
export interface Tested {
  dashboard: Dashboard;
  counting?: Pick<Counting, 'extras'>;
  /** `npm test` asks it this many times as often as the others. */
  times: number;
}

/** The data that all dashboards are tested with. Making it takes longer than most of the tests. */
interface Stand {
  database: Database;
  duckdb: Analytics;
  postgres: Analytics;
  /** Two tenants with rows. */
  tenantIds: string[];
  /** A tenant without the family that can be hidden, and one without rows. */
  without: string;
  empty: string;
  jurisdiction: Awaited<ReturnType<World['makeReportedTo']>>;
}

/** Declares the tests of all dashboards, with the same rows. */
export function describeDashboards(all: readonly Tested[], world: World): void {
  const stand = {} as Stand;
  let folder: string;
  beforeAll(async () => {
    const { database } = await createTestDatabase();
    const tenantIds = [await world.makeRows(database, 1), await world.makeRows(database, 2)];
    const jurisdiction = await world.makeReportedTo(database, tenantIds);
    const without = await world.makeRows(database, 1, { without: world.family });
    const empty = (await makeTenant(database)).id;
    folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
    const options = { facts: world.facts, database, log: createLog('fatal'), folder };
    const duckdb = await startAnalytics({ ...options, engine: 'duckdb' });
    const postgres = await startAnalytics({ ...options, engine: 'postgres' });
    Object.assign(stand, { database, duckdb, postgres, tenantIds, without, empty, jurisdiction });
    for (const tenantId of [...tenantIds, without, empty]) await duckdb.caughtUp(tenantId);
  });
  afterAll(async () => {
    await Promise.all([stand.duckdb?.close(), stand.postgres?.close()]);
    if (folder) await rm(folder, { recursive: true, force: true });
  });
  for (const tested of all) describeDashboard(tested, world, stand);
}

function describeDashboard({ dashboard, counting: own, times }: Tested, world: World, stand: Stand): void {
  describe(`the dashboard ${dashboard.id}`, () => {
    let { database, duckdb, postgres, tenantIds, without, empty, jurisdiction } = stand;
    const stored = storedFactsOf(dashboard, world.facts);
    const counting: Counting = { dashboard, stored, ...own };
    const plainRows = new Map<string, Plain[]>();

    beforeAll(async () => {
      ({ database, duckdb, postgres, tenantIds, without, empty, jurisdiction } = stand);
      for (const tenantId of tenantIds)
        for (const [name, fact] of Object.entries(stored))
          plainRows.set(`${tenantId} ${name}`, await readPlain(tenantId, fact));
    });
    const often = (small: number, full: number) => rounds(small * times, full);

    /** The stored rows of a fact, by the column names of the contract. */
    const readPlain = (tenantId: string, fact: StoredFact) => {
      const { comparedBy, sql } = fact;
      return database.withScope({ kind: 'service', tenantId }, async (tx) => {
        const columns = Object.values(comparedBy).join();
        const from = storedFacts(fact, () => `cast('${tenantId}' as uuid)`, columns);
        const rows = await tx.rows<Plain>(`select * from ${from} where tenant_id = $1`, [tenantId]);
        return rows.map((row) => ({
          ...Object.fromEntries(
            Object.entries(comparedBy).map(([name, column]) => [name, row[column] ?? null]),
          ),
          person: sql.person === undefined ? null : row[sql.person]!,
          unit: sql.unit === undefined ? null : row[sql.unit]!,
          today: world.today,
        }));
      });
    };

    const scopeOf = (tenantId: string, given: Partial<Extract<Scope, { kind: 'org' }>> = {}): Scope => ({
      kind: 'org',
      tenantId,
      orgType: 'T',
      orgId: tenantId,
      accountId: tenantId,
      counties: [],
      hiddenFamilies: [],
      genderIdentityShown: true,
      ...given,
    });
    const asked = (query: AnalyticsQuery, scopes: readonly Scope[]) => ({
      query,
      today: world.today,
      timeZone: 'America/New_York',
      asOf: new Date(0),
      hiddenFamilies: scopes.flatMap((scope) => ('hiddenFamilies' in scope ? scope.hiddenFamilies : [])),
      orgTypes: scopes.flatMap((scope) => ('orgType' in scope ? [scope.orgType] : [])),
      populations: populationsFor(scopes, world.populations ?? [], world.today),
    });
    const ask = (
      analytics: Analytics,
      scopes: readonly Scope[],
      query: AnalyticsQuery,
      by: Counting = counting,
    ) =>
      analytics.read({ scopes, freshness: 'any', asks: 'numbers' }, (asking) =>
        dashboardNumbers(asking, by, asked(query, scopes)),
      );
    /** Includes the comparison, which doubles the cost. */
    const compared = (analytics: Analytics, scopes: readonly Scope[], query: AnalyticsQuery) =>
      analytics.read({ scopes, freshness: 'any', asks: 'numbers' }, (asking) =>
        comparedNumbers(asking, counting, asked(query, scopes)),
      );

    /** The values of a column that occur. Known only once rows are stored. */
    const valuesOf = (column: string) =>
      [...new Set([...plainRows.values()].flat().map((row) => row[column] ?? null))]
        .filter((value) => value !== null)
        .map(String)
        .toSorted();
    const someOf = (column: string, most: number) =>
      fc.array(fc.nat(), { minLength: 1, maxLength: most }).map((picks) => {
        const all = [...valuesOf(column), 'missing', 'unheard-of'];
        return [...new Set(picks.map((pick) => all[pick % all.length]!))];
      });
    const filters = Object.fromEntries(
      Object.entries(dashboard.filters).map(([name, column]) => [
        name,
        fc.oneof(
          { weight: 4, arbitrary: fc.constant<string[]>([]) },
          { weight: 1, arbitrary: someOf(column, 6) },
        ),
      ]),
    );
    const textFilters = Object.fromEntries(
      Object.entries(dashboard.textFilters).map(([name, column]) => [
        name,
        fc.oneof(
          { weight: 3, arbitrary: fc.constant('') },
          { weight: 1, arbitrary: someOf(column, 1).map(([one]) => one!) },
        ),
      ]),
    );
    const dates = Object.keys(dashboard.dates);
    const anyQuery: fc.Arbitrary<AnalyticsQuery> = fc
      .record({
        last: fc.integer({ min: -40, max: 5 }),
        days: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(91, 120, 560)),
        filters: fc.record({ ...filters, ...textFilters }),
        eventDate: dates.length > 0 ? fc.constantFrom(...dates) : fc.constant(undefined),
        granularity: fc.constantFrom(undefined, undefined, 'day', 'week', 'month'),
      })
      .map(({ last, days, eventDate, granularity, ...rest }) => ({
        ...rest,
        ...(granularity !== undefined && { granularity }),
        ...(eventDate !== undefined && { eventDate }),
        dateRangeValue: { start: addDays(world.today, last - days), end: addDays(world.today, last) },
      }));
    const anyScopes: fc.Arbitrary<Scope[]> = fc
      .tuple(
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom(...world.organizations),
        fc.constantFrom(...world.facilities),
        fc.boolean(),
      )
      .map(([kind, organization, facility, hides]) => {
        const hiddenFamilies = hides ? [world.family] : [];
        const one = (given: Partial<Extract<Scope, { kind: 'org' }>>) => [
          scopeOf(tenantIds[0]!, { hiddenFamilies, ...given }),
        ];
        if (kind === 0) return one({});
        if (kind === 1) return one({ orgType: 'O', orgId: organization });
        if (kind === 2) return one({ orgType: 'F', orgId: facility });
        const { id: orgId, counties } = jurisdiction;
        return tenantIds.map((id) => scopeOf(id, { hiddenFamilies, orgType: 'PHJ', orgId, counties }));
      });

    /** The rows of a fact that a query counts in its range, found row by row. */
    function matching(
      fact: string,
      { dateRangeValue, filters: chosen, eventDate }: AnalyticsQuery,
      tenantId = tenantIds[0]!,
    ) {
      const { counted, eventDates, yearly } = dashboard.facts[fact]!.counting;
      const date = eventDate === undefined ? undefined : dashboard.dates[eventDate];
      const day = (eventDates as readonly string[]).includes(date ?? '') ? date! : eventDates[0];
      const { start, end } = yearly ? lastYear(dateRangeValue.end) : dateRangeValue;
      return (plainRows.get(`${tenantId} ${fact}`) ?? []).filter(
        (row) =>
          (counted === undefined || row[counted] === true) &&
          meets(row, dashboard.base[fact] ?? {}) &&
          hasValue(row[day]) &&
          (!isOnceCome(fact, day) || String(row[day]) <= world.today) &&
          String(row[day]) >= start &&
          String(row[day]) <= end &&
          Object.entries({ ...dashboard.filters, ...dashboard.textFilters }).every(([name, column]) => {
            const picked = [chosen[name] ?? []].flat().filter((one) => one !== '');
            return (
              picked.length === 0 || dashboard.unfiltered[fact]?.includes(name) || passes(row[column], picked)
            );
          }),
      );
    }
    /** Whether rows of a day count only once it has come. */
    function isOnceCome(fact: string, day: string): boolean {
      const column = dashboard.facts[fact]!.columns[day]!;
      return column.kind === 'day' && column.onceCome === true;
    }
    /** The last day of the last year that has ended by a day and by today. */
    const lastYear = (end: string) => {
      const tomorrow = addDays(end < world.today ? end : world.today, 1);
      const day = `${Number(tomorrow.slice(0, 4)) - 1}-12-31`;
      return { start: day, end: day };
    };
    const nameOf = ({ fact }: AnyMeasure) =>
      Object.keys(dashboard.facts).find((name) => dashboard.facts[name] === fact)!;
    const dayOf = (fact: string, { eventDate }: AnalyticsQuery) => {
      const { eventDates } = dashboard.facts[fact]!.counting;
      const date = eventDate === undefined ? undefined : dashboard.dates[eventDate];
      return (eventDates as readonly string[]).includes(date ?? '') ? date! : eventDates[0];
    };

    /** The rows behind a mark, found row by row; undefined for series without marks. */
    function ofMark(
      series: AnySeries,
      query: AnalyticsQuery,
      answer: AnalyticsAnswer,
      { key, key2 }: SeriesRow,
    ) {
      const fact = factOfSeries(dashboard, series);
      const day = dayOf(fact, query);
      const keyed = (row: Plain, column: string, of: string | undefined) =>
        (hasValue(row[column]) ? String(row[column]) : 'missing') === of;
      const rows = matching(fact, query).filter((row) => meets(row, series.of ?? {}));
      switch (series.form) {
        case 'trend':
          return rows.filter((row) => {
            const on = String(row[day]);
            return firstOf(on, answer.granularity) === key;
          });
        case 'epidemic-curve':
          return rows.filter(
            (row) => startOfMmwrWeek(String(row[day])) === key && keyed(row, series.by, key2),
          );
        case 'buckets': {
          const next = series.from[series.from.indexOf(Number(key)) + 1] ?? Number.POSITIVE_INFINITY;
          return rows.filter((row) => {
            const value = row[series.by];
            if (!hasValue(value)) return key === 'missing';
            const isDay = dashboard.facts[fact]!.columns[series.by]!.kind === 'day';
            const number = isDay ? daysBefore(String(value), world.today) : Number(value);
            return key === 'below' ? number < series.from[0]! : number >= Number(key) && number < next;
          });
        }
        case 'pyramid':
          return rows.filter((row) => keyed(row, series.by, key) && keyed(row, series.sides, key2));
        case 'heat':
        case 'table':
          return rows.filter(
            (row) =>
              keyed(row, series.by, key) && (series.across === undefined || keyed(row, series.across, key2)),
          );
        case 'bars':
        case 'map':
        case 'box':
          return rows.filter((row) => keyed(row, series.by, key));
        case 'pairs':
          return rows.filter((row) => keyed(row, series.left, key) && keyed(row, series.right, key2));
        default:
          return undefined;
      }
    }

    test('DuckDB and PostgreSQL give the same numbers to any reader', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constant(0).chain(() => anyScopes),
          anyQuery,
          async (scopes, query) => {
            expect(await compared(duckdb, scopes, query)).toEqual(await compared(postgres, scopes, query));
          },
        ),
        often(2, 60),
      );
    });

    test('its numbers match the rows counted one by one', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const answer = await ask(duckdb, [scopeOf(tenantIds[0]!)], query);
          for (const [name, measure] of Object.entries(dashboard.measures)) {
            const expected = slowly(measure, matching(nameOf(measure), query));
            const found = answer.measures[name]!;
            if (expected !== undefined && found.without === undefined) close(found.value, expected, name);
            const { formula } = measure;
            if (formula.form !== 'rate') continue;
            // Every event is counted or reported as left out.
            const events = matching(nameOf(measure), query).filter((row) => meets(row, formula.of));
            expect(found.numerator! + (found.excluded ?? 0), name).toBe(events.length);
            if (formula.adjusted === undefined && found.value !== null)
              close(found.value, (found.numerator! / found.denominator!) * formula.per, name);
          }
          for (const [name, series] of Object.entries(dashboard.series))
            for (const row of answer.series[name]!) {
              const rows = ofMark(series, query, answer, row);
              if (!rows || row.rest) continue;
              const at = `${name} ${row.key} ${row.key2}`;
              if (series.form === 'box') {
                const column = dashboard.facts[factOfSeries(dashboard, series)]!.columns[series.column]!;
                const divisor = column.kind === 'integer' ? (column.divisor ?? 1) : 1;
                const values = rows.flatMap((one) =>
                  hasValue(one[series.column]) ? [Number(one[series.column])] : [],
                );
                expect(row.values.n, at).toMatchObject({
                  value: values.length,
                  excluded: rows.length - values.length,
                });
                for (const percent of [10, 25, 50, 75, 90]) {
                  const value = quantileOf(values, percent / 100);
                  close(
                    row.values[`p${percent}`]!.value,
                    value === null ? null : value / divisor,
                    `${at} p${percent}`,
                  );
                }
                continue;
              }
              if (series.form === 'pairs') {
                const known = matching(factOfSeries(dashboard, series), query).filter(
                  (one) => hasValue(one[series.left]) && hasValue(one[series.right]),
                );
                const records = (some: readonly Plain[]) => {
                  const { unit } = dashboard.facts[factOfSeries(dashboard, series)]!.counting;
                  return unit === undefined ? some.length : new Set(some.map((one) => one.unit)).size;
                };
                const [both, left, right] = [
                  records(rows),
                  records(known.filter((one) => one[series.left] === row.key)),
                  records(known.filter((one) => one[series.right] === row.key2)),
                ];
                const neither = records(known) - left - right + both;
                expect(row.pair, at).toEqual({ both, first: left - both, second: right - both, neither });
                continue;
              }
              for (const shown of shownBy(dashboard, series)) {
                const expected = slowly(dashboard.measures[shown]!, rows);
                const found = row.values[shown]!;
                if (expected !== undefined && found.without === undefined)
                  close(found.value, expected, `${at} ${shown}`);
              }
              const { classes } = dashboard;
              if (classes && factOfSeries(dashboard, series) === dashboard.main)
                for (const one of [...Object.keys(classes.are), classes.rest])
                  expect(row.values[one]!.value, `${at} ${one}`).toBe(
                    rows.filter((each) => meets(each, ofClass(classes, one)!)).length,
                  );
            }
        }),
        often(3, 60),
      );
    });

    test('the number of records behind a number is its numerator', async () => {
      const countOf = async (
        fact: string,
        asked: Parameters<ReturnType<typeof recordsBehind>['condition']>[0],
      ) => {
        const params: Param[] = [];
        const where = recordsBehind([dashboard], stored[fact]!).condition(
          asked,
          (value) => `$${params.push(value)}`,
          { today: world.today, engine: 'duckdb' },
        );
        const unit =
          dashboard.facts[fact]!.counting.unit === undefined ? '*' : `distinct ${stored[fact]!.sql.unit}`;
        const { rows } = await duckdb.query<{ n: number }>({
          scopes: [scopeOf(tenantIds[0]!)],
          freshness: 'any',
          select: `select count(${unit}) as n from ${stored[fact]!.table} f where ${where}`,
          params,
        });
        return rows[0]!.n;
      };
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const answer = await ask(duckdb, [scopeOf(tenantIds[0]!)], query);
          for (const [name, measure] of Object.entries(dashboard.measures)) {
            const counted = measure.formula.form === 'ratio' ? measure.formula.over : measure;
            const { form } = counted.formula;
            // For these, the numerator is not a number of rows.
            if (form === 'completeness' || form === 'distinct' || form === 'sum' || form === 'latest')
              continue;
            const n = await countOf(nameOf(counted), { dashboard: dashboard.id, ...query, measure: name });
            const { numerator, denominator } = answer.measures[name]!;
            if (form === 'persons' || form === 'shareOfPersons')
              expect(n, name).toBeGreaterThanOrEqual(numerator!);
            else if (form === 'rate')
              expect(n, name).toBe(numerator! + (answer.measures[name]!.excluded ?? 0));
            else expect(n, name).toBe(numerator ?? denominator);
          }
          for (const [name, series] of Object.entries(dashboard.series)) {
            const fact = factOfSeries(dashboard, series);
            for (const row of answer.series[name]!.filter((_, index) => index % 7 === 0)) {
              const rows = ofMark(series, query, answer, row);
              if (!rows || row.rest) continue;
              const { key, key2 } = row;
              const asked = {
                dashboard: dashboard.id,
                ...query,
                series: name,
                key,
                ...(key2 !== undefined && { key2 }),
              };
              // The records of the first number, which is the drawn one.
              const drawn = dashboard.measures[shownBy(dashboard, series)[0] ?? '']?.formula;
              const counts =
                series.form !== 'table' &&
                (drawn?.form === 'count' || drawn?.form === 'rate' || drawn?.form === 'persons')
                  ? rows.filter((one) => meets(one, drawn.of))
                  : rows;
              const timed =
                series.form === 'box' ? counts.filter((one) => hasValue(one[series.column])) : counts;
              const { unit } = dashboard.facts[fact]!.counting;
              const expected = unit === undefined ? timed.length : new Set(timed.map((one) => one.unit)).size;
              expect(await countOf(fact, asked), `${name} ${key} ${key2}`).toBe(expected);
            }
          }
        }),
        often(1, 10),
      );
    });

    test('rows of the test have a value for every filter', () => {
      const columns = Object.values({ ...dashboard.filters, ...dashboard.textFilters });
      expect(columns.filter((column) => valuesOf(column).length === 0)).toEqual([]);
    });

    test('all values of a filter plus those without one are no filter, and the order of values does not matter', async () => {
      await fc.assert(
        fc.asyncProperty(
          anyQuery,
          fc.constantFrom(...Object.entries(dashboard.filters)),
          async (query, [name, column]) => {
            const scopes = [scopeOf(tenantIds[0]!)];
            const withValues = (values: readonly string[]) =>
              ask(duckdb, scopes, { ...query, filters: { ...query.filters, [name]: [...values] } });
            const all = [...valuesOf(column), 'missing'];
            const { unfiltered, ...narrowed } = await withValues(all);
            const { unfiltered: _, ...plain } = await withValues([]);
            // There is no population for a filter, so rates of all values have none either.
            expect(withoutRates(narrowed)).toEqual(withoutRates(plain));
            expect(await withValues(all.toReversed())).toEqual({ unfiltered, ...narrowed });
          },
        ),
        often(2, 30),
      );
    });
    const rates = Object.keys(dashboard.measures).filter(
      (name) => dashboard.measures[name]!.formula.form === 'rate',
    );
    const withoutRates = ({ measures, series }: Pick<AnalyticsAnswer, 'measures' | 'series'>) => {
      const kept = (values: Record<string, MeasureValue>) =>
        Object.fromEntries(Object.entries(values).filter(([name]) => !rates.includes(name)));
      return {
        measures: kept(measures),
        series: Object.fromEntries(
          Object.entries(series).map(([name, rows]) => [
            name,
            rows.map((row) => ({ ...row, values: kept(row.values) })),
          ]),
        ),
      };
    };

    test('a comparison is the same question about the range before', async () => {
      if (dashboard.compare !== 'range-before') return;
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const scopes = [scopeOf(tenantIds[1]!)];
          const { previous } = await compared(duckdb, scopes, query);
          const before = await ask(duckdb, scopes, {
            ...query,
            dateRangeValue: previousRange(query.dateRangeValue),
          });
          for (const [name, value] of Object.entries(previous))
            expect(value, name).toEqual(before.measures[name]);
        }),
        often(1, 30),
      );
    });

    test('for two tenants, counts and persons are added up, and shares are computed from the sums', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const scopes = tenantIds.map((id) => scopeOf(id));
          const union = await ask(duckdb, scopes, query);
          const parts = await Promise.all(scopes.map((scope) => ask(duckdb, [scope], query)));
          const added = [
            'count',
            'persons',
            'sum',
            'undated',
            'share',
            'shareOfPersons',
            'within',
            'completeness',
          ];
          for (const [name, { formula }] of Object.entries(dashboard.measures)) {
            if (!added.includes(formula.form)) continue;
            const total = parts.reduce((sum, part) => sum + part.measures[name]!.numerator!, 0);
            expect(union.measures[name]!.numerator, name).toBe(total);
          }
        }),
        often(1, 30),
      );
    });

    test('the numbers are the same without packs, column by column', async () => {
      const plain = Object.entries(stored).map(([name, fact]) => [name, { ...fact, made: [] }]);
      const other = { ...counting, stored: Object.fromEntries(plain) };
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const scopes = [scopeOf(tenantIds[0]!)];
          expect(await ask(duckdb, scopes, query, other)).toEqual(await ask(duckdb, scopes, query));
        }),
        often(1, 30),
      );
    });

    test('a tenant without rows gets zeros and no values, and no error', async () => {
      for (const analytics of [duckdb, postgres]) {
        const answer = await ask(analytics, [scopeOf(empty)], {
          dateRangeValue: { start: addDays(world.today, -120), end: world.today },
          filters: Object.fromEntries(Object.keys(dashboard.filters).map((name) => [name, []])),
          ...(dates.length > 0 && { eventDate: dates[0]! }),
        });
        for (const [name, { value }] of Object.entries(answer.measures)) expect(value ?? 0, name).toBe(0);
        expect(answer.incompleteFrom).toBeNull();
      }
    });

    test('[P18] a hidden family leaves no trace in any number', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const hidden = await ask(
            duckdb,
            [scopeOf(tenantIds[0]!, { hiddenFamilies: [world.family] })],
            query,
          );
          const absent = await ask(duckdb, [scopeOf(without)], query);
          const told = Object.keys(hidden.measures);
          const kept = (values: Record<string, MeasureValue>) =>
            Object.fromEntries(Object.entries(values).filter(([name]) => told.includes(name)));
          expect(hidden.measures).toEqual(kept(absent.measures));
          const isTold = (name: string) => {
            const measure = name.replace(/Mean$/, '');
            return !(measure in dashboard.measures) || told.includes(measure);
          };
          // Nothing that reveals it is there, not even as a step of a continuum.
          const shown = Object.entries(absent.series).map(([name, rows]) => [
            name,
            (dashboard.series[name]!.form === 'continuum' ? rows.filter(({ key }) => isTold(key)) : rows).map(
              (row) => ({
                ...row,
                values: Object.fromEntries(Object.entries(row.values).filter(([one]) => isTold(one))),
              }),
            ),
          ]);
          expect(hidden.series).toEqual(Object.fromEntries(shown));
          expect(hidden.overlays).toEqual(absent.overlays);
          for (const [name, { tells = [] }] of Object.entries(dashboard.measures))
            expect(name in hidden.measures, name).toBe(!tells.includes(world.family));
        }),
        often(2, 30),
      );
    });

    test('no reader sees more than the tenant', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constant(0).chain(() => anyScopes),
          anyQuery,
          async (scopes, query) => {
            const part = await ask(duckdb, scopes, query);
            const all = await ask(
              duckdb,
              tenantIds.map((id) => scopeOf(id)),
              { ...query, filters: openFilters(query) },
            );
            for (const [name, { formula }] of Object.entries(dashboard.measures))
              if (formula.form === 'count' && Object.keys(formula.of).length === 0 && name in part.measures)
                expect(part.measures[name]!.value!, name).toBeLessThanOrEqual(all.measures[name]!.value!);
          },
        ),
        often(1, 30),
      );
    });
    // Attributes of a person that a reader may not see are missing to them, so filters by these pick other rows.
    const openFilters = ({ filters: chosen }: AnalyticsQuery) =>
      Object.fromEntries(
        Object.entries(chosen).map(([name, value]) => [name, Array.isArray(value) ? [] : '']),
      );
  });
}
