import { describe, expect, test } from 'vitest';
import { caseReportGrid } from './case-reports.ts';
import { gridQuery } from './grid.ts';

const query = gridQuery(caseReportGrid);
const item = (field: string, operator: string, value?: unknown) => ({
  filterModel: { items: [{ field, operator, value }] },
});

const faultsOf = (asked: unknown) =>
  query
    .safeParse(asked)
    .error?.issues.map((issue) => [
      issue.path.join('.'),
      issue.code === 'custom' ? issue.params?.code : issue.code,
    ]);

describe('the query of a grid [P19]', () => {
  test('an empty query means everything in the default order, first page of 25 [S9.1, S9.3]', () => {
    expect(query.parse({})).toEqual({
      filterModel: { items: [], logicOperator: 'and' },
      sortModel: [{ field: 'caseId', sort: 'desc' }],
      paginationModel: { page: 0, pageSize: 25 },
      filters: {},
    });
  });

  test.each([
    ['an unknown field', item('tenant_id', 'equals', 'x'), 'filterModel.items.0.field', 'unknown-field'],
    [
      'a name of every object',
      item('constructor', 'equals', 'x'),
      'filterModel.items.0.field',
      'unknown-field',
    ],
    [
      'SQL for a field',
      item('caseId; drop table', 'equals', 'x'),
      'filterModel.items.0.field',
      'unknown-field',
    ],
    [
      'an operator of another kind',
      item('caseId', '>', 'x'),
      'filterModel.items.0.operator',
      'unknown-operator',
    ],
    ['an unknown operator', item('caseId', 'regex', 'x'), 'filterModel.items.0.operator', 'unknown-operator'],
    ['a value of another kind', item('age', '=', '35'), 'filterModel.items.0.value', 'invalid-value'],
    ['one value for a list', item('status', 'isAnyOf', 'new'), 'filterModel.items.0.value', 'invalid-value'],
    [
      'a day that does not exist',
      item('onsetOn', 'is', '2026-02-30'),
      'filterModel.items.0.value',
      'invalid-value',
    ],
    [
      'a range of no name',
      item('onsetOn', 'within', '2026-03-02'),
      'filterModel.items.0.value',
      'invalid-value',
    ],
    ['the year 0', item('onsetOn', 'is', '0000-01-01'), 'filterModel.items.0.value', 'invalid-value'],
    ['a zero byte', item('caseId', 'contains', 'a\0'), 'filterModel.items.0.value', 'invalid-value'],
    [
      'an unknown sort field',
      { sortModel: [{ field: 'patientId', sort: 'asc' }] },
      'sortModel.0.field',
      'unknown-field',
    ],
    ['an unknown filter', { filters: { countyFilter: [] } }, 'filters.countyFilter', 'unknown-filter'],
    ['a range by no date of the grid', { rangeField: 'birthDate' }, 'rangeField', 'unknown-field'],
    [
      'a range that ends before it begins',
      { dateRangeValue: { start: '2026-03-02', end: '2026-03-01' } },
      'dateRangeValue',
      'invalid-range',
    ],
    [
      'more than 200 rows',
      { paginationModel: { page: 0, pageSize: 201 } },
      'paginationModel.pageSize',
      'too_big',
    ],
    [
      'a page before the first',
      { paginationModel: { page: -1, pageSize: 25 } },
      'paginationModel.page',
      'too_small',
    ],
    [
      'another way of joining',
      { filterModel: { items: [], logicOperator: 'xor' } },
      'filterModel.logicOperator',
      'invalid_value',
    ],
  ])('%s is refused with its place', (_, asked, path, code) => {
    expect(faultsOf(asked)).toContainEqual([path, code]);
  });

  test('an unknown property is refused', () => {
    expect(query.safeParse({ limit: 10 }).error?.issues[0]).toMatchObject({ keys: ['limit'] });
  });

  test('fifty filters are allowed, more are not', () => {
    const items = (count: number) => ({
      filterModel: {
        items: Array.from({ length: count }, () => ({
          field: 'caseId',
          operator: 'contains',
          value: '%_%_%',
        })),
      },
    });
    expect(query.safeParse(items(50)).success).toBe(true);
    expect(faultsOf(items(51))).toEqual([['filterModel.items', 'too_big']]);
  });

  describe('groups of conditions', () => {
    const condition = { field: 'caseId', operator: 'contains', value: 'x' };
    const group = (count: number, more: object = {}) => ({
      items: Array.from({ length: count }, () => condition),
      ...more,
    });
    const grouped = (...groups: object[]) => ({ filterModel: { items: [condition], groups } });

    test('each joins its conditions in its own way', () => {
      const asked = grouped(group(2, { logicOperator: 'or' }), group(1));
      expect(query.parse(asked).filterModel.groups).toEqual([
        group(2, { logicOperator: 'or' }),
        group(1, { logicOperator: 'and' }),
      ]);
    });

    test('a condition in a group is checked like any other, and refused with its place', () => {
      const wrong = { items: [condition, { field: 'tenant_id', operator: 'equals', value: 'x' }] };
      expect(faultsOf(grouped(group(1), wrong))).toEqual([
        ['filterModel.groups.1.items.1.field', 'unknown-field'],
      ]);
      const value = { items: [{ field: 'age', operator: '=', value: '35' }] };
      expect(faultsOf(grouped(value))).toEqual([['filterModel.groups.0.items.0.value', 'invalid-value']]);
    });

    test('so is a condition in a nested group', () => {
      const wrong = { items: [{ field: 'tenant_id', operator: 'equals', value: 'x' }] };
      expect(faultsOf(grouped({ items: [], groups: [group(1), { items: [], groups: [wrong] }] }))).toEqual([
        ['filterModel.groups.0.groups.1.groups.0.items.0.field', 'unknown-field'],
      ]);
    });

    test('at most fifty conditions and ten groups in all, and three levels of groups', () => {
      expect(faultsOf(grouped(group(24), group(25)))).toBeUndefined();
      expect(faultsOf(grouped(group(25), group(25)))).toEqual([['filterModel', 'invalid-value']]);
      expect(faultsOf(grouped(group(24, { groups: [group(26)] })))).toEqual([
        ['filterModel', 'invalid-value'],
      ]);
      expect(faultsOf(grouped(...Array.from({ length: 11 }, () => group(1))))).toEqual([
        ['filterModel.groups', 'too_big'],
      ]);
      const five = { groups: Array.from({ length: 5 }, () => group(1)) };
      expect(faultsOf(grouped(group(1, five), group(1)))).toBeUndefined();
      expect(faultsOf(grouped(group(1, five), group(1, five)))).toEqual([['filterModel', 'invalid-value']]);
      const third = group(1, { groups: [group(1, { groups: [group(1)] })] });
      expect(faultsOf(grouped(third))).toBeUndefined();
      expect(query.safeParse(grouped(group(1, { groups: [third] }))).success).toBe(false);
    });
  });

  test.each([
    ['a choice', { by: 'status' }, undefined],
    [
      'days, of which some are closed',
      { by: 'createdOn', per: 'week', closed: ['2026-03-01', 'missing'] },
      undefined,
    ],
    ['a column that there is not', { by: 'tenant_id' }, ['grouping.by', 'unknown-field']],
    ['a name', { by: 'lastName' }, ['grouping.by', 'unknown-field']],
    ['[P16] a birth date', { by: 'birthDate', per: 'day' }, ['grouping.by', 'unknown-field']],
    ['a number', { by: 'age' }, ['grouping.by', 'unknown-field']],
    ['an instant', { by: 'updatedAt', per: 'day' }, ['grouping.by', 'unknown-field']],
    ['a date without its period', { by: 'createdOn' }, ['grouping.per', 'invalid-value']],
    ['a choice with a period', { by: 'status', per: 'day' }, ['grouping.per', 'invalid-value']],
    [
      'a closed day that is none',
      { by: 'createdOn', per: 'day', closed: ['new'] },
      ['grouping.closed', 'invalid-value'],
    ],
    [
      'more than a hundred closed',
      { by: 'status', closed: Array(101).fill('x') },
      ['grouping.closed', 'too_big'],
    ],
  ])('rows are grouped by a choice or a day: %s', (_, grouping, fault) => {
    expect(faultsOf({ grouping })).toEqual(fault && [fault]);
  });

  test('a filter without a value yet is allowed, as in MUI X', () => {
    for (const value of [undefined, null, '', '  ', []])
      expect(query.safeParse(item('caseId', 'contains', value)).success).toBe(true);
    expect(query.safeParse(item('age', '=', undefined)).success).toBe(true);
  });

  test('several sort fields, and a filter numbered by the client', () => {
    const asked = {
      sortModel: [
        { field: 'status', sort: 'asc' },
        { field: 'age', sort: 'desc' },
      ],
      filterModel: { items: [{ id: 7, field: 'age', operator: '>=', value: 18 }], logicOperator: 'or' },
    };
    expect(query.parse(asked)).toMatchObject(asked);
  });

  test('the grid opens with the range from the MMWR week of 2 January 2022 to 14 days after today [S9.9]', () => {
    expect(caseReportGrid.defaultRange('2026-11-21')).toEqual({ start: '2022-01-02', end: '2026-12-05' });
  });
});
