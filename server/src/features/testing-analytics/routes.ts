import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import { todayIn } from '@caseway/contract/date-range';
import { testingAnalytics, testingAnalyticsSearch } from '@caseway/contract/testing-analytics';
import { AnswerCache } from '../../platform/analytics/answer-cache.ts';
import { auditedQuestion } from '../../platform/analytics/audited-question.ts';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { servePresets } from '../../platform/analytics/presets.ts';
import { refusalOf } from '../../platform/analytics/refusal.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { testingNumbers } from './numbers.ts';
import { readTestingRecords, recordValue, testingRecordsSource } from './records.ts';

const timeoutMs = 15_000;

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
