import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { makeFacility, makeOrganization, makeTenant } from '../../../../test/factories.ts';
import { elr, importText } from '../test-messages.ts';

const { database } = await createTestDatabase();

/** Reports from Mercy Clinics in these ZIP codes. */
const reports = (...zips: string[]) =>
  zips.map((zip) => elr().replace('Atlanta^GA^30303\r', `Atlanta^GA^${zip}\r`)).join('');

/** The places in the reports of a file, in order, in a separate tenant with some known places. */
async function placesOf(known: (string | null)[], zips: string[], given = {}) {
  const { id: tenantId } = await makeTenant(database);
  for (const postal_code of known)
    await makeFacility(database, {
      tenant_id: tenantId,
      name: 'Mercy',
      match_name: 'mercy clinic',
      postal_code,
    });
  return sourcesOf(tenantId, zips, given);
}

async function sourcesOf(tenantId: string, zips: string[], given = {}) {
  await importText(database, tenantId, reports(...zips), given);
  return database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows<{ zip: string | null; registered: boolean }>(
      `select f.postal_code as zip, f.registered from result r join facility f on f.id = r.facility_id
       join import_message m on m.tenant_id = r.tenant_id and m.id = r.import_message_id order by m.index`,
    ),
  );
}

test('places of one name are told apart by the five digits of their ZIP codes', async () => {
  const found = await placesOf(['30303-1234', '30309'], ['30309', '30303', '303039999']);
  expect(found).toEqual([
    { zip: '30309', registered: true },
    { zip: '30303-1234', registered: true },
    { zip: '30303-1234', registered: true },
  ]);
});

test('another ZIP code is another place, made once however the reports are split into batches', async () => {
  for (const batchSize of [1, 10]) {
    const found = await placesOf(['30309'], ['30310', '30309', '30310', '30311'], { batchSize });
    expect(found, `in batches of ${batchSize}`).toEqual([
      { zip: '30310', registered: false },
      { zip: '30309', registered: true },
      { zip: '30310', registered: false },
      { zip: '30311', registered: false },
    ]);
  }
});

test('if one side has no ZIP code, the name is enough', async () => {
  expect(await placesOf([null], ['30303'])).toEqual([{ zip: null, registered: true }]);
  expect(await placesOf([''], ['30303'])).toEqual([{ zip: '', registered: true }]);
  expect(await placesOf(['30309'], [''])).toEqual([{ zip: '30309', registered: true }]);
});

test('without a ZIP code the oldest place of that name is chosen, in a batch of one or many', async () => {
  for (const known of [
    ['30303', '30309'],
    ['30309', '30303'],
  ]) {
    expect((await placesOf(known, [''])).map(({ zip }) => zip)).toEqual([known[0]]);
    const found = await placesOf(known, ['30309', '', '30303']);
    expect(found.map(({ zip }) => zip)).toEqual(['30309', known[0], '30303']);
  }
});

test('under a former name, a place is found with its ZIP code or without one, but not with another', async () => {
  const { id: tenantId } = await makeTenant(database);
  const place = await makeFacility(database, {
    tenant_id: tenantId,
    name: 'Grace Clinic',
    match_name: 'grace clinic',
    postal_code: '30317',
  });
  await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.run(
      `insert into facility_alias (tenant_id, id, facility_id, match_name, postal_code)
       values ($1, gen_random_uuid(), $2, 'mercy clinic', '30303-0001')`,
      [tenantId, place.id],
    ),
  );
  expect(await sourcesOf(tenantId, ['30303', '', '30309'])).toEqual([
    { zip: '30317', registered: true },
    { zip: '30317', registered: true },
    { zip: '30309', registered: false },
  ]);
});

describe('the number of a laboratory that is known by name without one', () => {
  const lab = 'Peach State Laboratory';
  const known = async (given: { clia?: string; registered?: boolean } = {}) => {
    const { id: tenantId } = await makeTenant(database);
    await makeFacility(database, {
      tenant_id: tenantId,
      name: lab,
      match_name: 'peach state laboratory',
      facility_type: 'laboratory',
      ...given,
    });
    return tenantId;
  };
  const labs = (tenantId: string) =>
    database.withScope({ kind: 'service', tenantId }, (tx) =>
      tx.rows<{ clia: string | null; registered: boolean; disease_families: string[] }>(
        `select clia, registered, disease_families from facility where match_name = 'peach state laboratory'
         order by created_at, clia`,
      ),
    );

  test('is filled in and waits to be confirmed, and stays visible to everyone', async () => {
    const tenantId = await known();
    await importText(database, tenantId, elr({ lab: `${lab}^11D0000001^CLIA` }));
    expect(await labs(tenantId)).toEqual([
      { clia: '11D0000001', registered: false, disease_families: ['-', 'chlamydia'] },
    ]);
  });

  test('is filled in for one that waits to be confirmed, however the file is split', async () => {
    for (const batchSize of [1, 10]) {
      const { id: tenantId } = await makeTenant(database);
      const two = elr({ lab }) + elr({ lab: `${lab}^11D0000001^CLIA` });
      await importText(database, tenantId, two, { batchSize });
      expect(await labs(tenantId)).toEqual([
        { clia: '11D0000001', registered: false, disease_families: ['chlamydia'] },
      ]);
    }
  });

  test('is never overwritten: another number is another laboratory', async () => {
    const tenantId = await known({ clia: '11D0000001' });
    await importText(database, tenantId, elr({ lab: `${lab}^22D0000002^CLIA` }));
    expect((await labs(tenantId)).map(({ clia, registered }) => [clia, registered])).toEqual([
      ['11D0000001', true],
      ['22D0000002', false],
    ]);
  });

  test('is not filled in for a confirmed one by a sender who sees only their own records', async () => {
    const tenantId = await known();
    const { id: organizationId } = await makeOrganization(database, { tenant_id: tenantId });
    const sight = { organizationId, facilityId: null, hiddenFamilies: [] };
    await importText(database, tenantId, elr({ lab: `${lab}^11D0000001^CLIA` }), { organizationId, sight });
    expect((await labs(tenantId)).map(({ clia, registered }) => [clia, registered])).toEqual([[null, true]]);
  });
});
