import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../test/factories.ts';
import type { Scope } from '../../platform/scope.ts';
import { readTable } from './actions.ts';
import { readDetail } from './queries.ts';
import { chlamydia, elr, hivScreen, importText } from './test-messages.ts';

/*
 * Places that reports of restricted families name. Readers who may not see these families see places and counts as
 * if those reports did not exist. [P18, P24]
 */

const { database } = await createTestDatabase();

const reader = (tenantId: string, hiddenFamilies: string[]): Scope => ({
  kind: 'org',
  tenantId,
  orgType: 'T',
  orgId: tenantId,
  accountId: tenantId,
  counties: [],
  hiddenFamilies,
  genderIdentityShown: true,
});
const readers = { blind: ['hiv'], seeing: [] };

const report = (test: string, clinic: string, more: Parameters<typeof elr>[0] = {}) =>
  elr({ clinic, tests: [{ test }], ...more });
const hiv = (clinic: string, more?: Parameters<typeof elr>[0]) => report(hivScreen, clinic, more);
const other = (clinic: string, more?: Parameters<typeof elr>[0]) => report(chlamydia, clinic, more);

/** What each reader sees of the last of the files, and the places that they see at the end. */
async function toldOf(files: readonly string[][], batchSize: number) {
  const { id: tenantId } = await makeTenant(database);
  // The laboratory of all reports is known.
  await makeFacility(database, {
    tenant_id: tenantId,
    name: 'Peach State Laboratory',
    match_name: 'peach state laboratory',
    facility_type: 'laboratory',
    clia: '11D0000001',
  });
  let importId = '';
  for (const file of files)
    ({ importId } = await importText(database, tenantId, file.join(''), { batchSize }));
  const told: Record<string, { created: number; places: string[] }> = {};
  for (const [name, hidden] of Object.entries(readers))
    told[name] = await database.withScope(reader(tenantId, hidden), async (tx) => ({
      created: (await readDetail(tx, importId)).effects.facilitiesCreated ?? 0,
      places: (
        await tx.rows<{ name: string }>(`select name from facility where not registered order by name`)
      ).map((row) => row.name),
    }));
  return told;
}

describe('readers who may not see a restricted family see places as if its reports did not exist', () => {
  const cases: [string, string[][], { blind: [number, string[]]; seeing: [number, string[]] }][] = [
    [
      'a place that only such reports of a file name',
      [[other('Elm Clinic'), hiv('Oak Clinic'), hiv('Oak Clinic')]],
      { blind: [1, ['Elm Clinic']], seeing: [2, ['Elm Clinic', 'Oak Clinic']] },
    ],
    [
      'a place that such a report names first',
      [[hiv('Oak Clinic'), other('Oak Clinic'), other('Oak Clinic')]],
      { blind: [1, ['Oak Clinic']], seeing: [1, ['Oak Clinic']] },
    ],
    [
      'a place that such a report names later',
      [[other('Oak Clinic'), hiv('Oak Clinic')]],
      { blind: [1, ['Oak Clinic']], seeing: [1, ['Oak Clinic']] },
    ],
    [
      'a place that such a report of an earlier file named',
      [[hiv('Oak Clinic')], [other('Oak Clinic'), hiv('Oak Clinic')]],
      { blind: [1, ['Oak Clinic']], seeing: [0, ['Oak Clinic']] },
    ],
    [
      'a place that reports of both kinds named before',
      [[hiv('Oak Clinic'), other('Oak Clinic')], [other('Oak Clinic')]],
      { blind: [0, ['Oak Clinic']], seeing: [0, ['Oak Clinic']] },
    ],
  ];
  test.each(cases)('%s', async (_, files, { blind, seeing }) => {
    for (const batchSize of [1, 10]) {
      const told = await toldOf(files, batchSize);
      expect(told, `in batches of ${batchSize}`).toEqual({
        blind: { created: blind[0], places: blind[1] },
        seeing: { created: seeing[0], places: seeing[1] },
      });
      // The same as without them.
      const without = files.map((file) => file.filter((text) => !text.includes('HIV')));
      const last = without.at(-1)!.length > 0 ? without.filter((file) => file.length > 0) : [];
      expect((await toldOf(last, batchSize)).blind).toEqual(told.blind);
    }
  });

  test('a row of a line list that is not a case', async () => {
    const { id: tenantId } = await makeTenant(database);
    await importText(
      database,
      tenantId,
      'Last Name,First Name,DOB,Onset Date,Case Status,Facility\nZq,Ann,1990-01-01,2026-03-01,Not a case,Oak Clinic\n',
      { condition: 'hiv' },
    );
    for (const [name, hidden] of Object.entries(readers)) {
      const shown = await database.withScope(reader(tenantId, hidden), (tx) =>
        tx.rows('select name from facility'),
      );
      expect(shown, name).toEqual(name === 'blind' ? [] : [{ name: 'Oak Clinic' }]);
    }
  });
});

test('a report of a restricted family does not fill in a place’s number or ask to confirm it again', async () => {
  for (const registered of [true, false]) {
    const { id: tenantId } = await makeTenant(database);
    const { id } = await makeFacility(database, {
      tenant_id: tenantId,
      name: 'Peach State Laboratory',
      match_name: 'peach state laboratory',
      facility_type: 'laboratory',
      registered,
      disease_families: registered ? [] : ['chlamydia'],
    });
    const stored = () =>
      database.withScope({ kind: 'service', tenantId }, (tx) =>
        tx.rows('select clia, npi, registered, version from facility where id = $1', [id]),
      );
    for (const batchSize of [1, 10]) {
      await importText(database, tenantId, hiv('') + hiv(''), { batchSize });
      expect(await stored()).toEqual([{ clia: null, npi: null, registered, version: 1 }]);
    }
    await importText(database, tenantId, other(''));
    expect(await stored()).toEqual([{ clia: '11D0000001', npi: null, registered: false, version: 2 }]);
  }
});

test('only readers who can see the import see the columns of its table', async () => {
  const { id: tenantId } = await makeTenant(database);
  const { importId } = await importText(
    database,
    tenantId,
    'Last Name,First Name,DOB,Test Name,Result,Collected,HIV viral load\nZq,Ann,1990-01-01,HIV 1+2 Ab/Ag,Reactive,2026-03-01,90\n',
  );
  const columns = (hidden: string[]) =>
    database.withScope(reader(tenantId, hidden), (tx) => readTable(tx, importId));
  expect((await columns([])).table.header).toContain('HIV viral load');
  await expect(columns(['hiv'])).rejects.toMatchObject({ code: 'not-found' });
});
