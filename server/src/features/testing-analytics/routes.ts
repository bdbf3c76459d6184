import { testing } from '@caseway/contract/dashboards/testing';
import { textOfTestingRecord } from '@caseway/contract/testing-analytics';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { serveDashboard } from '../../platform/dashboards/serve-dashboard.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { resultFact } from '../results/result-fact.ts';
import { readTestingRecords, testingRecordsSource } from './records.ts';

/** Testing analytics: its numbers, the records behind them, and saved views. */
export function serveTestingAnalytics(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  serveDashboard(app, analytics, { dashboard: testing, facts: [resultFact] });
  serveGrid(app, analytics, {
    source: testingRecordsSource,
    recordKind: 'result',
    orders: (names, call) => lookups.orders(names, call),
    read: readTestingRecords,
    exported: { lookups, words: 'testing-analytics', value: textOfTestingRecord },
  });
}
