import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../test/factories.ts';
import { elr, importText } from './test-messages.ts';

const { database } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'caseway-places-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Reports from the Mercy Clinic in ZIP codes. */
const reports = (...zips: string[]) =>
  zips.map((zip) => elr().replace('Atlanta^GA^30303\r', `Atlanta^GA^${zip}\r`)).join('');

/** The ZIP codes of the places that reports were told to come from, in their order, where some are known. */
async function placesOf(known: (string | null)[], zips: string[], given = {}) {
  const { id: tenantId } = await makeTenant(database);
  for (const postal_code of known)
    await makeFacility(database, {
      tenant_id: tenantId,
      name: 'Mercy Clinic',
      match_name: 'mercy clinic',
      postal_code,
    });
  await importText(database, dataDir, tenantId, reports(...zips), given);
  return database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows<{ zip: string | null; registered: boolean }>(
      `select f.postal_code as zip, f.registered from result r join facility f on f.id = r.facility_id
       join import_message m on m.id = r.import_message_id order by m.index`,
    ),
  );
}

test('places of one name are told apart by their ZIP codes, whatever follows its five digits', async () => {
  const found = await placesOf(['30303-1234', '30309'], ['30309', '30303', '303039999']);
  expect(found).toEqual([
    { zip: '30309', registered: true },
    { zip: '30303-1234', registered: true },
    { zip: '30303-1234', registered: true },
  ]);
});

test('a further ZIP code is a further place, made once however the reports are cut into batches', async () => {
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

test('without a ZIP code on one side the name is enough', async () => {
  expect(await placesOf([null], ['30303'])).toEqual([{ zip: null, registered: true }]);
  expect(await placesOf([''], ['30303'])).toEqual([{ zip: '', registered: true }]);
  expect(await placesOf(['30309'], [''])).toEqual([{ zip: '30309', registered: true }]);
});
