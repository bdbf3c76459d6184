import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Grid, gridExport, gridSearch, isGrid } from './grid.ts';
import { savedGridView } from './grid-views.ts';
import { saveFilter } from './saved-filter.ts';

const modules = await Promise.all(
  readdirSync(import.meta.dirname)
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => import(`../src/${file.slice(0, -3)}.ts`) as Promise<object>),
);
/** Each record has a grid; users have one for each kind of place. */
const grids = new Map(
  modules
    .flatMap((module) => Object.values(module))
    .flatMap((value) => [value, value?.grid, ...Object.values(value ?? {})])
    .filter(isGrid)
    .map((grid) => [grid.id, grid]),
);

/**
 * Whether each of these accepts a query: the search, a filter saved for a link, a saved view, and an export.
 */
function accepted(grid: Grid, query: object): boolean[] {
  const part = { filterModel: { items: [], logicOperator: 'and' }, sortModel: [], filters: {}, range: null };
  const file = grid.exportable && gridExport({ ...grid, exportable: grid.exportable }).body!;
  return [
    gridSearch(grid).body!.safeParse(query).success,
    saveFilter(grid).body!.safeParse(query).success,
    savedGridView(grid).safeParse({ ...part, ...query }).success,
    ...(file ? [file.safeParse({ query, columns: Object.keys(grid.columns) }).success] : []),
  ];
}

test('[P31] no list can be sorted or filtered by a column it may only show: not in a search, a saved filter, a saved view or a file', () => {
  const wrong: string[] = [];
  let onlyShown = 0;
  for (const [id, grid] of grids)
    for (const [field, { sortable = true, filterable = true }] of Object.entries(grid.columns)) {
      const sorted = accepted(grid, { sortModel: [{ field, sort: 'asc' }] });
      if (sorted.some((one) => one !== sortable)) wrong.push(`${id} sorted by ${field}`);
      const items = [{ field, operator: 'is' }];
      const group = { items: [], groups: [{ items }] };
      for (const filterModel of [{ items }, group, { items: [], groups: [group] }])
        if (!filterable && accepted(grid, { filterModel }).some(Boolean))
          wrong.push(`${id} filtered by ${field}`);
      if (!sortable || !filterable) onlyShown += 1;
    }
  expect(wrong).toEqual([]);
  expect(grids.size).toBeGreaterThan(10);
  expect(onlyShown).toBeGreaterThan(10);
});

test('a list has an owner only in a filterable column of people', () => {
  const owned = [...grids.values()].filter(({ owner }) => owner);
  for (const { id, owner, columns } of owned) {
    const column = columns[owner!.column];
    expect([id, column?.kind, column?.filterable ?? true]).toEqual([id, 'choice', true]);
  }
  expect(owned.length).toBeGreaterThan(3);
});

test('a card on a phone shows columns of the list', () => {
  const unknown = [...grids.values()].flatMap(({ id, card, columns }) =>
    card
      ? [...card.title, ...(card.state ? [card.state] : []), ...card.lines]
          .filter((field) => !Object.hasOwn(columns, field))
          .map((field) => `${id} ${field}`)
      : [],
  );
  expect(unknown).toEqual([]);
});

test('a list filter applies to a column with choices, unless the tabs set it', () => {
  const wrong: string[] = [];
  let narrowing = 0;
  for (const { id, filters, narrows = {}, columns, views } of grids.values())
    for (const filter of filters) {
      const column = columns[narrows[filter] ?? ''];
      if (column?.kind === 'choice') narrowing += 1;
      else if (filter !== views?.of) wrong.push(`${id}: ${filter}`);
    }
  // The log, places within others, and lists behind numbers, which are filtered by something they do not
  // show.
  expect(wrong).toEqual([
    'audit: accountFilter',
    'audit: recordFilter',
    'locations: withinFilter',
    'unassigned-specimens: locationFilter',
    'testing-records: taskFilter',
    'hiv-tests: taskFilter',
  ]);
  expect(narrowing).toBeGreaterThan(20);
});
