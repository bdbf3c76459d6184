import type { AnalyticsAnswer, AnalyticsQuery } from '@caseway/contract/analytics';
import { type DateRange, previousRange, todayIn } from '@caseway/contract/date-range';
import { testingAnalytics, testingAnalyticsSearch } from '@caseway/contract/testing-analytics';
import { AnswerCache } from '../../platform/analytics/answer-cache.ts';
import { auditedQuestion } from '../../platform/analytics/audited-question.ts';
import { type Analytics, AnalyticsTimeout, type Ask } from '../../platform/analytics/engine.ts';
import { servePresets } from '../../platform/analytics/presets.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { answerOf, type Withholding, withCategories } from './answer.ts';
import { peopleOfCells, peopleOfTotals, peopleUndated, withheldByFilters } from './people.ts';
import { readCounts, type TestingCounts, type Totals } from './queries.ts';
import { readTestingRecords, testingRecordsSource } from './records.ts';
import { everythingWithheld, isSmall, withheldSeries, withheldTotals } from './suppression.ts';

const timeoutMs = 15_000;

/** Testing analytics: its numbers, the records behind them, and saved presets. */
export function serveTestingAnalytics(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);

  servePresets(app, testingAnalytics);

  serveGrid(app, analytics, {
    source: testingRecordsSource,
    recordKind: 'result',
    orders: (names, call) => lookups.orders(names, call),
    read: readTestingRecords,
  });

  const answers = new AnswerCache<AnalyticsAnswer>();

  serve(app, testingAnalyticsSearch, async (call) => {
    const query = call.body;
    call.audit(auditedQuestion(query));
    const threshold = call.may('line-lists/read') ? undefined : await thresholdFor(call);
    const { timeZone } = call.org;
    const today = todayIn(timeZone);
    const scopes = call.org.tenantIds.map((id) => call.scopeIn(id));
    const sameForAll = scopes.map((scope) => ({ ...scope, accountId: '' }));
    const key = JSON.stringify([sameForAll, query, threshold, today, timeZone]);
    try {
      return await analytics.read(
        { scopes, freshness: 'any', signal: call.signal, timeoutMs },
        async (ask, asOf, _by, version) => {
          const make = () => testingNumbers(ask, query, { today, timeZone, asOf, threshold });
          return { ...(await answers.get(key, version, make)), asOf: asOf.toISOString() };
        },
      );
    } catch (error) {
      if (error instanceof AnalyticsTimeout) throw new AppError('query-too-slow', { cause: error });
      throw error;
    }
  });
}

/** The tenant's threshold for small cells; of several tenants, the highest. */
async function thresholdFor(call: Call): Promise<number> {
  let threshold = 0;
  for (const tenantId of call.org.tenantIds) {
    const tenant = await call.withScope(
      (tx) =>
        tx
          .selectFrom('tenant')
          .select('small_cell_threshold')
          .where('id', '=', tenantId)
          .executeTakeFirstOrThrow(),
      { tenantId },
    );
    threshold = Math.max(threshold, tenant.small_cell_threshold);
  }
  return threshold;
}

export interface Reading {
  /** The day it is in the time zone. */
  today: string;
  timeZone: string;
  asOf: Date;
  /** Numbers of fewer persons are withheld; undefined for a reader from whom nothing is. */
  threshold: number | undefined;
}

/** Every number of the screen, from one state of the facts. */
export async function testingNumbers(
  ask: Ask,
  query: AnalyticsQuery,
  { threshold, ...reading }: Reading,
): Promise<AnalyticsAnswer> {
  const counts = await readCounts(ask, query, reading.today);
  const withholding = threshold === undefined ? undefined : await withhold(ask, query, counts, threshold);
  return answerOf(counts, { query, ...reading }, withholding);
}

async function withhold(
  ask: Ask,
  query: AnalyticsQuery,
  counts: TestingCounts,
  threshold: number,
): Promise<Withholding> {
  const smallness = { threshold };
  const totalsIn = async (range: DateRange, totals: Totals) => {
    const byFilters = await withheldByFilters(ask, query, range, threshold);
    const own = withheldTotals(totals, await peopleOfTotals(ask, query, range, totals, threshold), smallness);
    const withheld =
      byFilters === 'all' ? everythingWithheld : { ...own, answers: own.answers || byFilters === 'answers' };
    return { withheld, byFilters };
  };
  const current = await totalsIn(query.dateRangeValue, counts.current);
  const previous = await totalsIn(previousRange(query.dateRangeValue), counts.previous);
  const people = await peopleOfCells(ask, query, counts, threshold);
  const cells = withheldSeries(counts.series, people, current.withheld, smallness);
  const undatedPeople = await peopleUndated(ask, query, counts.undated, threshold);
  return {
    threshold,
    current: withCategories(current.withheld, counts.series.resultCategory, cells),
    previous: previous.withheld,
    undated: isSmall(counts.undated, undatedPeople, smallness),
    cells,
    becauseOfFilters: current.byFilters === 'all',
  };
}
