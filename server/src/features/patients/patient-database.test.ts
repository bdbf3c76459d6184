import { randomUUID } from 'node:crypto';
import type { PatientRow, PersonAnswer } from '@caseway/contract/patients';
import type { HistoryEntry } from '@caseway/contract/record-history';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { elr, hivScreen, importText } from '../imports/test-messages.ts';

/*
 * The patient database: who sees whom, and people whom staff enter and correct. What they enter is found, compared
 * and counted like an import.
 */

const testing = await testApp({ ANALYTICS_ENGINE: 'postgres' });
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const tenantId = demo.id;
const admin = await signInAs(testing, 'admin@demo.caseway.test', `T:${tenantId}`);
// Sees no restricted families.
const entry = await signInAs(testing, 'entry@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${tenantId}`);
const facility = await signInAs(testing, 'facility@demo.caseway.test');
const clinic = demo.facilities.find(({ id }) => id === facility.init.selectedOrg!.id)!;
const clinician = await signInAs(testing, 'clinician@demo.caseway.test', `F:${clinic.id}`);
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const { ask, ok } = askingAs(testing, admin);

type Headers = typeof admin.headers;
const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const search = (word: string, headers: Headers = admin.headers) =>
  ok<{ rows: PatientRow[]; rowCount: number }>(
    'POST',
    'grid/patients/search',
    { filterModel: { items: [], quickFilterValues: [word] } },
    headers,
  );
const found = async (word: string, headers?: Headers) =>
  (await search(word, headers)).rows.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
const read = (id: string, headers?: Headers) => ok<PersonAnswer>('GET', `patients/${id}`, undefined, headers);
const nothing = {
  lastName: null,
  firstName: null,
  middleName: null,
  nameSuffix: null,
  birthDate: null,
  sex: null,
  gender: null,
  deceased: null,
  deceasedOn: null,
  otherNames: [],
  street: null,
  street2: null,
  city: null,
  county: null,
  state: null,
  postalCode: null,
  phones: [],
  emails: [],
  language: null,
  race: null,
  ethnicity: null,
};
const make = (
  given: Partial<Record<keyof typeof nothing, string | string[]>> & { id?: string },
  headers?: Headers,
) => ok<PersonAnswer>('POST', 'patients', { ...nothing, ...given }, headers);
const change = (id: string, version: number, given: object, headers?: Headers) =>
  ok<PersonAnswer>('PATCH', `patients/${id}`, { version, ...given }, headers);
const history = async (id: string, headers?: Headers) =>
  (await ok<{ entries: HistoryEntry[] }>('GET', `patients/${id}/history`, undefined, headers)).entries;
const take = (patient: object, test?: string) =>
  importText(
    database,
    tenantId,
    elr({
      order: randomUUID().slice(0, 8),
      patient,
      tests: [test ? { test, value: '11214006^Reactive^SCT' } : {}],
    }),
  );
const idOf = async (last: string) =>
  (
    await rows<{ id: string }>('select id from patient where last_name = $1 and merged_into is null', [last])
  )[0]!.id;

describe('the list', () => {
  test('has everyone once, with what the reader sees of their records [S1.2]', async () => {
    await take({ id: 'L1', last: 'Listed', first: 'Lena', birth: '19800213', phone: '8135550142' });
    await take({ id: 'L1', last: 'Listed', first: 'Lena', birth: '19800213' });
    const { rows: all } = await search('listed');
    expect(all).toEqual([
      expect.objectContaining({ firstName: 'Lena', birthDate: '1980-02-13', results: 2 }),
    ]);
    expect(all[0]!.identifiers).toContain('L1');
    for (const word of ['19800213', '5550142', 'L1', 'LEN'])
      expect(await found(word), word).toContain('Lena Listed');
    expect(await found('listed', vendor.headers)).toEqual([]);
    expect((await ask('GET', `patients/${all[0]!.id}`, undefined, vendor.headers)).statusCode).toBe(404);
  });

  test('has people of restricted families only for readers who may see them [P18]', async () => {
    await take({ id: 'H1', last: 'Onlyhiv', first: 'Hal', birth: '19700101' }, hivScreen);
    expect(await found('onlyhiv')).toEqual(['Hal Onlyhiv']);
    expect(await found('onlyhiv', epi.headers)).toEqual([]);
    const id = await idOf('Onlyhiv');
    for (const path of [`patients/${id}`, `patients/${id}/history`])
      expect((await ask('GET', path, undefined, epi.headers)).statusCode, path).toBe(404);
  });

  test('has for a facility the people it knows, with no more than was told to it [P23]', async () => {
    const given = { lastName: 'Facilitied', firstName: 'Fay', birthDate: '1990-09-01', city: 'Tampa' };
    const { id } = await make(given, clinician.headers);
    await take({ id: 'F2', last: 'Elsewhere', first: 'Ed', birth: '19900901' });
    expect(await read(id, facility.headers)).toMatchObject({ told: true, city: 'Tampa' });
    expect(await found('facilitied', facility.headers)).toEqual(['Fay Facilitied']);
    expect(await found('elsewhere', facility.headers)).toEqual([]);
    // Another place reports a telephone.
    await take({ id: 'F1', last: 'Facilitied', first: 'Fay', birth: '19900901', phone: '8135550199' });
    expect(await read(id, facility.headers)).toMatchObject({
      told: false,
      lastName: 'Facilitied',
      birthDate: '1990-09-01',
      city: null,
      phone: null,
      phones: [],
    });
    expect(await found('5550199', facility.headers)).toEqual([]);
    expect(await found('5550199')).toEqual(['Fay Facilitied']);
  });
});

test('is exported for people with the permission, with the contents of the list, and for no others [P15]', async () => {
  const query = { filterModel: { items: [], quickFilterValues: ['listed'] } };
  const body = { query, columns: ['lastName', 'birthDate', 'sex', 'results', 'deceased'] };
  const file = await ask('POST', 'grid/patients/export', body);
  expect([file.statusCode, file.body.split('\r\n').slice(0, 2)]).toEqual([
    200,
    [
      expect.stringContaining('Last name,Birth date,Sex at birth'),
      expect.stringMatching(/^Listed,1980-02-13,.*,2,$/),
    ],
  ]);
  expect((await ask('POST', 'grid/patients/export', body, entry.headers)).statusCode).toBe(403);
});

describe('a new person', () => {
  const ottoline = { lastName: 'Vandenberg', firstName: 'Ottoline', birthDate: '1981-02-03', sex: 'F' };

  test('is found, and is the one that a report about them is matched to', async () => {
    const made = await make({
      ...ottoline,
      phones: ['+18135550147'],
      city: 'Tampa',
      state: '12',
      postalCode: '33602',
    });
    // The county of the city.
    expect(made).toMatchObject({ version: 1, county: '12057', told: true, cases: 0, results: 0 });
    expect(await found('vandenb')).toEqual(['Ottoline Vandenberg']);
    expect(await found('5550147')).toEqual(['Ottoline Vandenberg']);
    const { effects } = await take({
      id: 'V1', last: 'Vandenberg', first: 'Ottoline', birth: '19810203', sex: 'F', phone: '8135550147',
    }); // biome-ignore format: a record
    expect(effects).toMatchObject({ patientsMatched: 1 });
    expect(await read(made.id)).toMatchObject({ results: 1, version: 1 });
  });

  test('is paired with people who may be the same, and the writer is warned before', async () => {
    const alike = await ok<{ patients: { lastName: string; certain: boolean }[] }>(
      'POST',
      'patients/alike',
      ottoline,
    );
    expect(alike.patients).toEqual([expect.objectContaining({ lastName: 'Vandenberg', certain: true })]);
    // Day and month are swapped.
    const made = await make({ ...ottoline, birthDate: '1981-03-02' });
    const { rows: pairs } = await ok<{
      rows: { patient: { id: string }; candidate: { lastName: string } }[];
    }>('GET', 'patient-matches');
    expect(pairs.find(({ patient }) => patient.id === made.id)?.candidate.lastName).toBe('Vandenberg');
  });

  test('is like no one whom the writer does not see [P18]', async () => {
    const hal = { lastName: 'Onlyhiv', firstName: 'Hal', birthDate: '1970-01-01' };
    const alike = (headers: Headers) =>
      ok<{ patients: object[] }>('POST', 'patients/alike', hal, headers).then(
        ({ patients }) => patients.length,
      );
    expect([await alike(admin.headers), await alike(entry.headers)]).toEqual([1, 0]);
  });

  test('is made once, however often the request is sent', async () => {
    const id = randomUUID();
    const given = { id, lastName: 'Once', firstName: 'Ona' };
    const [first, again] = [await make(given), await make(given)];
    expect(again).toEqual(first);
    const other = await ask('POST', 'patients', { ...nothing, id, lastName: 'Twice' });
    expect(other.json()).toMatchObject({ faults: [{ path: 'id', code: 'key-used' }] });
  });

  test('is visible at the facility that enters them, and told by it [P23]', async () => {
    const made = await make({ lastName: 'Walkedin', firstName: 'Wim', city: 'Tampa' }, clinician.headers);
    expect(made).toMatchObject({ city: 'Tampa', told: true });
    expect(await rows('select facility_ids, told_by from patient where id = $1', [made.id])).toEqual([
      { facility_ids: [clinic.id], told_by: expect.arrayContaining([clinic.id]) },
    ]);
    expect(await found('walkedin', vendor.headers)).toEqual([]);
  });

  test('needs a name, possible days, and entries of look-ups', async () => {
    const refused = async (given: object) =>
      (await ask('POST', 'patients', { ...nothing, ...given }))
        .json<{ faults: { path: string; code: string }[] }>()
        .faults.map(({ path, code }) => `${path} ${code}`);
    expect(await refused({ birthDate: '2999-01-01', county: '12057', state: '13', sex: 'Z' })).toEqual([
      'lastName name-needed',
      'birthDate future',
      'sex unknown-choice',
      'county county-elsewhere',
    ]);
    expect(
      await refused({ lastName: 'X', birthDate: '1950-01-02', deceasedOn: '1950-01-01', deceased: 'no' }),
    ).toEqual(['deceasedOn before-birth', 'deceased date-of-death-given']);
    expect(
      await refused({ lastName: 'X', phones: ['+18135550100', '555'], emails: ['nobody'], gender: 'Z' }),
    ).toEqual(['phones.1 invalid-phone', 'emails.0 invalid_format', 'gender unknown-choice']);
    expect(await refused({ lastName: 'X', deceasedOn: '2999-01-01' })).toEqual(['deceasedOn future']);
    expect((await ask('POST', 'patients', { ...nothing, lastName: 'X' }, epi.headers)).statusCode).toBe(403);
  });
});

describe('a person who was merged', () => {
  const merged = (id: string, headers?: Headers) =>
    ask('GET', `patients/${id}/merged`, undefined, headers ?? admin.headers);
  /** Merges a new person into the older one, whose day and month of birth are swapped. */
  const mergeNew = async (lastName: string) => {
    const { id } = await make({ lastName, firstName: 'Max', birthDate: '1980-03-02', sex: 'M' });
    const { rows: pairs } = await ok<{ rows: { id: string; patient: { id: string } }[] }>(
      'GET',
      'patient-matches',
    );
    const pair = pairs.find(({ patient }) => patient.id === id)!;
    await ok('POST', `patient-matches/${pair.id}`, { decision: 'same' });
    return id;
  };
  const older = { first: 'Max', birth: '19800203', sex: 'M' };

  test('is found as a part of the other', async () => {
    await take({ ...older, id: 'M1', last: 'Mergeling' });
    const into = await idOf('Mergeling');
    const id = await mergeNew('Mergeling');
    expect((await ask('GET', `patients/${id}`)).statusCode).toBe(404);
    for (const { headers } of [admin, entry])
      expect((await merged(id, headers)).json()).toEqual({
        id: into,
        lastName: 'Mergeling',
        firstName: 'Max',
      });
    expect((await merged(into)).statusCode).toBe(404);
    // Readers of a part of the tenant do not see that persons are merged, also in timelines.
    for (const other of [facility, clinician, vendor])
      expect((await merged(id, other.headers)).statusCode).toBe(404);
  });

  test('is not found by readers who did not know the other [P18]', async () => {
    await take({ ...older, id: 'M2', last: 'Hushed' }, hivScreen);
    const id = await mergeNew('Hushed');
    expect([(await merged(id)).statusCode, (await merged(id, entry.headers)).statusCode]).toEqual([200, 404]);
  });
});

describe('a corrected person', () => {
  test('is found by the new and the previous name, and reports of both match', async () => {
    const { id } = await make({
      lastName: 'Kowalsky',
      firstName: 'Jan',
      birthDate: '1975-05-05',
      phones: ['+18135550161'],
    });
    const now = await change(id, 1, { lastName: 'Kowalski', phones: ['+18135550162'] });
    expect(now).toMatchObject({
      version: 2,
      lastName: 'Kowalski',
      otherNames: ['Kowalsky, Jan'],
      phones: ['+18135550162'],
    });
    for (const word of ['kowalski', 'kowalsky', '5550162'])
      expect(await found(word), word).toEqual(['Jan Kowalski']);
    expect(await found('5550161')).toEqual([]);
    const { effects } = await take({
      id: '',
      last: 'Kowalski',
      first: 'Jan',
      birth: '19750505',
      phone: '8135550162',
    });
    expect(effects).toMatchObject({ patientsMatched: 1 });
  });

  test('has a history of who did what, and can be restored', async () => {
    const { id } = await make({ lastName: 'Undone', firstName: 'Una', city: 'Tampa' });
    await change(id, 1, { city: 'Miami', county: '12086' });
    expect((await history(id)).map(({ version, changes }) => [version, Object.keys(changes).sort()])).toEqual(
      [
        [2, ['city', 'county']],
        [1, expect.arrayContaining(['lastName', 'city'])],
      ],
    );
    const { record, kept } = await ok<{ record: PersonAnswer; kept: string[] }>(
      'POST',
      `patients/${id}/undo`,
      { version: 2 },
    );
    expect(record).toMatchObject({ city: 'Tampa', version: 3 });
    expect(kept).toEqual([]);
    expect((await history(id))[0]).toMatchObject({ undoes: 2, by: expect.anything() });
  });

  test('has a death, a gender, other names and telephones, each undone as one', async () => {
    const { id } = await make({ lastName: 'Whole', firstName: 'Wen', birthDate: '1950-01-02' });
    const given = {
      gender: 'non-binary',
      deceasedOn: '2020-02-29',
      otherNames: ['Hall, Wen Li', 'Solo'],
      phones: ['+18135550171', '+18135550172'],
    };
    // A day of death says that they are dead.
    const now = await change(id, 1, given);
    expect(now).toMatchObject({ ...given, deceased: 'yes', phone: '+18135550171' });
    for (const word of ['hall', 'solo', '5550172']) expect(await found(word), word).toEqual(['Wen Whole']);
    expect(Object.keys((await history(id))[0]!.changes).sort()).toEqual(
      ['deceased', 'deceasedOn', 'gender', 'otherNames', 'phones'].sort(),
    );
    // The birth date is compared with the stored death.
    const late = await ask('PATCH', `patients/${id}`, { version: 2, birthDate: '2021-01-01' });
    expect(late.json().faults).toEqual([expect.objectContaining({ path: 'birthDate', code: 'after-death' })]);
    const alive = await ask('PATCH', `patients/${id}`, { version: 2, deceased: 'no' });
    expect(alive.json().faults).toEqual([
      expect.objectContaining({ path: 'deceased', code: 'date-of-death-given' }),
    ]);
    const { record } = await ok<{ record: PersonAnswer }>('POST', `patients/${id}/undo`, { version: 2 });
    expect(record).toMatchObject({
      gender: null,
      deceased: null,
      deceasedOn: null,
      otherNames: [],
      phones: [],
    });
  });

  test('has no former name after the name is restored', async () => {
    const { id } = await make({ lastName: 'Before', firstName: 'Bo' });
    expect(await change(id, 1, { lastName: 'After' })).toMatchObject({ otherNames: ['Before, Bo'] });
    const { record } = await ok<{ record: PersonAnswer }>('POST', `patients/${id}/undo`, { version: 2 });
    expect(record).toMatchObject({ lastName: 'Before', otherNames: [] });
  });

  test('keeps a telephone as it was received, and checks new ones', async () => {
    const { id } = await make({ lastName: 'Received', firstName: 'Rex' });
    await rows(`update patient set phones = array['555 x12'] where id = $1 returning id`, [id]);
    expect(await change(id, 1, { phones: ['555 x12', '+18135550173'] })).toMatchObject({
      phones: ['555 x12', '+18135550173'],
    });
  });

  test('is not shown with a gender if the tenant records none, also in the history', async () => {
    const { id } = await make({ lastName: 'Kept', firstName: 'Kim', gender: 'non-binary' });
    const keep = (kept: boolean) =>
      asSuperuser(
        'update tenant set gender_identity_kept = $2 where id = $1',
        [tenantId, kept],
        superuserUrl,
      );
    const shown = async () => [(await read(id)).gender, 'gender' in (await history(id))[0]!.changes];
    expect(await shown()).toEqual(['non-binary', true]);
    await keep(false);
    await expect.poll(shown, { interval: 100 }).toEqual([null, false]);
    await keep(true);
    await expect.poll(shown, { interval: 100 }).toEqual(['non-binary', true]);
  });

  test('conflicts with an import in the same field, but not in other fields', async () => {
    const person = {
      id: 'I1',
      last: 'Imported',
      first: 'Ian',
      birth: '19800101',
      city: 'Tampa',
      street: '1 Bay St',
      zip: '33602',
    };
    await take(person);
    const id = await idOf('Imported');
    const seen = await read(id);
    await take({ ...person, city: 'Miami', street: '9 New Ave', zip: '33101' });
    const late = await ask('PATCH', `patients/${id}`, {
      version: 1,
      city: 'Ocala',
      seen: { city: seen.city },
    });
    expect([late.statusCode, late.json().faults]).toEqual([
      409,
      [expect.objectContaining({ path: 'city', code: 'changed-since' })],
    ]);
    expect(await change(id, 1, { lastName: 'Importer', seen: { lastName: seen.lastName } })).toMatchObject({
      lastName: 'Importer',
      city: 'Miami',
    });
  });

  test('by two at once is merged field by field, and refused for the same field', async () => {
    const { id } = await make({ lastName: 'Both', firstName: 'Bea', city: 'Tampa' });
    await change(id, 1, { city: 'Miami' });
    expect(await change(id, 1, { firstName: 'Beate' })).toMatchObject({
      city: 'Miami',
      firstName: 'Beate',
      version: 3,
    });
    const late = await ask('PATCH', `patients/${id}`, { version: 1, city: 'Ocala' });
    expect([late.statusCode, late.json().faults]).toEqual([409, [expect.objectContaining({ path: 'city' })]]);
  });

  test('changes in the lists of their cases, and for a jurisdiction', async () => {
    await take({ id: 'C9', last: 'Moving', first: 'Mo', birth: '19800101', sex: 'M', county: '12057' });
    const id = await idOf('Moving');
    const [before] = await rows(
      'select sex, age_years, patient_county_fips from case_fact where patient_id = $1',
      [id],
    );
    expect(before).toMatchObject({ sex: 'M', patient_county_fips: '12057' });
    await change(id, 1, {
      sex: 'F',
      birthDate: '1970-01-01',
      county: '12086',
      state: '12',
    });
    const [after] = await rows<{ age_years: number }>(
      'select sex, age_years, patient_county_fips from case_fact where patient_id = $1',
      [id],
    );
    expect(after).toEqual({
      sex: 'F',
      age_years: (before!.age_years as number) + 10,
      patient_county_fips: '12086',
    });
    // Every replica is notified.
    const [told] = await rows<{ n: number }>(
      `select count(*)::int as n from outbox where kind = 'patient' and record_ids @> array[$1::uuid]`,
      [id],
    );
    expect(told!.n).toBe(2);
  });

  test('is shown to readers without restricted families as if no such report had come, with its history [P18]', async () => {
    const person = { id: 'O1', last: 'Openly', first: 'Odo', birth: '19800101', sex: 'M' };
    await take({ ...person, city: 'Tampa', street: '1 Bay St', zip: '33602' });
    await take({ ...person, city: 'Miami', street: '9 Secret Ave', zip: '33101' }, hivScreen);
    const id = await idOf('Openly');
    expect(await read(id)).toMatchObject({ street: '9 Secret Ave', city: 'Miami' });
    expect(await read(id, entry.headers)).toMatchObject({ street: '1 Bay St', city: 'Tampa' });
    await change(id, 1, { street: '5 New Rd' });
    expect(await read(id, entry.headers)).toMatchObject({ street: '5 New Rd', city: 'Tampa' });
    expect((await history(id))[0]!.changes).toEqual({ street: { from: '9 Secret Ave', to: '5 New Rd' } });
    expect((await history(id, entry.headers))[0]!.changes).toEqual({
      street: { from: '1 Bay St', to: '5 New Rd' },
    });
    expect(await found('5new', entry.headers)).toEqual([]);
  });

  test('has in a list only what each reader knew, and what is entered [P18]', async () => {
    const person = { id: 'N1', last: 'Listing', first: 'Lou', birth: '19800101', sex: 'M' };
    await take({ ...person, phone: '8135550181' });
    await take({ ...person, phone: '8135550182' }, hivScreen);
    const id = await idOf('Listing');
    const phones = async (headers?: Headers) => (await read(id, headers)).phones;
    expect([await phones(), await phones(entry.headers)]).toEqual([
      ['404 8135550182', '404 8135550181'],
      ['404 8135550181'],
    ]);
    // A reader who sees all of them adds one: the secret one stays secret.
    await change(id, 1, { phones: ['+18135550183', '404 8135550182', '404 8135550181'] });
    expect(await phones(entry.headers)).toEqual(['+18135550183', '404 8135550181']);
    // A reader who does not replaces the visible ones: the secret one stays.
    await change(id, 2, { phones: ['+18135550184'] }, entry.headers);
    expect(await phones(entry.headers)).toEqual(['+18135550184']);
    expect(await phones()).toEqual(['+18135550184', '404 8135550182']);
  });

  test('cannot be corrected by a place that does not see everything [P23]', async () => {
    const id = await idOf('Facilitied');
    const { told, version } = await read(id, clinician.headers);
    const answer = await ask('PATCH', `patients/${id}`, { version, city: 'Ocala' }, clinician.headers);
    expect([told, answer.statusCode]).toEqual([false, 422]);
    expect(answer.json().faults).toEqual([expect.objectContaining({ path: 'city', code: 'not-told' })]);
  });
});
