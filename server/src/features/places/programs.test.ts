import type { locations, programs, tasks } from '@caseway/contract/places';
import type { RecordOf } from '@caseway/contract/record';
import type { LookupOption } from '@caseway/contract/reference';
import { describe, expect, test } from 'vitest';
import { makePatient } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';
import { placesWorld } from './test-places.ts';

const { testing, database, demo, sql, ask, ok, refused, options, audited, search } = await placesWorld();
const epi = await signInAs(testing, 'epi@demo.caseway.test');
let counted = 0;

describe('programmes and tasks', () => {
  const types = () => ok<{ types: (LookupOption & { id: string })[] }>('GET', 'programs/types');
  const fields = async (more: object = {}) => ({
    label: `Program ${++counted}`,
    labelEs: null,
    labelHt: null,
    programType: (await types()).types[0]!.id,
    organization: null,
    diseaseFamilies: [],
    ...more,
  });

  test('a reference type is listed once, even if no one has used it', async () => {
    const { types: offered } = await types();
    const labels = offered.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['HIV prevention', 'Correctional health']));
    expect(new Set(labels).size).toBe(labels.length);
    const { id } = offered.find(({ label }) => label === 'Correctional health')!;
    const made = await ok<RecordOf<typeof programs>>(
      'POST',
      'programs',
      await fields({ programType: id, labelEs: 'Prisión' }),
    );
    expect(made).toMatchObject({ programType: id, labelEs: 'Prisión', labelHt: null, tasks: 0 });
    expect((await options('programTypes')).find((type) => type.id === id)).toMatchObject({
      labelI18N: { es: 'Salud en centros penitenciarios' },
    });
    expect((await types()).types).toEqual(offered);
    expect((await options('programs')).find((program) => program.id === made.id)).toMatchObject({
      labelI18N: { es: 'Prisión' },
      within: { programTypes: id },
    });
  });

  test('a disease family belongs to one programme of the tenant, and to one of each organisation', async () => {
    const taken = await fields({ diseaseFamilies: ['syphilis'] });
    expect(await refused('POST', 'programs', taken)).toEqual([422, 'diseaseFamilies family-taken']);
    const organization = demo.organizations[0]!.id;
    expect(await ok('POST', 'programs', { ...taken, organization })).toMatchObject({
      organization,
      diseaseFamilies: ['syphilis'],
    });
    const unknown = await fields({ diseaseFamilies: ['nonsense'], programType: organization });
    expect(await refused('POST', 'programs', unknown)).toEqual([
      422,
      'programType unknown-choice',
      'diseaseFamilies unknown-choice',
    ]);
  });

  test('[S10.4] programmes without a disease family are found, and left out', async () => {
    const label = `Program ${counted + 1}`;
    await ok('POST', 'programs', await fields());
    const found = async (operator: 'is' | 'not') => {
      const { rows, rowCount } = await search<RecordOf<typeof programs>>('programs', {
        filterModel: { items: [{ field: 'diseaseFamilies', operator, value: 'missing' }] },
        paginationModel: { page: 0, pageSize: 200 },
      });
      return {
        rowCount,
        families: rows.map((row) => row.diseaseFamilies.length),
        labels: rows.map((row) => row.label),
      };
    };
    const without = await found('is');
    const having = await found('not');
    expect(without.labels).toContain(label);
    expect(Math.max(...without.families)).toBe(0);
    expect(having.labels).not.toContain(label);
    expect(Math.min(...having.families)).toBeGreaterThan(0);
    expect(without.rowCount + having.rowCount).toBe((await search('programs')).rowCount);
  });

  test('[P18] people who may not see a restricted family neither read nor lose it', async () => {
    const hiv = demo.programs.find(({ diseaseFamilies }) => diseaseFamilies.includes('hiv'))!;
    await sql(
      `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'T', 'settings/write', 'allow')`,
      [demo.id, defaultRoleId(demo.id, 'epidemiologist')],
    );
    await sql('update policy_version set version = version + 1');
    const { headers } = await actFor(testing, epi.tokens, `T:${demo.id}`);
    await expect
      .poll(async () => (await ask('GET', `programs/${hiv.id}`, undefined, headers)).statusCode, {
        interval: 100,
      })
      .toBe(200);
    const seen = await ok<RecordOf<typeof programs>>('GET', `programs/${hiv.id}`, undefined, headers);
    expect(seen.diseaseFamilies).toEqual([]);
    const { version } = seen;
    await ok('PATCH', `programs/${hiv.id}`, { version, labelHt: 'Tès VIH toupatou' }, headers);
    expect((await ok<RecordOf<typeof programs>>('GET', `programs/${hiv.id}`)).diseaseFamilies).toEqual([
      'hiv',
    ]);
    expect(await refused('POST', 'programs', await fields({ diseaseFamilies: ['hiv'] }), headers)).toEqual([
      422,
      'diseaseFamilies unknown-choice',
    ]);
  });

  test('tasks belong to a programme and have a category; deactivated ones are marked', async () => {
    const [program] = demo.programs;
    const task = { label: 'Night outreach', labelEs: null, labelHt: null, program: program!.id };
    expect(await refused('POST', 'tasks', { ...task, taskCategory: 'dancing' })).toEqual([
      422,
      'taskCategory unknown-choice',
    ]);
    const made = await ok<RecordOf<typeof tasks>>('POST', 'tasks', { ...task, taskCategory: 'field-visit' });
    expect(await refused('POST', 'tasks', { ...task, taskCategory: 'testing' })).toEqual([
      422,
      'label name-taken',
    ]);
    await ok('PATCH', `tasks/${made.id}`, { version: 1, active: false });
    expect((await options('tasks')).find(({ id }) => id === made.id)).toMatchObject({ inactive: true });
  });
});

describe('locations [S3.8]', () => {
  const facility = demo.facilities[0]!.id;
  const nothing = { equipment: null, coldest: null, warmest: null, rows: null, columns: null };
  const body = (level: string, name: string, parent: string | null = null, more: object = {}) => ({
    ...{ ...nothing, name, level, facility, parent, ...more },
  });
  const make = (...given: Parameters<typeof body>) =>
    ok<RecordOf<typeof locations>>('POST', 'locations', body(...given));

  test('have shelves, which have bays, each code once in its parent', async () => {
    const freezer = await make('location', 'Freezer 2');
    const shelf = await make('shelf', 'A', freezer.id);
    const bay = await make('bay', '3', shelf.id);
    expect([freezer, shelf, bay].map(({ level, displayName }) => [level, displayName])).toEqual([
      ['location', 'Freezer 2'],
      ['shelf', 'Freezer 2:Shelf:A'],
      ['bay', 'Freezer 2:Shelf:A:Bay3'],
    ]);
    const other = await make('shelf', 'B', freezer.id);
    expect((await make('bay', '3', other.id)).displayName).toBe('Freezer 2:Shelf:B:Bay3');
    expect(await refused('POST', 'locations', body('shelf', 'a', freezer.id))).toEqual([
      422,
      'name name-taken',
    ]);
    expect(await refused('POST', 'locations', body('location', 'FREEZER 2'))).toEqual([
      422,
      'name name-taken',
    ]);
    expect(await refused('POST', 'locations', body('bay', '1', bay.id))).toEqual([422, 'level not-within']);
    expect(await refused('POST', 'locations', body('shelf', '1'))).toEqual([422, 'parent required']);
    expect(await refused('PATCH', `locations/${shelf.id}`, { version: 1, parent: other.id })).toEqual([
      422,
      'parent kept',
    ]);
    const within = await search<RecordOf<typeof locations>>('locations', {
      filters: { withinFilter: [freezer.id] },
    });
    expect(within.rows.map(({ displayName }) => displayName)).toEqual([
      'Freezer 2',
      'Freezer 2:Shelf:A',
      'Freezer 2:Shelf:A:Bay3',
      'Freezer 2:Shelf:B',
      'Freezer 2:Shelf:B:Bay3',
    ]);
    expect((await options('locations')).find(({ id }) => id === bay.id)).toEqual({
      id: bay.id,
      label: 'Freezer 2:Shelf:A:Bay3',
      within: { facilities: facility },
    });
  });

  test('have boxes, of up to 26 rows and columns, in which nothing but specimens lies', async () => {
    const freezer = await make('location', 'Freezer 3', null, {
      equipment: 'freezer',
      coldest: -86,
      warmest: -70,
    });
    const shelf = await make('shelf', 'A', freezer.id);
    const bay = await make('bay', '1', shelf.id);
    const grid = { rows: 9, columns: 10 };
    const boxes = [
      await make('box', '7', freezer.id, grid),
      await make('box', '7', shelf.id, grid),
      await make('box', '7', bay.id, grid),
    ];
    expect(boxes.map(({ displayName }) => displayName)).toEqual([
      'Freezer 3:Box:7',
      'Freezer 3:Shelf:A:Box:7',
      'Freezer 3:Shelf:A:Bay1:Box:7',
    ]);
    expect(boxes[2]).toMatchObject({ rows: 9, columns: 10, equipment: null });
    const labels = new Map((await options('locations')).map(({ id, label }) => [id, label]));
    expect(boxes.map(({ id }) => labels.get(id))).toEqual(boxes.map(({ displayName }) => displayName));
    const faults = (given: object) => refused('POST', 'locations', given);
    expect(await faults(body('box', '8', freezer.id))).toEqual([422, 'rows required', 'columns required']);
    expect(await faults(body('box', '8', freezer.id, { rows: 27, columns: 0 }))).toEqual([
      ...[422, 'rows too_big', 'columns too_small'],
    ]);
    expect(await faults(body('box', '8', boxes[0]!.id, grid))).toEqual([422, 'level not-within']);
    expect(await faults(body('shelf', 'B', freezer.id, grid))).toEqual([
      ...[422, 'rows not-asked', 'columns not-asked'],
    ]);
    expect(await faults(body('location', 'Freezer 4', null, { coldest: -20, warmest: -30 }))).toEqual([
      ...[422, 'warmest below-coldest'],
    ]);
  });

  test('a location with contents is not removed but deactivated, an empty one is removed', async () => {
    const freezer = await make('location', 'Freezer 9');
    const shelf = await make('shelf', 'A', freezer.id);
    const bay = await make('bay', '1', shelf.id);
    const patient = await makePatient(database, { tenant_id: demo.id });
    await sql(
      `insert into specimen (tenant_id, id, patient_id, location_id) values ($1, gen_random_uuid(), $2, $3)`,
      [demo.id, patient.id, bay.id],
    );
    for (const { id } of [freezer, shelf, bay])
      expect(await refused('DELETE', `locations/${id}?version=1`)).toEqual([422, ' in-use']);
    await ok('PATCH', `locations/${shelf.id}`, { version: 1, active: false });
    expect((await options('locations')).find(({ id }) => id === bay.id)).toMatchObject({ inactive: true });
    await sql('update specimen set location_id = null where location_id = $1', [bay.id]);
    await ok('DELETE', `locations/${bay.id}?version=1`);
    expect((await ask('GET', `locations/${bay.id}`)).statusCode).toBe(404);
    expect((await audited(bay.id)).at(-1)).toMatchObject({
      action: 'location/removed',
      detail: { before: { name: 'Freezer 9:Shelf:A:Bay1' } },
    });
  });
});
