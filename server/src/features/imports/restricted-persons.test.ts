import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import type { Scope } from '../../platform/scope.ts';
import { chlamydia, elr, hivScreen, importText } from './test-messages.ts';

const { database } = await createTestDatabase();
const { id: tenantId } = await makeTenant(database, { time_zone: 'America/New_York' });

const rows = (text: string) => database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows(text));
const take = (text: string) => importText(database, tenantId, text);

test('a person is noted with the families of which there are records, and is absent where all are restricted [P18]', async () => {
  const other = { id: 'MRN-2', last: 'Achebe', birth: '19710811' };
  await take(elr({ order: 'P-1', tests: [{ test: hivScreen }, { test: chlamydia }] }));
  await take(elr({ order: 'P-2', control: 'B', patient: other, tests: [{ test: hivScreen }] }));
  expect(
    await rows(`select last_name, (select array_agg(f order by f) from unnest(disease_families) f) as families
      from patient order by last_name`),
  ).toEqual([
    { last_name: 'Achebe', families: ['hiv'] },
    { last_name: 'Okafor', families: ['chlamydia', 'hiv'] },
  ]);
  const blind: Scope = {
    kind: 'org',
    tenantId,
    orgType: 'T',
    orgId: tenantId,
    accountId: tenantId,
    counties: [],
    hiddenFamilies: ['hiv'],
    genderIdentityShown: true,
  };
  const seen = await database.withScope(blind, (tx) =>
    tx.rows(`select (select string_agg(last_name, ' ') from patient) as persons,
      (select count(*) from patient_identifier) as identifiers,
      (select count(*) from search_key where key = 'achebe') as keys, (select count(*) from specimen) as specimens`),
  );
  expect(seen).toEqual([{ persons: 'Okafor', identifiers: 1, keys: 0, specimens: 1 }]);
});

test('the text of a result says nothing of a restricted family that it is not of [P18]', async () => {
  const said = async (test: string, value: string) => {
    const { importId } = await take(elr({ tests: [{ test, value, type: 'ST' }] }));
    return rows(`select value_text, result_category, disease_family from result r
      join import_message m on m.tenant_id = r.tenant_id and m.id = r.import_message_id where m.import_id = '${importId}'`);
  };
  const positive = { result_category: 'positive', disease_family: 'chlamydia' };
  expect(await said(chlamydia, 'Chlamydia detected. HIV-1 RNA 20000 copies/mL. Repeat in 3 months.')).toEqual(
    [{ ...positive, value_text: 'Chlamydia detected. Repeat in 3 months.' }],
  );
  expect(await said(chlamydia, 'Detected. Repeat in 3 months.')).toEqual([
    { ...positive, value_text: 'Detected. Repeat in 3 months.' },
  ]);
  expect(await said(hivScreen, 'HIV-1 antibody detected.')).toEqual([
    { value_text: 'HIV-1 antibody detected.', result_category: 'positive', disease_family: 'hiv' },
  ]);
});
