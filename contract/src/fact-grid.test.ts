import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { code, counting, day, fact, id, integer, mayRead, ref, rights, tenths, text } from './fact.ts';
import { gridOver } from './fact-grid.ts';
import { gridQuery } from './grid.ts';

const visits = fact('visit', {
  id,
  facilityId: ref('facilities'),
  status: code(['planned', 'made']),
  workerName: text('record'),
  scheduledOn: day('open'),
  attempts: integer('open'),
  tenthsWaited: tenths,
  counts: counting,
});

const declared = {
  ...({ id: 'visits', permission: 'case-reports/read', filters: { facilityFilter: 'facilityId' } } as const),
  defaultSort: [] as [],
};

describe('a grid over a fact', () => {
  const grid = gridOver(visits, {
    ...declared,
    columns: {
      status: { width: 90 },
      facility: { of: 'facilityId', hidden: true },
      worker: { of: 'workerName', sensitive: true },
      scheduledOn: {},
      attempts: {},
      waited: { of: 'tenthsWaited' },
      phone: { beside: 'text', as: 'phone' },
    },
    defaultSort: [{ field: 'scheduledOn', sort: 'desc' }],
  });

  it("has the kinds and look-ups of the fact's columns, and its own appearance", () => {
    expect(grid.columns).toEqual({
      status: { kind: 'choice', options: ['planned', 'made'], width: 90, of: 'status' },
      facility: { kind: 'choice', options: 'facilities', hidden: true, of: 'facilityId' },
      worker: { kind: 'text', sensitive: true, of: 'workerName' },
      scheduledOn: { kind: 'date', of: 'scheduledOn' },
      attempts: { kind: 'number', of: 'attempts' },
      waited: { kind: 'number', of: 'tenthsWaited' },
      phone: { kind: 'text', as: 'phone', sortable: false, filterable: false },
    });
    expect(grid.filters).toEqual(['facilityFilter']);
    expect(grid.narrows).toEqual({ facilityFilter: 'facility' });
  });

  it("has rows with its columns' values, and the extra declared ones", () => {
    const { row } = gridOver(visits, {
      ...declared,
      columns: {
        status: { always: true },
        scheduledOn: {},
        waited: { of: 'tenthsWaited' },
        phone: { beside: 'text' },
      },
      also: { versions: z.array(z.number()) },
    });
    const filled = {
      id: '7f7b1b0e-5d0c-4a53-9a7e-0d8f3b1f2a11',
      status: 'made',
      scheduledOn: '2026-03-04',
      waited: 2.5,
      phone: null,
      versions: [1],
    };
    expect(row.parse(filled)).toEqual(filled);
    expect(row.safeParse({ ...filled, scheduledOn: null, waited: null }).success).toBe(true);
    expect(row.safeParse({ ...filled, status: null }).success).toBe(false);
    expect(row.safeParse({ ...filled, scheduledOn: '4 March' }).success).toBe(false);
    expect(row.safeParse({ ...filled, versions: undefined }).success).toBe(false);
  });

  it('[P31] cannot be sorted or filtered by a column read only with a page', () => {
    const refused = (query: object) => gridQuery(grid).safeParse(query).success === false;
    const items = (field: string) => ({
      filterModel: { items: [{ field, operator: 'contains', value: '5' }] },
    });
    expect(refused({ sortModel: [{ field: 'phone', sort: 'asc' }] })).toBe(true);
    expect(refused(items('phone'))).toBe(true);
    expect(refused({ sortModel: [{ field: 'worker', sort: 'asc' }] })).toBe(false);
    expect(refused(items('worker'))).toBe(false);
  });

  it('shows no column that a list may not show', () => {
    for (const hidden of ['counts', 'id'] as const)
      expect(() => gridOver(visits, { ...declared, columns: { shown: { of: hidden } } })).toThrow(
        hidden === 'counts' ? 'the list visits may not show counts' : 'a list has no column of that kind',
      );
  });

  it('does not compile with a column or a filter that the fact lacks', () => {
    const unchecked = () => {
      gridOver(visits, { ...declared, columns: { status: { width: 90 } } });
      // @ts-expect-error a column outside the fact that does not declare its source
      gridOver(visits, { ...declared, columns: { outcome: { width: 90 } } });
      // @ts-expect-error a column that the fact lacks
      gridOver(visits, { ...declared, columns: { outcome: { of: 'outcome' } } });
      // @ts-expect-error a list filter of a text
      gridOver(visits, { ...declared, columns: {}, filters: { workerFilter: 'workerName' } });
    };
    expect(unchecked).toBeTypeOf('function');
  });
});

describe('[P31] reading a column means five rights', () => {
  const may = (name: keyof typeof visits.columns, by: 'list' | 'numbers') =>
    rights.filter((right) => mayRead(visits.columns[name], right, by));

  it.each([
    ['status', ['shown', 'filtered', 'sorted'], ['filtered', 'grouped', 'aggregated']],
    ['workerName', ['shown', 'filtered', 'sorted'], []],
    ['tenthsWaited', ['shown', 'filtered', 'sorted'], ['aggregated']],
    ['counts', ['filtered'], ['filtered']],
    ['id', ['shown'], []],
  ] as const)('%s: for a list %j, for numbers %j', (name, list, numbers) => {
    expect([may(name, 'list'), may(name, 'numbers')]).toEqual([list, numbers]);
  });

  it('an unknown column has none', () => {
    for (const right of rights) expect(mayRead(undefined, right, 'list')).toBe(false);
  });
});
