import { readFile } from 'node:fs/promises';
import { incidentRecord } from '@caseway/contract/incident-reports';
import { expect, test } from 'vitest';
import { seedDemoTenants } from '../../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../../test/app.ts';
import { askingAs, type Headers } from '../../../../test/asking.ts';
import { blankOf } from '../../../../test/blank.ts';
import { asSuperuser } from '../../../../test/database.ts';
import { makePersonAt } from '../../../../test/factories.ts';
import { signInAs } from '../../../../test/sign-in.ts';
import { filesIn } from '../../../../test/xlsx.ts';
import { tablesOf, vaccineColumns } from './vaers-columns.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const { ask, ok } = askingAs(testing, epi);

// Born on 1990-05-06 in Hillsborough County, Florida.
const person = await makePersonAt(database, demo.id, { county_fips: '12057' });
await asSuperuser('update patient set sex_at_birth = $2 where id = $1', [person.id, 'F'], superuserUrl);
const blank = blankOf(incidentRecord);
const make = (values: object) =>
  ok<{ id: string; number: string }>('POST', 'incident-reports', { ...blank, ...values });
const adverse = await make({
  kind: 'vaccine-adverse-event',
  patient: person.id,
  receivedOn: '2026-03-10',
  occurredOn: '2026-03-08',
  vaccinatedOn: '2026-03-07',
  vaccines: [
    {
      ...{ vaccine: 'influenza', brand: 'Fluzone', manufacturer: 'Sanofi', lot: 'UT8007AA', dose: '2' },
      ...{ route: 'intramuscular', site: 'left-arm' },
    },
    {
      ...{ vaccine: 'other', brand: null, manufacturer: null, lot: null, dose: '7-or-more' },
      ...{ route: null, site: null },
    },
  ],
  reactions: ['fever'],
  otherReactions: 'Did not sleep',
  narrative: 'Fever, "high".\nGone the next day.',
  seriousness: ['hospitalization'],
  hospitalDays: 3,
  emergencyVisit: 'yes',
  outcome: 'recovering',
  medicines: '=HYPERLINK("http://example.org")',
  allergies: 'Eggs',
});
const nobody = await make({
  kind: 'vaccine-adverse-event',
  receivedOn: '2026-03-09',
  vaccines: [
    {
      ...{ vaccine: 'unknown', brand: null, manufacturer: null, lot: null, dose: null },
      ...{ route: null, site: null },
    },
  ],
  reactions: ['rash'],
  narrative: 'Rash.',
});
await make({
  kind: 'other-incident',
  receivedOn: '2026-03-10',
  ...{ category: 'specimen', event: 'incident', harm: 'none', narrative: 'A tube broke.' },
});

const exported = (format: string, more: object = {}, headers?: Headers) =>
  ask('POST', 'grid/incident-reports/export', { query: {}, columns: ['number'], format, ...more }, headers);
async function tables(format: string, more: object = {}): Promise<Record<string, string[]>> {
  const answer = await exported(format, more);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip']);
  return Object.fromEntries(
    [...filesIn(answer.rawPayload)].map(([name, bytes]) => [name, bytes.toString().split('\r\n')]),
  );
}

test('adverse events are exported with the 35 columns of VAERS 2.0, by day of receipt', async () => {
  const { 'VAERSDATA.csv': data } = await tables('vaers-2');
  const [{ today }] = (await asSuperuser<{ today: string }>(
    `select to_char(created_on, 'MM/DD/YYYY') as today from incident where id = $1`,
    [adverse.id],
    superuserUrl,
  )) as [{ today: string }];
  expect(data).toEqual([
    'VAERS_ID,RECVDATE,STATE,AGE_YRS,CAGE_YR,CAGE_MO,SEX,RPT_DATE,SYMPTOM_TEXT,DIED,DATEDIED,L_THREAT,ER_VISIT,HOSPITAL,HOSPDAYS,X_STAY,DISABLE,RECOVD,VAX_DATE,ONSET_DATE,NUMDAYS,LAB_DATA,V_ADMINBY,V_FUNDBY,OTHER_MEDS,CUR_ILL,HISTORY,PRIOR_VAX,SPLTTYPE,FORM_VERS,TODAYS_DATE,BIRTH_DEFECT,OFC_VISIT,ER_ED_VISIT,ALLERGIES',
    `${nobody.number},03/09/2026,,,,,,,Rash.,,,,,,,,,,,,,,,,,,,,,2,${today},,,,`,
    // 35 years and 10 months when vaccinated: 35.8, cut. What a spreadsheet would run has an apostrophe.
    `${adverse.number},03/10/2026,FL,35.8,35,,F,,"Fever, ""high"".\nGone the next day.",,,,,Y,3,,,N,03/07/2026,03/08/2026,1,,,,"'=HYPERLINK(""http://example.org"")",,,,,2,${today},,,Y,Eggs`,
    '',
  ]);
});

test('its vaccines and symptoms are separate tables, by number', async () => {
  const { 'VAERSVAX.csv': vaccines, 'VAERSSYMPTOMS.csv': symptoms } = await tables('vaers-2', {
    ids: [adverse.id],
  });
  expect(vaccines).toEqual([
    'VAERS_ID,VAX_TYPE,VAX_MANU,VAX_LOT,VAX_DOSE_SERIES,VAX_ROUTE,VAX_SITE,VAX_NAME',
    `${adverse.number},FLUX,Sanofi,UT8007AA,2,IM,LA,Fluzone`,
    `${adverse.number},UNK,,,7+,,,`,
    '',
  ]);
  expect(symptoms).toEqual([
    'VAERS_ID,SYMPTOM1,SYMPTOMVERSION1,SYMPTOM2,SYMPTOMVERSION2,SYMPTOM3,SYMPTOMVERSION3,SYMPTOM4,SYMPTOMVERSION4,SYMPTOM5,SYMPTOMVERSION5',
    `${adverse.number},Fever,,Did not sleep,,,,,,,`,
    '',
  ]);
});

test('form 1 has the first 29 columns, its own column of visits, and the previous doses', async () => {
  const found = await tables('vaers-1', { ids: [adverse.id] });
  const [header, line] = found['VAERSDATA.csv']!;
  expect(header!.split(',')).toHaveLength(29);
  expect(header).toMatch(/,PRIOR_VAX,SPLTTYPE$/);
  expect(line).toMatch(/Gone the next day\.",,,,Y,Y,3,,,N,03\/07\/2026,/);
  expect(found['VAERSVAX.csv']!.map((one) => one.split(',')[4])).toEqual(['VAX_DOSE', '1', '6', undefined]);
});

test('[P15] the log names the exported adverse events, and the form', async () => {
  await tables('vaers-2');
  const rows = await asSuperuser<{ ids: string[] | null; detail: object | null }>(
    `select record_ids as ids, detail from audit_event
     where tenant_id = $1 and action = 'export' order by at desc, id desc limit 2`,
    [demo.id],
    superuserUrl,
  );
  // Only the number was requested, but the file has every column of the form.
  expect(rows[1]!.detail).toEqual({ format: 'vaers-2', filteredBy: [], rowsTaken: 'all' });
  expect(rows[0]!.ids!.toSorted()).toEqual([adverse.id, nobody.id].toSorted());
});

test('people who may not export the list get no such file, and other lists have none', async () => {
  expect((await exported('vaers-2', {}, clinician.headers)).statusCode).toBe(403);
  expect((await exported('vaers-3')).statusCode).toBe(422);
  const contacts = { query: {}, columns: ['createdOn'], format: 'vaers-2' };
  expect((await ask('POST', 'grid/contacts/export', contacts)).statusCode).toBe(422);
});

test('docs/vaers.md says what every column is written from', async () => {
  const text = await readFile(new URL('../../../../../docs/vaers.md', import.meta.url), 'utf8');
  const said = text.split('\n').flatMap((line) => {
    const [, column, field] = /^\| `([A-Z_0-9]+)` \| (?:`(\w+)`|–|kept) \|/.exec(line) ?? [];
    return column === undefined ? [] : [[column, field]];
  });
  const { data, vaccines } = tablesOf('2');
  const declared = [...data, vaccineColumns['1'][3]!, ...vaccines].map(({ name, field }) => [name, field]);
  expect(said.toSorted()).toEqual(declared.toSorted());
});
