import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { makeFacility, makeJurisdiction, makeOrganization, makeTenant } from '../../../../test/factories.ts';
import { rounds } from '../../../../test/load.ts';
import { CaseNumbers } from '../../case-reports/case-numbers.ts';
import { demographics } from '../../reference/catalog.ts';
import { cancel } from '../actions.ts';
import {
  chlamydia,
  elr,
  gonorrhoea,
  hivScreen,
  importText,
  notDetected,
  type TestMessage,
} from '../test-messages.ts';

const { database } = await createTestDatabase();

let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database, { time_zone: 'America/New_York' }));
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const count = async (table: string) =>
  (await rows<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n;
const take = (text: string | Buffer, given: Parameters<typeof importText>[3] = {}) =>
  importText(database, tenantId, text, given);
const report = (given: TestMessage = {}) => take(elr(given));
const current = () =>
  rows(
    `select test_loinc, result_category, status from result where superseded_by is null order by test_loinc, id`,
  );

describe('one laboratory report', () => {
  test('becomes a patient, a specimen, a result and a case', async () => {
    const clinic = await makeFacility(database, {
      tenant_id: tenantId,
      name: 'Mercy Clinic',
      match_name: 'mercy clinic',
    });
    const jurisdiction = await makeJurisdiction(database, {
      managed_by_tenant_id: tenantId,
      counties: ['13121'],
    });
    const outcome = await report({ tests: [{ test: chlamydia }, { test: gonorrhoea, value: notDetected }] });
    expect(outcome.end).toBe('done');
    expect(outcome.counts).toEqual({ messages: 1, taken: 1, waiting: 0, refused: 0, duplicates: 0 });
    expect(outcome.effects).toEqual({
      patientsCreated: 1,
      resultsCreated: 2,
      casesOpened: 1,
      facilitiesCreated: 1,
    });
    const [patient] = await rows('select * from patient');
    expect(patient).toMatchObject({
      last_name: 'Okafor', first_name: 'Ada', birth_date: '1990-05-01', birth_date_precision: 'day', sex_at_birth: 'F',
      races: ['2054-5'], race: '2054-5', city: 'Atlanta', state_fips: '13', county_fips: '13121', postal_code: '30303',
      phones: ['+14045550111'], facility_ids: [clinic.id],
    }); // biome-ignore format: a record
    expect(await current()).toEqual([
      { test_loinc: '21613-5', result_category: 'positive', status: 'final' },
      { test_loinc: '24111-7', result_category: 'negative', status: 'final' },
    ]);
    const [result] = await rows(`select * from result where result_category = 'positive'`);
    expect(result).toMatchObject({
      patient_id: patient!.id, facility_id: clinic.id, condition_code: 'chlamydia', disease_family: 'chlamydia',
      method: 'naat', age_years: 35, county_fips: '13121', value_code: '260373001', collected_on: '2026-03-02',
      reported_on: '2026-03-04',
    }); // biome-ignore format: a record
    expect((result!.collected_at as Date).toISOString()).toBe('2026-03-02T14:30:00.000Z');
    const [found] = await rows('select * from case_report');
    expect(found).toMatchObject({
      patient_id: patient!.id, condition_code: 'chlamydia', classification: 'confirmed', status: 'new', source: 'elr',
      collected_on: '2026-03-02', reported_on: '2026-03-04', county_fips: '13121', jurisdiction_id: jurisdiction.id,
      facility_id: clinic.id,
    }); // biome-ignore format: a record
    expect(found!.case_id).toMatch(/^\d{4}-\d{7}$/);
    expect(await rows('select kind from case_event order by at')).toEqual([
      { kind: 'opened' },
      { kind: 'result-received' },
    ]);
    expect(await count('case_result')).toBe(1);
  });

  test('goes to a jurisdiction only while the tenant reports to it [S6.9]', async () => {
    const { id } = await makeJurisdiction(database, { managed_by_tenant_id: tenantId, counties: ['13121'] });
    const goesTo = async (last: string) => {
      await report({ patient: { last, id: last, phone: '' }, order: last });
      const [found] = await rows(
        `select c.jurisdiction_id from case_report c
         join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id where p.last_name = $1`,
        [last],
      );
      return found?.jurisdiction_id;
    };
    expect(await goesTo('Amber')).toBe(id);
    await rows('update tenant_reporting set ended_at = now() where jurisdiction_id = $1', [id]);
    expect(await goesTo('Birch')).toBeNull();
    await rows('update tenant_reporting set ended_at = null where jurisdiction_id = $1', [id]);
    expect(await goesTo('Cedar')).toBe(id);
  });

  test('stores the sex in codes that screens have words for, and fills gaps with later answers', async () => {
    const sexes = new Set(demographics.sexAtBirth.map(({ code }) => code));
    const stored = async () =>
      (await rows<{ sex: string }>('select sex_at_birth as sex from patient'))[0]!.sex;
    await report({ patient: { sex: 'U' } });
    expect([await stored(), sexes.has(await stored())]).toEqual(['U', true]);
    await report({ patient: { sex: 'X' }, order: 'second' });
    expect([await stored(), sexes.has(await stored())]).toEqual(['O', true]);
    expect(await count('patient')).toBe(1);
  });

  test('is kept as it was received, byte by byte', async () => {
    const text = elr();
    await take(`\n${text}\n\n`);
    const [message] = await rows<{ raw: Buffer }>('select raw from import_message');
    expect(message!.raw.toString()).toBe(text.trim());
  });

  test('belongs to the program of its disease family, of the facility’s organisation before the tenant’s own', async () => {
    const organization = await makeOrganization(database, { tenant_id: tenantId });
    await makeFacility(database, {
      tenant_id: tenantId,
      match_name: 'mercy clinic',
      organization_id: organization.id,
    });
    await rows(`insert into program_type (tenant_id, id, label) values ($1, gen_random_uuid(), 'STI')`, [
      tenantId,
    ]);
    await rows(
      `insert into program (tenant_id, id, program_type_id, organization_id, label, disease_families)
       select $1, gen_random_uuid(), id, org, name, '{chlamydia}' from program_type,
         (values (null::uuid, 'State'), ($2::uuid, 'Clinics')) as p (org, name)
       returning 1`,
      [tenantId, organization.id],
    );
    await rows(
      `insert into task (tenant_id, id, program_id, task_category, label)
       select $1, gen_random_uuid(), id, c, c from program, unnest(array['testing', 'case-investigation']) c
       returning 1`,
      [tenantId],
    );
    await report();
    await report({ clinic: 'Unknown Place', patient: { id: 'MRN2', last: 'Bell', first: 'Jo' } });
    expect(
      await rows(
        `select p.label, t.task_category, c.label as case_program, ct.task_category as case_task from result r
         join program p on p.id = r.program_id join task t on t.id = r.task_id
         join case_report k on k.tenant_id = r.tenant_id and k.patient_id = r.patient_id join program c on c.id = k.program_id join task ct on ct.id = k.task_id
         order by p.label`,
      ),
    ).toEqual([
      {
        label: 'Clinics',
        task_category: 'testing',
        case_program: 'Clinics',
        case_task: 'case-investigation',
      },
      { label: 'State', task_category: 'testing', case_program: 'State', case_task: 'case-investigation' },
    ]);
    expect(await rows(`select name, registered from facility where not registered order by name`)).toEqual([
      { name: 'Peach State Laboratory', registered: false },
      { name: 'Unknown Place', registered: false },
    ]);
  });
});

describe('importing again', () => {
  test('the same message is a duplicate, in the same file and in another, and changes nothing', async () => {
    const text = elr();
    const first = await take(text + text);
    expect(first.counts).toEqual({ messages: 2, taken: 1, waiting: 0, refused: 0, duplicates: 1 });
    const again = await take(text.replaceAll('\r', '\r\n'));
    expect(again.counts).toEqual({ messages: 1, taken: 0, waiting: 0, refused: 0, duplicates: 1 });
    expect(again.effects).toEqual({});
    expect([await count('patient'), await count('result'), await count('case_report')]).toEqual([1, 1, 1]);
    const messages = await rows(
      `select state, raw is null as bare, duplicate_of is null as first from import_message order by id`,
    );
    expect(messages).toEqual([
      { state: 'taken', bare: false, first: true },
      { state: 'duplicate', bare: true, first: false },
      { state: 'duplicate', bare: true, first: false },
    ]);
  });

  test('the same observation in another message is stored once', async () => {
    await report({ control: 'A', order: 'F-1' });
    const again = await report({ control: 'B', order: 'F-1' });
    expect(again.counts).toMatchObject({ taken: 1, duplicates: 0 });
    expect(again.effects).toEqual({ patientsMatched: 1, resultsUnchanged: 1 });
    expect(await count('result')).toBe(1);
  });

  test('a preliminary result is replaced by the final one, and not the other way round', async () => {
    await report({ control: 'A', order: 'F-1', tests: [{ status: 'P' }] });
    await report({ control: 'B', order: 'F-1', tests: [{ status: 'F', value: notDetected }] });
    const late = await report({ control: 'C', order: 'F-1', tests: [{ status: 'P', value: notDetected }] });
    expect(late.effects).toMatchObject({ resultsOutdated: 1 });
    expect(await current()).toEqual([
      { test_loinc: '21613-5', result_category: 'negative', status: 'final' },
    ]);
    expect(await count('result')).toBe(2);
  });

  test('a corrected result that is positive ends the review of the case', async () => {
    await report({ control: 'A', order: 'F-1' });
    const corrected = await report({
      control: 'B',
      order: 'F-1',
      reported: '20260306150000-0500',
      tests: [{ status: 'C', value: notDetected }],
    });
    expect(corrected.effects).toEqual({ patientsMatched: 1, resultsCorrected: 1, casesToReview: 1 });
    expect(await current()).toEqual([
      { test_loinc: '21613-5', result_category: 'negative', status: 'corrected' },
    ]);
    expect(await rows('select classification, status, review_reason from case_report')).toEqual([
      { classification: 'not_a_case', status: 'new', review_reason: 'result-no-longer-positive' },
    ]);
    expect(
      await rows(
        `select kind, coalesce(detail #>> '{from,classification}', detail->>'from') as was,
           coalesce(detail #>> '{to,classification}', detail->>'to') as is from case_event order by at`,
      ),
    ).toEqual([
      { kind: 'opened', was: null, is: null },
      { kind: 'result-received', was: null, is: null },
      { kind: 'result-corrected', was: 'positive', is: 'negative' },
      { kind: 'review-needed', was: null, is: null },
      { kind: 'explanation-changed', was: 'confirmed', is: 'not_a_case' },
      { kind: 'classification-changed', was: 'confirmed', is: 'not_a_case' },
    ]);
  });

  test('an older correction that arrives late changes nothing', async () => {
    await report({ control: 'A', order: 'F-1', reported: '20260306150000-0500', tests: [{ status: 'C' }] });
    await report({
      control: 'B',
      order: 'F-1',
      reported: '20260305150000-0500',
      tests: [{ status: 'C', value: notDetected }],
    });
    expect(await current()).toEqual([
      { test_loinc: '21613-5', result_category: 'positive', status: 'corrected' },
    ]);
  });

  test('a withdrawn result is no longer a result', async () => {
    await report({ control: 'A', order: 'F-1' });
    await report({ control: 'B', order: 'F-1', tests: [{ status: 'W' }] });
    expect(await current()).toEqual([
      { test_loinc: '21613-5', result_category: 'not-done', status: 'withdrawn' },
    ]);
    expect(await rows('select review_reason from case_report')).toEqual([
      { review_reason: 'result-withdrawn' },
    ]);
  });

  test('a new positive after a withdrawn result ends that review; other reviews stay', async () => {
    await report({ control: 'A', order: 'F-1' });
    await report({ control: 'B', order: 'F-1', tests: [{ status: 'W' }] });
    await report({ control: 'C', order: 'F-2' });
    expect(await rows('select classification, review_reason from case_report')).toEqual([
      { classification: 'confirmed', review_reason: null },
    ]);
    expect(
      await rows(
        `select kind, detail->>'reason' as reason from case_event where kind like 'review-%' order by at`,
      ),
    ).toEqual([
      { kind: 'review-needed', reason: 'result-withdrawn' },
      { kind: 'review-settled', reason: 'result-withdrawn' },
    ]);
    await rows(`update case_report set review_reason = 'number-used-again'`);
    await report({ control: 'D', order: 'F-3' });
    expect(await rows('select review_reason from case_report')).toEqual([
      { review_reason: 'number-used-again' },
    ]);
  });

  test('a number that a sender reuses for someone else is another result', async () => {
    await report({ control: 'A', order: 'F-1' });
    await report({
      control: 'B',
      order: 'F-1',
      patient: { id: 'MRN9', last: 'Quist', first: 'Bo', birth: '19550110', sex: 'M' },
    });
    expect(await count('patient')).toBe(2);
    expect(await count('result where superseded_by is null')).toBe(2);
  });
});

describe('cases', () => {
  test('another positive within the re-report window belongs to the same case', async () => {
    await report({ order: 'F-1' });
    const again = await report({
      order: 'F-2',
      collected: '20260401093000-0400',
      reported: '20260403150000-0400',
    });
    expect(again.effects).toMatchObject({ casesUpdated: 1 });
    expect(await count('case_report')).toBe(1);
    expect(await count('case_result')).toBe(2);
  });

  test('after the window it is another case', async () => {
    await report({ order: 'F-1' });
    // Chlamydia: 30 days; 2 March to 2 April are 31.
    await report({ order: 'F-2', collected: '20260402093000-0400', reported: '20260403150000-0400' });
    expect(await rows('select case_id, collected_on from case_report order by collected_on')).toMatchObject([
      { collected_on: '2026-03-02' },
      { collected_on: '2026-04-02' },
    ]);
  });

  test('a lifelong condition is one case, whose classification only rises', async () => {
    await report({
      order: 'F-1',
      collected: '20200302093000-0500',
      tests: [{ test: hivScreen, value: '11214006^Reactive^SCT' }],
    });
    expect(await rows('select classification from case_report')).toEqual([{ classification: 'suspect' }]);
    await report({
      order: 'F-2',
      collected: '20220401093000-0400',
      tests: [{ test: '25836-8^HIV 1 RNA^LN', type: 'SN', value: '^5200', units: '{copies}/mL^^UCUM' }],
    });
    await report({
      order: 'F-3',
      collected: '20240401093000-0400',
      tests: [{ test: hivScreen, value: '11214006^Reactive^SCT' }],
    });
    expect(await rows('select classification, condition_code from case_report')).toEqual([
      { classification: 'confirmed', condition_code: 'hiv' },
    ]);
    expect(await rows(`select detail from case_event where kind = 'classification-changed'`)).toEqual([
      { detail: { from: 'suspect', to: 'confirmed', rule: 'hiv-2014' } },
    ]);
  });

  test('a positive for a case that was ruled out is put up for review', async () => {
    await report({ order: 'F-1' });
    await rows(
      `update case_report set classification = 'not_a_case', classified_by = 'person', status = 'closed'`,
    );
    await report({ order: 'F-2', collected: '20260310093000-0400' });
    expect(await rows('select classification, review_reason from case_report')).toEqual([
      { classification: 'not_a_case', review_reason: 'positive-after-ruled-out' },
    ]);
  });

  test('cases of restricted families take no number that another case would have had [P24]', async () => {
    const people = ['Adams', 'Baker', 'Clark', 'Davis', 'Evans', 'Frank'];
    await take(
      people
        .map((last, at) =>
          elr({
            patient: { id: `N${at}`, last, first: 'Kim', phone: '' },
            tests: [{ test: at % 2 === 0 ? chlamydia : hivScreen }],
          }),
        )
        .join(''),
      { batchSize: 2 },
    );
    const [counter] = await rows<{
      year: number;
      secret: string;
      last_number: number;
      restricted_number: number;
    }>('select * from case_counter where last_number > 0');
    expect(counter).toMatchObject({ last_number: 3, restricted_number: 3 });
    const numbering = new CaseNumbers(String(counter!.year), counter!.secret, 0);
    const ids = await rows<{ case_id: string; last_name: string }>(
      `select c.case_id, p.last_name from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
       order by p.last_name`,
    );
    expect(ids.map(({ case_id }) => case_id)).toEqual([
      numbering.open(0),
      numbering.restricted(0),
      numbering.open(1),
      numbering.restricted(1),
      numbering.open(2),
      numbering.restricted(2),
    ]);
  });
});

describe('patients', () => {
  test('are the same across laboratories by name, birth date and sex', async () => {
    await report({ order: 'F-1' });
    const other = await report({
      order: 'F-2',
      lab: 'Other Lab',
      patient: { id: '', first: 'ADA', street: '9 New Rd', zip: '30309', phone: '5550199' },
      reported: '20260401150000-0400',
      collected: '20260401090000-0400',
    });
    expect(other.effects).toMatchObject({ patientsMatched: 1 });
    const [patient] = await rows('select street, postal_code, phones from patient');
    // Address and telephone from the newest report, the older telephone kept.
    expect(patient).toEqual({
      street: '9 New Rd',
      postal_code: '30309',
      phones: ['+14045550199', '+14045550111'],
    });
  });

  test('an older report only fills blanks', async () => {
    await report({ order: 'F-1', patient: { middle: '', race: '' }, reported: '20260501150000-0400' });
    await report({
      order: 'F-2',
      patient: { street: '1 Old Rd', zip: '30301' },
      reported: '20260101150000-0500',
    });
    expect(await rows('select street, race from patient')).toEqual([{ street: '12 Oak St', race: '2054-5' }]);
  });

  test('an uncertain pair stays two patients until a person decides', async () => {
    await report({ order: 'F-1' });
    const doubtful = await report({
      order: 'F-2',
      patient: { id: '', birth: '19900105', phone: '', street: '', zip: '', city: '' },
    });
    expect(doubtful.effects).toMatchObject({ patientsCreated: 1, pairsToReview: 1 });
    const [pair] = await rows('select score, parts, state from patient_match');
    // Surname 5, given name 4, day and month swapped 4, sex 1: 14 of 20.
    expect(pair).toMatchObject({
      state: 'open',
      parts: { lastName: 1, firstName: 1, birthDate: 0.8, sex: 1 },
    });
    expect(pair!.score).toBeCloseTo(0.7);
  });

  test('reports without a name belong to no one else', async () => {
    await report({ order: 'F-1', patient: { id: 'X1', last: '', first: '' } });
    await report({ order: 'F-2', patient: { id: 'X2', last: '', first: '' } });
    expect(await count('patient')).toBe(2);
    await report({ control: 'again', order: 'F-2', patient: { id: 'X2', last: '', first: '' } });
    expect(await count('patient')).toBe(2);
  });

  test('are found by the search keys of their names', async () => {
    await report({ patient: { last: 'Müller' } });
    expect(
      await rows(
        `select distinct record_kind from search_key where key in ('mueller', '4045550111') order by 1`,
      ),
    ).toEqual([{ record_kind: 'patient' }]);
  });
});

test('any mixture of reports imported twice leaves as much as once', async () => {
  // Three people with separate orders, in different spellings of laboratories.
  const people = [
    { id: 'A', last: 'Ruiz', first: 'Ana', birth: '19800203' },
    { id: 'B', last: 'Quist', first: 'Bo', birth: '19711130', sex: 'M' },
    { id: 'C', last: '', first: '', birth: '' },
  ];
  const result = fc.record({
    test: fc.constantFrom(chlamydia, gonorrhoea, hivScreen, 'X1^Local^L', '2345-7^Glucose^LN'),
    value: fc.constantFrom('260373001^Detected^SCT', notDetected, '^odd words'),
    status: fc.constantFrom('F', 'P', 'C', 'W', 'X'),
  });
  const message = fc
    .record({
      who: fc.constantFrom(0, 1, 2),
      number: fc.constantFrom(1, 2),
      spelling: fc.constantFrom(
        {},
        { phone: '' },
        { last: 'RUÍZ' },
        { first: 'Anna' },
        { street: '9 Other Rd', zip: '30309' },
      ),
      reported: fc.constantFrom('20260304150000-0500', '20260305150000-0500'),
      tests: fc.array(result, { minLength: 1, maxLength: 3 }),
    })
    .map(({ who, number, spelling, reported, tests }) => ({
      patient: { ...people[who], ...(who === 0 ? spelling : {}) },
      order: `F-${who}-${number}`,
      reported,
      tests,
    }));
  const left = () =>
    rows(
      `select (select count(*) from patient) as patients, (select count(*) from result) as results,
         (select count(*) from specimen) as specimens, (select count(*) from case_report) as cases,
         (select count(*) from case_event) as events, (select count(*) from patient_match) as pairs,
         (select count(*) from facility) as facilities`,
    );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), async (messages) => {
      ({ id: tenantId } = await makeTenant(database));
      const text = messages.map((given, at) => elr({ ...given, control: `C${at}` })).join('');
      const { counts } = await take(text);
      expect(counts!.messages).toBe(counts!.taken + counts!.waiting + counts!.refused + counts!.duplicates);
      const once = await left();
      expect((await take(text)).counts).toMatchObject({
        messages: messages.length,
        duplicates: messages.length,
      });
      // The same reports in new messages: other control ids, so that none is a duplicate.
      await take(messages.map((given, at) => elr({ ...given, control: `D${at}` })).join(''));
      expect(await left()).toEqual(once);
    }),
    rounds(12, 25),
  );
});

test('a cancelled import keeps what is committed, and nothing of its file', async () => {
  const text = Array.from({ length: 6 }, (_, at) =>
    elr({ order: `F-${at}`, patient: { id: `C${at}`, last: `Person${'ABCDEF'[at]}`, phone: '' } }),
  ).join('');
  let told = 0;
  const outcome = await take(text, {
    batchSize: 2,
    onProgress: async () => {
      if (++told > 1) return;
      await database.withScope({ kind: 'service', tenantId }, async (tx) => {
        const [{ id }] = (await tx.rows<{ id: string }>('select id from import')) as [{ id: string }];
        await cancel(tx, tenantId, id);
      });
    },
  });
  expect(outcome.end).toBe('cancelled');
  const stored = await count('import_message');
  expect(stored).toBe(2);
  expect(outcome.counts!.messages).toBe(stored);
  expect(await count('import_upload')).toBe(0);
});

test('every change is recorded for the analytics replica', async () => {
  await report({ order: 'F-1' });
  await report({ order: 'F-1', control: 'B', tests: [{ status: 'C', value: notDetected }] });
  const changes = await rows(
    `select kind, cardinality(record_ids) as n from outbox order by created_at, kind`,
  );
  expect(changes).toEqual([
    { kind: 'case_report', n: 1 },
    // A new person.
    { kind: 'patient', n: 1 },
    { kind: 'result', n: 1 },
    { kind: 'case_report', n: 1 },
    // The corrected result and the one it replaces.
    { kind: 'result', n: 2 },
  ]);
});
