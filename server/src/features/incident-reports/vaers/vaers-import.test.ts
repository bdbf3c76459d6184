import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Incident, incidentRecord } from '@caseway/contract/incident-reports';
import type { VaersAnswer } from '@caseway/contract/vaers';
import { parse } from 'csv-parse/sync';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../../test/app.ts';
import { askingAs, type Headers } from '../../../../test/asking.ts';
import { blankOf } from '../../../../test/blank.ts';
import { asSuperuser } from '../../../../test/database.ts';
import { sharedData } from '../../../../test/shared-data.ts';
import { actFor, signInAs } from '../../../../test/sign-in.ts';
import { filesIn } from '../../../../test/xlsx.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const facilityUser = await signInAs(testing, 'facility@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const { ask, ok, faults } = askingAs(testing, epi);

const form1 =
  'VAERS_ID,RECVDATE,STATE,AGE_YRS,CAGE_YR,CAGE_MO,SEX,RPT_DATE,SYMPTOM_TEXT,DIED,DATEDIED,L_THREAT,ER_VISIT,HOSPITAL,HOSPDAYS,X_STAY,DISABLE,RECOVD,VAX_DATE,ONSET_DATE,NUMDAYS,LAB_DATA,V_ADMINBY,V_FUNDBY,OTHER_MEDS,CUR_ILL,HISTORY,PRIOR_VAX,SPLTTYPE';
const form2 = `${form1},FORM_VERS,TODAYS_DATE,BIRTH_DEFECT,OFC_VISIT,ER_ED_VISIT,ALLERGIES`;
const vaccineHeading = (dose: string) =>
  `VAERS_ID,VAX_TYPE,VAX_MANU,VAX_LOT,${dose},VAX_ROUTE,VAX_SITE,VAX_NAME`;
const symptomHeading =
  'VAERS_ID,SYMPTOM1,SYMPTOMVERSION1,SYMPTOM2,SYMPTOMVERSION2,SYMPTOM3,SYMPTOMVERSION3,SYMPTOM4,SYMPTOMVERSION4,SYMPTOM5,SYMPTOMVERSION5';
const table = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join('');
const filesOf = (data: string, vaccines: string, symptoms: string) => ({
  files: [
    { name: 'DATA.csv', text: data },
    { name: 'VAX.csv', text: vaccines },
    { name: 'SYMPTOMS.csv', text: symptoms },
  ],
});

const old = filesOf(
  table(
    form1,
    '025001,07/02/1990,WI,0.2,,,F,,"Cried loudly, seen next day.",,,,Y,,,,,U,06/04/1990,06/04/1990,0,,PVT,UNK,,,,,89A',
    '025003,07/02/1990,TX,0.8,,,M,07/01/1990,=Fever,Y,,,,Y,2,Y,,N,01/29/1990,02/04/1990,6,N/A,UNK,UNK,NONE,URI,,~in sibling,',
    // Neither a text nor a vaccine; an invalid day; an onset before the vaccination; a letter for days.
    '025002,07/03/1990,,,,,U,,,,13/45/1990,,,Y,x,,,,02/30/1990,,,,,,,,,,',
    '025004,07/03/1990,,,,,U,,Rash.,,,,,,,,,Z,07/02/1990,07/01/1990,-1,,,,,,,,',
  ),
  table(
    vaccineHeading('VAX_DOSE'),
    '025001,DTP,CONNAUGHT LABORATORIES,9Q01042,,IM,,DTP (NO BRAND NAME)',
    '025003,DTP,LEDERLE LABORATORIES,259962,3,IM,RL,DTP (TRI-IMMUNOL)',
    '025003,OPV,LEDERLE LABORATORIES,241950,0,PO,MO,"POLIO VIRUS, ORAL (ORIMUNE)"',
    '025004,SMALL,,,N/A,XX,UN,',
  ),
  table(
    symptomHeading,
    '025001,Agitation,8.10,Rash,8.10,,,,,,',
    '025002,Chills,8.10,Agitation,8.10,,,,,,',
    '025003,Delirium,8.10,Hypokinesia,8.10,Hypotonia,8.10,Pyrexia,8.10,Pain,8.10',
    '025003,Vomiting,8.10,,,,,,,,',
  ),
);
const recent = filesOf(
  table(
    `${form2},ORDER`,
    '900001,03/10/2026,FL,45.7,45,,F,,Hives.,,,,,,,,,Y,03/07/2026,03/08/2026,1,,PHM,,,Cold,,,,2,03/09/2026,,Y,Y,Eggs,1',
  ),
  table(
    vaccineHeading('VAX_DOSE_SERIES'),
    '900001,FLU4,SANOFI PASTEUR,UT8007AA,7+,SYR,LA,INFLUENZA (FLUZONE)',
  ),
  table(symptomHeading, '900001,Urticaria,28.0,,,,,,,,'),
);

type Body = ReturnType<typeof filesOf>;
const check = (body: Body) => ok<VaersAnswer>('POST', 'incident-reports/vaers/check', body);
const take = (body: Body) => ok<VaersAnswer>('POST', 'incident-reports/vaers', body);
async function byNumber(): Promise<Record<string, Incident>> {
  const { rows } = await ok<{ rows: Incident[] }>('POST', 'grid/incident-reports/search', {
    filterModel: { items: [{ field: 'vaersId', operator: 'isNotEmpty' }] },
  });
  return Object.fromEntries(rows.map((row) => [row.vaersId!, row]));
}
async function exported(format: string, items: object[] = [], headers?: Headers): Promise<string[]> {
  const body = { query: { filterModel: { items } }, columns: ['number'], format };
  const answer = await ask('POST', 'grid/incident-reports/export', body, headers);
  return [...filesIn(answer.rawPayload).values()].map((bytes) => bytes.toString());
}
const numbered = (...ids: string[]) => [{ field: 'vaersId', operator: 'isAnyOf', value: ids }];

describe('files of form 1', () => {
  test('are checked first: what would become of each report, and which cells fit no field', async () => {
    const found = await check(old);
    expect(found.counts).toEqual({ new: 4, same: 0, differs: 0, refused: 0 });
    const at = found.reports.map(({ vaersId, outcome, faults: some }) => [
      vaersId,
      outcome,
      ...some.map(({ file, line, column, code }) => `${file} ${line} ${column} ${code}`),
    ]);
    expect(at).toEqual([
      ['025002', 'new', 'DATA.csv 4 VAX_DATE no-day', 'DATA.csv 4 HOSPDAYS no-number-of-days'],
      [
        '025004',
        'new',
        'DATA.csv 5 ONSET_DATE before-vaccination',
        'DATA.csv 5 RECOVD unknown-code',
        'VAX.csv 5 VAX_TYPE unknown-code',
        'VAX.csv 5 VAX_ROUTE unknown-code',
      ],
    ]);
    expect(await byNumber()).toEqual({});
  });

  test('give reports about nobody, with the meaning of the cells in our fields', async () => {
    expect((await take(old)).counts.new).toBe(4);
    const { '025001': first, '025003': third, '025002': bare } = await byNumber();
    expect(first).toMatchObject({
      ...{ kind: 'vaccine-adverse-event', stage: 'received', patient: null, receivedOn: '1990-07-02' },
      ...{ occurredOn: '1990-06-04', vaccinatedOn: '1990-06-04', emergencyVisit: 'yes', serious: 'no' },
      ...{ outcome: 'unknown', narrative: 'Cried loudly, seen next day.' },
      ...{ reactions: ['rash'], otherReactions: 'Agitation' },
      // No clock starts for a report of 1990.
      dueOn: null,
    });
    // The cells are read for one report, and not for a list.
    expect(first).not.toHaveProperty('asReceived');
    expect(await ok('GET', `incident-reports/${first!.id}`)).toMatchObject({
      asReceived:
        'AGE_YRS: 0.2\nER_VISIT: Y\nNUMDAYS: 0\nONSET_DATE: 06/04/1990\nRECOVD: U\nRECVDATE: 07/02/1990\nSEX: F\nSPLTTYPE: 89A\nSTATE: WI\nVAX_DATE: 06/04/1990\nV_ADMINBY: PVT\nV_FUNDBY: UNK\nSYMPTOMS: Agitation 8.10; Rash 8.10',
    });
    expect(third).toMatchObject({
      seriousness: ['death', 'hospitalization'],
      ...{ hospitalDays: 2, outcome: 'not-recovered', tests: 'N/A', medicines: 'NONE', medicalHistory: null },
      // Three previous doses: this is the fourth.
      vaccines: [
        {
          ...{ vaccine: 'dtp', manufacturer: 'LEDERLE LABORATORIES', lot: '259962', dose: '4' },
          ...{ route: 'intramuscular', site: 'right-leg', brand: 'DTP (TRI-IMMUNOL)' },
        },
        { vaccine: 'polio-oral', dose: '1', route: 'oral', site: 'mouth' },
      ],
    });
    expect(bare).toMatchObject({
      ...{ narrative: 'Chills; Agitation', vaccinatedOn: null, hospitalDays: null, diedOn: null },
      ...{ reactions: ['chills'], otherReactions: 'Agitation' },
      vaccines: [{ vaccine: 'unknown', lot: null }],
    });
  });

  test('are exported byte for byte as received, although a spreadsheet would run one of the cells', async () => {
    const ids = numbered('025001', '025002', '025003', '025004');
    const [data, vaccines, symptoms] = await exported('vaers-1', ids);
    const [given] = old.files;
    // By day of receipt and number.
    const lines = given!.text.split('\r\n');
    expect(data).toBe([lines[0], lines[1], lines[2], lines[3], lines[4], ''].join('\r\n'));
    expect(vaccines).toBe(old.files[1]!.text);
    expect(symptoms).toBe(old.files[2]!.text);
  });

  test('change nothing the second time; a different text is reported and left', async () => {
    const again = await take(old);
    expect(again).toMatchObject({ counts: { new: 0, same: 4, differs: 0, refused: 0 }, reportCount: 0 });
    const [data, ...others] = old.files;
    const changed = { files: [{ ...data!, text: data!.text.replace('Cried loudly', 'Cried') }, ...others] };
    expect(await take(changed)).toMatchObject({
      counts: { new: 0, same: 3, differs: 1, refused: 0 },
      reports: [{ vaersId: '025001', line: 2, outcome: 'differs', faults: [] }],
    });
    expect((await byNumber())['025001']!.narrative).toBe('Cried loudly, seen next day.');
  });

  test('changed values are exported changed, and the rest as received', async () => {
    const { '025001': first } = await byNumber();
    const { version, id, vaccines } = first!;
    await ok('PATCH', `incident-reports/${id}`, {
      version,
      outcome: 'recovered',
      vaccines: [{ ...vaccines[0]!, dose: '2' }],
    });
    const [data, vax, symptoms] = await exported('vaers-1', numbered('025001'));
    expect(data!.split('\r\n')[1]).toBe(
      '025001,07/02/1990,WI,0.2,,,F,,"Cried loudly, seen next day.",,,,Y,,,,,Y,06/04/1990,06/04/1990,0,,PVT,UNK,,,,,89A',
    );
    expect(vax!.split('\r\n')[1]).toBe('025001,DTP,CONNAUGHT LABORATORIES,9Q01042,1,IM,,DTP (NO BRAND NAME)');
    expect(symptoms!.split('\r\n')[1]).toBe('025001,Agitation,8.10,Rash,8.10,,,,,,');
    // On the other form, the visit stays in the column in which it came.
    const [wide] = await exported('vaers-2', numbered('025001'));
    expect(wide!.split('\r\n')[1]).toMatch(/,89A,1,\d\d\/\d\d\/\d{4},,,,$/);
  });
});

test('files of VAERS 2.0 are read by their own columns, and an unknown column is kept', async () => {
  await take(recent);
  expect((await byNumber())['900001']).toMatchObject({
    ...{ allergies: 'Eggs', emergencyVisit: 'yes', outcome: 'recovered', reactions: ['hives'] },
    vaccines: [{ vaccine: 'influenza', dose: '7-or-more', route: 'other', lot: 'UT8007AA' }],
  });
  const { id } = (await byNumber())['900001']!;
  expect(await ok('GET', `incident-reports/${id}`)).toMatchObject({
    asReceived: expect.stringContaining('ORDER: 1'),
  });
  const [data, vaccines, symptoms] = await exported('vaers-2', numbered('900001'));
  expect(`${data}`).toBe(recent.files[0]!.text.replace(',ORDER\r', '\r').replace(',1\r', '\r'));
  expect([vaccines, symptoms]).toEqual(recent.files.slice(1).map(({ text }) => text));
});

test('our own report that comes back from its file is the same one', async () => {
  const made = await ok<Incident>('POST', 'incident-reports', {
    ...ownReport(),
    narrative: '-5 degrees',
  });
  const [data, vaccines, symptoms] = await exported('vaers-2', [
    { field: 'number', operator: 'equals', value: made.number },
  ]);
  const { counts } = await check(filesOf(data!, vaccines!, symptoms!));
  expect(counts).toEqual({ new: 0, same: 1, differs: 0, refused: 0 });
});
function ownReport() {
  const without = { brand: null, manufacturer: null, lot: null, dose: '1', route: null, site: null };
  return {
    ...blankOf(incidentRecord),
    kind: 'vaccine-adverse-event',
    receivedOn: '2026-03-10',
    vaccines: [{ vaccine: 'mmr', ...without }],
    reactions: ['fever', 'rash'],
  };
}

describe('what is refused', () => {
  test('one report, with its place: no number, an invalid one, a number twice, no day of receipt, a row with too few cells, a row without a report', async () => {
    const rest = ','.repeat(27);
    const answer = await take(
      filesOf(
        table(
          form1,
          `,07/02/1990${rest}`,
          `1,07/02/1990${rest}`,
          `1,07/02/1990${rest}`,
          `2,1990-07-02${rest}`,
          `3,07/02/1990${rest}`,
          `=1+1,07/02/1990${rest}`,
          `123456789012345678901,07/02/1990${rest}`,
        ),
        table(vaccineHeading('VAX_DOSE'), '3,DTP', '4,DTP,,,,,,'),
        table(symptomHeading),
      ),
    );
    expect(answer.counts).toEqual({ new: 1, same: 0, differs: 0, refused: 7 });
    expect(
      answer.reports.map(({ vaersId, line, outcome, faults: [first] }) =>
        [vaersId, line, outcome, first?.file, first?.line, first?.column, first?.code].join(' '),
      ),
    ).toEqual([
      ' 2 refused DATA.csv 2 VAERS_ID no-number',
      '1 4 refused DATA.csv 4 VAERS_ID repeated',
      '2 5 refused DATA.csv 5 RECVDATE day-of-receipt',
      '3 6 refused VAX.csv 2  cells',
      ' 7 refused DATA.csv 7 VAERS_ID number',
      ' 8 refused DATA.csv 8 VAERS_ID number',
      '4 3 refused VAX.csv 3 VAERS_ID no-report',
    ]);
  });

  test('one report with a cell longer than any text, and a file with such a heading', async () => {
    const long = 'é'.repeat(32_001);
    const one = (text: string) =>
      filesOf(
        table(form1, `5,07/02/1990,,,,,,,${text}${','.repeat(20)}`),
        table(vaccineHeading('VAX_DOSE'), `5,DTP,${long},,,,,`),
        table(symptomHeading),
      );
    const { reports } = await check(one(long));
    expect(reports.map(({ outcome, faults: some }) => [outcome, some])).toEqual([
      [
        'refused',
        [
          { file: 'DATA.csv', line: 2, column: 'SYMPTOM_TEXT', code: 'too-long' },
          { file: 'VAX.csv', line: 2, column: 'VAX_MANU', code: 'too-long' },
        ],
      ],
    ]);
    const fits = one(long.slice(1));
    fits.files[1]!.text = table(vaccineHeading('VAX_DOSE'));
    expect((await check(fits)).counts.new).toBe(1);
    fits.files[2]!.text = table(`${symptomHeading},${'X'.repeat(61)}`);
    expect((await check(fits)).faults).toEqual([
      { file: 'SYMPTOMS.csv', line: 1, column: null, code: 'unreadable' },
    ]);
  });

  test('all of them, if a table is missing, duplicated, not of VAERS or unreadable', async () => {
    const [data, vaccines, symptoms] = old.files as [Body['files'][0], Body['files'][0], Body['files'][0]];
    const codes = async (files: Body['files']) => (await check({ files })).faults.map(({ code }) => code);
    expect(await codes([data])).toEqual(['no-vaccines', 'no-symptoms']);
    expect(await codes([data, data, symptoms])).toEqual(['table-twice']);
    expect(await codes([data, vaccines, { name: 'x.csv', text: 'a,b\r\n1,2\r\n' }])).toEqual(['no-table']);
    expect((await check({ files: [data, vaccines, { name: 'x.csv', text: 'a\r\nb"c' }] })).faults).toEqual([
      { file: 'x.csv', line: 2, column: null, code: 'unreadable' },
    ]);
    expect(await faults('POST', 'incident-reports/vaers', { files: [data] })).toEqual([
      'files faulty-table',
      'files faulty-table',
    ]);
  });

  test('people who may not write reports, and those of a jurisdiction, who have no tenant to write in', async () => {
    for (const { headers } of [analyst, jurisdiction])
      for (const path of ['incident-reports/vaers', 'incident-reports/vaers/check'])
        expect((await ask('POST', path, old, headers)).statusCode).toBe(403);
  });
});

test('reports that a facility imports are its own, and people who see no report get none', async () => {
  const { headers } = facilityUser;
  // The tenant has them, but the facility does not see them.
  const found = await ok<VaersAnswer>('POST', 'incident-reports/vaers', recent, headers);
  expect(found.counts).toEqual({ new: 1, same: 0, differs: 0, refused: 0 });
  const again = await ok<VaersAnswer>('POST', 'incident-reports/vaers', recent, headers);
  expect(again.counts.same).toBe(1);
});

describe.runIf(sharedData)('the public files of 1990', () => {
  const names = ['DATA', 'VAX', 'SYMPTOMS'].map((one) => `1990VAERS${one}.csv`);
  const files = () =>
    names.map((name) => ({
      name,
      text: readFileSync(join(sharedData!, 'csv-adverse-events', name), 'utf8'),
    }));
  /** The same cells, each quoted only if necessary. */
  const quotedAlike = (text: string) =>
    (parse(text) as string[][])
      .map((cells) =>
        cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
      )
      .join('\r\n');

  test('are imported whole, exported byte for byte except for quotation marks, and not imported twice', async () => {
    // People of an organization see only what was imported for it.
    const { headers } = await actFor(testing, epi.tokens, `O:${college}`);
    const body = { files: files() };
    const first = await ok<VaersAnswer>('POST', 'incident-reports/vaers', body, headers);
    expect([first.counts, first.faults]).toEqual([{ new: 2106, same: 0, differs: 0, refused: 0 }, []]);
    const out = await exported('vaers-1', [], headers);
    for (const [index, { text }] of body.files.entries())
      expect(quotedAlike(out[index]!)).toBe(quotedAlike(text));
    // Counted in the files independently.
    const [counted] = await asSuperuser<object>(
      `select cast(count(*) filter (where seriousness <> '{}') as integer) as serious,
         cast(count(*) filter (where emergency_visit = 'yes') as integer) as emergency,
         cast(count(*) filter (where outcome = 'recovered') as integer) as recovered,
         cast(count(*) filter (where outcome = 'not-recovered') as integer) as "notRecovered",
         cast(count(*) filter (where outcome = 'unknown') as integer) as unknown
       from incident where organization_id = $1 and received_on < '1991-01-01'`,
      [college],
      superuserUrl,
    );
    expect(counted).toEqual({
      serious: 443,
      emergency: 346,
      recovered: 777,
      notRecovered: 149,
      unknown: 774,
    });
    const again = await ok<VaersAnswer>('POST', 'incident-reports/vaers', body, headers);
    expect(again.counts).toEqual({ new: 0, same: 2106, differs: 0, refused: 0 });
  });
});

test('a tenant checks and imports one set of files at a time', async () => {
  const other = new Client({ connectionString: superuserUrl });
  await other.connect();
  try {
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`vaers ${demo.id}`]);
    let isAnswered = false;
    const checked = check(recent).finally(() => {
      isAnswered = true;
    });
    await byNumber();
    expect(isAnswered).toBe(false);
    await other.query('commit');
    expect((await checked).counts.same).toBe(1);
  } finally {
    await other.end();
  }
});

test('[P15] the log names the imported reports, and those that the files were compared with', async () => {
  const [before] = await asSuperuser<{ at: string }>(
    'select max(at)::text as at from audit_event',
    [],
    superuserUrl,
  );
  // The tenant's, and the facility's.
  const there = await asSuperuser<{ id: string }>(
    `select id from incident where vaers_id = '900001' order by id`,
    [],
    superuserUrl,
  );
  const ids = there.map(({ id }) => id);
  expect(ids).toHaveLength(2);
  const [data, vaccines, symptoms] = recent.files.map(({ text }) => text.replaceAll('900001', '900002'));
  const more = (one: string, other: string) => one + other.slice(other.indexOf('\r\n') + 2);
  const [known, knownVaccines, knownSymptoms] = recent.files.map(({ text }) => text);
  const body = filesOf(more(known!, data!), more(knownVaccines!, vaccines!), more(knownSymptoms!, symptoms!));
  await check(body);
  await take(body);
  const { id: taken } = (await byNumber())['900002']!;
  const said = await asSuperuser<{ action: string; ids: string[] }>(
    `select action, record_ids as ids from audit_event
     where action in ('incident/taken', 'incident/files-checked') and at > $1::timestamptz order by at, id`,
    [before!.at],
    superuserUrl,
  );
  expect(said.map((one) => [one.action, one.ids.toSorted()])).toEqual([
    ['incident/files-checked', ids],
    ['incident/taken', [taken]],
    ['incident/files-checked', ids],
  ]);
});
