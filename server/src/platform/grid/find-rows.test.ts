import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FilterGroup,
  type FilterItem,
  type Grid,
  type GridQuery,
  gridQuery,
  groupPeriods,
  operators,
} from '@caseway/contract/grid';
import { relativeRangeNames } from '@caseway/contract/relative-range';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../../../test/database.ts';
import { makeCaseReport, makeFacility, makePatient, makeTenant } from '../../../test/factories.ts';
import { load, rounds } from '../../../test/load.ts';
import { facts } from '../../facts.ts';
import { keysOfCase } from '../../features/case-reports/case-keys.ts';
import { keysOfPatient, writeSearchKeys } from '../../features/patients/search-keys.ts';
import { type Analytics, startAnalytics } from '../analytics/engine.ts';
import { recordChange } from '../analytics/outbox.ts';
import { createLog } from '../log/log.ts';
import type { Scope } from '../scope.ts';
import { countChoices, findRows } from './find-rows.ts';
import type { GridSource } from './grid-sql.ts';

const { database } = await createTestDatabase({ poolSize: 8 });
const folder = await mkdtemp(join(tmpdir(), 'caseway-grid-'));
const engines = {} as Record<'duckdb' | 'postgres', Analytics>;
afterAll(async () => {
  for (const engine of Object.values(engines)) await engine.close();
  await rm(folder, { recursive: true });
});

const grid = {
  id: 'test',
  permission: 'case-reports/read',
  columns: {
    caseId: { kind: 'text' },
    lastName: { kind: 'text' },
    age: { kind: 'number' },
    onsetOn: { kind: 'date' },
    createdOn: { kind: 'date' },
    updatedAt: { kind: 'date', withTime: true },
    status: { kind: 'choice', options: ['new', 'closed', 'assigned'] },
    facility: { kind: 'choice', options: 'facilities' },
  },
  defaultSort: [{ field: 'caseId', sort: 'asc' }],
  filters: ['locationFilter', 'visitType'],
  defaultRange: (today) => ({ start: today, end: today }),
  rangeFields: ['createdOn', 'onsetOn'],
  row: z.object({}),
} as const satisfies Grid;

const source: GridSource<typeof grid> = {
  grid,
  table: 'case_fact',
  fields: {
    caseId: { kind: 'text', sql: 'f.case_id', folded: true },
    lastName: { kind: 'text', sql: 'f.last_name_key', folded: true },
    age: { kind: 'number', sql: 'f.age_years' },
    onsetOn: { kind: 'day', sql: 'f.onset_on' },
    createdOn: { kind: 'day', sql: 'f.created_on' },
    updatedAt: { kind: 'instant', sql: 'f.updated_at' },
    status: { kind: 'choice', sql: 'f.status', order: ['new', 'closed', 'assigned'] },
    facility: { kind: 'choice', sql: 'f.facility_id', ids: true, order: 'facilities' },
  },
  filters: {
    locationFilter: { kind: 'choice', sql: 'f.facility_id', ids: true, order: 'facilities' },
    visitType: { kind: 'choice', sql: 'f.visit_type', order: ['clinic', 'field'] },
  },
  searchBy: { case: 'id', patient: 'patient_id' },
};

type Asked = Partial<Omit<GridQuery, 'filterModel'>> & {
  items?: FilterItem[];
  logic?: 'and' | 'or';
  groups?: FilterGroup[];
  words?: string[];
};

/** These tests check which rows are found, even on a busy machine; the benches measure speed. */
const budgetMs = 30_000;

/** Each tenant has its own facilities; the tests name them north and south. */
let north = '';
let south = '';
let scope: Scope & { tenantId: string };
let other: Scope & { tenantId: string };

/** The found case ids in order, and the count. */
async function find(
  engine: 'duckdb' | 'postgres',
  { items = [], logic = 'and', groups, words, ...rest }: Asked,
  scopes = [scope],
) {
  const query = gridQuery(grid).parse({
    ...rest,
    filterModel: {
      items,
      logicOperator: logic,
      ...(groups && { groups }),
      ...(words && { quickFilterValues: words }),
    },
  });
  const found = await findRows(engines[engine], source, query, {
    scopes,
    // South sorts before north, as in a language with such names.
    context: { timeZone: 'America/New_York', orders: { facilities: [south, north] } },
    budgetMs,
  });
  const names = new Map<string, string>();
  for (const one of scopes)
    for (const row of await database.withScope(one, (tx) =>
      tx.rows<{ id: string; case_id: string }>('select id, case_id from case_report'),
    ))
      names.set(row.id, row.case_id);
  const nameOf = (key: string) => (key === north ? 'north' : key === south ? 'south' : key);
  return {
    cases: found.rows.map(({ id }) => names.get(id)).join(''),
    rowCount: found.rowCount,
    ...(found.groups && {
      groups: found.groups.map(({ key, count }) => `${nameOf(key)} ${count}`).join(', '),
      // A, B and so on, with their groups.
      of: found.rows.map(({ id, group }) => `${names.get(id)} ${nameOf(group!)}`).join(', '),
    }),
  };
}

const tenantScope = (tenantId: string): Scope & { tenantId: string } => ({
  kind: 'org',
  orgType: 'T',
  tenantId,
  orgId: tenantId,
  accountId: randomUUID(),
  counties: [],
  hiddenFamilies: [],
  genderIdentityShown: true,
});

interface Made {
  caseId: string;
  lastName: string | null;
  birth?: string | null;
  onset?: string | null;
  created?: string;
  updated?: string;
  status?: string;
  facility?: string | null;
  visitType?: string | null;
  family?: string;
  phones?: string[];
  tenantId?: string;
}

async function make(made: Made) {
  const tenant_id = made.tenantId ?? scope.tenantId;
  const patient = await makePatient(database, {
    tenant_id,
    last_name: made.lastName,
    birth_date: made.birth === undefined ? '1990-06-15' : made.birth,
    phones: made.phones ?? [],
  });
  const report = await makeCaseReport(database, {
    tenant_id,
    patient_id: patient.id,
    case_id: made.caseId,
    onset_on: made.onset ?? null,
    created_on: made.created ?? '2026-03-05',
    updated_at: made.updated ?? '2026-03-05T12:00:00Z',
    status: made.status ?? 'new',
    facility_id: made.facility ?? null,
    visit_type: made.visitType ?? null,
    disease_family: made.family ?? 'sti',
  });
  await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
    await writeSearchKeys(tx, tenant_id, 'patient', [
      {
        id: patient.id,
        keys: keysOfPatient({
          lastName: patient.last_name ?? null,
          firstName: 'Robin',
          birthDate: patient.birth_date as string | null,
          phones: made.phones ?? [],
          emails: [],
          identifiers: [],
        }),
      },
    ]);
    await writeSearchKeys(tx, tenant_id, 'case', [
      { id: report.id, keys: keysOfCase({ caseId: made.caseId, externalId: null }) },
    ]);
  });
}

beforeAll(async () => {
  const tenant = await makeTenant(database);
  scope = tenantScope(tenant.id);
  north = (await makeFacility(database, { tenant_id: tenant.id })).id;
  south = (await makeFacility(database, { tenant_id: tenant.id })).id;
  // Ages on the day of creation: A 35, B 36 (birthday that day), C 35 (birthday the next day), D none, E 0, F to H 35.
  await make({
    caseId: 'A',
    lastName: 'Müller',
    onset: '2026-03-01',
    status: 'closed',
    facility: north,
    visitType: 'clinic',
    phones: ['+14045550101'],
  });
  await make({
    caseId: 'B',
    lastName: 'MUELLER',
    birth: '1990-03-05',
    onset: '2026-03-02',
    facility: north,
    visitType: 'field',
  });
  await make({
    caseId: 'C',
    lastName: "O'Brien",
    birth: '1990-03-06',
    onset: '2026-03-03',
    status: 'assigned',
    facility: south,
  });
  await make({ caseId: 'D', lastName: 'muller', birth: null });
  await make({
    caseId: 'E',
    lastName: '50%_x',
    birth: '2026-01-01',
    created: '2026-03-06',
    status: 'closed',
    facility: south,
  });
  await make({ caseId: 'F', lastName: '' });
  await make({ caseId: 'G', lastName: null, created: '2026-02-01' });
  // 03:30 UTC on the 8th is 22:30 on the 7th in New York; that Sunday clocks go forward.
  await make({
    caseId: 'H',
    lastName: 'Van der Berg',
    updated: '2026-03-08T03:30:00Z',
    created: '2026-03-07',
    visitType: 'clinic',
  });
  const neighbour = await makeTenant(database);
  other = tenantScope(neighbour.id);
  await make({ caseId: 'Z', lastName: 'Müller', tenantId: neighbour.id });
  for (const engine of ['duckdb', 'postgres'] as const)
    engines[engine] = await startAnalytics({ database, facts, log: createLog('fatal'), folder, engine });
  await engines.duckdb.caughtUp(scope.tenantId);
  await engines.duckdb.caughtUp(other.tenantId);
});

describe.each(['duckdb', 'postgres'] as const)('a grid on %s', (engine) => {
  const cases = async (...items: [string, string, unknown?][]) =>
    (await find(engine, { items: items.map(([field, operator, value]) => ({ field, operator, value })) }))
      .cases;

  describe('text operators compare without case and accents [S10.4]', () => {
    test.each([
      ['contains', 'uLL', 'AD'],
      ['contains', 'MÜL', 'AD'],
      ['contains', ' der b', 'H'],
      ['contains', '’b', 'C'],
      ['contains', '%_', 'E'],
      ['contains', '%_%_%', ''],
      ['contains', '   ', 'ABCDEFGH'],
      ['contains', undefined, 'ABCDEFGH'],
      ['doesNotContain', 'ull', 'BCEFGH'],
      ['equals', 'muller', 'AD'],
      ['equals', ' Müller ', 'AD'],
      ['equals', 'mulle', ''],
      ['doesNotEqual', 'muller', 'BCEFGH'],
      ['startsWith', 'MU', 'ABD'],
      ['startsWith', '50%', 'E'],
      ['startsWith', '_', ''],
      ['doesNotStartWith', 'mu', 'CEFGH'],
      ['endsWith', 'LLER', 'ABD'],
      ['endsWith', '_x', 'E'],
      ['doesNotEndWith', 'ller', 'CEFGH'],
      ['isEmpty', undefined, 'FG'],
      ['isNotEmpty', undefined, 'ABCDEH'],
      ['isAnyOf', ['MULLER', "o'brien"], 'ACD'],
      ['isAnyOf', [], 'ABCDEFGH'],
      ['isNoneOf', ['muller', 'van der berg'], 'BCEFG'],
    ])('lastName %s %o', async (operator, value, expected) => {
      expect(await cases(['lastName', operator, value])).toBe(expected);
    });
  });

  test('a range relative to today uses days in the tenant’s time zone', async () => {
    // 04:30 UTC on the 3rd is 23:30 on the 2nd in New York.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-03T04:30:00Z') });
    try {
      expect(await cases(['onsetOn', 'within', 'today'])).toBe('B');
      expect(await cases(['onsetOn', 'within', 'tomorrow'])).toBe('C');
      expect(await cases(['onsetOn', 'within', 'next-7-days'])).toBe('BC');
      expect(await cases(['onsetOn', 'within', 'this-month'])).toBe('ABC');
      expect(await cases(['onsetOn', 'within', 'last-month'])).toBe('');
      expect(await cases(['updatedAt', 'within', 'next-7-days'])).toContain('H');
      expect(await cases(['updatedAt', 'within', 'today'])).not.toContain('H');
    } finally {
      vi.useRealTimers();
    }
  });

  describe('number operators; a negation is true for empty values [S10.4]', () => {
    test.each([
      ['=', 35, 'ACFGH'],
      ['=', 35.5, ''],
      ['!=', 35, 'BDE'],
      ['>', 35, 'B'],
      ['>=', 35, 'ABCFGH'],
      ['<', 35, 'E'],
      ['<=', 35, 'ACEFGH'],
      ['isEmpty', undefined, 'D'],
      ['isNotEmpty', undefined, 'ABCEFGH'],
    ])('age %s %o', async (operator, value, expected) => {
      expect(await cases(['age', operator, value])).toBe(expected);
    });
  });

  describe('date operators use calendar days [S10.4]', () => {
    test.each([
      ['onsetOn', 'is', '2026-03-02', 'B'],
      ['onsetOn', 'not', '2026-03-02', 'ACDEFGH'],
      ['onsetOn', 'after', '2026-03-02', 'C'],
      ['onsetOn', 'onOrAfter', '2026-03-02', 'BC'],
      ['onsetOn', 'before', '2026-03-02', 'A'],
      ['onsetOn', 'onOrBefore', '2026-03-02', 'AB'],
      ['onsetOn', 'isEmpty', undefined, 'DEFGH'],
      ['onsetOn', 'isNotEmpty', undefined, 'ABC'],
      // An instant, by its day in the tenant's time zone.
      ['updatedAt', 'is', '2026-03-07', 'H'],
      ['updatedAt', 'is', '2026-03-08', ''],
      ['updatedAt', 'not', '2026-03-07', 'ABCDEFG'],
      ['updatedAt', 'after', '2026-03-06', 'H'],
      ['updatedAt', 'after', '2026-03-07', ''],
      ['updatedAt', 'onOrAfter', '2026-03-07', 'H'],
      ['updatedAt', 'before', '2026-03-07', 'ABCDEFG'],
      ['updatedAt', 'onOrBefore', '2026-03-05', 'ABCDEFG'],
      ['updatedAt', 'isEmpty', undefined, ''],
      ['updatedAt', 'before', '9999-12-31', 'ABCDEFGH'],
      ['updatedAt', 'is', '9999-12-31', ''],
      ['updatedAt', 'after', '9999-12-31', ''],
      ['updatedAt', 'onOrBefore', '9999-12-31', 'ABCDEFGH'],
      ['updatedAt', 'after', '0001-01-01', 'ABCDEFGH'],
    ])('%s %s %s', async (field, operator, value, expected) => {
      expect(await cases([field, operator, value])).toBe(expected);
    });
  });

  describe('choice operators [S10.4]', () => {
    test.each([
      ['status', 'is', 'closed', 'AE'],
      ['status', 'is', 'CLOSED', ''],
      ['status', 'not', 'closed', 'BCDFGH'],
      ['status', 'isAnyOf', ['closed', 'assigned'], 'ACE'],
      ['facility', 'is', 'no-uuid', ''],
      ['facility', 'not', 'no-uuid', 'ABCDEFGH'],
      // A and B are in the north, C and E in the south; the others have no facility, and all have a status.
      ['facility', 'is', 'missing', 'DFGH'],
      ['facility', 'not', 'missing', 'ABCE'],
      ['status', 'is', 'missing', ''],
      ['status', 'not', 'missing', 'ABCDEFGH'],
      ['status', 'isNoneOf', ['closed', 'assigned'], 'BDFGH'],
      ['status', 'isNoneOf', ['x'], 'ABCDEFGH'],
      ['status', 'isNoneOf', [], 'ABCDEFGH'],
      ['status', 'isEmpty', undefined, ''],
      ['status', 'isNotEmpty', undefined, 'ABCDEFGH'],
      ['facility', 'isEmpty', undefined, 'DFGH'],
      ['facility', 'isNotEmpty', undefined, 'ABCE'],
    ])('%s %s %o', async (field, operator, value, expected) => {
      expect(await cases([field, operator, value])).toBe(expected);
    });

    test('ids, in any case', async () => {
      expect(await cases(['facility', 'is', north.toUpperCase()])).toBe('AB');
      expect(await cases(['facility', 'not', north])).toBe('CDEFGH');
      expect(await cases(['facility', 'isAnyOf', [north, 'no-uuid', south]])).toBe('ABCE');
      expect(await cases(['facility', 'isAnyOf', [north, 'missing']])).toBe('ABDFGH');
      expect(await cases(['facility', 'isNoneOf', [north.toUpperCase(), 'no-uuid']])).toBe('CDEFGH');
      expect(await cases(['facility', 'isNoneOf', [north, 'missing']])).toBe('CE');
    });
  });

  test('items are joined with AND, or with OR, and lists, range and words always narrow [S3.10]', async () => {
    const items = [
      { field: 'lastName', operator: 'startsWith', value: 'mu' },
      { field: 'status', operator: 'is', value: 'closed' },
    ];
    expect((await find(engine, { items })).cases).toBe('A');
    expect((await find(engine, { items, logic: 'or' })).cases).toBe('ABDE');
    expect((await find(engine, { items, logic: 'or', filters: { locationFilter: [south] } })).cases).toBe(
      'E',
    );
    expect((await find(engine, { items, logic: 'or', filters: { locationFilter: [] } })).cases).toBe('ABDE');
    expect((await find(engine, { filters: { locationFilter: ['no-uuid'] } })).cases).toBe('');
    expect((await find(engine, { filters: { locationFilter: [south, 'missing'] } })).cases).toBe('CDEFGH');
    expect((await find(engine, { filters: { visitType: ['missing'] } })).cases).toBe('CDEFG');
    expect(
      (await find(engine, { filters: { visitType: ['clinic', 'field'], locationFilter: [north] } })).cases,
    ).toBe('AB');
  });

  test('conditions of a group are joined first, then the groups with the rest', async () => {
    const named = { field: 'lastName', operator: 'startsWith', value: 'mu' };
    const closed = { field: 'status', operator: 'is', value: 'closed' };
    const young = { field: 'age', operator: '<', value: 20 };
    const both: FilterGroup = { items: [named, closed], logicOperator: 'and' };
    const either: FilterGroup = { items: [young, closed], logicOperator: 'or' };
    // A matches both; E is young and closed.
    expect((await find(engine, { groups: [both] })).cases).toBe('A');
    expect((await find(engine, { groups: [either] })).cases).toBe('AE');
    expect((await find(engine, { items: [young], groups: [both], logic: 'or' })).cases).toBe('AE');
    expect((await find(engine, { items: [named], groups: [either] })).cases).toBe('A');
    expect((await find(engine, { groups: [both, either], logic: 'or' })).cases).toBe('AE');
    expect((await find(engine, { groups: [both, either] })).cases).toBe('A');
    // A group in a group: of the young or closed ones, A and E, only A has the name; C began on the 3rd.
    const inner: FilterGroup = { items: [named], groups: [either], logicOperator: 'and' };
    const onset = { field: 'onsetOn', operator: 'is', value: '2026-03-03' };
    expect((await find(engine, { groups: [inner] })).cases).toBe('A');
    expect(
      (await find(engine, { groups: [{ items: [onset], groups: [inner], logicOperator: 'or' }] })).cases,
    ).toBe('AC');
    expect(
      (
        await find(engine, {
          items: [closed],
          groups: [{ items: [onset], groups: [inner], logicOperator: 'or' }],
        })
      ).cases,
    ).toBe('A');
    // A group without a finished condition does not filter.
    const unfinished: FilterGroup = {
      items: [{ field: 'lastName', operator: 'contains' }],
      logicOperator: 'and',
    };
    expect((await find(engine, { items: [closed], groups: [unfinished], logic: 'or' })).cases).toBe('AE');
  });

  test('a range includes both its days and uses the first date unless another is named [S7.10]', async () => {
    const dateRangeValue = { start: '2026-03-05', end: '2026-03-06' };
    expect((await find(engine, { dateRangeValue })).cases).toBe('ABCDEF');
    expect(
      (
        await find(engine, {
          dateRangeValue: { start: '2026-03-02', end: '2026-03-03' },
          rangeField: 'onsetOn',
        })
      ).cases,
    ).toBe('BC');
  });

  test('sorts by several fields, choices in their order, empty values always last', async () => {
    const sorted = async (...sort: [string, 'asc' | 'desc'][]) =>
      (await find(engine, { sortModel: sort.map(([field, way]) => ({ field, sort: way })) })).cases;
    expect(await sorted(['caseId', 'desc'])).toBe('HGFEDCBA');
    // '' is empty to a reader, but it is a text, so it sorts first.
    expect(await sorted(['lastName', 'asc'], ['caseId', 'asc'])).toBe('FEBADCHG');
    expect(await sorted(['lastName', 'desc'], ['caseId', 'asc'])).toBe('HCADBEFG');
    expect(await sorted(['onsetOn', 'desc'], ['caseId', 'desc'])).toBe('CBAHGFED');
    expect(await sorted(['status', 'asc'], ['caseId', 'asc'])).toBe('BDFGHAEC');
    expect(await sorted(['status', 'desc'], ['caseId', 'asc'])).toBe('CAEBDFGH');
    expect(await sorted(['facility', 'asc'], ['caseId', 'asc'])).toBe('CEABDFGH');
    expect(await sorted(['facility', 'desc'], ['age', 'desc'], ['caseId', 'asc'])).toBe('BACEFGHD');
    expect(await sorted(['updatedAt', 'desc'], ['caseId', 'asc'])).toBe('HABCDEFG');
  });

  test('without a sort field the default applies, and pages count from 0 [S9.1]', async () => {
    expect(await find(engine, { sortModel: [], paginationModel: { page: 0, pageSize: 3 } })).toEqual({
      cases: 'ABC',
      rowCount: 8,
    });
    expect(await find(engine, { paginationModel: { page: 2, pageSize: 3 } })).toEqual({
      cases: 'GH',
      rowCount: 8,
    });
    expect(await find(engine, { paginationModel: { page: 3, pageSize: 3 } })).toEqual({
      cases: '',
      rowCount: 8,
    });
    expect(await find(engine, { paginationModel: { page: 1_000_000_000, pageSize: 200 } })).toEqual({
      cases: '',
      rowCount: 8,
    });
    expect(await find(engine, { items: [{ field: 'age', operator: '=', value: 7 }] })).toEqual({
      cases: '',
      rowCount: 0,
    });
  });

  describe('rows in groups', () => {
    const shown = async (asked: Asked, scopes = [scope]) => {
      const { cases, groups, rowCount } = await find(engine, asked, scopes);
      return [cases, groups, rowCount];
    };

    test('come in the order of the choice, sorted within each group, and all are counted', async () => {
      // The order of the declaration: new, closed, assigned.
      expect(await shown({ grouping: { by: 'status' } })).toEqual([
        'BDFGHAEC',
        'new 5, closed 2, assigned 1',
        8,
      ]);
      expect(
        await shown({
          grouping: { by: 'status' },
          sortModel: [{ field: 'caseId', sort: 'desc' }],
          paginationModel: { page: 1, pageSize: 3 },
        }),
      ).toEqual(['DBE', 'new 5, closed 2, assigned 1', 8]);
      // Sorting by the column itself reverses the groups.
      expect(
        await shown({
          grouping: { by: 'status' },
          sortModel: [
            { field: 'status', sort: 'desc' },
            { field: 'caseId', sort: 'asc' },
          ],
        }),
      ).toEqual(['CAEBDFGH', 'assigned 1, closed 2, new 5', 8]);
    });

    test('of people or places are in the order of their names, those without one last', async () => {
      expect(await shown({ grouping: { by: 'facility' } })).toEqual([
        'CEABDFGH',
        'south 2, north 2, missing 4',
        8,
      ]);
      expect(
        (await find(engine, { grouping: { by: 'facility' }, paginationModel: { page: 1, pageSize: 3 } })).of,
      ).toBe('B north, D missing, F missing');
    });

    test('of days begin with the latest, of weeks with their Sunday', async () => {
      expect(await shown({ grouping: { by: 'onsetOn', per: 'day' } })).toEqual([
        'CBADEFGH',
        '2026-03-03 1, 2026-03-02 1, 2026-03-01 1, missing 5',
        8,
      ]);
      // 1 February and 1 March 2026 are Sundays; the other days are in the week of 1 March.
      expect(await shown({ grouping: { by: 'createdOn', per: 'week' } })).toEqual([
        'ABCDEFHG',
        '2026-03-01 7, 2026-02-01 1',
        8,
      ]);
      expect(
        await shown({
          grouping: { by: 'createdOn', per: 'week' },
          sortModel: [
            { field: 'createdOn', sort: 'asc' },
            { field: 'caseId', sort: 'asc' },
          ],
        }),
      ).toEqual(['GABCDFEH', '2026-02-01 1, 2026-03-01 7', 8]);
    });

    test('are counted but have no rows when closed', async () => {
      const counts = 'new 5, closed 2, assigned 1';
      expect(await shown({ grouping: { by: 'status', closed: ['new'] } })).toEqual(['AEC', counts, 3]);
      expect(await shown({ grouping: { by: 'status', closed: ['new', 'closed', 'assigned'] } })).toEqual([
        '',
        counts,
        0,
      ]);
      const places = 'south 2, north 2, missing 4';
      expect(await shown({ grouping: { by: 'facility', closed: [north, 'missing'] } })).toEqual([
        'CE',
        places,
        2,
      ]);
      const days = '2026-03-03 1, 2026-03-02 1, 2026-03-01 1, missing 5';
      expect(
        await shown({ grouping: { by: 'onsetOn', per: 'day', closed: ['missing', '2026-03-02'] } }),
      ).toEqual(['CA', days, 2]);
      expect(await shown({ grouping: { by: 'onsetOn', per: 'day', closed: ['2026-03-02'] } })).toEqual([
        'CADEFGH',
        days,
        7,
      ]);
    });

    test('have only rows that filters leave and the reader may see [P18]', async () => {
      const closed = [{ field: 'status', operator: 'is', value: 'closed' }];
      expect(await shown({ items: closed, grouping: { by: 'facility' } })).toEqual([
        'EA',
        'south 1, north 1',
        2,
      ]);
      const blind = { ...scope, hiddenFamilies: ['sti'] };
      expect(await shown({ grouping: { by: 'status' } }, [blind])).toEqual(['', '', 0]);
    });

    test('of several tenants are one list', async () => {
      expect(await shown({ grouping: { by: 'facility' } }, [scope, other])).toEqual([
        'CEABDFGHZ',
        'south 2, north 2, missing 5',
        9,
      ]);
      expect(await shown({ grouping: { by: 'status', closed: ['new'] } }, [scope, other])).toEqual([
        'AEC',
        'new 6, closed 2, assigned 1',
        3,
      ]);
      expect(await shown({ grouping: { by: 'onsetOn', per: 'week' } }, [scope, other])).toEqual([
        'ABCDEFGHZ',
        '2026-03-01 3, missing 6',
        9,
      ]);
    });
  });

  test('equal rows keep their order over all pages', async () => {
    const seen: string[] = [];
    for (let page = 0; page < 4; page++)
      seen.push(
        (
          await find(engine, {
            sortModel: [{ field: 'updatedAt', sort: 'asc' }],
            paginationModel: { page, pageSize: 2 },
          })
        ).cases,
      );
    // Only H was changed at another time.
    expect([...seen.join('')].sort().join('')).toBe('ABCDEFGH');
    expect(seen.join('').at(-1)).toBe('H');
    expect((await find(engine, { sortModel: [{ field: 'updatedAt', sort: 'asc' }] })).cases).toBe(
      seen.join(''),
    );
  });

  describe('words of the search box', () => {
    test.each([
      // An umlaut matches either spelling.
      [['müll'], 'ABD'],
      [['mull'], 'AD'],
      [['MUELLER'], 'AB'],
      [['obrien'], 'C'],
      [["O'Br"], 'C'],
      [['berg'], 'H'],
      [['vander'], 'H'],
      [['van', 'ber'], 'H'],
      [['van berg'], 'H'],
      [['robin', 'mull'], 'AD'],
      [['erg'], ''],
      [['5550101'], 'A'],
      [['(404)', '555-0101'], 'A'],
      [['+1-404-555-0101'], 'A'],
      [['1990-03-05'], 'B'],
      [['3/5/1990'], 'B'],
      [['05.03.1990'], 'B'],
      [['1990', 'mueller'], 'AB'],
      [['c'], 'C'],
      [['%'], 'ABCDEFGH'],
      [['50%_'], 'E'],
    ])('%o', async (words, expected) => {
      expect((await find(engine, { words })).cases).toBe(expected);
    });

    test('narrow other filters, with AND or OR', async () => {
      const items = [
        { field: 'status', operator: 'is', value: 'closed' },
        { field: 'lastName', operator: 'isEmpty' },
      ];
      expect((await find(engine, { items, logic: 'or', words: ['mueller'] })).cases).toBe('A');
    });
  });

  test('another tenant is never found, and several scopes are one list', async () => {
    expect((await find(engine, { words: ['mueller'] }, [other])).cases).toBe('Z');
    const both = await find(
      engine,
      {
        words: ['mueller'],
        sortModel: [
          { field: 'lastName', sort: 'asc' },
          { field: 'caseId', sort: 'desc' },
        ],
      },
      [scope, other],
    );
    expect(both).toEqual({ cases: 'BZA', rowCount: 3 });
    expect(await find(engine, { paginationModel: { page: 1, pageSize: 8 } }, [scope, other])).toEqual({
      cases: 'Z',
      rowCount: 9,
    });
    expect(await find(engine, {}, [])).toEqual({ cases: '', rowCount: 0 });
  });

  test('restricted families are absent from rows and count [P18]', async () => {
    const blind = { ...scope, hiddenFamilies: ['sti'] };
    expect(await find(engine, {}, [blind])).toEqual({ cases: '', rowCount: 0 });
  });

  test('the rows of each choice are counted with all other filters, separately for each reader', async () => {
    const counted = async (asked: object, scopes = [scope]) => {
      const query = gridQuery(grid).parse(asked);
      const options = { scopes, timeZone: 'America/New_York', budgetMs };
      const counts = await countChoices(engines[engine], source, query, 'locationFilter', options);
      const nameOf = (id: string) => (id === north ? 'north' : id === south ? 'south' : id);
      return Object.fromEntries(counts.map(({ id, count }) => [nameOf(id), count]));
    };
    const closed = { items: [{ field: 'status', operator: 'is', value: 'closed' }] };
    expect(await counted({})).toEqual({ missing: 4, north: 2, south: 2 });
    expect(await counted({ filterModel: closed })).toEqual({ north: 1, south: 1 });
    expect(await counted({ filters: { visitType: ['clinic'] } })).toEqual({ missing: 1, north: 1 });
    const blind = { ...scope, hiddenFamilies: ['sti'] };
    expect(await counted({}, [blind])).toEqual({});
    expect(await counted({}, [other])).toEqual({ missing: 1 });
    expect(await counted({}, [scope, other])).toEqual({ missing: 5, north: 2, south: 2 });
    expect(await counted({}, [])).toEqual({});
  });
});

test('far pages are correct in the whole order, even with equal and empty values around them', async () => {
  const tenant = await makeTenant(database);
  const service = { kind: 'service', tenantId: tenant.id } as const;
  // 6000 cases; names in 40 groups and every seventh without one, three statuses, 300 onsets and every fifth without.
  await database.withScope(service, async (tx) => {
    await tx.run(
      `insert into patient (tenant_id, id, last_name)
      select $1, md5('p' || n)::uuid, case when n % 7 <> 0 then 'Name' || n % 40 end from generate_series(1, 6000) n`,
      [tenant.id],
    );
    await tx.run(
      `insert into case_report (tenant_id, id, case_id, patient_id, condition_code, disease_family, disease_category,
        classification, status, onset_on, created_on, updated_at, source)
      select $1, md5('c' || n)::uuid, '2026-' || lpad(n::text, 7, '0'), md5('p' || n)::uuid, 'measles', 'measles', 'vpd',
        'confirmed', (array['new', 'closed', 'assigned'])[n % 3 + 1],
        case when n % 5 <> 0 then date '2025-01-01' + n % 300 end, date '2026-01-01',
        timestamptz '2026-01-01 00:00Z' + make_interval(secs => n * 0.0001), 'elr' from generate_series(1, 6000) n`,
      [tenant.id],
    );
    const made = await tx.rows<{ id: string }>('select id from case_report');
    await recordChange(
      tx,
      tenant.id,
      'case_report',
      made.map(({ id }) => id),
    );
  });
  await engines.duckdb.caughtUp(tenant.id);
  const many = tenantScope(tenant.id);
  for (const sort of ['asc', 'desc'] as const)
    for (const field of Object.keys(grid.columns))
      for (const page of load([59], [20, 59])) {
        const query = gridQuery(grid).parse({
          sortModel: [{ field, sort }],
          paginationModel: { page, pageSize: 100 },
          ...(field === 'caseId' && { grouping: { by: 'status' } }),
        });
        const options = {
          scopes: [many],
          context: { timeZone: 'UTC', orders: { facilities: [] } },
          budgetMs,
        };
        const near = await findRows(engines.postgres, source, query, options);
        expect(near.rowCount).toBe(6000);
        expect(near.rows).toHaveLength(100);
        expect(await findRows(engines.duckdb, source, query, options)).toEqual(near);
      }
});

test('both engines give the same rows for any query', async () => {
  const value = {
    text: fc.oneof(
      fc.constantFrom('mul', 'MÜ', '%', '_', "o'", '', ' ', 'er', '50%_x'),
      fc.string({ maxLength: 3 }).filter((text) => !text.includes('\0')),
    ),
    number: fc.oneof(fc.integer({ min: -1, max: 40 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    date: fc.constantFrom('2026-03-01', '2026-03-02', '2026-03-05', '2026-03-07', '2026-03-08', '1999-12-31'),
    choice: fc.oneof(
      fc.constantFrom('new', 'closed', 'assigned', 'x', 'missing'),
      fc.constant(null).map(() => north),
    ),
  };
  const item = fc
    .constantFrom(...(Object.keys(grid.columns) as (keyof typeof grid.columns)[]))
    .chain((field) => {
      const { kind } = grid.columns[field];
      return fc.constantFrom<string>(...operators[kind]).chain((operator) => {
        if (operator.startsWith('is') && operator.endsWith('mpty')) return fc.constant({ field, operator });
        const one: fc.Arbitrary<unknown> =
          operator === 'within' ? fc.constantFrom(...relativeRangeNames) : value[kind];
        return (
          operator === 'isAnyOf' || operator === 'isNoneOf' ? fc.array(one, { maxLength: 3 }) : one
        ).map((given) => ({ field, operator, value: given }));
      });
    });
  const logic = fc.constantFrom('and' as const, 'or' as const);
  const group = (levels: number): fc.Arbitrary<FilterGroup> =>
    fc.record({
      items: fc.array(item, { maxLength: 3 }),
      ...(levels > 0 && { groups: fc.array(group(levels - 1), { maxLength: 1 }) }),
      logicOperator: logic,
    });
  const grouping = fc.oneof(
    fc.record({
      by: fc.constantFrom('status', 'facility'),
      closed: fc.subarray(['new', 'closed', 'missing', 'x']),
    }),
    fc.record({
      by: fc.constantFrom('onsetOn', 'createdOn'),
      per: fc.constantFrom(...groupPeriods),
      closed: fc.subarray(['2026-03-01', '2026-03-02', 'missing']),
    }),
  );
  const sort = fc.record({
    field: fc.constantFrom(...Object.keys(grid.columns)),
    sort: fc.constantFrom('asc' as const, 'desc' as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 4 }),
      fc.array(group(2), { maxLength: 3 }),
      logic,
      fc.array(sort, { maxLength: 3 }),
      fc.array(fc.constantFrom('mül', 'van', '1990', '555', 'a', 'ö'), { maxLength: 2 }),
      fc.record({ page: fc.nat(3), pageSize: fc.integer({ min: 1, max: 5 }) }),
      fc.option(grouping, { nil: undefined }),
      async (items, groups, logic, sortModel, words, paginationModel, grouped) => {
        const asked = {
          items,
          groups,
          logic,
          sortModel,
          words,
          paginationModel,
          ...(grouped && { grouping: grouped }),
        };
        expect(await find('duckdb', asked)).toEqual(await find('postgres', asked));
      },
    ),
    rounds(60, 100),
  );
});
