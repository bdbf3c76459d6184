import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeCaseNumbers, makeTenant } from '../../../test/factories.ts';
import { load } from '../../../test/load.ts';
import { Chance } from '../../../test/requests.ts';
import { facts } from '../../facts.ts';
import { factsIn, statementFor } from '../../platform/analytics/visible-facts.ts';
import type { Scope } from '../../platform/scope.ts';
import { readCase } from '../case-reports/record.ts';
import {
  chlamydia,
  elr,
  gonorrhoea,
  hivScreen,
  importText,
  type TestMessage,
} from '../imports/test-messages.ts';
import { decideMatch } from '../matches/matches.ts';
import { reachablePatient } from '../portal/portal-state.ts';
import { readTestingRecords } from '../testing-analytics/records.ts';

/* Facts about a person that only HIV messages give, and readers who may not see these. [P18] */

const { database } = await createTestDatabase();

async function place() {
  const { id: tenantId } = await makeTenant(database);
  await makeCaseNumbers(database, tenantId);
  const reader = (hiddenFamilies: string[]): Scope => ({
    kind: 'org',
    tenantId,
    orgType: 'T',
    orgId: tenantId,
    accountId: randomUUID(),
    counties: [],
    hiddenFamilies,
    genderIdentityShown: true,
  });
  const service: Scope = { kind: 'service', tenantId };
  const rows = <Row extends object>(scope: Scope, text: string, params: unknown[] = []) =>
    database.withScope(scope, (tx) => tx.rows<Row>(text, params));
  const take = (...messages: string[]) => importText(database, tenantId, messages.join('\r'));
  return { tenantId, blind: reader(['hiv']), sighted: reader([]), service, rows, take };
}
type Place = Awaited<ReturnType<typeof place>>;

const person = { last: 'Okafor', first: 'Ada', birth: '19900501', sex: 'F' };
const about = (patient: TestMessage['patient'], more: TestMessage) =>
  elr({ ...more, patient: { ...person, ...patient } });
const plain = { id: '', phone: '', street: '', city: '', zip: '', county: '', race: '' };
const secret = {
  id: 'ZQ-HIV-7',
  phone: '5557001',
  street: '77 Zqsecret Ln',
  city: 'Macon',
  zip: '31201',
  county: '13021',
};
const hiv = (patient: TestMessage['patient'] = {}, more: TestMessage = {}) =>
  about({ ...secret, ...patient }, { tests: [{ test: hivScreen }], clinic: 'Zq HIV Clinic', ...more });

/** Without ids and the moment. */
const lasting = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');

/** Everything that a database reader sees of the people with cases and results. */
async function told({ rows, ...scopes }: Place, who: 'blind' | 'sighted'): Promise<string[]> {
  const scope = scopes[who];
  const cases = await rows<{ id: string; patient_id: string }>(
    scope,
    'select id, patient_id from case_report order by condition_code, created_at, id',
  );
  const results = await rows<{ id: string }>(scope, 'select id from result order by source_key');
  const said: unknown[] = [];
  for (const { id, patient_id } of cases) {
    const { caseId: _, ...record } = (await database.withScope(scope, (tx) => readCase(tx, id)))!;
    said.push(record);
    said.push(await database.withScope(scope, (tx) => reachablePatient(tx, patient_id)));
  }
  said.push(
    await database.withScope(scope, (tx) =>
      readTestingRecords(
        tx,
        results.map(({ id }) => id),
      ),
    ),
  );
  said.push(await rows(scope, 'select key from search_key order by key'));
  said.push(await rows(scope, 'select kind, value from patient_identifier order by kind, value'));
  for (const select of [
    `select last_name_key, first_name_key, city_key, birth_date, age_years, sex, gender, race, ethnicity, condition_code,
       search_names, strpos(search_numbers, ' 4045557001') > 0 as phone
     from case_fact order by condition_code, last_name_key`,
    'select sex, gender, race, ethnicity, demographics_known, age_years, age_band, county_fips from result_fact order by test_loinc',
  ]) {
    const { text, params } = statementFor(facts, scope, { select }, 'postgres');
    said.push(await rows(scope, text, [...params]));
  }
  return said.map(lasting);
}

const zq = /zq|5557001|macon|31201|13021/i;

test('facts from HIV reports only are not shown, and nothing else is missing', async () => {
  const at = await place();
  await at.take(
    about({ ...plain, phone: '5550111', id: 'MRN1' }, { tests: [{ test: chlamydia }], order: 'P-1' }),
  );
  const before = await told(at, 'blind');
  await at.take(hiv({ middle: 'Zqvane' }, { order: 'P-2', reported: '20260401150000-0500' }));
  expect(await at.rows(at.service, 'select from patient')).toHaveLength(1);
  expect(await told(at, 'blind')).toEqual(before);
  expect(before.join()).not.toMatch(zq);
  expect((await told(at, 'sighted')).join()).toMatch(zq);
});

test('facts that an HIV report gave first are not shown to readers who see the person through a later report', async () => {
  const [beside, without] = [await place(), await place()];
  await beside.take(hiv({}, { order: 'P-2' }));
  const later = about({ ...plain, id: 'MRN1' }, { tests: [{ test: chlamydia }], order: 'P-1' });
  for (const at of [beside, without]) await at.take(later);
  expect(await beside.rows(beside.service, 'select from patient')).toHaveLength(1);
  expect(await told(beside, 'blind')).toEqual(await told(without, 'blind'));
  // The same fact is shown when it comes from a report that they may see.
  for (const at of [beside, without])
    await at.take(
      about(secret, { tests: [{ test: gonorrhoea }], order: 'P-3', reported: '20260501150000-0500' }),
    );
  expect(await told(beside, 'blind')).toEqual(await told(without, 'blind'));
  expect((await told(beside, 'blind')).join()).toMatch(/Zqsecret/);
});

test('in any order of messages, readers see the same with the HIV messages as without them', async () => {
  const chance = new Chance(29);
  for (let round = 0; round < load(3, 6); round += 1) {
    const [beside, without] = [await place(), await place()];
    const seen: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const isHidden = chance.maybe(0.5);
      const patient = {
        ...plain,
        id: chance.pick(['', 'MRN1', `ZQ-${n}`]),
        middle: chance.pick(['', 'Ngozi']),
        phone: chance.pick(['', '5550111', `555700${n}`]),
        race: chance.pick(['', '2054-5^Black^HL70005', '1002-5^American Indian^HL70005']),
        ...(chance.maybe(0.5) && {
          street: `${n} Zqsecret Ln`,
          city: 'Macon',
          zip: '31201',
          county: '13021',
        }),
      };
      const text = about(patient, {
        control: `M${round}-${n}`,
        order: `O-${round}-${n}`,
        clinic: isHidden ? 'Zq HIV Clinic' : 'Mercy Clinic',
        tests: [{ test: isHidden ? hivScreen : chance.pick([chlamydia, gonorrhoea]) }],
        reported: `2026040${chance.pick([1, 2, 3, 4, 5])}150000-0500`,
      });
      await beside.take(text);
      if (isHidden) continue;
      seen.push(text);
      await without.take(text);
    }
    expect(await told(beside, 'blind'), `round ${round}`).toEqual(await told(without, 'blind'));
    expect(await beside.rows(beside.service, 'select from patient')).toHaveLength(1);
  }
});

test('neither a merge nor its undo shows facts from HIV reports only', async () => {
  const at = await place();
  await at.take(
    about({ ...plain, phone: '5550111', id: 'MRN1' }, { tests: [{ test: chlamydia }], order: 'P-1' }),
  );
  const before = await told(at, 'blind');
  await at.take(hiv({ birth: '19900105' }, { order: 'P-2' }));
  const [pair] = await at.rows<{ id: string }>(at.service, 'select id from patient_match');
  for (const decision of ['same', 'open'] as const) {
    await database.withScope(at.service, (tx) =>
      decideMatch(tx, at.tenantId, pair!.id, decision, randomUUID()),
    );
    const now = await told(at, 'blind');
    expect(now.join(), decision).not.toMatch(zq);
    expect(now.at(-2), decision).toBe(before.at(-2));
  }
});

test('queries over the facts can use only what is shown of a person', () => {
  const scope = { kind: 'org', hiddenFamilies: ['hiv'], orgType: 'T', genderIdentityShown: true } as Scope;
  const { ctes } = factsIn(facts, scope, 1, 'duckdb', facts.map(({ table }) => table).join());
  // Every column about the person uses its open form.
  for (const column of ['sex', 'gender', 'race', 'ethnicity', 'demographics_known'])
    expect(ctes).toContain(`open_${column} as ${column}`);
  for (const column of [
    'last_name_key',
    'first_name_key',
    'city_key',
    'birth_date',
    'search_names',
    'search_numbers',
  ])
    expect(ctes).toContain(`case when told_openly then open_${column} else ${column} end as ${column}`);
});
