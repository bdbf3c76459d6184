import { sti } from '@caseway/contract/dashboards/sti';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { serveDashboard } from '../../platform/dashboards/serve-dashboard.ts';
import type { App } from '../../platform/http/app.ts';
import { caseFact } from '../case-reports/case-fact.ts';
import { resultFact } from '../results/result-fact.ts';
import { treatmentFact } from '../treatments/treatment-fact.ts';

/** STI analytics: tests, cases and treatments of sexually transmitted infections. */
export const serveStiAnalytics = (app: App, analytics: Analytics): void =>
  serveDashboard(app, analytics, { dashboard: sti, facts: [resultFact, caseFact, treatmentFact] });
