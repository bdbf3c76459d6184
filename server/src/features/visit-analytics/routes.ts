import { fieldVisits } from '@caseway/contract/dashboards/field-visits';
import { telemedicine } from '@caseway/contract/dashboards/telemedicine';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { serveDashboard } from '../../platform/dashboards/serve-dashboard.ts';
import type { App } from '../../platform/http/app.ts';
import { fieldVisitAttemptFact, fieldVisitFact } from '../field-visits/field-visit-facts.ts';
import { telemedicineFact } from '../telemedicine/telemedicine-fact.ts';

/** Analytics of visits to people and by video. */
export function serveVisitAnalytics(app: App, analytics: Analytics): void {
  serveDashboard(app, analytics, { dashboard: fieldVisits, facts: [fieldVisitFact, fieldVisitAttemptFact] });
  serveDashboard(app, analytics, { dashboard: telemedicine, facts: [telemedicineFact] });
}
