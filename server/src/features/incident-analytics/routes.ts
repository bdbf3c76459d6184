import { incidentReports } from '@caseway/contract/dashboards/incident-reports';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { serveDashboard } from '../../platform/dashboards/serve-dashboard.ts';
import type { App } from '../../platform/http/app.ts';
import { incidentFact, incidentReactionFact } from '../incident-reports/incident-facts.ts';

/** Analytics of incident reports. */
export const serveIncidentAnalytics = (app: App, analytics: Analytics): void =>
  serveDashboard(app, analytics, {
    dashboard: incidentReports,
    facts: [incidentFact, incidentReactionFact],
  });
