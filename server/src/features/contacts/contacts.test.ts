import { randomUUID } from 'node:crypto';
import { type Contact, contactRecord } from '@caseway/contract/contacts';
import { addDays, todayIn } from '@caseway/contract/date-range';
import type { FollowUpEntry } from '@caseway/contract/follow-up';
import { anyRecord } from '@caseway/contract/record';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers, type Method } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { type At, makeCaseReport, makePersonAt } from '../../../test/factories.ts';
import { hiddenWithPerson } from '../../../test/hidden-person.ts';
import { actFor, forgetMemberships, signInAs } from '../../../test/sign-in.ts';
import type { Scope } from '../../platform/scope.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const prison = demo.organizations.find(({ name }) => name === 'Palmetto Correctional Services')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);

const { ask, ok, faults } = askingAs(testing, epi);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

const madePatient = (place?: At) => makePersonAt(database, demo.id, place);
const madeCase = async (condition = 'measles', place: At = {}) =>
  makeCaseReport(database, {
    tenant_id: demo.id,
    patient_id: (await madePatient(place)).id,
    condition_code: condition,
    disease_family: condition,
    county_fips: '13121',
    ...place,
  });

/** Today in the demo tenant. */
const today = todayIn(demo.timeZone);
const ago = (days: number) => addDays(today, -days);

/** Every field that people set in a new contact, without a value. */
const blank = blankOf(contactRecord);
const exposed = (caseRecord: string, more: object = {}) => ({
  ...blank,
  caseRecord,
  description: 'Tall, tattoo on the left arm',
  exposure: 'same-room',
  lastExposedOn: ago(3),
  ...more,
});
const fresh = async () => exposed((await madeCase()).id, { patient: (await madePatient()).id });
const make = (payload: object, headers?: Headers) => ok<Contact>('POST', 'contacts', payload, headers);
async function changedContact(place: At = {}, headers?: Headers): Promise<Stored> {
  const report = await madeCase('measles', place);
  const { id } = await make(exposed(report.id, { patient: (await madePatient(place)).id }), headers);
  return ok('PATCH', `contacts/${id}`, { version: 1, risk: 'high' }, headers);
}

describeRecord({
  record: anyRecord(contactRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: clinician.headers, elsewhere: vendor.headers },
  fresh,
  changed: async () => ({
    patient: (await madePatient()).id,
    description: 'Short, red hair',
    phone: '+18135550142',
    exposure: 'touch',
    relation: 'household',
    firstExposedOn: ago(9),
    lastExposedOn: ago(2),
    risk: 'low',
    otherUntil: addDays(today, 4),
    note: 'Works at night.',
  }),
  conditional: ['sex', 'age'],
  deed: { transition: 'drop', reason: 'Was not in the room.', state: 'not-followed' },
  rivals: ['note', ['One', 'Two', 'Three']],
  sight: {
    ...hiddenWithPerson({
      database,
      sql,
      ok,
      tenantId: demo.id,
      table: 'contact',
      blind: epi.headers,
      changed: () => changedContact(),
    }),
    staysHidden: true,
    places: [
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedContact({ organization_id: college }, atCollege.headers),
        // About a case that the college knows, but found by the department.
        other: () => changedContact({ organization_id: college }),
      },
      {
        name: 'a jurisdiction',
        headers: jurisdiction.headers,
        own: () => changedContact({ county_fips: '12057' }),
        other: () => changedContact({ county_fips: '13121', organization_id: prison }),
      },
    ],
  },
});

const refused = (payload: object, path = 'contacts', method: Method = 'POST', headers?: Headers) =>
  faults(method, path, payload, headers);
const { options } = await ok<{ options: { id: string }[] }>('GET', 'list/options/investigators');
const someone = options[0]!.id;
const doing = ({ id }: Contact, transition: string) => `contacts/${id}/transitions/${transition}`;
const step = (
  one: Contact,
  transition: string,
  { reason, ...fields }: { reason?: string; [field: string]: string | undefined } = {},
): Promise<Contact> => ok('POST', doing(one, transition), { version: one.version, fields, reason });
/** A contact under follow-up for this many days. */
async function followed({ since = 0, more = {} as object, condition = 'measles' } = {}): Promise<Contact> {
  const report = await madeCase(condition);
  const made = await make(exposed(report.id, { lastExposedOn: ago(since + 1), ...more }));
  await step(made, 'start', { investigator: someone });
  await sql('update contact set started_on = $2 where id = $1', [made.id, ago(since)]);
  return ok('GET', `contacts/${made.id}`);
}
const visit = (day: string, more: object = {}) => ({
  ...{
    id: randomUUID(),
    day,
    outcome: 'seen',
    symptoms: [],
    temperature: null,
    temperatureUnit: null,
    note: null,
  },
  ...more,
});
const note = ({ id }: { id: string }, entry: object, headers?: Headers) =>
  ok<{ entries: FollowUpEntry[] }>('POST', `contacts/${id}/follow-up`, entry, headers);
/** The ids of the contacts that a view of the list shows, among some. */
async function shown(show: string, among: readonly { id: string }[], headers?: Headers): Promise<string[]> {
  const { rows } = await ok<{ rows: Contact[] }>(
    'POST',
    'grid/contacts/search',
    { filters: { show: [show] }, paginationModel: { page: 0, pageSize: 100 } },
    headers,
  );
  const asked = among.map(({ id }) => id);
  return rows.flatMap(({ id }) => (asked.includes(id) ? [id] : [])).sort();
}
const idsOf = (...of: readonly { id: string }[]) => of.map(({ id }) => id).sort();

describe('a contact', () => {
  test('is followed up for the days of the condition, unless another last day is set', async () => {
    const until = async (condition: string, more: object = {}) => {
      const { id } = await madeCase(condition);
      return (await make(exposed(id, { lastExposedOn: '2026-02-20', ...more }))).followUntil;
    };
    // By hand: 21 days after 20 February 2026 are 8 of that month and 13 of March; 50 days are 8, 31 and 11 of April.
    expect(await until('measles')).toBe('2026-03-13');
    expect(await until('hepatitis-a-acute')).toBe('2026-04-11');
    expect(await until('measles', { otherUntil: '2026-03-01' })).toBe('2026-03-01');
    expect(await until('salmonellosis')).toBeNull();
  });

  test('has its last day moved with its last exposure, and undo moves it back', async () => {
    const { id } = await make(exposed((await madeCase()).id, { lastExposedOn: '2026-02-20' }));
    const moved = await ok<Contact>('PATCH', `contacts/${id}`, { version: 1, lastExposedOn: '2026-02-21' });
    expect(moved.followUntil).toBe('2026-03-14');
    const { record } = await ok<{ record: Contact }>('POST', `contacts/${id}/undo`, { version: 2 });
    expect(record.followUntil).toBe('2026-03-13');
  });

  test('[S5.1] is refused with each of its faults', async () => {
    const report = await madeCase();
    expect(
      await refused(
        exposed(report.id, { patient: report.patient_id, sex: 'X', lastExposedOn: '1980-01-01' }),
      ),
    ).toEqual(['sex not-asked', 'lastExposedOn before-birth', 'patient own-case', 'sex unknown-choice']);
    expect(await refused(exposed(report.id, { description: null }))).toEqual(['description required']);
    expect(await refused(exposed(report.id, { patient: randomUUID() }))).toEqual(['patient unknown-choice']);
    const foreign = await ask('POST', 'contacts', exposed(randomUUID()));
    expect(foreign.statusCode).toBe(404);
  });

  test('is changed in one field as a cell of the list sends it: logged by name, and refused like the form', async () => {
    const { id } = await make(await fresh());
    const at = `contacts/${id}`;
    const saved = await ok<Contact>('PATCH', at, { version: 1, risk: 'high', seen: { risk: null } });
    expect(saved).toMatchObject({ version: 2, risk: 'high' });
    const log = await sql(
      `select detail from audit_event where $1 = any (record_ids) and action = 'change'`,
      [id],
    );
    expect(log).toEqual([{ detail: { fields: ['risk'] } }]);
    // A second cell still knows the first version; the same field then has two values.
    const late = await ask('PATCH', at, { version: 1, risk: 'low', seen: { risk: null } });
    expect([late.statusCode, late.json().faults.map(({ path }: { path: string }) => path)]).toEqual([
      409,
      ['risk'],
    ]);
    // The person is known, so that neither sex nor age is asked.
    expect(await refused({ version: 2, sex: 'F' }, at, 'PATCH')).toContain('sex not-asked');
    expect(await refused({ version: 2, lastExposedOn: addDays(today, 1) }, at, 'PATCH')).toEqual([
      'lastExposedOn future',
    ]);
    expect((await ask('PATCH', at, { version: 2, risk: 'low' }, clinician.headers)).statusCode).toBe(403);
    expect(await ok('GET', at)).toMatchObject({ version: 2, risk: 'high' });
  });

  test('of an unknown condition is followed up only until a day that someone sets', async () => {
    const made = await make(exposed((await madeCase('salmonellosis')).id));
    expect(await refused({ version: 1, fields: { investigator: someone } }, doing(made, 'start'))).toEqual([
      'followUntil required',
    ]);
    const dated = await ok<Contact>('PATCH', `contacts/${made.id}`, {
      version: 1,
      otherUntil: addDays(today, 5),
    });
    const started = await step(dated, 'start', { investigator: someone });
    expect(started).toMatchObject({ status: 'under-follow-up', startedOn: today, today: 'due' });
    expect(
      await refused({ version: started.version, otherUntil: null }, `contacts/${made.id}`, 'PATCH'),
    ).toEqual(['otherUntil required']);
  });

  test('keeps its case from being completed while it is under follow-up', async () => {
    const { id } = await madeCase();
    const made = await make(exposed(id));
    const started = await step(made, 'start', { investigator: someone });
    await ok('POST', `case-reports/${id}/transitions/take`, { version: 1 });
    const complete = `case-reports/${id}/transitions/complete`;
    expect(await refused({ version: 2 }, complete)).toEqual(['status open-contacts']);
    await step(started, 'refuse');
    expect(await ok('POST', complete, { version: 2 })).toMatchObject({ status: 'complete' });
  });

  test('becomes a case of its own person, and of no other', async () => {
    const patient = await madePatient();
    const own = await makeCaseReport(database, {
      tenant_id: demo.id,
      patient_id: patient.id,
      condition_code: 'measles',
      disease_family: 'measles',
      county_fips: '13121',
    });
    const made = await make(exposed((await madeCase()).id, { patient: patient.id }));
    const convert = (becameCase: string) => ({ version: 1, fields: { becameCase } });
    expect(await refused(convert((await madeCase()).id), doing(made, 'convert'))).toEqual([
      'becameCase other-person',
    ]);
    expect(await refused(convert(made.caseRecord), doing(made, 'convert'))).toEqual(['becameCase own-case']);
    expect(await refused(convert(randomUUID()), doing(made, 'convert'))).toEqual([
      'becameCase unknown-choice',
    ]);
    expect(await step(made, 'convert', { becameCase: own.id })).toMatchObject({
      status: 'became-case',
      becameCase: own.id,
      becameCaseId: own.case_id,
      endedOn: today,
      active: false,
    });
  });

  test('is listed with its case, for people who see the case', async () => {
    const report = await madeCase('measles', { organization_id: college });
    const { id, number } = await make(exposed(report.id));
    const of = (headers?: Headers) => ask('GET', `case-reports/${report.id}/contacts`, undefined, headers);
    expect((await of()).json()).toEqual({ contacts: [expect.objectContaining({ id, number })] });
    // The place that reported the case does not see whom the department found.
    expect((await of(atCollege.headers)).json()).toEqual({ contacts: [] });
    expect((await of(jurisdiction.headers)).statusCode).toBe(404);
    expect((await of(clinician.headers)).statusCode).toBe(403);
    expect((await of(vendor.headers)).statusCode).toBe(404);
    const [read] = await sql<{ record_kind: string }>(
      `select record_kind from audit_event where action = 'GET /api/web/case-reports/:id/contacts'
         and $1 = any (record_ids)`,
      [id],
    );
    expect(read).toEqual({ record_kind: 'contact' });
  });
});

describe('the daily follow-up', () => {
  test('takes a contact out of those due today, also when a visit is corrected', async () => {
    const [one, other] = [await followed(), await followed()];
    const both = [one, other];
    expect(await shown('due', both)).toEqual(idsOf(one, other));
    await note(one, visit(today, { outcome: 'not-seen' }));
    expect(await shown('due', both)).toEqual(idsOf(other));
    expect(await shown('missed', both)).toEqual(idsOf(one));
    const { entries } = await note(
      one,
      visit(today, { symptoms: ['fever'], temperature: 101.3, temperatureUnit: '[degF]' }),
    );
    expect(entries.map(({ outcome }) => outcome)).toEqual(['seen', 'not-seen']);
    expect(entries[0]).toMatchObject({ temperature: 101.3, by: 'Erin Castellanos' });
    expect(await shown('missed', both)).toEqual([]);
    expect(await ok('GET', `contacts/${one.id}`)).toMatchObject({ today: 'seen', lastSeenOn: today });
  });

  test('shows people not seen yesterday as not seen; not before the follow-up, and not after it', async () => {
    const started = await followed({ since: 3 });
    const seen = await followed({ since: 3 });
    await note(seen, visit(ago(1)));
    const fresh = await followed({ since: 0 });
    const over = await followed({ since: 9, more: { otherUntil: ago(2) } });
    const all = [started, seen, fresh, over];
    expect(await shown('missed', all)).toEqual(idsOf(started));
    expect(await shown('due', all)).toEqual(idsOf(started, seen, fresh));
    expect(await shown('followed', all)).toEqual(idsOf(...all));
    // Today's entry removes it from both lists.
    await note(started, visit(today));
    expect(await shown('missed', all)).toEqual([]);
  });

  test('uses the tenant’s day: at the same instant, on both sides of midnight', async () => {
    const contact = await followed({ since: 5 });
    const zone = async (name: string) => {
      await sql('update tenant set time_zone = $2 where id = $1', [demo.id, name]);
      // The day comes with the membership, which the server caches for a moment.
      forgetMemberships(testing);
      const [row] = await sql<{ day: string }>(
        'select cast(cast(now() at time zone $1 as date) as text) as day',
        [name],
      );
      return row!.day;
    };
    try {
      // Eleven hours behind and fourteen ahead of UTC: never the same day.
      const early = await zone('Pacific/Pago_Pago');
      await note(contact, visit(early));
      expect(await shown('due', [contact])).toEqual([]);
      const late = await zone('Pacific/Kiritimati');
      expect(late > early).toBe(true);
      expect(await shown('due', [contact])).toEqual(idsOf(contact));
    } finally {
      await zone('America/New_York');
    }
  });

  test('adds each entry once, and nobody changes one', async () => {
    const contact = await followed();
    const entry = visit(today, { note: 'Spoke at the door.' });
    await note(contact, entry);
    const { entries } = await note(contact, entry);
    expect(entries).toHaveLength(1);
    expect(
      (await ask('POST', `contacts/${contact.id}/follow-up`, { ...entry, note: 'Other' })).statusCode,
    ).toBe(422);
    const whole: Scope = {
      kind: 'org',
      tenantId: demo.id,
      orgType: 'T',
      orgId: demo.id,
      accountId: epi.init.user.id,
      counties: [],
      hiddenFamilies: [],
      genderIdentityShown: false,
    };
    await database.withScope(whole, async (tx) => {
      const params = [demo.id, contact.id];
      const here = 'tenant_id = $1 and record_id = $2';
      expect(await tx.rows(`select from follow_up_entry where ${here}`, params)).toHaveLength(1);
      expect(await tx.run(`update follow_up_entry set outcome = 'not-seen' where ${here}`, params)).toBe(0);
      expect(await tx.run(`delete from follow_up_entry where ${here}`, params)).toBe(0);
    });
    expect(
      await sql(
        `select deed, record_kind from audit_event where action = 'follow-up/added' and $1 = any (record_ids)`,
        [contact.id],
      ),
    ).toContainEqual({ deed: 'change', record_kind: 'contact' });
  });

  test('accepts entries only while it is open, and within its days', async () => {
    const contact = await followed({ since: 2 });
    const at = `contacts/${contact.id}/follow-up`;
    expect(await refused(visit(addDays(today, 1)), at)).toEqual(['day future']);
    expect(await refused(visit(contact.lastExposedOn), at)).toEqual(['day before-window']);
    expect(await refused(visit(today, { outcome: 'not-seen', symptoms: ['rash'] }), at)).toEqual([
      'symptoms only-if-seen',
    ]);
    const lost = await step(contact, 'lose', { reason: 'Moved away.' });
    expect(await refused(visit(today), at)).toEqual(['day not-followed']);
    await step(lost, 'resume', { reason: 'Came back.' });
    await note(contact, visit(today));
  });

  test('is read and added to by people with the permission, for contacts that they see', async () => {
    const contact = await followed();
    const at = `contacts/${contact.id}/follow-up`;
    const statuses = async (headers: Headers) => [
      (await ask('GET', at, undefined, headers)).statusCode,
      (await ask('POST', at, visit(today), headers)).statusCode,
    ];
    expect(await statuses(investigator.headers)).toEqual([200, 200]);
    expect(await statuses(clinician.headers)).toEqual([403, 403]);
    // A jurisdiction reads contacts and adds no visits; this one is in another county.
    expect(await statuses(jurisdiction.headers)).toEqual([404, 403]);
    expect(await statuses(atCollege.headers)).toEqual([404, 404]);
    expect(await statuses(vendor.headers)).toEqual([404, 404]);
    expect(await statuses({})).toEqual([401, 401]);
  });
});
