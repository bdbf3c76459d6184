/// <reference types="node" />
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnalyticsScreen } from './analytics.ts';
import { addDays } from './date-range.ts';
import { code, day, fact, id } from './fact.ts';
import {
  type FilterGroup,
  type Grid,
  type Grouping,
  groupPeriods,
  listOperators,
  operators,
  rangeOperators,
  valuelessOperators,
} from './grid.ts';
import { relativeRangeNames, resolveRange } from './relative-range.ts';
import { withoutRetired } from './retired-names.ts';
import {
  type AnalyticsView,
  analyticsCodec,
  analyticsFromParams,
  analyticsRequest,
  analyticsToParams,
  type BehindView,
  type GridView,
  gridCodec,
  gridFromParams,
  gridRequest,
  gridToParams,
  initialAnalyticsView,
  initialGridView,
  isNarrowed,
  linkToAnalytics,
  linkToGrid,
  viewIn,
} from './search-params.ts';

const grid: Grid = {
  id: 'things',
  permission: 'things/read',
  columns: {
    caseId: { kind: 'text' },
    lastName: { kind: 'text', sensitive: true },
    count: { kind: 'number' },
    received: { kind: 'date' },
    reported: { kind: 'date' },
    status: { kind: 'choice', options: ['open', 'closed'] },
    note: { kind: 'text', sortable: false },
  },
  defaultSort: [{ field: 'caseId', sort: 'desc' }],
  filters: ['programFilter', 'visitType'],
  defaultRange: (today) => ({ start: addDays(today, -14), end: today }),
  rangeFields: ['received', 'reported'],
  row: z.object({}),
};
const screen: AnalyticsScreen = {
  id: 'testing',
  permission: 'testing-analytics/read',
  listFilters: ['programFilter', 'raceFilter'],
  stringFilters: { statusFilter: '' },
  eventDates: ['collected', 'reported'],
  defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
};

const through = (params: [string, string][]) => new URLSearchParams(new URLSearchParams(params).toString());

const dayArbitrary = fc.integer({ min: -5000, max: 5000 }).map((days) => addDays('2024-06-15', days));
const rangeArbitrary = fc.oneof(
  fc.constant(null),
  fc.constantFrom(...relativeRangeNames).map((relative) => ({ relative })),
  fc
    .tuple(dayArbitrary, fc.integer({ min: 0, max: 400 }))
    .map(([start, days]) => ({ start, end: addDays(start, days) })),
);
const valueArbitrary = {
  text: fc
    .string({ unit: 'binary', maxLength: 12 })
    .filter((text) => text.isWellFormed() && !text.includes('\0')),
  number: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Object.is(value, -0) ? 0 : value)),
  date: dayArbitrary,
  choice: fc.constantFrom('open', 'closed', 'a~b!c'),
};
const itemArbitrary = fc
  .constantFrom(...(['caseId', 'count', 'received', 'status', 'note'] as const))
  .chain((field) => {
    const kind = grid.columns[field]!.kind;
    return fc
      .constantFrom<string>(...operators[kind])
      .chain((operator): fc.Arbitrary<{ field: string; operator: string; value?: unknown }> => {
        if (valuelessOperators.includes(operator)) return fc.constant({ field, operator });
        const one: fc.Arbitrary<unknown> = rangeOperators.includes(operator)
          ? fc.constantFrom(...relativeRangeNames)
          : valueArbitrary[kind];
        const value = listOperators.includes(operator) ? fc.array(one, { maxLength: 4 }) : one;
        return value.map((chosen) => ({ field, operator, value: chosen }));
      });
  });
const idArbitrary = fc.string({ minLength: 1, maxLength: 10 }).filter((text) => !text.includes('\0'));
const logicArbitrary = fc.constantFrom('and' as const, 'or' as const);
/** A group with at least one condition somewhere, and at most this many levels of groups in it. */
const groupArbitrary = (levels: number): fc.Arbitrary<FilterGroup> =>
  fc.record(
    {
      items: fc.array(itemArbitrary, { minLength: 1, maxLength: 2 }),
      ...(levels > 0 && { groups: fc.array(groupArbitrary(levels - 1), { minLength: 1, maxLength: 1 }) }),
      logicOperator: logicArbitrary,
    },
    { requiredKeys: ['items', 'logicOperator'] },
  );
const groupingArbitrary: fc.Arbitrary<Grouping> = fc.oneof(
  fc.record(
    { by: fc.constant('status'), closed: fc.array(idArbitrary, { minLength: 1, maxLength: 4 }) },
    { requiredKeys: ['by'] },
  ),
  fc.record(
    {
      by: fc.constant('received'),
      per: fc.constantFrom(...groupPeriods),
      closed: fc.array(fc.oneof(dayArbitrary, fc.constant('missing')), { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: ['by', 'per'] },
  ),
);
const gridViewArbitrary: fc.Arbitrary<GridView> = fc.record({
  grouping: fc.option(groupingArbitrary, { nil: undefined }) as fc.Arbitrary<Grouping>,
  filterModel: fc.record(
    {
      items: fc.array(itemArbitrary, { maxLength: 5 }),
      groups: fc.array(groupArbitrary(2), { minLength: 1, maxLength: 3 }),
      logicOperator: logicArbitrary,
    },
    { requiredKeys: ['items', 'logicOperator'] },
  ),
  sortModel: fc.uniqueArray(
    fc.record({
      field: fc.constantFrom('caseId', 'count', 'received', 'lastName'),
      sort: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    { selector: ({ field }) => field, maxLength: 4 },
  ),
  paginationModel: fc.record({ page: fc.nat(9998), pageSize: fc.integer({ min: 1, max: 200 }) }),
  filters: fc
    .record(
      {
        programFilter: fc.array(idArbitrary, { minLength: 1 }),
        visitType: fc.array(idArbitrary, { minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    .map((filters) => ({ ...filters })),
  range: fc.oneof(rangeArbitrary, fc.constant('all' as const)),
  rangeField: fc.constantFrom(undefined, 'reported'),
  savedFilter: fc.constant(null),
});

/** A group as part of an address. */
const within = (part: string) => `g=${encodeURIComponent(part)}`;

describe('a grid and its address', () => {
  test('every view without sensitive filters survives a round trip through its address', () => {
    fc.assert(
      fc.property(gridViewArbitrary, (view) => {
        expect(gridFromParams(grid, through(gridToParams(grid, view)))).toEqual(view);
      }),
      { numRuns: 500 },
    );
  });

  test('the default view has the bare address, and the bare address is the default view', () => {
    expect(gridToParams(grid, initialGridView(grid))).toEqual([]);
    expect(gridFromParams(grid, [])).toEqual(initialGridView(grid));
  });

  test('a link to a view is never bare, because a bare address shows what the tab showed last', () => {
    expect(linkToGrid(grid, '/things', {})).toBe('/things?view=default');
    expect(gridFromParams(grid, new URLSearchParams('view=default'))).toEqual(initialGridView(grid));
    const address = linkToGrid(grid, '/things', { filters: { programFilter: ['a b', 'c&d'] } });
    expect(address).toBe('/things?programFilter=a%20b&programFilter=c%26d');
    expect(gridFromParams(grid, new URLSearchParams(address.split('?')[1]))).toMatchObject({
      filters: { programFilter: ['a b', 'c&d'] },
    });
    expect(linkToAnalytics(screen, '/analytics', {})).toBe('/analytics?view=default');
    expect(analyticsFromParams(screen, new URLSearchParams('view=default'))).toEqual(
      initialAnalyticsView(screen),
    );
  });

  test('[P16] no search text and no filter on a sensitive column is ever in an address', () => {
    const view = initialGridView(grid);
    const sensitive: GridView = {
      ...view,
      filterModel: {
        items: [
          { field: 'lastName', operator: 'startsWith', value: 'Canary' },
          { field: 'status', operator: 'is', value: 'open' },
        ],
        logicOperator: 'and',
        quickFilterValues: ['Wren'],
      },
    };
    expect(gridToParams(grid, sensitive)).toEqual([]);
    const { quickFilterValues: _, items } = sensitive.filterModel;
    const grouped: GridView = {
      ...view,
      filterModel: { items: [], groups: [{ items, logicOperator: 'or' }], logicOperator: 'and' },
    };
    expect(gridToParams(grid, grouped)).toEqual([]);
    const inner: FilterGroup = { items: [], groups: grouped.filterModel.groups, logicOperator: 'and' };
    const deeper: GridView = {
      ...view,
      filterModel: { items: [], groups: [inner], logicOperator: 'and' },
    };
    expect(gridToParams(grid, deeper)).toEqual([]);
    expect(gridToParams(grid, { ...sensitive, savedFilter: 'abc' })).toEqual([['saved', 'abc']]);
    const words: GridView = { ...view, filterModel: { ...view.filterModel, quickFilterValues: ['Wren'] } };
    expect(JSON.stringify(gridToParams(grid, words))).not.toContain('Wren');
  });

  test.each([
    ['a field the grid has not', 'f=hidden~is~x', 'f'],
    ['a sensitive field', 'f=lastName~equals~x', 'f'],
    ['a sensitive field in a group', 'g=f%3DlastName~equals~x', 'g'],
    ['a group of nothing', 'g=logic%3Dor', 'g'],
    ['a sensitive field in a group of a group', 'g=g%3Df%253DlastName~equals~x', 'g'],
    ['a group of a group of nothing', 'g=g%3Dlogic%253Dor', 'g'],
    ['groups by a name', 'group=lastName', 'group'],
    ['groups by a date without its period', 'group=received', 'group'],
    ['groups by two columns', 'group=status&group=received~day', 'group'],
    ['a group that is closed in no column', 'closed=open', 'closed'],
    ['four levels of groups', within(within(within(within('f=status~is~open')))), 'f'],
    ['an inherited property of the column list', 'f=constructor~is~x', 'f'],
    ['an operator of another kind', 'f=count~contains~1', 'f'],
    ['a number that is none', 'f=count~%3D~abc', 'f'],
    ['two values where one is taken', 'f=status~is~open~closed', 'f'],
    ['a value where none is taken', 'f=status~isNotEmpty~x', 'f'],
    ['a sort key the grid has not', 'sort=-secret', 'sort'],
    ['a column that is not sortable', 'sort=note', 'sort'],
    ['a page before the first', 'page=0', 'page'],
    ['a page that is no number', 'page=1e3', 'page'],
    ['too long a page', 'size=201', 'size'],
    ['an inverted range', 'range=2024-02-02..2024-02-01', 'range'],
    ['a day that does not exist', 'range=2024-02-30..2024-03-01', 'range'],
    ['a relative range nobody knows', 'range=last-century', 'range'],
    ['a parameter nobody knows', 'colour=red', 'colour'],
  ])('%s makes a bad link, which says where', (_, address, bad) => {
    expect(gridFromParams(grid, new URLSearchParams(address))).toEqual({ bad });
  });

  test('a relative range stays relative in the address and moves with today', () => {
    const view: GridView = { ...initialGridView(grid), range: { relative: 'last-7-days' } };
    expect(gridToParams(grid, view)).toEqual([['range', 'last-7-days']]);
    expect(gridRequest(grid, view, '2024-03-10').dateRangeValue).toEqual({
      start: '2024-03-04',
      end: '2024-03-10',
    });
    expect(gridRequest(grid, initialGridView(grid), '2024-03-10').dateRangeValue).toEqual({
      start: '2024-02-25',
      end: '2024-03-10',
    });
  });

  test('all days mean no range, so rows without a day are included', () => {
    const view: GridView = { ...initialGridView(grid), range: 'all' };
    expect(gridRequest(grid, view, '2024-03-10')).not.toHaveProperty('dateRangeValue');
    expect(gridToParams(grid, view)).toEqual([['range', 'all']]);
  });
});

describe('a grid with tabs', () => {
  const tabbed: Grid = {
    ...grid,
    filters: [...grid.filters, 'whose'],
    views: { of: 'whose', codes: ['mine', 'all'] },
  };
  const read = (params: [string, string][]) => gridFromParams(tabbed, through(params)) as GridView;

  test('opens with the first one, which has the bare address', () => {
    expect(initialGridView(tabbed).filters).toEqual({ whose: ['mine'] });
    expect(gridToParams(tabbed, initialGridView(tabbed))).toEqual([]);
    expect(read([['visitType', 'home']]).filters).toEqual({ whose: ['mine'], visitType: ['home'] });
  });

  test('keeps another one in the address; an unknown one, or two, is a bad link', () => {
    const all = { ...initialGridView(tabbed), filters: { whose: ['all'] } };
    expect(gridToParams(tabbed, all)).toEqual([['whose', 'all']]);
    expect(read([['whose', 'all']])).toEqual(all);
    expect(read([['whose', 'ours']])).toEqual({ bad: 'whose' });
    expect(
      read([
        ['whose', 'mine'],
        ['whose', 'all'],
      ]),
    ).toEqual({ bad: 'whose' });
  });

  test('counts only other filters as narrowing, and keeps its tab without them', () => {
    const filters = { whose: ['all'], visitType: ['home'] };
    expect([isNarrowed(tabbed, filters), isNarrowed(tabbed, { whose: ['all'] })]).toEqual([true, false]);
    expect([viewIn(tabbed, filters), viewIn(grid, filters)]).toEqual([{ whose: ['all'] }, {}]);
  });
});

describe('an analytics screen and its address', () => {
  const viewArbitrary: fc.Arbitrary<AnalyticsView> = fc.record({
    filters: fc.record({
      programFilter: fc.array(idArbitrary),
      raceFilter: fc.array(idArbitrary),
      statusFilter: fc.string({ maxLength: 20 }),
    }),
    range: rangeArbitrary,
    eventDate: fc.constantFrom(null, 'collected', 'reported'),
    granularity: fc.constantFrom(null, 'day', 'week', 'month'),
    presetFilter: fc.constantFrom('default', 'none', '0199-preset'),
  });

  test('every view survives a round trip through its address', () => {
    fc.assert(
      fc.property(viewArbitrary, (view) => {
        expect(analyticsFromParams(screen, through(analyticsToParams(screen, view)))).toEqual(view);
      }),
      { numRuns: 500 },
    );
  });
  test('retired names are dropped from an old address and reported', () => {
    const later = { ...screen, retired: ['heightFilter', 'born'] };
    const address = 'raceFilter=2106-3&heightFilter=tall&date=born&range=last-7-days';
    expect(analyticsFromParams(later, new URLSearchParams(address))).toEqual({
      ...initialAnalyticsView(screen),
      filters: { ...initialAnalyticsView(screen).filters, raceFilter: ['2106-3'] },
      range: { relative: 'last-7-days' },
    });
    const { retiredIn } = analyticsCodec(later);
    expect(retiredIn(new URLSearchParams(address))).toEqual(['heightFilter', 'born']);
    expect(retiredIn(new URLSearchParams('raceFilter=2106-3'))).toEqual([]);
  });

  test('a view remembered before its filter was retired is not shown again', () => {
    const { schema, initial } = analyticsCodec(screen);
    expect(schema.safeParse(initial).success).toBe(true);
    const filters = { ...initial.filters, heightFilter: ['tall'] };
    expect(schema.safeParse({ ...initial, filters }).success).toBe(false);
  });

  test('the default view has the bare address', () => {
    expect(analyticsToParams(screen, initialAnalyticsView(screen))).toEqual([]);
  });
  test.each([
    ['facilityFilter=1', 'facilityFilter'],
    ['range=soon', 'range'],
    ['date=born', 'date'],
  ])('%s is a bad link here', (address, bad) => {
    expect(analyticsFromParams(screen, new URLSearchParams(address))).toEqual({ bad });
  });
});

describe('the request of an analytics view', () => {
  const view = initialAnalyticsView(screen);
  test("takes the screen's range and event date until another is chosen", () => {
    expect(analyticsRequest(screen, view, '2026-03-31')).toEqual({
      dateRangeValue: { start: '2026-03-01', end: '2026-03-31' },
      filters: { programFilter: [], raceFilter: [], statusFilter: '' },
      eventDate: 'collected',
    });
    const chosen: AnalyticsView = { ...view, range: { relative: 'yesterday' }, eventDate: 'reported' };
    expect(analyticsRequest(screen, chosen, '2026-03-31')).toMatchObject({
      dateRangeValue: { start: '2026-03-30', end: '2026-03-30' },
      eventDate: 'reported',
    });
  });
  test('names no event date if the screen has no choice', () => {
    const { eventDates: _, ...plain } = screen;
    expect(analyticsRequest(plain, view, '2026-03-31')).not.toHaveProperty('eventDate');
  });
});

describe('relative ranges', () => {
  // 2024-03-10 is a Sunday, the first day of MMWR week 11.
  test.each([
    ['today', '2024-03-10', '2024-03-10'],
    ['yesterday', '2024-03-09', '2024-03-09'],
    ['last-7-days', '2024-03-04', '2024-03-10'],
    ['last-30-days', '2024-02-10', '2024-03-10'],
    ['tomorrow', '2024-03-11', '2024-03-11'],
    ['next-7-days', '2024-03-10', '2024-03-16'],
    ['next-14-days', '2024-03-10', '2024-03-23'],
    ['next-30-days', '2024-03-10', '2024-04-08'],
    ['next-month', '2024-04-01', '2024-04-30'],
    ['this-mmwr-week', '2024-03-10', '2024-03-16'],
    ['last-mmwr-week', '2024-03-03', '2024-03-09'],
    ['last-4-mmwr-weeks', '2024-02-11', '2024-03-09'],
    ['this-month', '2024-03-01', '2024-03-31'],
    ['last-month', '2024-02-01', '2024-02-29'],
    ['last-12-months', '2023-04-01', '2024-03-31'],
    ['this-year', '2024-01-01', '2024-12-31'],
    ['last-year', '2023-01-01', '2023-12-31'],
  ] as const)('%s', (relative, start, end) => {
    expect(resolveRange({ relative }, '2024-03-10')).toEqual({ start, end });
  });
  test("the month after December is next year's January", () => {
    expect(resolveRange({ relative: 'next-month' }, '2024-12-31')).toEqual({
      start: '2025-01-01',
      end: '2025-01-31',
    });
  });
  test("the month before January is last year's December", () => {
    expect(resolveRange({ relative: 'last-month' }, '2024-01-31')).toEqual({
      start: '2023-12-01',
      end: '2023-12-31',
    });
  });
});

describe('a link to the records behind a number', () => {
  const withRecords: Grid = {
    ...grid,
    fact: fact(
      'thing',
      { id, status: code(['open', 'closed']), received: day('open') },
      {
        records: 'things',
        eventDates: ['received'],
        enteredOn: 'received',
        person: false,
      },
    ),
  };
  const behind = {
    dashboard: 'testing',
    series: 'assay',
    key: 'a & b = 100%',
    filters: { raceFilter: ['2106-3', '2054-5'] },
    eventDate: 'reported',
    range: { relative: 'last-30-days' },
  } as const satisfies BehindView;
  const view: GridView = {
    ...initialGridView(withRecords),
    range: 'all',
    behind: { ...behind, filters: { raceFilter: [...behind.filters.raceFilter] } },
  };

  test('means the same when read again, and its range moves with today', () => {
    const read = gridFromParams(withRecords, through(gridToParams(withRecords, view)));
    expect(read).toEqual(view);
    expect(gridRequest(withRecords, read as GridView, '2026-03-31').behind).toEqual({
      dashboard: 'testing',
      series: 'assay',
      key: 'a & b = 100%',
      filters: { raceFilter: ['2106-3', '2054-5'] },
      eventDate: 'reported',
      dateRangeValue: resolveRange({ relative: 'last-30-days' }, '2026-03-31'),
    });
  });

  test.each([
    'dashboard=testing&measure=tests',
    'dashboard=testing&range=last-30-days',
    'dashboard=testing&measure=tests&range=yesteryear',
    'measure=tests&range=last-30-days',
    '%',
    '',
  ])('is rejected as %j', (text) => {
    expect(gridFromParams(withRecords, [['behind', text]])).toEqual({ bad: 'behind' });
  });

  test('is valid only for a list with such records', () => {
    expect(gridFromParams(grid, through(gridToParams(withRecords, view)))).toEqual({ bad: 'behind' });
  });

  test('loses retired names; a retired number opens the list', () => {
    const names = { testing: ['heightFilter', 'born', 'height'] };
    const asked = {
      dashboard: 'testing',
      filters: { raceFilter: ['2106-3'], heightFilter: ['tall'] },
      eventDate: 'born',
      measure: 'tests',
    };
    expect(withoutRetired(asked, names)).toEqual({
      asked: { dashboard: 'testing', filters: { raceFilter: ['2106-3'] }, measure: 'tests' },
      retired: ['born', 'heightFilter'],
    });
    expect(withoutRetired({ ...asked, measure: 'height' }, names).asked).toBeUndefined();
    expect(withoutRetired(asked)).toEqual({ asked, retired: [] });
  });

  test('does not stay when another organization is chosen', () => {
    const kept = gridCodec({ ...withRecords, keptAcrossOrgs: true }).acrossOrgs(view);
    expect(kept).toMatchObject({ range: 'all' });
    expect(kept).not.toHaveProperty('behind');
  });
});
