import { csvLine } from '@caseway/contract/csv';
import {
  exportWeeklyCases,
  readWeeklyCases,
  type WeeklyCases,
  weeklyColumns,
} from '@caseway/contract/weekly-cases';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { AnalyticsBusy, AnalyticsTimeout } from '../../platform/analytics/limits.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { labelOverridesOf } from '../../platform/label-overrides.ts';
import { wordsIn } from '../../platform/words.ts';
import { type WeekCount, weekCounts, weeklyTable } from './table.ts';

type WeekCall = Call<unknown, { weekOf: string }>;

/** The weekly table of cases, on the screen and as a file. */
export function serveWeeklyCases(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);

  const tableFor = async (call: WeekCall, action?: 'export'): Promise<WeeklyCases> => {
    const { weekOf } = call.query;
    call.audit({ ...(action && { action }), recordKind: 'case', detail: { weekOf } });
    try {
      return await analytics.read(
        { scopes: call.org.tenantIds.map((id) => call.scopeIn(id)), freshness: 'any', signal: call.signal },
        async (ask, asOf) => ({
          ...weeklyTable(weekOf, await ask<WeekCount>(weekCounts(weekOf))),
          asOf: asOf.toISOString(),
        }),
      );
    } catch (error) {
      if (error instanceof AnalyticsTimeout) throw new AppError('query-too-slow', { cause: error });
      if (error instanceof AnalyticsBusy)
        throw new AppError('too-many-questions', { cause: error, retryAfter: 5 });
      throw error;
    }
  };

  serve(app, readWeeklyCases, (call) => tableFor(call));

  serve(app, exportWeeklyCases, async (call) => {
    const table = await tableFor(call, 'export');
    // A jurisdiction reads several tenants, each with words of its own.
    const overrides =
      call.org.orgType === 'PHJ'
        ? {}
        : await call.withScope((tx) => labelOverridesOf(tx, call.org.tenantIds[0]!));
    const words = wordsIn('weekly-cases', call.language, call.org.experience, overrides);
    const conditions = await lookups.labels('conditions', call);
    const unknown = wordsIn('common', call.language, call.org.experience, overrides)('label.unknown.other');
    const line = (name: string, numbers: WeeklyCases['total']) =>
      csvLine([name, ...weeklyColumns.map((column) => numbers[column])]);
    const week = `${table.year}-W${String(table.week).padStart(2, '0')}`;
    call.setHeader('content-disposition', `attachment; filename="cases-${week}.csv"`);
    // Spreadsheets take a file without this mark for another character set.
    return [
      `\ufeff${csvLine([words('column.condition') ?? '', ...weeklyColumns.map((column) => `${words(`column.${column}`)} (${week})`)])}`,
      ...table.rows.map((row) => line(conditions.get(row.condition) ?? unknown ?? '', row)),
      line(words('row.total') ?? '', table.total),
    ].join('');
  });
}
