import { anyRecord } from '@caseway/contract/record';
import type { TimelineEntry } from '@caseway/contract/timeline';
import { type Treatment, treatmentRecord } from '@caseway/contract/treatments';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { type At, makeCaseReport, makePersonAt } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const facilityUser = await signInAs(testing, 'facility@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!.id;

const { ask, ok, faults } = askingAs(testing, epi);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

/** A case of chlamydia with its own person. */
async function madeCase(place: At = {}) {
  const { id: patient_id } = await makePersonAt(database, demo.id, place);
  return makeCaseReport(database, {
    tenant_id: demo.id,
    patient_id,
    condition_code: 'chlamydia',
    disease_family: 'chlamydia',
    county_fips: '13121',
    ...place,
  });
}
const given = (caseRecord: string) => ({
  caseRecord,
  drug: 'doxycycline-7-days',
  otherDrug: null,
  startedOn: '2026-03-07',
  endedOn: null,
  adequacy: null,
  givenAt: null,
  provider: null,
  state: 'given',
});
const fresh = async () => given((await madeCase()).id);
async function changedTreatment(place: At = {}): Promise<Stored> {
  const { id } = await madeCase(place);
  const made = await ok<Stored>('POST', 'treatments', given(id));
  return ok('PATCH', `treatments/${made.id}`, { version: 1, adequacy: 'adequate' });
}

describeRecord({
  record: anyRecord(treatmentRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: analyst.headers, elsewhere: vendor.headers },
  fresh,
  changed: () => ({
    drug: 'azithromycin-1-gram-once',
    otherDrug: 'Erythromycin',
    startedOn: '2026-03-06',
    endedOn: '2026-03-13',
    adequacy: 'inadequate',
    givenAt: clinic,
    provider: 'Dr. Duval',
    state: 'entered-in-error',
  }),
  rivals: ['provider', ['Dr. One', 'Dr. Two', 'Dr. Three']],
  sight: {
    async hidden() {
      const treatment = await changedTreatment();
      const { caseRecord } = treatment;
      await sql(
        `update case_report set condition_code = 'hiv', disease_family = 'hiv', disease_category = 'std' where id = $1`,
        [caseRecord],
      );
      for (const table of ['treatment', 'treatment_history'])
        await sql(`update ${table} set disease_family = 'hiv' where case_report_id = $1`, [caseRecord]);
      return treatment;
    },
    blind: epi.headers,
    async open({ caseRecord }) {
      const [{ number }] = (await sql(`select case_id as number from case_report where id = $1`, [
        caseRecord,
      ])) as [{ number: string }];
      return ok('POST', 'break-glass', {
        caseNumber: number,
        reasonKind: 'treatment',
        reason: 'The person is in our emergency room.',
      });
    },
    places: [
      {
        name: 'a facility',
        headers: facilityUser.headers,
        own: () => changedTreatment({ facility_id: clinic }),
        other: () => changedTreatment({ organization_id: college }),
      },
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedTreatment({ organization_id: college }),
        other: () => changedTreatment({ facility_id: clinic }),
      },
      {
        name: 'a jurisdiction',
        headers: jurisdiction.headers,
        own: () => changedTreatment({ county_fips: '12057' }),
        other: () => changedTreatment({ county_fips: '13121' }),
      },
    ],
  },
});

const refused = (payload: object) => faults('POST', 'treatments', payload);
const ofCase = async (id: string, headers?: Headers) =>
  (await ok<{ treatments: Treatment[] }>('GET', `case-reports/${id}/treatments`, undefined, headers))
    .treatments;

describe('a treatment', () => {
  test('is refused with each of its faults', async () => {
    const valid = await fresh();
    expect(
      await refused({
        ...valid,
        drug: 'other',
        startedOn: '1990-05-05',
        endedOn: '1990-05-04',
        givenAt: '5f8e3d5c-4a53-4a53-9d5a-1c7c3a6b2f10',
      }),
    ).toEqual([
      'otherDrug other-drug-needed',
      'startedOn before-birth',
      'endedOn before-start',
      'givenAt unknown-facility',
    ]);
    expect(await refused({ ...valid, startedOn: '2999-01-01' })).toEqual(['startedOn future']);
    expect(await refused({ ...valid, startedOn: '1899-12-31' })).toEqual(['startedOn before-1900']);
  });

  test('is made only for a case that the writer sees', async () => {
    const other = await madeCase({ county_fips: '13121' });
    await sql(`update case_report set condition_code = 'hiv', disease_family = 'hiv' where id = $1`, [
      other.id,
    ]);
    expect((await ask('POST', 'treatments', given(other.id))).statusCode).toBe(404);
    expect((await ask('GET', `case-reports/${other.id}/treatments`)).statusCode).toBe(404);
  });

  test('of a case: the newest first, and those entered in error last', async () => {
    const { id } = await madeCase();
    const made = [];
    for (const startedOn of ['2026-03-10', '2026-03-12', '2026-03-11'])
      made.push(await ok<Treatment>('POST', 'treatments', { ...given(id), startedOn }));
    await ok('PATCH', `treatments/${made[1]!.id}`, { version: 1, state: 'entered-in-error' });
    expect((await ofCase(id)).map(({ startedOn, state }) => [startedOn, state])).toEqual([
      ['2026-03-11', 'given'],
      ['2026-03-10', 'given'],
      ['2026-03-12', 'entered-in-error'],
    ]);
  });

  test('[P23] from a list is for the places that have told it, and for whole tenants', async () => {
    const { id } = await madeCase({ organization_id: college, facility_id: clinic });
    const { id: treatment } = await ok<Treatment>('POST', 'treatments', given(id));
    await sql('update treatment set told_by = $2 where id = $1', [treatment, [college]]);
    await sql('update treatment_history set told_by = $2 where record_id = $1', [treatment, [college]]);
    // Rows that a list told carry no facility and no county of the case.
    for (const table of ['treatment', 'treatment_history'])
      await sql(`update ${table} set facility_id = null, county_fips = null where case_report_id = $1`, [id]);
    const seen = async (headers?: Headers) => (await ofCase(id, headers)).length;
    expect([await seen(), await seen(atCollege.headers), await seen(facilityUser.headers)]).toEqual([
      1, 1, 0,
    ]);
    expect((await ask('GET', `treatments/${treatment}`, undefined, facilityUser.headers)).statusCode).toBe(
      404,
    );
  });

  test('moves with its case to the person who remains after a merge, and is on their timeline', async () => {
    const report = await madeCase();
    const { id } = await ok<Treatment>('POST', 'treatments', given(report.id));
    const { entries } = await ok<{ entries: TimelineEntry[] }>(
      'GET',
      `patients/${report.patient_id}/timeline`,
    );
    expect(entries.map(({ record, id, at }) => [record, id, at])).toEqual([
      ['treatments', id, '2026-03-07'],
      ['case-reports', report.id, '2026-03-05'],
    ]);
    expect(entries[0]).toMatchObject({
      name: { label: 'doxycycline-7-days' },
      shows: { adequacy: null, state: 'given' },
    });
  });
});
