import { operations } from '@caseway/contract/dashboards/operations';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { serveDashboard } from '../../platform/dashboards/serve-dashboard.ts';
import type { App } from '../../platform/http/app.ts';
import { caseFact } from '../case-reports/case-fact.ts';
import { transitionFact } from '../case-reports/transition-fact.ts';
import { resultFact } from '../results/result-fact.ts';
import { shipmentFact } from '../sample-shipments/shipment-fact.ts';
import { workTaskFact } from '../work-tasks/work-task-fact.ts';

/** The operational overview of a tenant. */
export const serveOperationsAnalytics = (app: App, analytics: Analytics): void =>
  serveDashboard(app, analytics, {
    dashboard: operations,
    facts: [caseFact, workTaskFact, transitionFact, shipmentFact, resultFact],
  });
