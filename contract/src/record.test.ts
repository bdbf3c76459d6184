import { describe, expect, expectTypeOf, test } from 'vitest';
import { type locations, organizations, placeRecords, programs } from './places.ts';
import {
  byServer,
  type ChangeOf,
  choice,
  columnFor,
  computed,
  count,
  type ElsewhereOf,
  flag,
  needed,
  onCreation,
  type RecordOf,
  record,
  reference,
  text,
  type WrittenOf,
} from './record.ts';

const fields = {
  name: needed(text(20)),
  owner: onCreation(reference('organizations')),
  kind: choice(['a', 'b']),
  number: byServer(text(20)),
  parts: computed(count()),
};
const good = {
  id: 'organizations',
  kind: 'organization',
  noun: 'organization',
  table: 'organization',
  access: 'settings/write',
  name: 'name',
  fields,
  list: { name: {} },
  sortedBy: 'name',
  form: ['name', ['owner', 'kind']],
} as const;

test('a contradictory declaration does not compile', () => {
  const contradictions = () => {
    record(good);
    // @ts-expect-error a column that is not a field
    record({ ...good, list: { nummer: {} } });
    // @ts-expect-error a name that is not a field
    record({ ...good, name: 'nummer' });
    // @ts-expect-error only the server sets it, so no form asks for it
    record({ ...good, form: ['number'] });
    // @ts-expect-error a computed field has no initial value
    record({ ...good, begins: { parts: 'x' } });
    // @ts-expect-error a permission has two parts
    record({ ...good, access: 'settings' });
    // @ts-expect-error a kind without a name in the log
    record({ ...good, kind: 'result' });
    // @ts-expect-error a field set on creation is not set by the server
    byServer(onCreation(text(5)));
    // @ts-expect-error a field cannot be made needed twice
    needed(needed(text(5)));
  };
  expect(contradictions).toBeTypeOf('function');
});

test('types follow from the declaration', () => {
  expectTypeOf<WrittenOf<{ fields: typeof fields }>>().toEqualTypeOf<{
    name: string;
    owner: string | null;
    kind: 'a' | 'b' | null;
  }>();
  expectTypeOf<ChangeOf<{ fields: typeof fields }>>().toEqualTypeOf<{
    name?: string;
    kind?: 'a' | 'b' | null;
  }>();
  expectTypeOf<RecordOf<{ fields: typeof fields }>['number']>().toEqualTypeOf<string | null>();
  expectTypeOf<ElsewhereOf<typeof programs>>().toEqualTypeOf<'labelEs' | 'labelHt' | 'tasks' | 'status'>();
  // @ts-expect-error a change cannot set a field that is set only on creation
  const change: ChangeOf<typeof locations> = { facility: 'x' };
  expect(Object.keys(change)).toEqual(['facility']);
});

describe('a change', () => {
  const change = organizations.endpoints.change.body!;
  test('has only changeable fields, each optional, and its base version', () => {
    expect(change.safeParse({ version: 1, contactName: null }).success).toBe(true);
    expect(change.safeParse({ contactName: null }).success).toBe(false);
    for (const wrong of [{ facilities: 1 }, { status: 'active' }, { name: null }, { nothing: 1 }])
      expect([wrong, change.safeParse({ version: 1, ...wrong }).success]).toEqual([wrong, false]);
  });
});

describe('a list', () => {
  test('has the declared columns, read as their fields are', () => {
    const { columns, defaultSort, permission } = programs.grid;
    expect([Object.keys(columns), defaultSort, permission]).toEqual([
      ['label', 'programType', 'organization', 'diseaseFamilies', 'tasks', 'status'],
      [{ field: 'label', sort: 'asc' }],
      'settings/write',
    ]);
    expect(columns.diseaseFamilies).toEqual({
      kind: 'choice',
      many: true,
      sortable: false,
      options: 'diseaseFamilies',
      width: 300,
      formOnly: true,
    });
    // A column that only names its record cannot be sorted or filtered by.
    const { grid } = record({
      ...good,
      fields: { ...fields, hidden: flag() },
      list: { name: {}, hidden: {} },
    });
    expect(grid.columns.hidden).toMatchObject({ sortable: false, filterable: false });
  });

  test('no two records have the same address or kind', () => {
    for (const of of [
      (one: (typeof placeRecords)[number]) => one.id,
      (one: (typeof placeRecords)[number]) => one.kind,
    ])
      expect(new Set(placeRecords.map(of)).size).toBe(placeRecords.length);
  });
});

test("a column has its field's name in SQL spelling", () => {
  expect(columnFor('contactName', text(5))).toBe('contact_name');
  expect(columnFor('programType', reference('programTypes'))).toBe('program_type_id');
  expect(columnFor('state', { ...text(5), column: 'state_fips' })).toBe('state_fips');
});
