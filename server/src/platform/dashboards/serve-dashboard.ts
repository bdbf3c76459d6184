import {
  type AnalyticsAnswer,
  type AnalyticsComparison,
  type AnalyticsQuery,
  analyticsCompare,
  analyticsSearch,
  mostProtectedFilters,
} from '@caseway/contract/analytics';
import type { Dashboard } from '@caseway/contract/dashboard';
import { todayIn } from '@caseway/contract/date-range';
import { exactRights } from '@caseway/contract/permission';
import { z } from 'zod';
import { AnswerCache } from '../analytics/answer-cache.ts';
import { auditedQuestion } from '../analytics/audited-question.ts';
import type { Analytics, Ask } from '../analytics/engine.ts';
import type { StoredFact } from '../analytics/facts.ts';
import { servePresets } from '../analytics/presets.ts';
import type { Reading } from '../analytics/readings.ts';
import { refusalOf } from '../analytics/refusal.ts';
import type { Database } from '../db/database.ts';
import type { App } from '../http/app.ts';
import { faultAt, refuse } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';
import { filteredColumns } from './filters.ts';
import type { Asking, Counting, Extras } from './measuring.ts';
import { dashboardComparison, dashboardNumbers, planned } from './numbers.ts';
import { kindsOfRates } from './population.ts';
import { populationsFor, readPopulations } from './population-read.ts';
import { isCoarse } from './protect.ts';

const timeoutMs = 15_000;

interface Args {
  query: AnalyticsQuery;
  /** Today in the time zone. */
  today: string;
  timeZone: string;
  /**
   * Numbers come from half of the persons, and those of fewer persons than this are hidden; absent for a reader of
   * exact numbers.
   */
  threshold?: number;
}

export interface DashboardService {
  dashboard: Dashboard;
  /** Every fact; those of the dashboard are found by their shapes. */
  facts: readonly StoredFact[];
  /** Custom series of the dashboard, if it has any. */
  extras?: Extras;
}

/** A dashboard's answer, cached as long as the facts are the same. */
function readingOf<Answer extends { asOf: string }>(
  database: Database,
  counting: Counting,
  name: string,
  answer: (ask: Ask, counting: Counting, asking: Asking) => Promise<Answer>,
): Reading<Args, Answer> {
  const answers = new AnswerCache<Answer>();
  const { dashboard } = counting;
  const kinds = kindsOfRates(Object.values(dashboard.measures));
  return {
    name,
    asks: 'numbers',
    args: z.strictObject({
      query: analyticsSearch(dashboard).body!,
      today: z.iso.date(),
      timeZone: z.string(),
      threshold: z.number().int().optional(),
    }),
    async run(ask, { query, today, timeZone, threshold }, { scopes, asOf, version }) {
      const sameForAll = scopes.map((scope) => ({ ...scope, accountId: '' }));
      const sets = kinds.length > 0 ? await readPopulations(database, scopes) : undefined;
      const key = JSON.stringify([sameForAll, query, threshold, today, timeZone, sets?.map(({ id }) => id)]);
      const hiddenFamilies = scopes.flatMap((scope) =>
        'hiddenFamilies' in scope ? scope.hiddenFamilies : [],
      );
      const populations = sets && populationsFor(scopes, sets, today);
      const orgTypes = scopes.flatMap((scope) => ('orgType' in scope ? scope.orgType : []));
      const asking = {
        query,
        today,
        timeZone,
        asOf,
        hiddenFamilies,
        orgTypes,
        threshold,
        ...(populations && { populations }),
      };
      const make = () => answer(ask, counting, asking);
      return { ...(await answers.get(key, version, make)), asOf: asOf.toISOString() };
    },
  };
}

/** The stored fact for each fact of a dashboard. */
export const storedFactsOf = ({ facts }: Dashboard, all: readonly StoredFact[]): Record<string, StoredFact> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, { name: shape }]) => {
      const stored = all.find((one) => one.shape.name === shape);
      if (!stored) throw new Error(`there is no fact ${shape}`);
      return [name, stored];
    }),
  );

/** Serves a dashboard: its numbers, and saved views. The server checks at its start what the dashboard reads. */
export function serveDashboard(
  app: App,
  analytics: Analytics,
  { dashboard, facts, extras }: DashboardService,
): void {
  const counting = { dashboard, stored: storedFactsOf(dashboard, facts), extras };
  planned(counting);
  servePresets(app, dashboard);
  const name = `dashboards/${dashboard.id}`;
  const numbers = readingOf<AnalyticsAnswer>(app.database, counting, name, dashboardNumbers);
  const comparison = readingOf<AnalyticsComparison>(
    app.database,
    counting,
    `${name}/comparison`,
    dashboardComparison,
  );
  analytics.declare(numbers);
  analytics.declare(comparison);

  serve(app, analyticsSearch(dashboard), (call) => answerFrom(numbers, call));
  serve(app, analyticsCompare(dashboard), (call) => answerFrom(comparison, call));

  async function answerFrom<Answer>(
    reading: Reading<Args, Answer>,
    call: Call<unknown, unknown, AnalyticsQuery>,
  ): Promise<Answer> {
    const query = call.body;
    call.audit(auditedQuestion(query));
    const isExact = exactRights.some((permission) => call.may(permission));
    if (!isExact && !isCoarse(filteredColumns(dashboard, query)))
      refuse([
        faultAt('filters', 'too-many-filters', `at most ${mostProtectedFilters} filters can be used at once`),
      ]);
    const threshold = isExact ? undefined : await thresholdFor(call);
    const { timeZone } = call.org;
    const scopes = call.org.tenantIds.map((id) => call.scopeIn(id));
    try {
      return await analytics.answer({ scopes, freshness: 'any', signal: call.signal, timeoutMs }, reading, {
        query,
        today: todayIn(timeZone),
        timeZone,
        threshold,
      });
    } catch (error) {
      throw refusalOf(error);
    }
  }
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
