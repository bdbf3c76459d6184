import type { AnalyticsAnswer, AnalyticsQuery } from '@caseway/contract/analytics';
import { todayIn } from '@caseway/contract/date-range';
import { exactRights } from '@caseway/contract/permission';
import { testingAnalytics, testingAnalyticsSearch } from '@caseway/contract/testing-analytics';
import { z } from 'zod';
import { AnswerCache } from '../../platform/analytics/answer-cache.ts';
import { auditedQuestion } from '../../platform/analytics/audited-question.ts';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { servePresets } from '../../platform/analytics/presets.ts';
import type { Reading } from '../../platform/analytics/readings.ts';
import { refusalOf } from '../../platform/analytics/refusal.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { testingNumbers } from './numbers.ts';
import { readTestingRecords, recordValue, testingRecordsSource } from './records.ts';

const timeoutMs = 15_000;

interface NumbersArgs {
  query: AnalyticsQuery;
  /** The day it is in the time zone. */
  today: string;
  timeZone: string;
  /** Numbers of fewer persons are withheld; absent for a reader from whom nothing is withheld. */
  threshold?: number;
}

/** The numbers of the screen, kept as long as the facts are the same. */
function numbersReading(): Reading<NumbersArgs, AnalyticsAnswer> {
  const answers = new AnswerCache<AnalyticsAnswer>();
  return {
    name: 'testing-analytics/numbers',
    asks: 'numbers',
    args: z.strictObject({
      query: testingAnalyticsSearch.body!,
      today: z.iso.date(),
      timeZone: z.string(),
      threshold: z.number().int().optional(),
    }),
    async run(ask, { query, today, timeZone, threshold }, { scopes, asOf, version }) {
      const sameForAll = scopes.map((scope) => ({ ...scope, accountId: '' }));
      const key = JSON.stringify([sameForAll, query, threshold, today, timeZone]);
      const make = () => testingNumbers(ask, query, { today, timeZone, asOf, threshold });
      return { ...(await answers.get(key, version, make)), asOf: asOf.toISOString() };
    },
  };
}

/** Testing analytics: its numbers, the records behind them, and saved views. */
export function serveTestingAnalytics(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);

  servePresets(app, testingAnalytics);

  serveGrid(app, analytics, {
    source: testingRecordsSource,
    recordKind: 'result',
    orders: (names, call) => lookups.orders(names, call),
    read: readTestingRecords,
    exported: { lookups, words: 'testing-analytics', value: recordValue },
  });

  const numbers = numbersReading();
  analytics.declare(numbers);

  serve(app, testingAnalyticsSearch, async (call) => {
    const query = call.body;
    call.audit(auditedQuestion(query));
    const isExact = exactRights.some((permission) => call.may(permission));
    const threshold = isExact ? undefined : await thresholdFor(call);
    const { timeZone } = call.org;
    const scopes = call.org.tenantIds.map((id) => call.scopeIn(id));
    try {
      return await analytics.answer({ scopes, freshness: 'any', signal: call.signal, timeoutMs }, numbers, {
        query,
        today: todayIn(timeZone),
        timeZone,
        threshold,
      });
    } catch (error) {
      throw refusalOf(error);
    }
  });
}

/** The tenant's threshold for small cells; for several tenants, the highest. */
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
