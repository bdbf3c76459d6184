import { dashboards } from '@caseway/contract/dashboards/all';
import { hiv } from '@caseway/contract/dashboards/hiv';
import { hivTestRecords, textOfTestingRecord } from '@caseway/contract/testing-analytics';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { recordsBehind } from '../../platform/dashboards/behind.ts';
import { serveDashboard } from '../../platform/dashboards/serve-dashboard.ts';
import { sourceOver } from '../../platform/grid/fact-source.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { careYearFact } from '../case-reports/care-year-fact.ts';
import { caseFact } from '../case-reports/case-fact.ts';
import { readTestingRecords, testTranslations } from '../testing-analytics/records.ts';
import { hivTestFact } from './hiv-test-fact.ts';

export const hivTestsSource = sourceOver(hivTestRecords, hivTestFact, {
  only: 'performed',
  behind: recordsBehind(dashboards, hivTestFact),
  translations: testTranslations,
});

/** HIV analytics: its numbers, the tests behind them, and saved views. */
export function serveHivAnalytics(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  serveDashboard(app, analytics, { dashboard: hiv, facts: [hivTestFact, caseFact, careYearFact] });
  serveGrid(app, analytics, {
    source: hivTestsSource,
    recordKind: 'result',
    orders: (names, call) => lookups.orders(names, call),
    read: readTestingRecords,
    exported: { lookups, words: 'testing-analytics', value: textOfTestingRecord },
  });
}
