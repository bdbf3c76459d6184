import { randomUUID } from 'node:crypto';
import type { AvailabilityPlan, FreeTimesAnswer, ProviderAvailability } from '@caseway/contract/availability';
import { addDays, todayIn } from '@caseway/contract/date-range';
import type { Notification } from '@caseway/contract/inbox';
import type { OwnVisit } from '@caseway/contract/own-visits';
import { type TelemedicineVisit, telemedicineRecord } from '@caseway/contract/telemedicine';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient, makePersonAt } from '../../../test/factories.ts';
import { actFor, signInAs, signInAsPatient } from '../../../test/sign-in.ts';
import { noteMemberships } from '../../platform/carried/carried.ts';
import { tellWork } from '../inbox/tell-work.ts';
import { readPlans } from './availability-rows.ts';
import { findFree } from './find-free.ts';
import { patientAndClinician } from './test-patient.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const seeded = await seedDemoTenants(database);
const { demo, patient: own } = seeded;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const { clinician, patient, ofPatient } = await patientAndClinician(testing, seeded);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const entry = await signInAs(testing, 'entry@demo.caseway.test');
const lab = await signInAs(testing, 'lab@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;

const { ask, ok, faults } = askingAs(testing, clinician);
const [{ id: clinicianId }] = (await sql<{ id: string }>('select id from account where username = $1', [
  'clinician@demo.caseway.test',
])) as [{ id: string }];
/** A provider who never signs in. */
const other = randomUUID();
await sql(
  `with made as (
     insert into account (id, username, email, first_name, last_name)
     values ($2, 'other@example.test', 'other@example.test', 'Other', 'Provider') returning id
   ), joined as (
     insert into membership (tenant_id, id, account_id, org_type, org_id)
     select $1, gen_random_uuid(), id, 'T', $1 from made returning tenant_id, id
   )
   insert into membership_role (tenant_id, membership_id, role_id)
   select j.tenant_id, j.id, r.id from joined j join role r on r.tenant_id = j.tenant_id and r.code = 'clinician'`,
  [demo.id, other],
);
await database.withScope({ kind: 'identity' }, (tx) => noteMemberships(tx, [other]));
const clinic = demo.facilities[0]!.id;
const today = todayIn(demo.timeZone);

const plan = (more: Partial<AvailabilityPlan> = {}): AvailabilityPlan => ({
  facility: clinic,
  timeZone: demo.timeZone,
  languages: [],
  bufferMinutes: 0,
  leadHours: 0,
  horizonDays: 60,
  dailyLimit: null,
  patients: true,
  rules: [
    {
      weekdays: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
      from: '09:00',
      to: '11:00',
      minutes: 30,
      visitTypes: [],
      validFrom: null,
      validTo: null,
    },
  ],
  exceptions: [],
  ...more,
});
const path = (provider: string) => `telemedicine/availability/${provider}`;
const versionOf = async (provider: string) =>
  (
    await ok<{ providers: ProviderAvailability[] }>(
      'GET',
      'telemedicine/availability',
      undefined,
      admin.headers,
    )
  ).providers.find((one) => one.provider === provider)!.version;
const offer = async (provider: string, of = plan(), headers: Headers = admin.headers) =>
  ok<ProviderAvailability>('PUT', path(provider), { version: await versionOf(provider), plan: of }, headers);
const free = (query: Record<string, string>, headers?: Headers) =>
  ok<FreeTimesAnswer>(
    'GET',
    `telemedicine/free-times?${new URLSearchParams({ visitType: 'follow-up', ...query })}`,
    undefined,
    headers,
  );
const tomorrow = addDays(today, 1);
const clear = async () => {
  await sql('delete from provider_time where tenant_id = $1', [demo.id]);
  await sql('delete from provider_availability where tenant_id = $1', [demo.id]);
};
beforeEach(clear);

describe('the availability of a provider', () => {
  test('is written by people of the tenant who book visits, and by providers for themselves', async () => {
    expect(await offer(clinicianId)).toMatchObject({ version: 1, mayChange: true });
    expect(await offer(clinicianId, plan({ leadHours: 2 }), clinician.headers)).toMatchObject({
      version: 2,
      plan: { leadHours: 2 },
    });
    const [logged] = await sql<{ record_ids: string[]; detail: object }>(
      `select record_ids, detail from audit_event where tenant_id = $1 and action = 'availability/changed'
       order by at desc limit 1`,
      [demo.id],
    );
    expect(logged).toEqual({ record_ids: [clinicianId], detail: { fields: ['leadHours'] } });
    const refused = async (headers: Headers, provider = clinicianId) =>
      (await ask('PUT', path(provider), { version: 2, plan: plan() }, headers)).statusCode;
    expect(await refused(lab.headers)).toBe(403);
    expect(await refused(epi.headers)).toBe(403);
    expect(await refused(vendor.headers)).toBe(404);
    expect(await refused(jurisdiction.headers)).toBe(403);
    expect(await refused(patient.headers)).toBe(403);
  });

  test('does not overwrite a change that someone else has made', async () => {
    await offer(clinicianId);
    const stale = { version: 0, plan: plan({ leadHours: 5 }) };
    expect((await ask('PUT', path(clinicianId), stale, admin.headers)).statusCode).toBe(409);
  });

  test('reports its faults', async () => {
    const [rule] = plan().rules;
    expect(
      await faults(
        'PUT',
        path(clinicianId),
        { version: 0, plan: plan({ facility: randomUUID(), languages: ['xx'], rules: [rule!, rule!] }) },
        admin.headers,
      ),
    ).toEqual([
      'plan.rules.1.from overlaps',
      'plan.facility unknown-choice',
      'plan.languages.0 unknown-choice',
    ]);
  });

  test('is visible to everyone who reads visits of the tenant, and to no one else', async () => {
    await offer(clinicianId);
    const seen = async (headers: Headers) => {
      const answer = await ask('GET', 'telemedicine/availability', undefined, headers);
      return answer.statusCode === 200
        ? answer.json<{ providers: ProviderAvailability[] }>().providers.filter((one) => one.version > 0)
        : answer.statusCode;
    };
    const { headers: atCollege } = await actFor(testing, epi.tokens, `O:${college}`);
    expect(await seen(atCollege)).toMatchObject([{ provider: clinicianId, mayChange: false }]);
    expect(await seen(entry.headers)).toMatchObject([{ provider: clinicianId, mayChange: true }]);
    expect(await seen(vendor.headers)).toEqual([]);
    expect(await seen(lab.headers)).toBe(403);
    expect(await seen(jurisdiction.headers)).toBe(403);
  });
});

const visitOf = async (person: string) =>
  ok<TelemedicineVisit>('POST', 'telemedicine', {
    ...blankOf(telemedicineRecord),
    patient: person,
    visitType: 'follow-up',
    taskCategory: 'telemedicine',
  });
const book = async (startsAt: string, provider = clinicianId, person?: string) => {
  const made = await visitOf(person ?? (await makePersonAt(database, demo.id)).id);
  return ok<TelemedicineVisit>('POST', `telemedicine/${made.id}/transitions/book`, {
    version: made.version,
    fields: { provider, startsAt, minutes: 30 },
  });
};

describe('the free times', () => {
  test('are those of one provider, or of any, each start once', async () => {
    await offer(clinicianId);
    await offer(other, plan({ languages: ['es'] }));
    const one = await free({ provider: clinicianId, from: tomorrow, days: '1' });
    expect(one.times).toHaveLength(4);
    const any = await free({ from: tomorrow, days: '1' });
    expect(any.times.map(({ startsAt }) => startsAt)).toEqual(one.times.map(({ startsAt }) => startsAt));
    const spanish = await free({ from: tomorrow, days: '1', language: 'es', provider: other });
    expect(spanish.times).toHaveLength(4);
    expect(await free({ from: tomorrow, days: '1', language: 'ht', provider: other })).toEqual({
      times: [],
      offered: false,
      next: null,
    });
    // Booked with one provider, they remain with the other.
    await book(one.times[0]!.startsAt);
    const left = await free({ provider: clinicianId, from: tomorrow, days: '1' });
    expect(left.times.map(({ startsAt }) => startsAt)).toEqual(
      one.times.slice(1).map(({ startsAt }) => startsAt),
    );
    expect((await free({ from: tomorrow, days: '1' })).times[0]).toMatchObject({
      startsAt: one.times[0]!.startsAt,
      provider: other,
    });
  });

  test('include the time of the visit that is moved', async () => {
    await offer(clinicianId);
    const [first] = (await free({ from: tomorrow, days: '1' })).times;
    const visit = await book(first!.startsAt);
    expect((await free({ from: tomorrow, days: '1', visit: visit.id })).times[0]).toEqual(first);
  });

  test('come with the next free time', async () => {
    const away = {
      kind: 'shut',
      firstDay: today,
      lastDay: addDays(today, 40),
      from: null,
      to: null,
    } as const;
    await offer(clinicianId, plan({ exceptions: [{ ...away, minutes: null }] }));
    const answer = await free({ from: tomorrow, days: '7' });
    expect(answer).toMatchObject({ times: [], offered: true });
    expect(todayIn(demo.timeZone, new Date(answer.next!))).toBe(addDays(today, 41));
  });

  test('exclude those of a person who has left', async () => {
    await offer(other);
    await sql('update account set disabled_at = now() where id = $1', [other]);
    expect((await free({ from: tomorrow, days: '1' })).offered).toBe(false);
    await sql('update account set disabled_at = null where id = $1', [other]);
  });

  test('are found for 200 providers, for a week and for 30 days', async () => {
    const providers = Array.from({ length: 200 }, () => randomUUID());
    const { rules, exceptions } = plan({
      rules: [
        { ...plan().rules[0]!, from: '09:00', to: '12:00' },
        { ...plan().rules[0]!, from: '13:00', to: '17:00' },
      ],
    });
    await sql(
      `insert into provider_availability (tenant_id, account_id, time_zone, languages, buffer_minutes, lead_hours,
         horizon_days, daily_limit, patients, rules, exceptions)
       select $1, id, $3, '{}', 5, 2, 60, 10, true, $4, $5 from unnest($2::uuid[]) as id`,
      [demo.id, providers, demo.timeZone, JSON.stringify(rules), JSON.stringify(exceptions)],
    );
    const visit = await visitOf((await makePersonAt(database, demo.id)).id);
    const first = Math.floor(Date.parse(`${tomorrow}T00:00:00Z`) / 300_000);
    // Four half-hour visits a day. Several providers share the rows of one visit here, so the key is dropped.
    await sql('alter table provider_time drop constraint if exists provider_time_tenant_id_visit_id_fkey');
    await sql(
      `insert into provider_time (tenant_id, account_id, step, visit_id, steps)
       select $1, p.id, $3 + day * 288 + 168 + visit * 12 + step, md5(p.id::text || day || visit)::uuid,
         case when step = 0 then 6 end
       from unnest($2::uuid[]) as p (id), generate_series(0, 29) as day, generate_series(0, 3) as visit,
         generate_series(0, 5) as step`,
      [demo.id, providers, first],
    );
    await sql('analyze provider_time');
    const find = (days: number) =>
      database.withScope(
        { kind: 'service', tenantId: demo.id },
        async (tx) => {
          const plans = await readPlans(tx, demo.id);
          const from = Date.parse(`${tomorrow}T05:00:00Z`);
          return findFree(tx, demo.id, {
            plans,
            visitType: visit.visitType,
            now: Date.now(),
            from,
            until: from + days * 86_400_000,
          });
        },
        { readOnly: true },
      );
    expect(await find(7)).toHaveLength(9800);
    expect(await find(30)).toHaveLength(42_000);
  });
});

describe('the visits of a patient', () => {
  const free14 = (query: Record<string, string> = { visitType: 'follow-up' }) =>
    ofPatient.ok<{ times: { startsAt: string; provider: string; minutes: number; name: string }[] }>(
      'GET',
      `visits/free-times?${new URLSearchParams({ from: tomorrow, ...query })}`,
    );
  const listed = async (of = ofPatient) =>
    of.ok<{ visits: OwnVisit[]; booking: boolean; left: number }>('GET', 'visits');
  const booking = (time: { startsAt: string; provider: string }, id: string = randomUUID()) => ({
    id,
    visitType: 'follow-up',
    startsAt: time.startsAt,
    provider: time.provider,
  });
  const allowed = (to: boolean) => sql('update tenant set patients_book = $2 where id = $1', [demo.id, to]);
  beforeEach(async () => {
    await allowed(true);
    await sql('delete from telemedicine_visit_history where tenant_id = $1', [demo.id]);
    await sql('delete from telemedicine_visit_transition where tenant_id = $1', [demo.id]);
    await sql('delete from telemedicine_visit where tenant_id = $1', [demo.id]);
    await offer(clinicianId);
  });

  test('are booked, moved and cancelled by the patient', async () => {
    expect(await ofPatient.ok('GET', 'me')).toMatchObject({ visits: true });
    const { times } = await free14();
    const made = booking(times[0]!);
    await ofPatient.ok('POST', 'visits', made);
    // Sent again because the answer was lost: nothing more is booked.
    await ofPatient.ok('POST', 'visits', made);
    const [visit, ...more] = (await listed()).visits;
    expect(more).toEqual([]);
    expect(visit).toMatchObject({
      id: made.id,
      status: 'booked',
      startsAt: made.startsAt,
      minutes: 30,
      provider: times[0]!.name,
      visitType: 'follow-up',
      mayChange: true,
    });
    // Staff see who booked it, at the provider's facility.
    expect(await ok('GET', `telemedicine/${made.id}`)).toMatchObject({
      status: 'booked',
      bookedBy: 'patient',
      facility: clinic,
      patient: own.patientId,
    });
    await ofPatient.ok('POST', `visits/${made.id}/reschedule`, {
      version: visit!.version,
      startsAt: times[1]!.startsAt,
      provider: clinicianId,
    });
    const [moved] = (await listed()).visits;
    expect(moved!.startsAt).toBe(times[1]!.startsAt);
    expect((await free14()).times[0]).toEqual(times[0]);
    await ofPatient.ok('POST', `visits/${made.id}/cancel`, {
      version: moved!.version,
      why: 'I have to work.',
    });
    expect((await listed()).visits).toMatchObject([{ status: 'cancelled', mayChange: false }]);
    expect(await ok('GET', `telemedicine/${made.id}`)).toMatchObject({
      cancelledBy: 'patient',
      cancelledWhy: 'I have to work.',
      cancelledLate: expect.stringMatching(/^(yes|no)$/),
    });
    expect((await free14()).times).toHaveLength(times.length);
    const logged = await sql<{ action: string; transition: string }>(
      `select action, detail ->> 'transition' as transition from audit_event
       where tenant_id = $1 and $2 = any (record_ids) and deed = 'change'
         and account_id in (select id from account where patient_id is not null) order by at`,
      [demo.id, made.id],
    );
    expect(logged).toEqual([
      { action: 'telemedicine-visit/made', transition: 'book' },
      { action: 'change', transition: 'reschedule' },
      { action: 'change', transition: 'cancel' },
    ]);
  });

  test('notify their provider, by number and without the name of the patient', async () => {
    const { times } = await free14();
    const made = booking(times[0]!);
    const version = async () => (await listed()).visits[0]!.version;
    await ofPatient.ok('POST', 'visits', made);
    await ofPatient.ok('POST', `visits/${made.id}/reschedule`, {
      version: await version(),
      startsAt: times[1]!.startsAt,
      provider: clinicianId,
    });
    await ofPatient.ok('POST', `visits/${made.id}/cancel`, { version: await version(), why: '' });
    const left = await sql<{ payload: object }>(
      `select p.payload from graphile_worker._private_jobs p join graphile_worker.jobs j on j.id = p.id
       where j.task_identifier = 'inbox/tell' and p.payload::text like '%' || $1 || '%' order by p.id`,
      [made.id],
    );
    const { run } = tellWork(database);
    for (const { payload } of left)
      await run(payload, { log: testing.app.log, attempt: 1, signal: new AbortController().signal });
    const { number } = await ok<{ number: string }>('GET', `telemedicine/${made.id}`);
    const { notifications } = await ok<{ notifications: Notification[] }>('GET', 'inbox');
    const about = { recordKind: 'telemedicine-visit', recordId: made.id, name: number, actor: null };
    expect(notifications).toMatchObject([
      { ...about, kind: 'visit-cancelled' },
      { ...about, kind: 'visit-moved' },
      { ...about, kind: 'visit-booked' },
    ]);
  });

  test('are private: nobody reads, moves or cancels another patient’s visit', async () => {
    const [first, second] = (await free14()).times;
    const foreign = await book(first!.startsAt);
    expect((await listed()).visits).toEqual([]);
    const time = { version: foreign.version, startsAt: second!.startsAt, provider: clinicianId };
    expect((await ofPatient.ask('POST', `visits/${foreign.id}/reschedule`, time)).statusCode).toBe(404);
    expect(
      (await ofPatient.ask('POST', `visits/${foreign.id}/cancel`, { version: foreign.version, why: '' }))
        .statusCode,
    ).toBe(404);
    expect(
      (await ofPatient.ask('GET', `visits/free-times?from=${tomorrow}&visit=${foreign.id}`)).statusCode,
    ).toBe(404);
    expect((await ask('GET', 'telemedicine', undefined, patient.headers)).statusCode).not.toBe(200);
    // What staff chose a visit for is not shown.
    const theirs = await book(second!.startsAt, clinicianId, own.patientId);
    expect((await listed()).visits).toMatchObject([{ id: theirs.id, visitType: null, mayChange: true }]);
  });

  test('are booked only at offered times, up to the maximum number', async () => {
    const { times } = await free14();
    const [first, ...rest] = times;
    const wrong = new Date(Date.parse(first!.startsAt) + 300_000).toISOString();
    expect(
      await ofPatient.faults('POST', 'visits', booking({ startsAt: wrong, provider: clinicianId })),
    ).toEqual(['startsAt not-offered']);
    expect(await ofPatient.faults('POST', 'visits', booking({ ...first!, provider: other }))).toEqual([
      'startsAt not-offered',
    ]);
    await book(first!.startsAt);
    expect(await ofPatient.faults('POST', 'visits', booking(first!))).toEqual(['startsAt taken']);
    for (const time of rest.slice(0, 3)) await ofPatient.ok('POST', 'visits', booking(time));
    expect(await listed()).toMatchObject({ left: 0 });
    expect(await ofPatient.faults('POST', 'visits', booking(rest[3]!))).toEqual(['visitType too-many']);
  });

  test('can be moved only so often in a day', async () => {
    const { times } = await free14();
    const made = booking(times[0]!);
    await ofPatient.ok('POST', 'visits', made);
    for (const time of times.slice(1, 6))
      await ofPatient.ok('POST', `visits/${made.id}/reschedule`, {
        version: (await listed()).visits[0]!.version,
        startsAt: time.startsAt,
        provider: clinicianId,
      });
    expect(
      await ofPatient.faults('POST', `visits/${made.id}/reschedule`, {
        version: (await listed()).visits[0]!.version,
        startsAt: times[7]!.startsAt,
        provider: clinicianId,
      }),
    ).toEqual(['startsAt too-often']);
  });

  test('of two patients at the same time: one gets it, and the other reads that it is taken', async () => {
    const second = { email: 'second@example.test', birthDate: '1990-01-02' };
    const person = await makePatient(database, {
      tenant_id: demo.id,
      first_name: 'Ruth',
      birth_date: second.birthDate,
      emails: [second.email],
    });
    await sql(
      `insert into account (id, username, email, first_name, last_name, patient_tenant_id, patient_id)
       select gen_random_uuid(), 'secondpt', $2, 'Ruth', 'Two', patient_tenant_id, $3 from account where patient_id = $1`,
      [own.patientId, second.email, person.id],
    );
    const other = await signInAsPatient(testing, { email: second.email }, second.birthDate);
    const ofOther = askingAs(testing, other, '/api/patient/');
    for (const time of (await free14()).times.slice(0, 3)) {
      const answers = await Promise.all([
        ofPatient.ask('POST', 'visits', booking(time)),
        ofOther.ask('POST', 'visits', booking(time)),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
      const lost = answers.find(({ statusCode }) => statusCode === 422)!;
      expect(lost.json().faults).toMatchObject([{ path: 'startsAt', code: 'taken' }]);
    }
    expect((await listed()).visits.length + (await listed(ofOther)).visits.length).toBe(3);
  });

  test('can only be viewed if the tenant does not let patients book', async () => {
    const [first] = (await free14()).times;
    await book(first!.startsAt, clinicianId, own.patientId);
    await allowed(false);
    expect(await listed()).toMatchObject({ booking: false, visits: [{ mayChange: false }] });
    expect((await ofPatient.ask('POST', 'visits', booking(first!))).statusCode).toBe(403);
    const features = 'update tenant set tenant_features = array_remove(tenant_features, $2) where id = $1';
    await sql(features, [demo.id, 'telemedicine']);
    expect(await listed()).toMatchObject({ booking: false, visits: [] });
    await sql(`update tenant set tenant_features = tenant_features || '{telemedicine}' where id = $1`, [
      demo.id,
    ]);
  });

  test('are not offered by providers who do not offer them to patients', async () => {
    await offer(clinicianId, plan({ patients: false }));
    expect((await free14()).times).toEqual([]);
  });
});
