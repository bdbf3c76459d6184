import { caseReportGrid } from '@caseway/contract/case-reports';
import { phoneShown } from '@caseway/contract/codes';
import type { Grid } from '@caseway/contract/grid';
import { labelIn, testNameForStaff } from '@caseway/contract/label';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { carryAll } from '../test/carried.ts';
import { asSuperuser } from '../test/database.ts';
import { makeCaseReport, makePatient, makeResult } from '../test/factories.ts';
import { type SignedIn, signInAs } from '../test/sign-in.ts';
import { readXlsx } from '../test/xlsx.ts';
import { testNameI18N } from './features/reference/names-of-tests.ts';
import { labelOfTarget } from './features/results/code-proposals.ts';
import { findTests } from './features/results/laboratory-tests.ts';
import { recordChange } from './platform/analytics/outbox.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const tenant_id = demo.id;

/** Every exportable grid, and the demo's people who may read its records and export them. */
const exportable: Record<string, { grid: Grid; recordKind: string; may: string[] }> = {
  'case-reports': {
    grid: caseReportGrid,
    recordKind: 'case',
    may: ['admin', 'epi', 'jurisdiction', 'programs'],
  },
  'testing-records': {
    grid: testingRecords,
    recordKind: 'result',
    may: ['admin', 'epi', 'jurisdiction', 'programs'],
  },
};
const grids = Object.entries(exportable);
const people = [
  'admin',
  'epi',
  'investigator',
  'dis',
  'programs',
  'clinician',
  'lab',
  'entry',
  'analyst',
  'orgadmin',
  'facility',
  'jurisdiction',
  'auditor',
  'privacy',
  'sysadmin',
];
const signedIn = new Map<string, SignedIn>();
const as = async (name: string) => {
  const known = signedIn.get(name) ?? (await signInAs(testing, `${name}@demo.caseway.test`));
  signedIn.set(name, known);
  return known;
};

const ask = async (name: string, path: string, payload: object) =>
  app.fastify.inject({
    method: 'POST',
    url: `/api/web/grid/${path}`,
    headers: { ...(await as(name)).headers },
    payload,
  });
const everything = { dateRangeValue: { start: '1900-01-01', end: '2099-12-31' } };
const exported = async (name: string, id: string, columns: readonly string[], query: object = everything) => {
  const answer = await ask(name, `${id}/export`, { query, columns });
  return { answer, rows: answer.statusCode === 200 ? (parse(answer.body, { bom: true }) as string[][]) : [] };
};

/** The body of every export request. */
const bodyOfExport = () => z.object({ columns: z.array(z.enum([''])) });

/** A cell as in the CSV file; a day by its number of days since the end of 1899. */
const csvTextOf = (cell: ReturnType<typeof readXlsx>[number]['rows'][number][number]): string => {
  if (cell?.number === undefined) return cell?.text ?? '';
  if (cell.format === undefined) return String(cell.number);
  const at = new Date(Date.UTC(1899, 11, 30) + Math.round(cell.number * 1440) * 60_000).toISOString();
  return cell.format.endsWith('hh:mm') ? `${at.slice(0, 10)} ${at.slice(11, 16)}` : at.slice(0, 10);
};

const patient = await makePatient(database, { tenant_id, last_name: '=1+1' });
const ordered = {
  provider_name: '@Okafor, Ada',
  provider_npi: '1234567893',
  provider_phone: '+14045550188',
  notes: 'Repeat in two weeks.\nCalled the clinic.',
};
/** The notes on the first record: with its result, and for a case also in a line list; newest first. */
const notesIn: Record<string, string> = {
  'testing-records': ordered.notes,
  'case-reports': `${ordered.notes}\nAte at the fair.`,
};
const result = await makeResult(database, {
  tenant_id,
  patient_id: patient.id,
  ...ordered,
  collected_on: '2026-03-02',
  specimen_site: 'pharyngeal',
});
const report = await makeCaseReport(database, {
  tenant_id,
  patient_id: patient.id,
  case_id: '2026-0000001',
  condition_code: 'chlamydia',
  disease_family: 'sti',
});
const hidden = await makeResult(database, {
  tenant_id,
  patient_id: patient.id,
  disease_family: 'hiv',
  collected_on: '2026-03-03',
});
await asSuperuser(
  'insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3)',
  [tenant_id, report.id, result.id],
  superuserUrl,
);
await asSuperuser(
  `insert into case_event (tenant_id, id, at, case_report_id, kind, detail)
   select $1, gen_random_uuid(), timestamptz '2026-03-01 12:00Z' + n * interval '1 hour', $2, kind, detail::jsonb
   from (values (1, 'note', '{"text": "Ate at the fair.", "source": "csv"}'), (2, 'note', '{"text": "Call back on Monday."}'),
     (3, 'updated', '{"fields": ["onsetOn"], "source": "csv"}')) as event (n, kind, detail)`,
  [tenant_id, report.id],
  superuserUrl,
);
await carryAll(superuserUrl);
// More than one batch.
const many = 1100;
await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
  await tx.run(
    `insert into result select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'source_key', 's' || n,
       'content_hash', 'h' || n, 'notes', null, 'provider_name', null, 'provider_npi', null, 'provider_phone', null,
       'collected_on', date '2025-01-01' + n % 300, 'accession', lpad(n::text, 5, '0')))).*
     from result r, generate_series(1, ${many}) n where r.id = $1`,
    [result.id],
  );
  await tx.run(
    `insert into case_report select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
       'case_id', '2025-' || lpad(n::text, 7, '0')))).*
     from case_report c, generate_series(1, ${many}) n where c.id = $1`,
    [report.id],
  );
  const ids = async (table: string) =>
    (await tx.rows<{ id: string }>(`select id from ${table}`)).map(({ id }) => id);
  await recordChange(tx, tenant_id, 'result', await ids('result'));
  await recordChange(tx, tenant_id, 'case_report', await ids('case_report'));
});

describe('the export of a list', () => {
  test('exists for every grid that declares it, and for no other', () => {
    const served = app.endpoints.flatMap(
      ({ path }) => /^\/api\/web\/grid\/(.+)\/export$/.exec(path)?.[1] ?? [],
    );
    // Tasks are in no fact, and follow from transitions: case-work.test.ts. Persons: patient-database.test.ts. Setup
    // records: describe-record.ts.
    const setUp = ['organizations', 'facilities', 'jurisdictions', 'programs', 'tasks', 'teams', 'locations'];
    // Tests of HIV have the columns and the reader of all tests.
    const others = [
      'work-tasks',
      'patients',
      'treatments',
      'hiv-tests',
      'vaccinations',
      'documents',
      'incident-reports',
      'contacts',
      'case-follow-ups',
      'partner-services',
      'field-visits',
      'sample-shipments',
      'telemedicine',
    ];
    expect(served.sort()).toEqual([...Object.keys(exportable), ...setUp, ...others].sort());
  });

  test('is in both formats for every grid, with the same titles and rows', async () => {
    const refused: string[] = [];
    for (const { path, body } of app.endpoints) {
      const id = /^\/api\/web\/grid\/(.+)\/export$/.exec(path)?.[1];
      if (id === undefined) continue;
      const { columns: offered } = (body as unknown as ReturnType<typeof bodyOfExport>).shape;
      // Some columns belong to other kinds of places.
      const tried = await ask('admin', `${id}/export`, { query: {}, columns: offered.element.options });
      const faults =
        tried.statusCode === 400 || tried.statusCode === 422
          ? tried.json<{ faults: { path: string }[] }>().faults
          : [];
      const columns = offered.element.options.filter(
        (_, index) => !faults.some((one) => one.path === `columns.${index}`),
      );
      const csv = await ask('admin', `${id}/export`, { query: {}, columns });
      const xlsx = await ask('admin', `${id}/export`, { query: {}, columns, format: 'xlsx' });
      expect([id, xlsx.statusCode]).toEqual([id, csv.statusCode]);
      if (csv.statusCode !== 200) {
        refused.push(id);
        continue;
      }
      const lines = parse(csv.body, { bom: true }) as string[][];
      const [{ rows }] = readXlsx(xlsx.rawPayload) as [ReturnType<typeof readXlsx>[number]];
      expect(rows[0]!.map((cell) => cell!.text)).toEqual(lines[0]);
      expect([id, rows.length]).toEqual([id, lines.length]);
    }
    expect(refused).toEqual([]);
  });

  test.each(grids.flatMap(([id, { may }]) => people.map((name) => [id, name, may.includes(name)] as const)))(
    '[S6.9] of %s, requested by %s: allowed? %s',
    async (id, name, may) => {
      const { answer } = await exported(name, id, ['createdOn']);
      expect(answer.statusCode).toBe(may ? 200 : 403);
    },
  );

  test.each(grids)(
    '[P17] of %s needs the permission to see its records in addition to the one to export them',
    async (id, { grid }) => {
      const role = await asSuperuser<{ id: string }>(
        `select id from role where tenant_id = $1 and code = 'read-only-analyst'`,
        [tenant_id],
        superuserUrl,
      );
      await asSuperuser(
        `insert into role_grant (tenant_id, role_id, obj, act, eft) values ($1, $2, 'T', $3, 'allow')`,
        [tenant_id, role[0]!.id, grid.exportable],
        superuserUrl,
      );
      await asSuperuser('update policy_version set version = version + 1', [], superuserUrl);
      await expect
        .poll(async () => {
          const { answer } = await exported('analyst', id, ['createdOn']);
          return [answer.statusCode, answer.json<{ permission?: string }>().permission];
        })
        .toEqual([403, grid.permission]);
      await asSuperuser(
        `delete from role_grant where role_id = $1 and act = $2 and obj = 'T'`,
        [role[0]!.id, grid.exportable],
        superuserUrl,
      );
      await asSuperuser('update policy_version set version = version + 1', [], superuserUrl);
    },
  );

  test.each(grids)(
    '[P15] of %s has every row that the list counts, in its order, and each is in the audit log',
    async (id, { recordKind }) => {
      await asSuperuser(`delete from audit_event where action = 'export'`, [], superuserUrl);
      const list = (await ask('epi', `${id}/search`, everything)).json<{
        rowCount: number;
        rows: { id: string }[];
      }>();
      // The record of a restricted family is in neither.
      expect(list.rowCount).toBe(many + 1);
      const { answer, rows } = await exported(
        'epi',
        id,
        id === 'case-reports' ? ['caseId'] : ['collectedOn', 'accession'],
      );
      expect(answer.headers['content-disposition']).toMatch(
        new RegExp(`filename="${id}-\\d{4}-\\d\\d-\\d\\d\\.csv"`),
      );
      expect(rows).toHaveLength(1 + list.rowCount);
      expect(new Set(rows.map((row) => row.join())).size).toBe(rows.length);
      const firsts = rows.slice(1).map(([first]) => first!);
      expect(firsts).toEqual([...firsts].sort().reverse());
      const [named] = await asSuperuser<{ all: string; first: string[]; hidden: boolean }>(
        `select count(*) as all, array_agg(r.id order by e.at, e.id, r.place) as first, bool_or(r.id = $2) as hidden
       from audit_event e cross join unnest(e.record_ids) with ordinality as r (id, place)
       where e.action = 'export' and e.deed = 'export' and e.record_kind = $1`,
        [recordKind, hidden.id],
        superuserUrl,
      );
      expect(Number(named!.all)).toBe(list.rowCount);
      expect(named!.first.slice(0, list.rows.length)).toEqual(list.rows.map((row) => row.id));
      expect(named!.hidden).toBe(false);
    },
  );

  test.each(grids)(
    '[P20] of %s has the ordering provider and the notes, with nothing that a spreadsheet runs',
    async (id) => {
      const columns = ['lastName', 'providerName', 'providerNpi', 'providerPhone', 'notes'];
      const narrowed =
        id === 'case-reports'
          ? { field: 'caseId', operator: 'equals', value: '2026-0000001' }
          : { field: 'notes', operator: 'isNotEmpty' };
      const { rows } = await exported('epi', id, columns, { filterModel: { items: [narrowed] } });
      const notes = notesIn[id]!;
      expect(rows.slice(1)).toEqual([["'=1+1", "'@Okafor, Ada", '1234567893', "'+14045550188", notes]]);
      // The list has them too, with the number in the form for people.
      const list = await ask('epi', `${id}/search`, { filterModel: { items: [narrowed] } });
      const [row] = list.json<{ rows: Record<string, string>[] }>().rows;
      expect(row).toMatchObject({
        providerName: '@Okafor, Ada',
        providerNpi: '1234567893',
        notes,
      });
      expect(phoneShown(row!.providerPhone!)).toBe('(404) 555-0188');
    },
  );

  test.each(grids)(
    '[P15, P20] of %s is the same rows as XLSX, and the log has the format',
    async (id, { grid }) => {
      const columns = Object.entries(grid.columns).flatMap(([name, { readers }]) => (readers ? [] : [name]));
      const { rows } = await exported('epi', id, columns);
      await asSuperuser(`delete from audit_event where action = 'export'`, [], superuserUrl);
      const answer = await ask('epi', `${id}/export`, { query: everything, columns, format: 'xlsx' });
      expect(answer.headers['content-type']).toBe(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      );
      expect(answer.headers['content-disposition']).toMatch(/\.xlsx"$/);
      const [sheet] = readXlsx(answer.rawPayload);
      const shown = sheet!.rows.map((cells) => columns.map((_, index) => csvTextOf(cells[index])));
      expect(shown).toEqual(rows.map((cells) => cells.map((text) => text.replace(/^'(?=[=+\-@])/, ''))));
      const [said] = await asSuperuser<{ detail: object; all: string }>(
        `select (select detail from audit_event where action = 'export' and detail ? 'format') as detail,
         (select sum(cardinality(record_ids)) from audit_event where action = 'export') as all`,
        [],
        superuserUrl,
      );
      expect(said).toMatchObject({
        detail: { format: 'xlsx', rowsTaken: 'all', columns },
        all: String(many + 1),
      });
    },
  );

  test.each(
    grids.flatMap(([id, { recordKind }]) =>
      (['csv', 'xlsx'] as const).map((format) => [id, format, recordKind] as const),
    ),
  )(
    '[P15, P18] of %s as %s has only the chosen rows that match and that the reader sees, in the order of the list',
    async (id, format, recordKind) => {
      const list = (await ask('epi', `${id}/search`, everything)).json<{ rows: { id: string }[] }>();
      const ids = list.rows.slice(0, 3).map((row) => row.id);
      const taken = async (chosen: object, query: object = everything) => {
        await asSuperuser(`delete from audit_event where action = 'export'`, [], superuserUrl);
        const answer = await ask('epi', `${id}/export`, { query, columns: ['createdOn'], format, ...chosen });
        expect(answer.statusCode).toBe(200);
        const [named] = await asSuperuser<{ ids: string[] | null; said: string }>(
          `select array_agg(r.id order by e.at, e.id, r.place) filter (where r.id is not null) as ids,
             max(e.detail->>'rowsTaken') as said
           from audit_event e left join unnest(e.record_ids) with ordinality as r (id, place) on true
           where e.action = 'export' and e.record_kind = $1`,
          [recordKind],
          superuserUrl,
        );
        const count =
          format === 'csv'
            ? (parse(answer.body, { bom: true }) as string[][]).length
            : readXlsx(answer.rawPayload)[0]!.rows.length;
        expect(count - 1).toBe(named!.ids?.length ?? 0);
        return { said: named!.said, ids: named!.ids ?? [] };
      };
      const unseen = id === 'testing-records' ? hidden.id : patient.id;
      expect(await taken({ ids: [...ids].reverse().concat(unseen) })).toEqual({ said: 'chosen', ids });
      const narrowed = { dateRangeValue: { start: '1900-01-01', end: '1900-12-31' } };
      expect((await taken({ ids }, narrowed)).ids).toEqual([]);
      const rest = await taken({ except: ids });
      expect(rest.said).toBe('rest');
      expect(rest.ids).toHaveLength(many + 1 - ids.length);
      expect(rest.ids.filter((one) => ids.includes(one))).toEqual([]);
    },
  );

  test('is refused if it names rows in two ways, or too many of them', async () => {
    const asked = (chosen: object) =>
      ask('epi', 'case-reports/export', { query: everything, columns: ['caseId'], ...chosen });
    const ids = [report.id];
    for (const chosen of [
      { ids, except: ids },
      { ids: [] },
      { ids: Array(1001).fill(report.id) },
      { format: 'ods' },
    ])
      expect((await asked(chosen)).statusCode).toBe(422);
  });

  test.each([
    ['contains', 'CALLED THE', 1],
    ['contains', 'the fair', 1],
    // Staff's messages to each other are only on the timeline.
    ['contains', 'Monday', 0],
    ['isNotEmpty', undefined, 1],
    ['isEmpty', undefined, many],
  ])('of cases is searched by the senders’ notes: %s %s', async (operator, value, expected) => {
    const items = [{ field: 'notes', operator, ...(value !== undefined && { value }) }];
    const query = { ...everything, filterModel: { items } };
    const { rows } = await exported('epi', 'case-reports', ['caseId'], query);
    expect(rows.length - 1).toBe(expected);
    const list = (await ask('epi', 'case-reports/search', query)).json<{ rowCount: number }>();
    expect(list.rowCount).toBe(expected);
  });

  // From the reviewed lists: test-terms.json for the test, demographics.json for the site.
  test.each([
    ['en', ['Test', 'Specimen site', 'Result'], 'Chlamydia trachomatis DNA', 'Throat', 'Negative'],
    [
      'es',
      ['Prueba', 'Sitio de la muestra', 'Resultado'],
      'ADN de Chlamydia trachomatis (Chlamydia trachomatis DNA)',
      'Faringe',
      'Negativo',
    ],
    [
      'ht',
      ['Tès', 'Kote yo pran echantiyon an', 'Rezilta'],
      'ADN Chlamydia trachomatis (Chlamydia trachomatis DNA)',
      'Gòj',
      'Negatif',
    ],
  ] as const)(
    '[S1.4] of tests names them, and where the specimen was taken, in the reader’s language: %s',
    async (language, headings, name, site, category) => {
      const items = [{ field: 'notes', operator: 'isNotEmpty' }];
      const headers = { ...(await as('epi')).headers, 'accept-language': language };
      const post = (path: string, payload: object) =>
        app.fastify.inject({
          method: 'POST',
          url: `/api/web/grid/testing-records/${path}`,
          headers,
          payload,
        });
      const columns = ['testName', 'specimenSite', 'resultCategory'];
      const file = await post('export', { query: { filterModel: { items } }, columns });
      expect(parse(file.body, { bom: true })).toEqual([headings, [name, site, category]]);
      // The list shows the same.
      const [row] = (await post('search', { ...everything, filterModel: { items } })).json().rows;
      expect([testNameForStaff(row, language), labelIn(row.specimenSite, language)]).toEqual([name, site]);
    },
  );

  // The stored age is not the current one, so its heading says which day it is for.
  test.each([
    ['en', 'Age when created', 'Age at test'],
    ['es', 'Edad al crearse el caso', 'Edad al momento de la prueba'],
    ['ht', 'Laj lè ka a te kreye', 'Laj lè tès la te fèt'],
  ])('has ages under a heading that says when: %s', async (language, ofCase, ofTest) => {
    const heading = async (id: string, column: string) => {
      const answer = await app.fastify.inject({
        method: 'POST',
        url: `/api/web/grid/${id}/export`,
        headers: { ...(await as('epi')).headers, 'accept-language': language },
        payload: { query: { filterModel: { items: [] } }, columns: [column] },
      });
      return (parse(answer.body, { bom: true }) as string[][])[0]![0];
    };
    expect([await heading('case-reports', 'age'), await heading('testing-records', 'ageYears')]).toEqual([
      ofCase,
      ofTest,
    ]);
  });

  test('is filtered by what the reader sees: not by what only restricted reports say [P18]', async () => {
    const fields = {
      last_name: 'Toldopen',
      first_name: 'Ada',
      birth_date: '1980-05-05',
      sex_at_birth: 'F',
      ethnicity: '2186-5',
      city: 'Tampa',
      county_fips: '12086',
    };
    const known = await makePatient(database, {
      tenant_id,
      ...fields,
      race: '2028-9',
      told_openly: JSON.stringify({ ...fields, race: '1002-5', phones: [], keys: ['toldopen'] }),
    });
    const told = { tenant_id, patient_id: known.id, county_fips: '12086', disease_family: 'sti' };
    await makeCaseReport(database, { ...told, case_id: '2026-0000002', condition_code: 'chlamydia' });
    const result = await makeResult(database, { ...told, collected_on: '2026-03-04' });
    for (const name of ['epi', 'admin'])
      for (const id of Object.keys(exportable))
        for (const race of ['2028-9', '1002-5']) {
          const items = [{ field: 'race', operator: 'is', value: race }];
          const { rows } = await exported(name, id, ['race'], { ...everything, filterModel: { items } });
          // One reader may see every family; the other sees what the open reports say.
          expect([name, id, race, rows.length - 1]).toEqual([
            name,
            id,
            race,
            (name === 'admin') === (race === '2028-9') ? 1 : 0,
          ]);
        }
    // Later tests count the others, in a replica that may have been made in the meantime.
    await asSuperuser('delete from result where id = $1', [result.id], superuserUrl);
    await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
      recordChange(tx, tenant_id, 'result', [result.id]),
    );
    await expect
      .poll(async () => (await ask('epi', 'testing-records/search', everything)).json().rowCount)
      .toBe(many + 1);
  });
});

describe('a test is found by its name', () => {
  // 21613-5 is Chlamydia trachomatis DNA; its names in the other languages are searched too.
  const { es, ht } = testNameI18N('21613-5')!;
  const found = async (operator: string, value: unknown) =>
    (
      await ask('epi', 'testing-records/search', {
        ...everything,
        filterModel: { items: [{ field: 'testName', operator, value }] },
      })
    ).json<{ rowCount: number }>().rowCount;

  test.each([
    ['contains', 'chlamydia trachomatis dna', many + 1],
    ['contains', es.slice(0, 8), many + 1],
    ['equals', es, many + 1],
    ['equals', ht.toUpperCase(), many + 1],
    ['startsWith', ht.slice(0, 3), many + 1],
    ['endsWith', es.slice(-5), many + 1],
    ['isAnyOf', ['another', es], many + 1],
    ['contains', 'influenza', 0],
    // A negation leaves out exactly what is found.
    ['doesNotContain', es.slice(0, 8), 0],
    ['doesNotEqual', ht, 0],
    ['isNoneOf', ['another', es], 0],
    ['doesNotContain', 'influenza', many + 1],
  ])('[S1.4] in every language: %s "%s"', async (operator, value, expected) => {
    expect(es).not.toBe('Chlamydia trachomatis DNA');
    expect(await found(operator, value)).toBe(expected);
  });

  // The stored value is "pharyngeal", which no list shows.
  test.each([
    ['equals', 'Throat', many + 1],
    ['contains', 'FARIN', many + 1],
    ['startsWith', 'gòj', many + 1],
    ['equals', 'Pharyngeal', many + 1],
    ['contains', 'vagin', 0],
    ['doesNotEqual', 'throat', 0],
  ])(
    '[S1.4] and by where its specimen was taken, in every language: %s "%s"',
    async (operator, value, expected) => {
      const items = [{ field: 'specimenSite', operator, value }];
      const answer = await ask('epi', 'testing-records/search', { ...everything, filterModel: { items } });
      expect(answer.json<{ rowCount: number }>().rowCount).toBe(expected);
    },
  );

  test('[S1.4] also for mapping a code, tests are found and shown in the reader’s language', () => {
    expect(findTests(es, []).map(({ loinc }) => loinc)).toContain('21613-5');
    expect(findTests(ht, []).map(({ loinc }) => loinc)).toContain('21613-5');
    expect(labelOfTarget('test', '21613-5')).toEqual({
      targetLabel: expect.stringContaining('Chlamydia'),
      targetLabelI18N: { es, ht },
    });
  });
});
