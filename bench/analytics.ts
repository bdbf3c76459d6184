import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { testing } from '@caseway/contract/dashboards/testing';
import { addDays, daysBetween, todayIn } from '@caseway/contract/date-range';
import { initialFilters } from '@caseway/contract/search-params';
import { eventDates } from '@caseway/contract/testing-analytics';
import { Random } from '../server/seeds/demo/random.ts';
import { seedRecords } from '../server/seeds/demo/seed-records.ts';
import { seedDemoTenants } from '../server/seeds/demo/seed-tenants.ts';
import { facts } from '../server/src/facts.ts';
import { resultFact } from '../server/src/features/results/result-fact.ts';
import { type Analytics, type Ask, startAnalytics } from '../server/src/platform/analytics/engine.ts';
import { numbersBy } from '../server/src/platform/analytics/facts.ts';
import { recordChange } from '../server/src/platform/analytics/outbox.ts';
import { dashboardComparison, dashboardNumbers } from '../server/src/platform/dashboards/numbers.ts';
import { connectDatabase } from '../server/src/platform/db/connect.ts';
import type { Database } from '../server/src/platform/db/database.ts';
import { createLog } from '../server/src/platform/log/log.ts';
import type { Scope } from '../server/src/platform/scope.ts';
import { dataFolder } from './data-folder.ts';
import { type Bench, type Figure, percentile, worked } from './figure.ts';
import { enlarge } from './larger-replica.ts';

const results = Number(process.env.BENCH_RESULTS ?? 1_000_000);
/** The replica has every result this many times: more than a database that fills in minutes. */
const times = Number(process.env.BENCH_TIMES ?? 1);
const runs = 120;
/** PostgreSQL takes seconds for each, so it answers fewer of the same questions. */
const runsOnPostgres = 10;

const timeZone = 'America/New_York';
const today = todayIn(timeZone);

type Values = Record<string, string[]>;
const counting = { dashboard: testing, stored: { results: resultFact } };

/** Typical queries: mostly the last month, now and then a quarter, a year or everything; none to three filters. */
function anyQuery(values: Values, random: () => number): AnalyticsQuery {
  const filters = initialFilters(testing);
  for (let n = Math.floor(random() * 4); n > 0; n--) {
    const name = testing.listFilters[Math.floor(random() * testing.listFilters.length)]!;
    const list = values[name]!;
    filters[name] = list.filter(() => random() < 0.3);
  }
  const days = [30, 30, 30, 91, 91, 364, 364, 1094][Math.floor(random() * 8)]!;
  const end = addDays(today, -Math.floor(random() * (1095 - days)));
  return {
    dateRangeValue: { start: addDays(end, -days), end },
    filters,
    eventDate: random() < 0.7 ? 'collected' : eventDates[Math.floor(random() * eventDates.length)]!,
  };
}

interface How {
  /** For a reader of protected numbers. */
  threshold?: number;
  /** Every row is counted, although roll-ups are kept. */
  byRows?: true;
  /** Without the comparison. */
  rangeOnly?: true;
}

/** All numbers with their comparison, as a screen requests them. */
const numbers = (
  analytics: Analytics,
  scope: Scope,
  query: AnalyticsQuery,
  { threshold, byRows, rangeOnly }: How = {},
) =>
  analytics.read(
    { scopes: [scope], freshness: 'any', timeoutMs: 300_000, asks: 'numbers' },
    async (given, asOf) => {
      const asking = { query, today, timeZone, asOf, threshold };
      const ask: Ask = byRows ? ({ rolled: _, ...question }) => given(question) : given;
      await dashboardNumbers(ask, counting, asking);
      if (!rangeOnly) await dashboardComparison(ask, counting, asking);
    },
  );

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Processor time of questions, grouped by what they have in common. */
const grouped = (
  queries: readonly AnalyticsQuery[],
  work: readonly number[],
  groupOf: (query: AnalyticsQuery) => string,
): Figure[] =>
  [...Map.groupBy(queries.keys(), (index) => groupOf(queries[index]!))]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([what, indexes]) => ({
      what: `… … ${what}`,
      value: percentile(
        indexes.map((index) => work[index]!),
        0.95,
      ),
      unit: 'ms',
    }));

async function measure(database: Database, folder: string): Promise<Figure[]> {
  const log = createLog('error');
  const { demo } = await seedDemoTenants(database);
  const tenantId = demo.id;
  const patients = Math.ceil(results / 3);
  await seedRecords(database, tenantId, { patients, results, cases: 1000 }, { seed: 'bench' });
  const service: Scope = { kind: 'service', tenantId };
  await database.withScope(service, (tx) => tx.run('delete from outbox where tenant_id = $1', [tenantId]));
  const scope: Scope = {
    kind: 'org',
    tenantId,
    orgType: 'T',
    orgId: tenantId,
    accountId: tenantId,
    counties: [],
    hiddenFamilies: ['hiv'],
    genderIdentityShown: true,
  };

  const options = { database, facts, log, folder, engine: 'duckdb' as const, sweepMs: 20_000 };
  let duckdb = await startAnalytics(options);
  const postgres = await startAnalytics({
    database,
    facts,
    log,
    folder,
    engine: 'postgres',
    sweepMs: 20_000,
  });
  try {
    const loading = await timed(() => duckdb.caughtUp(tenantId));
    if (times > 1) {
      await duckdb.close();
      await enlarge(folder, tenantId, resultFact, times);
      duckdb = await startAnalytics(options);
      await duckdb.caughtUp(tenantId);
    }
    const values: Values = {};
    for (const [name, of] of Object.entries(testing.filters)) {
      const column = numbersBy(resultFact, of, 'filtered');
      const { rows } = await duckdb.query<{ value: string }>({
        scopes: [scope],
        freshness: 'any',
        select: `select distinct cast(${column} as text) as value from result_fact where ${column} is not null order by 1`,
      });
      values[name] = rows.map(({ value }) => value);
    }
    const random = new Random('analytics bench');
    const queries = Array.from({ length: runs }, () => anyQuery(values, () => random.next()));
    const whole: AnalyticsQuery = {
      dateRangeValue: { start: addDays(today, -1094), end: today },
      filters: initialFilters(testing),
      eventDate: 'collected',
    };
    for (let warm = 0; warm < 3; warm++) await numbers(duckdb, scope, whole);

    // Roll-ups are made for what has been requested.
    for (const query of [...queries, whole])
      for (const threshold of [undefined, 11]) await numbers(duckdb, scope, query, { threshold });
    let rolling = 0;
    const rollingWork = await worked(async () => {
      rolling = await timed(() => duckdb.rolledUp(tenantId));
    });

    const here: number[] = [];
    const work: number[] = [];
    const byRows: number[] = [];
    const ranges: number[] = [];
    const protecting: number[] = [];
    for (const query of queries) {
      work.push(
        await worked(async () => {
          here.push(await timed(() => numbers(duckdb, scope, query)));
        }),
      );
      byRows.push(await worked(() => numbers(duckdb, scope, query, { byRows: true })));
      ranges.push(await timed(() => numbers(duckdb, scope, query, { rangeOnly: true })));
      protecting.push(await worked(() => numbers(duckdb, scope, query, { threshold: 11 })));
    }
    const everything = await timed(() => numbers(duckdb, scope, whole));
    const there: number[] = [];
    for (const query of queries.slice(0, runsOnPostgres))
      there.push(await timed(() => numbers(postgres, scope, query)));
    const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
    const ratio = sum(there) / sum(here.slice(0, runsOnPostgres));

    const visible: number[] = [];
    const { rows: some } = await duckdb.query<{ id: string }>({
      scopes: [service],
      freshness: 'any',
      select: "select id from result_fact where result_category = 'negative' order by id limit 20",
    });
    const positives = async () =>
      (
        await duckdb.query<{ n: number }>({
          scopes: [service],
          freshness: 'any',
          select: "select count(*) as n from result_fact where result_category = 'positive'",
        })
      ).rows[0]!.n;
    for (const { id } of some) {
      const before = await positives();
      await database.withScope(service, async (tx) => {
        await tx.run("update result set result_category = 'positive' where tenant_id = $1 and id = $2", [
          tenantId,
          id,
        ]);
        await recordChange(tx, tenantId, 'result', [id]);
      });
      visible.push(
        await timed(async () => {
          while ((await positives()) === before) await new Promise((resolve) => setTimeout(resolve, 2));
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
    }

    const of = `${(results * times).toLocaleString('en')} results`;
    return [
      {
        what: `all its numbers, ${of}, any filters, p95`,
        value: percentile(here, 0.95),
        unit: 'ms',
        promised: '≤ 150',
        against: {
          what: `the same SQL on PostgreSQL (${runsOnPostgres} of them, ${results.toLocaleString('en')} results; promised ≥ 100)`,
          ratio,
        },
      },
      { what: '… median', value: percentile(here, 0.5), unit: 'ms' },
      { what: '… worst', value: percentile(here, 1), unit: 'ms', promised: '≤ 250' },
      { what: '… without what they are compared with, p95', value: percentile(ranges, 0.95), unit: 'ms' },
      {
        what: '… processor time, p95',
        value: percentile(work, 0.95),
        unit: 'ms',
        against: {
          what: 'every row counted, without roll-ups',
          ratio: percentile(byRows, 0.95) / percentile(work, 0.95),
        },
      },
      { what: '… … median', value: percentile(work, 0.5), unit: 'ms' },
      ...grouped(queries, work, ({ dateRangeValue: { start, end } }) => `${daysBetween(start, end)} days`),
      ...grouped(queries, work, ({ filters }) => {
        const chosen = Object.values(filters).filter((values) => values.length > 0).length;
        return `${chosen} filters`;
      }),
      { what: '… three years without any filter', value: everything, unit: 'ms' },
      {
        what: '… for a reader of protected numbers, against the others, processor time, p95',
        value: percentile(protecting, 0.95) / percentile(work, 0.95),
        unit: '×',
        promised: '≤ 1.2',
      },
      { what: 'making the roll-ups of all of these, processor time', value: rollingWork / 1000, unit: 's' },
      { what: '… time', value: rolling / 1000, unit: 's' },
      {
        what: 'from commit to the numbers, p95',
        value: percentile(visible, 0.95) / 1000,
        unit: 's',
        promised: '≤ 0.5',
      },
      {
        what: `making the replica of ${results.toLocaleString('en')} results`,
        value: loading / 1000,
        unit: 's',
        promised: '≤ 8',
      },
    ];
  } finally {
    await duckdb.close();
    await postgres.close();
  }
}

export const analytics: Bench = {
  name: 'testing analytics',
  async run() {
    const dataDir = await dataFolder();
    try {
      const log = createLog('error');
      const connection = await connectDatabase({ dataDir, log });
      try {
        return await measure(connection.database, path.join(dataDir, 'analytics'));
      } finally {
        await connection.close();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
