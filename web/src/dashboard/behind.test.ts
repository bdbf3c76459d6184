import { caseReportGrid } from '@caseway/contract/case-reports';
import { fieldVisits } from '@caseway/contract/dashboards/field-visits';
import { hiv } from '@caseway/contract/dashboards/hiv';
import { fieldVisitGrid } from '@caseway/contract/field-visits';
import { gridFromParams, gridRequest } from '@caseway/contract/search-params';
import { expect, test } from 'vitest';
import { linkBehind } from './behind.ts';

test('a link to the records behind a number shows all of them, whatever the list shows first', () => {
  const dateRangeValue = { start: '2026-11-01', end: '2026-11-30' };
  const link = linkBehind(
    fieldVisits,
    { visits: { grid: fieldVisitGrid, path: '/field-visits' } },
    { query: { dateRangeValue, filters: { sexFilter: ['F'] }, eventDate: 'done' }, range: dateRangeValue },
    { series: 'result', key: 'cooperative' },
  )!;
  const view = gridFromParams(fieldVisitGrid, [...new URL(link, 'http://here').searchParams]);
  if ('bad' in view) throw new Error(`the list does not understand ${view.bad}`);
  const { filters, behind, dateRangeValue: narrowed } = gridRequest(fieldVisitGrid, view, '2026-11-20');
  expect(filters).toEqual({ show: ['all'] });
  expect(narrowed).toBeUndefined();
  expect(behind).toMatchObject({
    dashboard: 'field-visits',
    series: 'result',
    key: 'cooperative',
    dateRangeValue,
  });
});

test("a step of a continuum opens its measure's records", () => {
  const dateRangeValue = { start: '2026-10-01', end: '2026-11-30' };
  const link = linkBehind(
    hiv,
    { careYears: { grid: caseReportGrid, path: '/case-reports' } },
    { query: { dateRangeValue, filters: {}, eventDate: 'collected' }, range: dateRangeValue },
    { series: 'continuum', key: 'retained' },
  )!;
  const view = gridFromParams(caseReportGrid, [...new URL(link, 'http://here').searchParams]);
  if ('bad' in view) throw new Error(`the list does not understand ${view.bad}`);
  const { behind } = gridRequest(caseReportGrid, view, '2026-11-20');
  expect(behind).toMatchObject({ dashboard: 'hiv', measure: 'retained' });
  expect(behind).not.toHaveProperty('series');
});
