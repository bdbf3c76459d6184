import { randomUUID } from 'node:crypto';
import { anyRecord } from '@caseway/contract/record';
import type { TimelineEntry } from '@caseway/contract/timeline';
import { type OwnVaccination, type Vaccination, vaccinationRecord } from '@caseway/contract/vaccinations';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { type At, makePatient, makePersonAt } from '../../../test/factories.ts';
import { hiddenWithPerson } from '../../../test/hidden-person.ts';
import { actFor, forgetMemberships, signInAs, signInAsPatient } from '../../../test/sign-in.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo, patient: own } = await seedDemoTenants(database);
await makePatient(database, {
  tenant_id: demo.id,
  id: own.patientId,
  birth_date: own.birthDate,
  emails: [own.email],
});
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const facilityUser = await signInAs(testing, 'facility@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const patient = await signInAsPatient(testing, { email: own.email }, own.birthDate);
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;

const { ask, ok, faults } = askingAs(testing, epi);
const ofPatient = askingAs(testing, patient, '/api/patient/');
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

const blank = blankOf(vaccinationRecord);
const given = (person: string, more: object = {}) => ({
  ...blank,
  patient: person,
  vaccine: '03',
  givenOn: '2026-03-07',
  source: 'here',
  state: 'given',
  ...more,
});
const make = (person: string, more: object = {}, headers?: Headers) =>
  ok<Vaccination>('POST', 'vaccinations', given(person, more), headers);
async function changedVaccination(place: At = {}): Promise<Stored> {
  const { id } = await makePersonAt(database, demo.id, place);
  const made = await make(id);
  return ok('PATCH', `vaccinations/${made.id}`, { version: 1, lot: 'UT8007AA' });
}

describeRecord({
  record: anyRecord(vaccinationRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: analyst.headers, elsewhere: vendor.headers },
  fresh: async () =>
    given((await makePersonAt(database, demo.id)).id, {
      vaccine: 'other',
      otherVaccine: 'Plague vaccine',
      state: 'entered-in-error',
      errorReason: 'Typed twice.',
    }),
  changed: () => ({
    otherVaccine: 'Oral plague vaccine',
    givenOn: '2026-03-06',
    dose: '2',
    manufacturer: 'OTH',
    lot: 'M-77',
    site: 'left-arm',
    route: 'intramuscular',
    facility: clinic.id,
    provider: 'Dr. Duval',
    source: 'record',
    errorReason: 'Of another person.',
  }),
  conditional: ['vaccine', 'state'],
  rivals: ['provider', ['Dr. One', 'Dr. Two', 'Dr. Three']],
  sight: {
    ...hiddenWithPerson({
      database,
      sql,
      ok,
      tenantId: demo.id,
      table: 'vaccination',
      blind: epi.headers,
      changed: () => changedVaccination(),
    }),
    places: [
      {
        name: 'a facility',
        headers: facilityUser.headers,
        own: () => changedVaccination({ facility_id: clinic.id }),
        other: () => changedVaccination({ organization_id: college }),
      },
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedVaccination({ organization_id: college }),
        other: () => changedVaccination({ facility_id: clinic.id }),
      },
      {
        name: 'a jurisdiction',
        headers: jurisdiction.headers,
        own: () => changedVaccination({ county_fips: '12057' }),
        other: () => changedVaccination({ county_fips: '13121' }),
      },
    ],
  },
});

const ofPerson = async (person: string) =>
  (await ok<{ vaccinations: Vaccination[] }>('GET', `patients/${person}/vaccinations`)).vaccinations;
const ownOnes = async () =>
  (await ofPatient.ok<{ vaccinations: OwnVaccination[] }>('GET', 'vaccinations')).vaccinations;

describe('the vaccinations of a person', () => {
  test('are listed the newest first, and those entered in error last, with the reason', async () => {
    const { id } = await makePersonAt(database, demo.id);
    const first = await make(id, { givenOn: '2020-01-02' });
    const wrong = await make(id, { givenOn: '2026-03-08', vaccine: '88' });
    const last = await make(id, { givenOn: '2026-03-01', vaccine: '208' });
    await ok('PATCH', `vaccinations/${wrong.id}`, {
      version: 1,
      state: 'entered-in-error',
      errorReason: 'Of another person.',
    });
    expect((await ofPerson(id)).map((one) => one.id)).toEqual([last.id, first.id, wrong.id]);
    expect((await ofPerson(id)).at(-1)).toMatchObject({ errorReason: 'Of another person.' });
    const { entries } = await ok<{ entries: TimelineEntry[] }>('GET', `patients/${id}/timeline`);
    expect(entries.map((one) => [one.record, one.id, one.at])).toEqual([
      ['vaccinations', wrong.id, '2026-03-08'],
      ['vaccinations', last.id, '2026-03-01'],
      ['vaccinations', first.id, '2020-01-02'],
    ]);
  });

  test('are refused with each fault', async () => {
    const { id } = await makePersonAt(database, demo.id, {});
    await sql(`update patient set birth_date = '1990-05-06' where id = $1`, [id]);
    const refused = (more: object) => faults('POST', 'vaccinations', given(id, more));
    expect(await refused({ givenOn: '2999-01-01' })).toEqual(['givenOn future']);
    expect(await refused({ givenOn: '1990-05-05' })).toEqual(['givenOn before-birth']);
    expect(await refused({ givenOn: '1899-12-31' })).toEqual(['givenOn before-1900']);
    expect(await refused({ vaccine: 'other' })).toEqual(['otherVaccine required']);
    expect(await refused({ otherVaccine: 'Something' })).toEqual(['otherVaccine not-asked']);
    expect(await refused({ state: 'entered-in-error' })).toEqual(['errorReason required']);
    expect(await refused({ facility: randomUUID() })).toEqual(['facility unknown-choice']);
    expect(await refused({ vaccine: '9999' })).toEqual(['vaccine invalid_value']);
    expect((await ask('POST', 'vaccinations', given(randomUUID()))).statusCode).toBe(404);
    expect((await ask('GET', `patients/${randomUUID()}/vaccinations`)).statusCode).toBe(404);
  });

  test('are found by their lot', async () => {
    const { id } = await makePersonAt(database, demo.id);
    const made = await make(id, { lot: 'LOT-4711' });
    const { rows } = await ok<{ rows: Vaccination[] }>('POST', 'grid/vaccinations/search', {
      filterModel: { items: [{ field: 'lot', operator: 'contains', value: '4711' }] },
      paginationModel: { page: 0, pageSize: 10 },
    });
    expect(rows.map((row) => row.id)).toEqual([made.id]);
  });
});

describe('what patients read of their own vaccinations', () => {
  test('is what they were given, without entries in error, with the name of the place', async () => {
    const { id: somebody } = await makePersonAt(database, demo.id);
    await make(somebody);
    expect(await ownOnes()).toEqual([]);
    const made = await make(own.patientId, {
      lot: 'AB12',
      manufacturer: 'MSD',
      facility: clinic.id,
      dose: '1',
    });
    const wrong = await make(own.patientId, { vaccine: '208' });
    await ok('PATCH', `vaccinations/${wrong.id}`, {
      version: 1,
      state: 'entered-in-error',
      errorReason: 'Typed twice.',
    });
    expect(await ownOnes()).toEqual([
      {
        id: made.id,
        vaccine: '03',
        otherVaccine: null,
        givenOn: '2026-03-07',
        dose: '1',
        manufacturer: 'MSD',
        lot: 'AB12',
        facility: clinic.name,
        source: 'here',
      },
    ]);
    const logged = await sql<{ id: string }>(
      `select unnest(record_ids) as id from audit_event
       where tenant_id = $1 and action = 'GET /api/patient/vaccinations'`,
      [demo.id],
    );
    expect(logged.map(({ id }) => id)).toEqual(expect.arrayContaining([own.patientId, made.id]));
  });

  test('is empty, and missing from the portal, if the feature is switched off', async () => {
    const isShown = async () => (await ofPatient.ok<{ vaccinations: boolean }>('GET', 'me')).vaccinations;
    expect(await isShown()).toBe(true);
    await sql(
      `update tenant set tenant_features = array_remove(tenant_features, 'vaccinations') where id = $1`,
      [demo.id],
    );
    forgetMemberships(testing);
    expect(await isShown()).toBe(false);
    expect((await ofPatient.ask('GET', 'vaccinations')).json()).toMatchObject({ code: 'feature-off' });
    await sql(`update tenant set tenant_features = tenant_features || '{vaccinations}' where id = $1`, [
      demo.id,
    ]);
    forgetMemberships(testing);
  });
});
