import { caseRecord } from '@caseway/contract/case-record';
import { anyRecord } from '@caseway/contract/record';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
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
const { ask, ok } = askingAs(testing, epi);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

interface Place {
  facility_id?: string;
  organization_id?: string;
  county_fips?: string;
}
/** A case with its own person. */
async function madeCase(more: Place = {}): Promise<{ id: string; case_id: string }> {
  const { facility_id, organization_id, county_fips = '13121' } = more;
  const { id: patient_id } = await makePatient(database, {
    tenant_id: demo.id,
    county_fips,
    facility_ids: facility_id ? [facility_id] : [],
    organization_ids: organization_id ? [organization_id] : [],
  });
  return makeCaseReport(database, {
    tenant_id: demo.id,
    patient_id,
    condition_code: 'chlamydia',
    disease_family: 'chlamydia',
    classification: 'probable',
    onset_on: '2026-03-01',
    collected_on: '2026-03-02',
    received_on: '2026-03-04',
    ...more,
  }) as Promise<{ id: string; case_id: string }>;
}
/** A case that has changed once. */
async function changedCase(more: Place = {}, headers: Headers = epi.headers): Promise<Stored> {
  const { id } = await madeCase(more);
  return ok('PATCH', `case-reports/${id}`, { version: 1, outcome: 'ill' }, headers);
}
describeRecord({
  record: anyRecord(caseRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: analyst.headers, elsewhere: vendor.headers },
  make: async () => ok('GET', `case-reports/${(await madeCase()).id}`),
  changed: () => ({
    classification: 'confirmed',
    onsetOn: '2026-02-28',
    collectedOn: '2026-03-03',
    reportedOn: '2026-03-03',
    receivedOn: '2026-03-05',
    outcome: 'recovered',
    pregnant: 'no',
    hospitalized: 'yes',
    visitType: 'field',
  }),
  deed: { transition: 'noFollowUp', reason: 'Moved abroad', state: 'no_follow_up' },
  rivals: ['onsetOn', ['2026-02-26', '2026-02-27', '2026-02-28']],
  remembering: ['updated_at', 'flow_version'],
  sight: {
    async hidden() {
      const report = await changedCase();
      const hiv = { condition_code: 'hiv', disease_family: 'hiv', disease_category: 'std' };
      await sql(
        `update case_report set condition_code = $2, disease_family = $3, disease_category = $4 where id = $1`,
        [report.id, ...Object.values(hiv)],
      );
      await sql(`update case_report_history set disease_family = 'hiv' where record_id = $1`, [report.id]);
      return report;
    },
    blind: epi.headers,
    open: ({ caseId }) =>
      ok('POST', 'break-glass', {
        caseNumber: caseId,
        reasonKind: 'treatment',
        reason: 'The person is in our emergency room.',
      }),
    places: [
      {
        name: 'a facility',
        headers: facilityUser.headers,
        own: () => changedCase({ facility_id: clinic }),
        other: () => changedCase({ organization_id: college }),
      },
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedCase({ organization_id: college }),
        other: () => changedCase({ facility_id: clinic }),
      },
      {
        name: 'a jurisdiction',
        headers: jurisdiction.headers,
        own: () => changedCase({ county_fips: '12057' }),
        other: () => changedCase({ county_fips: '13121' }),
      },
    ],
  },
});
