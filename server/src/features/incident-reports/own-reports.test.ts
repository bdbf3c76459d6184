import { randomUUID } from 'node:crypto';
import { addDays, todayIn } from '@caseway/contract/date-range';
import type { Notification } from '@caseway/contract/inbox';
import type { Incident } from '@caseway/contract/incident-reports';
import { type OwnReports, reportsADay } from '@caseway/contract/own-reactions';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient, makeVaccination } from '../../../test/factories.ts';
import { signInAs, signInAsPatient } from '../../../test/sign-in.ts';
import { tellWork } from '../inbox/tell-work.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo, patient: own } = await seedDemoTenants(database);
const tenant_id = demo.id;
await makePatient(database, {
  tenant_id,
  id: own.patientId,
  birth_date: own.birthDate,
  emails: [own.email],
});
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const patient = await signInAsPatient(testing, { email: own.email }, own.birthDate);
const staff = askingAs(testing, admin);
const ofPatient = askingAs(testing, patient, '/api/patient/');
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const today = todayIn(demo.timeZone);
const ago = (days: number) => addDays(today, -days);
const vaccination = await makeVaccination(database, {
  tenant_id,
  patient_id: own.patientId,
  vaccine: '141',
  given_on: ago(3),
  manufacturer: 'SEQ',
  lot: 'P100',
  dose: '1',
  site: 'left-arm',
  route: 'intramuscular',
});
const said = {
  vaccination: vaccination.id,
  otherVaccine: null,
  givenOn: null,
  reactions: ['fever', 'injection-site-pain'],
  since: ago(2),
  outcome: 'recovering',
  care: 'none',
  note: null,
};
const send = async (more: object = {}, id: string = randomUUID()) => {
  await ofPatient.ok('POST', 'reactions', { id, ...said, ...more });
  return ofPatient.ok<OwnReports>('GET', 'reactions');
};
const faultsOf = (more: object, id: string = randomUUID()) =>
  ofPatient.faults('POST', 'reactions', { id, ...said, ...more });
const incident = (id: string) => staff.ok<Incident>('GET', `incident-reports/${id}`);

beforeEach(() => sql('delete from own_report'));

describe('a reaction that a patient reports in the portal', () => {
  test('becomes an incident report with what is known about the vaccine', async () => {
    const id = randomUUID();
    const { reports } = await send({ care: 'emergency' }, id);
    expect(reports).toEqual([
      { ...said, care: 'emergency', id, givenOn: ago(3), vaccine: '141', sentAt: expect.any(String) },
    ]);
    expect(await incident(id)).toMatchObject({
      id,
      kind: 'vaccine-adverse-event',
      stage: 'received',
      patient: own.patientId,
      receivedOn: today,
      occurredOn: ago(2),
      vaccinatedOn: ago(3),
      reporterRole: 'patient',
      vaccines: [
        {
          vaccine: 'influenza',
          brand: 'Influenza (flu), three strains, injected',
          manufacturer: 'Seqirus',
          lot: 'P100',
          dose: '1',
          site: 'left-arm',
          route: 'intramuscular',
        },
      ],
      reactions: ['fever', 'injection-site-pain'],
      // A visit to an emergency room alone is not serious.
      seriousness: [],
      emergencyVisit: 'yes',
      outcome: 'recovering',
      narrative: 'Injection site pain, Fever.',
    });
    // Its clocks run, and its history begins with the patient's account.
    const clocks = await sql<{ clock: string }>(
      'select clock from record_clock where record_id = $1 order by clock',
      [id],
    );
    expect(clocks.map(({ clock }) => clock)).toEqual(['final', 'first', 'review']);
  });

  test('in a hospital is serious, and the patient’s words are the narrative', async () => {
    const id = randomUUID();
    await send({ care: 'hospital', note: 'Two nights.' }, id);
    expect(await incident(id)).toMatchObject({
      seriousness: ['hospitalization'],
      emergencyVisit: null,
      narrative: 'Two nights.',
    });
  });

  test('names all vaccines of that day, and the care that has no field', async () => {
    const other = await makeVaccination(database, {
      tenant_id,
      patient_id: own.patientId,
      vaccine: '03',
      given_on: ago(3),
    });
    const id = randomUUID();
    await send({ care: 'doctor' }, id);
    expect(await incident(id)).toMatchObject({
      emergencyVisit: 'no',
      vaccines: [{ vaccine: 'influenza' }, { vaccine: 'mmr', brand: 'Measles, mumps, rubella (MMR)' }],
      narrative: 'Injection site pain, Fever.\nSaw a doctor, nurse or clinic for it.',
    });
    await sql(`update vaccination set state = 'entered-in-error' where id = $1`, [other.id]);
  });

  test('can be to a vaccine that is not in their list', async () => {
    const id = randomUUID();
    const { reports } = await send(
      { vaccination: null, otherVaccine: 'A travel vaccine', givenOn: ago(9) },
      id,
    );
    expect(reports[0]).toMatchObject({ vaccine: 'other', otherVaccine: 'A travel vaccine', givenOn: ago(9) });
    expect(await incident(id)).toMatchObject({
      vaccinatedOn: ago(9),
      vaccines: [{ vaccine: 'other', brand: 'A travel vaccine', lot: null }],
    });
  });

  test.each([
    ['incident-reported', {}],
    ['incident-reported-urgent', { reactions: ['throat-tightness'] }],
    ['incident-reported-urgent', { reactions: ['hives', 'dizziness'] }],
    // An emergency that is over can wait.
    ['incident-reported', { reactions: ['throat-tightness'], outcome: 'recovered' }],
  ])('notifies the people who close incident reports: %s of %o', async (kind, more) => {
    const id = randomUUID();
    await send(more, id);
    const jobs = await sql<{ payload: object }>(
      `select p.payload from graphile_worker._private_jobs p join graphile_worker.jobs j on j.id = p.id
       where j.task_identifier = 'inbox/tell' and p.payload::text like $1 order by p.id`,
      [`%${id}%`],
    );
    const given = { log: testing.app.log, attempt: 1, signal: new AbortController().signal };
    for (const { payload } of jobs) await tellWork(database).run(payload, given);
    const { notifications } = await staff.ok<{ notifications: Notification[] }>('GET', 'inbox');
    expect(notifications.filter(({ recordId }) => recordId === id)).toMatchObject([
      { kind, recordKind: 'incident', actor: null },
    ]);
  });

  test('is in the log with its reporter', async () => {
    const id = randomUUID();
    await send({}, id);
    const events = await sql<{ account_id: string }>(
      `select account_id from audit_event where action = 'incident/self-reported' and $1 = any (record_ids)`,
      [id],
    );
    expect(events).toHaveLength(1);
    // A repeated request reports nothing.
    await send({}, id);
    expect(
      await sql('select 1 from audit_event where action = $1 and $2 = any (record_ids)', [
        'incident/self-reported',
        id,
      ]),
    ).toHaveLength(1);
  });

  test('that is sent again makes no second report, and another one with the same id is refused', async () => {
    const id = randomUUID();
    await send({}, id);
    expect((await send({}, id)).reports).toHaveLength(1);
    expect(await faultsOf({ outcome: 'recovered' }, id)).toEqual(['id key-used']);
    const [{ n }] = (await sql<{ n: string }>('select count(*) as n from incident where id = $1', [id])) as [
      { n: string },
    ];
    expect(Number(n)).toBe(1);
  });
});

test.each([
  ['without a vaccine', { vaccination: null }, 'otherVaccine required'],
  ['with two', { otherVaccine: 'Another', givenOn: ago(3) }, 'otherVaccine required'],
  ['before the vaccine', { since: ago(4) }, 'since before-given'],
  ['of tomorrow', { since: addDays(today, 1) }, 'since future'],
  [
    'of a vaccine to come',
    { vaccination: null, otherVaccine: 'X', givenOn: addDays(today, 1) },
    'givenOn future',
  ],
  ['that is another one and not named', { reactions: ['other'] }, 'note which'],
  [
    'before the person was born',
    { vaccination: null, otherVaccine: 'X', givenOn: '1984-05-05', since: '1984-05-05' },
    'givenOn before-birth',
  ],
  ['of a vaccine without a day', { vaccination: null, otherVaccine: 'X' }, 'givenOn required'],
])('a reaction %s is refused', async (_, more, fault) => {
  expect(await faultsOf(more)).toContain(fault);
  expect((await ofPatient.ok<OwnReports>('GET', 'reactions')).reports).toEqual([]);
});

test('a reaction to someone else’s vaccination is refused as unknown [P1]', async () => {
  const someone = await makePatient(database, { tenant_id });
  const theirs = await makeVaccination(database, { tenant_id, patient_id: someone.id });
  expect(await faultsOf({ vaccination: theirs.id })).toEqual(['vaccination unknown-choice']);
});

test('the number of a person’s reports in a day is limited, also if they arrive together', async () => {
  const sent = () => ofPatient.ask('POST', 'reactions', { id: randomUUID(), ...said });
  const codes = (await Promise.all(Array.from({ length: reportsADay + 2 }, sent))).map(
    ({ statusCode }) => statusCode,
  );
  // A request that waits too long for its turn gets 429.
  expect(codes.filter((code) => ![200, 422, 429].includes(code))).toEqual([]);
  let accepted = codes.filter((code) => code === 200).length;
  expect(accepted).toBeLessThanOrEqual(reportsADay);
  for (; accepted < reportsADay; accepted += 1) expect((await sent()).statusCode).toBe(200);
  expect((await sent()).statusCode).toBe(422);
  expect((await ofPatient.ok<OwnReports>('GET', 'reactions')).reports).toHaveLength(reportsADay);
});

test('patients cannot report if their department does not accept reports', async () => {
  await sql(
    `update tenant set tenant_features = array_remove(tenant_features, 'incident-reports') where id = $1`,
    [tenant_id],
  );
  try {
    expect((await ofPatient.ask('GET', 'reactions')).statusCode).toBe(403);
    expect((await ofPatient.ask('POST', 'reactions', { id: randomUUID(), ...said })).statusCode).toBe(403);
    expect(await ofPatient.ok('GET', 'me')).toMatchObject({ vaccinations: true, reactions: false });
  } finally {
    await sql(`update tenant set tenant_features = tenant_features || '{incident-reports}' where id = $1`, [
      tenant_id,
    ]);
  }
});
