import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeFacility, makeTenant } from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { statementFor } from '../../platform/analytics/visible-facts.ts';
import type { Scope } from '../../platform/scope.ts';
import { readCase } from '../case-reports/record.ts';
import { chlamydia, elr, gonorrhoea, importText } from '../imports/test-messages.ts';
import { decideMatch } from '../matches/matches.ts';
import { reachablePatient } from '../portal/portal-state.ts';
import { readTestingRecords } from '../testing-analytics/records.ts';

const { database } = await createTestDatabase();

async function place() {
  const { id: tenantId } = await makeTenant(database);
  const clinics: Record<string, string> = {};
  for (const name of ['Alder Clinic', 'Birch Clinic']) {
    const { id } = await makeFacility(database, {
      tenant_id: tenantId,
      name,
      match_name: name.toLowerCase(),
    });
    clinics[name] = id;
  }
  const of = (name: string): Scope => ({
    kind: 'org',
    tenantId,
    orgType: 'F',
    orgId: clinics[name]!,
    accountId: randomUUID(),
    counties: [],
    hiddenFamilies: [],
    genderIdentityShown: true,
  });
  const rows = <Row extends object>(scope: Scope, text: string, params: unknown[] = []) =>
    database.withScope(scope, (tx) => tx.rows<Row>(text, params));
  const service: Scope = { kind: 'service', tenantId };
  /** What the readers of a clinic see of the person of the one case that they see. */
  const shown = async (name: string) => {
    const [row] = await rows<{ id: string }>(of(name), 'select id from case_report order by id');
    const found = await database.withScope(of(name), (tx) => readCase(tx, row!.id));
    const { street, city, postalCode, phones, race, identifiers, lastName, birthDate } = found!.patient;
    return {
      lastName,
      birthDate,
      street,
      city,
      postalCode,
      phones,
      race,
      numbers: identifiers.map(({ value }) => value),
    };
  };
  return { tenantId, of, rows, service, shown };
}

const person = { last: 'Okafor', first: 'Ada', birth: '19900501', sex: 'F' };
const fromAlder = (more: object = {}) =>
  elr({
    clinic: 'Alder Clinic',
    patient: { ...person, id: 'ALDER-1', street: '77 Secret Ln', phone: '5557001', zip: '30303', ...more },
    tests: [{ test: chlamydia }],
  }).replace('^^^Mercy Clinic^MR', '^^^Alder Clinic^MR');
const fromBirch = (more: object = {}) =>
  elr({
    clinic: 'Birch Clinic',
    patient: {
      ...person,
      id: 'BIRCH-9',
      street: '',
      city: '',
      zip: '',
      county: '',
      phone: '',
      race: '',
      ...more,
    },
    tests: [{ test: gonorrhoea }],
    reported: '20260310150000-0500',
  }).replace('^^^Mercy Clinic^MR', '^^^Birch Clinic^MR');

const everything = {
  lastName: 'Okafor',
  birthDate: '1990-05-01',
  street: '77 Secret Ln',
  city: 'Atlanta',
  postalCode: '30303',
  phones: ['+14045557001'],
  race: '2054-5',
};
const little = {
  lastName: 'Okafor',
  birthDate: '1990-05-01',
  street: null,
  city: null,
  postalCode: null,
  phones: [],
  race: null,
};

test('a clinic sees what it reported about a person, and no other clinic’s numbers [P23]', async () => {
  const { tenantId, of, rows, service, shown } = await place();
  await importText(database, tenantId, fromAlder());
  expect(await shown('Alder Clinic')).toEqual({ ...everything, numbers: ['ALDER-1'] });
  await importText(database, tenantId, fromBirch());
  expect(await rows(service, 'select from patient')).toHaveLength(1);
  expect(await shown('Birch Clinic')).toEqual({ ...little, numbers: ['BIRCH-9'] });
  expect(await shown('Alder Clinic')).toEqual({ ...everything, numbers: ['ALDER-1'] });
  // It cannot be used to filter, sort or search either.
  const { text, params } = statementFor(
    facts,
    of('Birch Clinic'),
    {
      select: `select race, ethnicity, city_key, search_numbers like $1 as found, search_names like $2 as numbered,
      search_names like $3 as named from case_fact`,
      params: ['%5557001%', '% alder1%', '% oka%'],
    },
    'postgres',
  );
  expect(await rows(of('Birch Clinic'), text, params)).toEqual([
    { race: null, ethnicity: null, city_key: null, found: false, numbered: false, named: true },
  ]);
  // PostgreSQL finds people by their keys.
  const keys = (name: string) =>
    rows<{ key: string }>(of(name), `select key from search_key where record_kind = 'patient' order by key`);
  expect(await keys('Birch Clinic')).toEqual([{ key: 'ada' }, { key: 'okafor' }]);
  expect((await keys('Alder Clinic')).map(({ key }) => key)).toEqual(
    expect.arrayContaining(['alder1', '4045557001']),
  );
  // Nor is it in lists of tests, or where staff see how to reach a patient.
  const [result] = await rows<{ id: string; patient_id: string }>(
    of('Birch Clinic'),
    'select id, patient_id from result',
  );
  const [record] = await database.withScope(of('Birch Clinic'), (tx) => readTestingRecords(tx, [result!.id]));
  expect(record).toMatchObject({ lastName: 'Okafor', sex: 'F', gender: null, race: null, ethnicity: null });
  const reachedBy = (name: string) =>
    database.withScope(of(name), (tx) => reachablePatient(tx, result!.patient_id));
  expect(await reachedBy('Birch Clinic')).toMatchObject({ lastName: 'Okafor', phones: [], emails: [] });
  expect(await reachedBy('Alder Clinic')).toMatchObject({ phones: ['+14045557001'] });
});

test('what a clinic reports later is not shown to the clinic that reported first [P23]', async () => {
  const { tenantId, shown } = await place();
  await importText(database, tenantId, fromBirch());
  await importText(database, tenantId, fromAlder());
  expect(await shown('Birch Clinic')).toEqual({ ...little, numbers: ['BIRCH-9'] });
});

test('a merge shows each clinic only what it has reported [P23]', async () => {
  const { tenantId, rows, service, shown } = await place();
  await importText(database, tenantId, fromAlder());
  await importText(database, tenantId, fromBirch({ birth: '19900105' }));
  const [pair] = await rows<{ id: string }>(service, 'select id from patient_match');
  await database.withScope(service, (tx) => decideMatch(tx, tenantId, pair!.id, 'same', randomUUID()));
  expect(await rows(service, 'select from patient where merged_into is null')).toHaveLength(1);
  expect(await shown('Birch Clinic')).toEqual({ ...little, numbers: ['BIRCH-9'] });
  expect((await shown('Alder Clinic')).numbers).toEqual(['ALDER-1']);
});
