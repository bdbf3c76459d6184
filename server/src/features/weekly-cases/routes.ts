import { csvHeader, csvLine } from '@caseway/contract/csv';
import { exactRights } from '@caseway/contract/permission';
import {
  exportWeeklyCases,
  readWeeklyCases,
  type WeeklyCases,
  weeklyColumns,
} from '@caseway/contract/weekly-cases';
import { z } from 'zod';
import type { Analytics } from '../../platform/analytics/engine.ts';
import type { Reading } from '../../platform/analytics/readings.ts';
import { refusalOf } from '../../platform/analytics/refusal.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { wordsForFile } from '../../platform/words/label-overrides.ts';
import { type WeekCount, weekCounts, weeklyTable } from './table.ts';

type WeekCall = Call<unknown, { weekOf: string }>;

const weekly: Reading<{ weekOf: string }, WeeklyCases> = {
  name: 'weekly-cases/table',
  asks: 'numbers',
  args: z.strictObject({ weekOf: z.iso.date() }),
  run: async (ask, { weekOf }, { asOf }) => ({
    ...weeklyTable(weekOf, await ask<WeekCount>(weekCounts(weekOf))),
    asOf: asOf.toISOString(),
  }),
};

/** The weekly table of cases, on the screen and as a file. */
export function serveWeeklyCases(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  analytics.declare(weekly);

  const tableFor = async (call: WeekCall, action?: 'export'): Promise<WeeklyCases> => {
    if (!exactRights.some((permission) => call.may(permission)))
      throw new AppError('forbidden', { permission: 'analytics/exact' });
    const { weekOf } = call.query;
    call.audit({ ...(action && { action }), recordKind: 'case', detail: { weekOf } });
    try {
      return await analytics.answer(
        { scopes: call.org.tenantIds.map((id) => call.scopeIn(id)), freshness: 'any', signal: call.signal },
        weekly,
        { weekOf },
      );
    } catch (error) {
      throw refusalOf(error);
    }
  };

  serve(app, readWeeklyCases, (call) => tableFor(call));

  serve(app, exportWeeklyCases, async (call) => {
    const table = await tableFor(call, 'export');
    const wordsOf = await wordsForFile(app.database, call);
    const words = wordsOf('weekly-cases');
    const conditions = await lookups.labels('conditions', call);
    const unknown = wordsOf('common')('label.unknown.other');
    const line = (name: string, numbers: WeeklyCases['total']) =>
      csvLine([name, ...weeklyColumns.map((column) => numbers[column])]);
    const week = `${table.year}-W${String(table.week).padStart(2, '0')}`;
    call.setHeader('content-disposition', `attachment; filename="cases-${week}.csv"`);
    return [
      csvHeader([
        words('column.condition') ?? '',
        ...weeklyColumns.map((column) => `${words(`column.${column}`)} (${week})`),
      ]),
      ...table.rows.map((row) => line(conditions.get(row.condition) ?? unknown ?? '', row)),
      line(words('row.total') ?? '', table.total),
    ].join('');
  });
}
