import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeFacility, makeMember, makeOrganization, makeTenant } from '../../../test/factories.ts';
import { noteRestrictedPlaces } from '../../platform/carried/restricted-places.ts';
import type { Scope } from '../../platform/scope.ts';
import { decideMatch } from '../matches/matches.ts';
import { effectFor } from './batch/tallies.ts';
import type { Sight } from './sight.ts';
import { chlamydia, elr, gonorrhoea, hivScreen, importText } from './test-messages.ts';

const { database } = await createTestDatabase();
const { id: tenantId } = await makeTenant(database, { time_zone: 'America/New_York' });

const rows = (text: string) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows(text), { readOnly: true });
const take = (text: string) => importText(database, tenantId, text);

test('a person is stored with the families of their records, and is absent if all are restricted [P18]', async () => {
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
  const seen = await database.withScope(
    blind,
    (tx) =>
      tx.rows(`select (select string_agg(last_name, ' ') from patient) as persons,
        (select count(*) from patient_identifier) as identifiers,
        (select count(*) from search_key where key = 'achebe') as keys, (select count(*) from specimen) as specimens`),
    { readOnly: true },
  );
  expect(seen).toEqual([{ persons: 'Okafor', identifiers: 1, keys: 0, specimens: 1 }]);
});

test('the text of a result says nothing about a restricted family other than its own [P18]', async () => {
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

test('a place that has only restricted records of a person shows nothing of them, whatever others know [P18, P23]', async () => {
  const tenant = await makeTenant(database);
  const organization = await makeOrganization(database, { tenant_id: tenant.id });
  const facility = await makeFacility(database, { tenant_id: tenant.id, organization_id: organization.id });
  const here = { facilityId: facility.id, organizationId: organization.id };
  let sent = 0;
  const about = (last: string, test: string, clinic = '') => {
    sent += 1;
    const patient = { id: '', last, first: last === 'Achebe' ? 'Uju' : 'Ada', phone: '', street: '' };
    return elr({ control: `R${sent}`, order: `R-${sent}`, patient, tests: [{ test }], clinic });
  };
  const take = (messages: string[], more: Parameters<typeof importText>[3] = {}) =>
    importText(database, tenant.id, messages.join('\r'), more);
  const places = { O: organization.id, F: facility.id } as const;
  const seen = (orgType: 'O' | 'F', hiddenFamilies: string[]) =>
    database.withScope(
      {
        kind: 'org',
        tenantId: tenant.id,
        orgType,
        orgId: places[orgType],
        accountId: tenant.id,
        counties: [],
        hiddenFamilies,
        genderIdentityShown: true,
      },
      async (tx) => {
        const persons = await tx.rows<{ name: string }>(
          'select last_name as name from patient order by last_name',
        );
        return persons.map(({ name }) => name);
      },
      { readOnly: true },
    );

  // Both persons are known elsewhere. This place has a record only of the first, and it is about HIV.
  await take([about('Okafor', gonorrhoea, 'Other Clinic'), about('Achebe', gonorrhoea, 'Other Clinic')]);
  await take([about('Okafor', hivScreen)], here);
  /** What a sender of the place sees after two messages about a person, in separate batches or in one. */
  async function tried(
    orgType: 'O' | 'F',
    hiddenFamilies: string[],
    messages: string[],
    batchSize: number,
  ): Promise<Record<string, number>> {
    const sight: Sight = {
      organizationId: orgType === 'O' ? organization.id : null,
      facilityId: orgType === 'F' ? facility.id : null,
      hiddenFamilies,
    };
    const { effects } = await take(messages, { ...here, dryRun: true, batchSize, sight });
    const told: Record<string, number> = {};
    for (const [key, n] of Object.entries(effects)) {
      const effect = effectFor(key, { orgType, hiddenFamilies });
      if (effect?.startsWith('patients')) told[effect] = (told[effect] ?? 0) + n;
    }
    return told;
  }
  for (const orgType of ['O', 'F'] as const) {
    expect(await seen(orgType, ['hiv']), orgType).toEqual([]);
    expect(await seen(orgType, []), orgType).toEqual(['Okafor']);
    const batchSize = orgType === 'O' ? 25 : 1;
    const two = (last: string) => [about(last, chlamydia), about(last, chlamydia)];
    for (const last of ['Achebe', 'Okafor'])
      expect(await tried(orgType, ['hiv'], two(last), batchSize), `${orgType} ${last}`).toEqual({
        patientsCreated: 1,
        patientsMatched: 1,
      });
    expect(await tried(orgType, [], two('Okafor'), batchSize), orgType).toEqual({ patientsMatched: 2 });
  }

  // A file of the tenant for this place is read by both: readers who may not see HIV see a new person.
  const { effects } = await take([about('Okafor', chlamydia)], { ...here, dryRun: true });
  const matched = Object.keys(effects).find((key) => key.startsWith('patientsMatched'))!;
  for (const orgType of ['O', 'F'] as const) {
    expect(effectFor(matched, { orgType, hiddenFamilies: ['hiv'] })).toBe('patientsCreated');
    expect(effectFor(matched, { orgType, hiddenFamilies: [] })).toBe('patientsMatched');
  }
  expect(effectFor(matched, { orgType: 'T', hiddenFamilies: ['hiv'] })).toBe('patientsMatched');

  // And no pair with a person whom this place does not know.
  const alike = about('Achebe', chlamydia).replace('|19900501|', '|19900511|');
  const doubtful = Object.keys((await take([alike], { ...here, dryRun: true })).effects).filter((key) =>
    key.startsWith('pairsToReview'),
  );
  expect(doubtful).toHaveLength(1);
  expect(effectFor(doubtful[0]!, { orgType: 'F', hiddenFamilies: [] })).toBeUndefined();
  expect(effectFor(doubtful[0]!, { orgType: 'T', hiddenFamilies: [] })).toBe('pairsToReview');

  // A record of something else shows the person to the place, with what it may see.
  await take([about('Okafor', chlamydia)], here);
  for (const orgType of ['O', 'F'] as const) {
    expect(await seen(orgType, ['hiv'])).toEqual(['Okafor']);
    // Also if an earlier batch has added a record of HIV.
    const both = [about('Okafor', hivScreen), about('Okafor', chlamydia)];
    expect(await tried(orgType, ['hiv'], both, 1), orgType).toEqual({ patientsMatched: 2 });
  }

  // Another person whom this place knows only from HIV turns out to be the second person, and then not.
  const service = <Row extends object>(text: string, params: unknown[] = []) =>
    database.withScope({ kind: 'service', tenantId: tenant.id }, (tx) => tx.rows<Row>(text, params));
  await take([about('Zuma', hivScreen)], here);
  const [pair] = await service<{ id: string }>(
    `insert into patient_match (tenant_id, id, patient_id, candidate_id, score, parts)
     select z.tenant_id, gen_random_uuid(), z.id, a.id, 0.5, '{}' from patient z, patient a
     where z.last_name = 'Zuma' and a.last_name = 'Achebe' and z.tenant_id = $1 and a.tenant_id = $1 returning id`,
    [tenant.id],
  );
  const { account } = await makeMember(database, { tenant_id: tenant.id });
  for (const [decision, known] of [
    ['same', ['Achebe', 'Okafor', 'Zuma']],
    ['open', ['Okafor', 'Zuma']],
  ] as const) {
    await database.withScope({ kind: 'service', tenantId: tenant.id }, (tx) =>
      decideMatch(tx, tenant.id, pair!.id, decision, account.id),
    );
    for (const orgType of ['O', 'F'] as const) {
      expect(await seen(orgType, ['hiv']), decision).toEqual(['Okafor']);
      expect(await seen(orgType, []), decision).toEqual(known);
    }
  }

  // Another family becomes restricted.
  await database.withScope({ kind: 'system' }, (tx) =>
    tx.run(`update tenant set restricted_families = '{chlamydia}' where id = $1`, [tenant.id]),
  );
  await database.withScope({ kind: 'service', tenantId: tenant.id }, (tx) =>
    noteRestrictedPlaces(tx, tenant.id, ['hiv'], 'all'),
  );
  for (const orgType of ['O', 'F'] as const) expect(await seen(orgType, ['hiv', 'chlamydia'])).toEqual([]);
});

test('pairs with people of restricted families do not remove other pairs from the list [P18]', async () => {
  const tenant = await makeTenant(database);
  const about = (birth: string, test: string) =>
    importText(
      database,
      tenant.id,
      elr({
        control: birth,
        order: birth,
        patient: { id: '', phone: '', street: '', birth: `199005${birth}` },
        tests: [{ test }],
      }),
    );
  for (const birth of ['11', '21', '31', '02', '03']) await about(birth, hivScreen);
  await about('04', gonorrhoea);
  await about('01', chlamydia);
  const blind: Scope = {
    kind: 'org',
    tenantId: tenant.id,
    orgType: 'T',
    orgId: tenant.id,
    accountId: tenant.id,
    counties: [],
    hiddenFamilies: ['hiv'],
    genderIdentityShown: true,
  };
  const pairs = (scope: Scope) =>
    database.withScope(
      scope,
      (tx) =>
        tx.rows(
          `select p.birth_date as of from patient_match m
           join patient p on p.tenant_id = m.tenant_id and p.id = m.candidate_id
           join patient n on n.tenant_id = m.tenant_id and n.id = m.patient_id
           where m.tenant_id = $1 and n.birth_date = '1990-05-01' order by 1`,
          [tenant.id],
        ),
      { readOnly: true },
    );
  expect(await pairs(blind)).toEqual([{ of: '1990-05-04' }]);
  expect(await pairs({ ...blind, hiddenFamilies: [] })).toHaveLength(6);
});
