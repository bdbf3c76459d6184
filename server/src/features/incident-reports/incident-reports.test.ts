import { incidentFlow } from '@caseway/contract/incident-flow';
import { type Incident, incidentRecord } from '@caseway/contract/incident-reports';
import { anyRecord } from '@caseway/contract/record';
import type { TimelineEntry } from '@caseway/contract/timeline';
import type { RunningClock } from '@caseway/contract/work-tasks';
import { flawsOf } from '@caseway/contract/workflow';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers, type Method } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { type At, makePatient, makePersonAt } from '../../../test/factories.ts';
import { hiddenWithPerson } from '../../../test/hidden-person.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { checkSign, recordNumber } from '../../platform/records/record-number.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
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

const madePatient = (place?: At) => makePersonAt(database, demo.id, place);

const vaccine = {
  vaccine: 'influenza',
  brand: 'Fluzone',
  manufacturer: 'Sanofi',
  lot: 'UT8007AA',
  dose: '1',
  route: 'intramuscular',
  site: 'left-arm',
};
/** Every field that people set in a new report, empty where allowed. */
const blank = blankOf(incidentRecord);
const adverse = (patient: string | null, more: object = {}) => ({
  ...blank,
  kind: 'vaccine-adverse-event',
  patient,
  receivedOn: '2026-03-10',
  occurredOn: '2026-03-08',
  vaccinatedOn: '2026-03-07',
  vaccines: [vaccine],
  reactions: ['fever'],
  narrative: 'Fever of 39.5 °C on the evening after the vaccination.\nIt was gone the next day.',
  ...more,
});
const other = (more: object = {}) => ({
  ...blank,
  kind: 'other-incident',
  receivedOn: '2026-03-10',
  category: 'specimen',
  event: 'incident',
  harm: 'none',
  narrative: 'A tube broke in the centrifuge.',
  ...more,
});
const fresh = async () =>
  adverse((await madePatient()).id, { seriousness: ['hospitalization', 'death'], outcome: 'unknown' });
async function changedIncident(place: At = {}, headers?: Headers): Promise<Stored> {
  const { id } = await madePatient(place);
  const made = await ok<Stored>(
    'POST',
    'incident-reports',
    adverse(id, { facility: place.facility_id ?? null }),
    headers,
  );
  return ok('PATCH', `incident-reports/${made.id}`, { version: 1, reporter: 'A nurse' }, headers);
}

describeRecord({
  record: anyRecord(incidentRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: analyst.headers, elsewhere: vendor.headers },
  fresh,
  changed: async () => ({
    receivedOn: '2026-03-11',
    occurredOn: '2026-03-09',
    vaccinatedOn: '2026-03-08',
    program: (await sql<{ id: string }>('select id from program where tenant_id = $1 limit 1', [demo.id]))[0]!
      .id,
    visitType: 'clinic',
    reporterRole: 'health-professional',
    reporter: 'Dr. Duval',
    narrative: 'Fever for one day.',
    vaccines: [
      { ...vaccine, dose: '2' },
      { ...vaccine, vaccine: 'mmr', lot: 'M-77' },
    ],
    reactions: ['fever', 'rash'],
    otherReactions: 'Did not sleep.',
    seriousness: ['hospitalization', 'death', 'disability'],
    hospitalDays: 3,
    diedOn: '2026-03-10',
    outcome: 'fatal',
    emergencyVisit: 'yes',
    pregnant: 'no',
    medicalHistory: 'Asthma',
    medicines: 'Salbutamol',
    allergies: 'Eggs',
    tests: 'Blood culture negative',
    classification: 'undetermined',
  }),
  conditional: ['investigator', 'category', 'event', 'harm', 'measures'],
  deed: { transition: 'discard', reason: 'Reported twice.', state: 'discarded' },
  rivals: ['reporter', ['One', 'Two', 'Three']],
  sight: {
    ...hiddenWithPerson({
      database,
      sql,
      ok,
      tenantId: demo.id,
      table: 'incident',
      blind: epi.headers,
      changed: () => changedIncident(),
    }),
    places: [
      {
        name: 'a facility',
        headers: facilityUser.headers,
        own: () => changedIncident({ facility_id: clinic }),
        other: () => changedIncident({ organization_id: college }, atCollege.headers),
      },
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedIncident({ organization_id: college }, atCollege.headers),
        other: () => changedIncident({ facility_id: clinic }),
      },
      {
        name: 'a jurisdiction',
        headers: jurisdiction.headers,
        own: () => changedIncident({ county_fips: '12057' }),
        other: () => changedIncident({ county_fips: '13121' }),
      },
    ],
  },
});

const refused = (payload: object, path = 'incident-reports', method: Method = 'POST', headers?: Headers) =>
  faults(method, path, payload, headers);
const make = (payload: object, headers?: Headers) =>
  ok<Incident>('POST', 'incident-reports', payload, headers);
const search = async (query: object, headers?: Headers) =>
  (await ok<{ rows: Incident[] }>('POST', 'grid/incident-reports/search', query, headers)).rows;

describe('a report of an incident', () => {
  test('[S5.1] is refused with each of its faults', async () => {
    const { id } = await madePatient();
    expect(
      await refused(
        adverse(id, {
          vaccinatedOn: '1990-05-05',
          occurredOn: '1990-05-04',
          hospitalDays: 2,
          category: 'fall',
          reactions: ['nonsense'],
        }),
      ),
    ).toEqual([
      'hospitalDays not-asked',
      'category not-asked',
      'occurredOn before-birth',
      'vaccinatedOn before-birth',
      'reactions unknown-choice',
    ]);
    expect(await refused(adverse(id, { receivedOn: '2999-01-01' }))).toEqual(['receivedOn future']);
    expect(await refused(adverse(id, { occurredOn: '2026-03-06' }))).toEqual([
      'occurredOn before-vaccination',
    ]);
    expect(await refused(adverse(id, { vaccines: [] }))).toEqual(['vaccines required']);
    expect(await refused(adverse(id, { vaccines: [vaccine, { ...vaccine, dose: 'ninth' }] }))).toEqual([
      'vaccines.1.dose invalid_value',
    ]);
    expect(await refused(other({ category: null, harm: null }))).toEqual(['category required']);
    expect(await refused(adverse(id, { seriousness: ['hospitalization'], hospitalDays: 3651 }))).toEqual([
      'hospitalDays too_big',
    ]);
  });

  test('fields that no longer apply are emptied, and undo restores them', async () => {
    const made = await make(
      adverse((await madePatient()).id, { seriousness: ['hospitalization'], hospitalDays: 4 }),
    );
    expect(made).toMatchObject({
      serious: 'yes',
      hospitalDays: 4,
      vaccineGroups: ['influenza'],
      lots: 'UT8007AA',
    });
    const changed = await ok<Incident>('PATCH', `incident-reports/${made.id}`, {
      version: 1,
      seriousness: [],
    });
    expect(changed).toMatchObject({ serious: 'no', hospitalDays: null });
    const { record } = await ok<{ record: Incident }>('POST', `incident-reports/${made.id}/undo`, {
      version: 2,
    });
    expect(record).toMatchObject({ seriousness: ['hospitalization'], hospitalDays: 4 });
  });

  test('can be about nobody, and is then visible where it happened', async () => {
    const { id } = await make(other({ facility: clinic }));
    const elsewhere = await make(other());
    expect((await ask('GET', `incident-reports/${id}`, undefined, facilityUser.headers)).statusCode).toBe(
      200,
    );
    expect(
      (await ask('GET', `incident-reports/${elsewhere.id}`, undefined, facilityUser.headers)).statusCode,
    ).toBe(404);
    const own = await make(other({ narrative: 'A door stood open.' }), facilityUser.headers);
    expect(own.facility).toBe(clinic);
  });

  test('of a restricted family is hidden from people who may not see that family [P18]', async () => {
    const hiv = await sql<{ id: string }>(
      `update incident set disease_family = 'hiv' where id = $1 returning id`,
      [(await make(other())).id],
    );
    expect((await ask('GET', `incident-reports/${hiv[0]!.id}`)).statusCode).toBe(404);
    expect(await refused(other({ diseaseFamily: 'hiv' }))).toEqual(['diseaseFamily unknown-choice']);
  });

  test('is on the timeline of its person', async () => {
    const patient = await madePatient();
    const { id } = await make(adverse(patient.id));
    const { entries } = await ok<{ entries: TimelineEntry[] }>('GET', `patients/${patient.id}/timeline`);
    expect(entries).toEqual([
      expect.objectContaining({
        record: 'incident-reports',
        id,
        at: '2026-03-08',
        shows: { kind: 'vaccine-adverse-event', stage: 'received' },
      }),
    ]);
  });

  test('[S3.11, S9.10] the list is filtered by its own filters, by kinds of vaccines and by lots', async () => {
    const patient = await madePatient();
    const { id } = await make(
      adverse(patient.id, {
        facility: clinic,
        visitType: 'field',
        vaccines: [{ ...vaccine, vaccine: 'zoster', lot: 'Z-1' }, vaccine],
      }),
    );
    const found = async (query: object) => (await search(query)).map((row) => row.id);
    expect(await found({ filters: { locationFilter: [clinic], visitTypeFilter: ['field'] } })).toContain(id);
    expect(await found({ filters: { visitTypeFilter: ['telemedicine'] } })).toEqual([]);
    const by = (field: string, operator: string, value: unknown) =>
      found({ filterModel: { items: [{ field, operator, value }] } });
    expect(await by('vaccineGroups', 'is', 'zoster')).toEqual([id]);
    expect(await by('lots', 'contains', 'z-1')).toEqual([id]);
    expect(incidentRecord.grid.defaultRange!('2026-03-10')).toEqual({
      start: '2026-02-24',
      end: '2026-03-24',
    });
  });
});

describe('[S1.1] the list shows the reports behind a number of analytics', () => {
  const inFebruary = { receivedOn: '2025-02-05', occurredOn: '2025-02-04', vaccinatedOn: '2025-02-03' };
  const behind = (number: object) => ({
    behind: {
      dashboard: 'incident-reports',
      dateRangeValue: { start: '2025-02-01', end: '2025-02-28' },
      eventDate: 'received',
      ...number,
    },
  });
  const found = async (number: object, headers?: Headers) =>
    (await search(behind(number), headers)).map(({ id }) => id).sort();

  test('of a measure, and of a mark of parts of reports, as far as the reader sees them', async () => {
    const own = await make(
      adverse((await madePatient({ facility_id: clinic })).id, {
        ...inFebruary,
        facility: clinic,
        vaccines: [vaccine, { ...vaccine, vaccine: 'zoster' }],
        seriousness: ['life-threatening'],
      }),
    );
    const elsewhere = await make(
      adverse((await madePatient()).id, {
        ...inFebruary,
        vaccines: [{ ...vaccine, vaccine: 'zoster' }],
        reactions: ['fever', 'rash'],
      }),
    );
    const both = [own.id, elsewhere.id].sort();
    expect(await found({ measure: 'reports' })).toEqual(both);
    expect(await found({ measure: 'serious' })).toEqual([own.id]);
    expect(await found({ series: 'vaccine', key: 'zoster' })).toEqual(both);
    expect(await found({ series: 'together', key: 'influenza', key2: 'fever' })).toEqual([own.id]);
    expect(await found({ series: 'reaction', key: 'rash' })).toEqual([elsewhere.id]);
    expect(await found({ series: 'vaccine', key: 'zoster' }, facilityUser.headers)).toEqual([own.id]);
    expect(await refused(behind({ measure: 'nonsense' }), 'grid/incident-reports/search')).toEqual([
      'body.behind.measure unknown-filter',
    ]);
  });

  test('[P18] is not found by data about the person that only restricted reports contain', async () => {
    const told = { first_name: 'A', last_name: 'B', birth_date: '1990-05-06', sex_at_birth: 'M' };
    const { id } = await makePatient(database, {
      tenant_id: demo.id,
      birth_date: '1990-05-06',
      sex_at_birth: 'F',
      disease_families: ['hiv', 'chlamydia'],
      told_openly: JSON.stringify(told),
    });
    const made = await make(adverse(id, { ...inFebruary, receivedOn: '2025-02-20' }));
    const of = (key2: string) => found({ series: 'ageSex', key: '30-34', key2 });
    expect(await of('F')).not.toContain(made.id);
    expect(await of('M')).toContain(made.id);
  });
});

const { options } = await ok<{ options: { id: string }[] }>('GET', 'list/options/investigators');
const investigator = options[0]!.id;

describe('the stages of a report', () => {
  const doing = ({ id }: Incident, transition: string) => `incident-reports/${id}/transitions/${transition}`;
  const step = (
    one: Incident,
    transition: string,
    { reason, ...fields }: { reason?: string; [field: string]: string | undefined } = {},
  ): Promise<Incident> => ok('POST', doing(one, transition), { version: one.version, fields, reason });
  const running = async ({ id }: Incident) => {
    const { clocks } = await ok<{ clocks: RunningClock[] }>('GET', `incident-reports/${id}/work`);
    return clocks.map(({ clock }) => clock);
  };

  test('have no flaw', () => {
    expect(flawsOf(incidentFlow, Object.keys(incidentRecord.fields))).toEqual([]);
  });

  test('lead from the report to its end, with the running clocks', async () => {
    const made = await make(adverse((await madePatient()).id, { seriousness: ['life-threatening'] }));
    expect(await running(made)).toEqual(['review', 'first', 'final']);
    expect(await refused({ version: 1 }, doing(made, 'review'))).toEqual(['investigator required']);
    const reviewed = await step(made, 'review', { investigator });
    expect(await running(reviewed)).toEqual(['first', 'final']);
    const first = await step(reviewed, 'report');
    expect(await running(first)).toEqual(['final']);
    expect(await refused({ version: first.version }, doing(first, 'close'))).toEqual([
      'classification required',
    ]);
    const closed = await step(first, 'close', { classification: 'related', outcome: 'recovered' });
    expect(await running(closed)).toEqual([]);
    expect([closed.stage, closed.active, closed.dueOn]).toEqual(['final', false, null]);
    await ok('POST', `incident-reports/${made.id}/undo`, { version: closed.version });
    expect(await running(made)).toEqual(['final']);
  });

  test('are ended only by people who may close reports, with a reason to discard one', async () => {
    const made = await make(other());
    const why = { version: 1, reason: 'It was reported twice.' };
    const asClinician = await ask('POST', doing(made, 'discard'), why, clinician.headers);
    expect(asClinician.statusCode).toBe(403);
    expect(await refused({ version: 1 }, doing(made, 'discard'))).toEqual(['reason reason-needed']);
    const discarded = await step(made, 'discard', { reason: why.reason });
    expect(discarded).toMatchObject({ stage: 'discarded', active: false });
    expect(await step(discarded, 'reopen', { reason: 'It was another one.' })).toMatchObject({
      stage: 'in-review',
      active: true,
    });
  });
});

test('[P24] the number of a report has a check character that a mistyped number does not match', () => {
  const number = recordNumber('IR', '2026-03-10');
  expect(number).toMatch(/^IR-26-[2-9B-DF-HJ-NP-TV-XZ]{7}$/);
  expect(checkSign(number.slice(6, 12))).toBe(number[12]);
  // By hand: 2 to 7 are the places 1 to 6, so 2·1 + 3·2 + 4·3 + 5·4 + 6·5 + 7·6 = 112, and 112 mod 27 = 4: the fifth
  // character.
  expect(checkSign('234567')).toBe('6');
});
