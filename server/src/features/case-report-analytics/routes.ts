import { caseReports, tenantCaseReports } from '@caseway/contract/dashboards/case-reports';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { serveDashboard } from '../../platform/dashboards/serve-dashboard.ts';
import type { App } from '../../platform/http/app.ts';
import { caseFact } from '../case-reports/case-fact.ts';

/** Analytics of case reports, for all places and for the tenant. */
export function serveCaseReportAnalytics(app: App, analytics: Analytics): void {
  for (const dashboard of [caseReports, tenantCaseReports])
    serveDashboard(app, analytics, { dashboard, facts: [caseFact] });
}
