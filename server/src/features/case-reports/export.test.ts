import { readFile } from 'node:fs/promises';
import { caseReportGrid } from '@caseway/contract/case-reports';
import type { Column } from '@caseway/contract/grid';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makeFacility, makePatient } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { codeGroup } from './rows.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenant_id = world.demo.id;
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');

const exported = async (query: object, columns: string[], headers: object = epi.headers) => {
  const answer = await app.fastify.inject({
    method: 'POST',
    url: '/api/web/grid/case-reports/export',
    headers: { ...headers },
    payload: { query, columns },
  });
  return { answer, rows: answer.statusCode === 200 ? (parse(answer.body, { bom: true }) as string[][]) : [] };
};

const facility = await makeFacility(database, { tenant_id, name: 'Clinic "North", Ward 2' });
const made = async (caseId: string, lastName: string, given: object = {}) => {
  const patient = await makePatient(database, { tenant_id, last_name: lastName });
  await makeCaseReport(database, {
    tenant_id,
    patient_id: patient.id,
    case_id: caseId,
    condition_code: 'chlamydia',
    disease_family: 'chlamydia',
    // 03:30 UTC is the evening before in New York.
    updated_at: '2026-03-08T03:30:00Z',
    facility_id: facility.id,
    ...given,
  });
};
await made('2026-0000001', 'Müller', { status: 'under_investigation' });
await made('2026-0000002', '=HYPERLINK("http://x","y")');
await made('2026-0000003', '@SUM(1)', { onset_on: '2026-03-01' });
await made('2026-0000004', 'Restricted', { disease_family: 'hiv' });
await made('2026-0000005', "O'Brien\nJr.", { status: 'closed' });

describe('the export of case reports', () => {
  test('has the tenant’s own words as headings, if there are any', async () => {
    const heading = async () => (await exported({}, ['caseId', 'lastName'])).rows[0];
    const before = await heading();
    await asSuperuser(
      `insert into label_override (tenant_id, language, key, words) values ($1, 'en', 'case-reports:column.caseId', 'File number')`,
      [tenant_id],
      superuserUrl,
    );
    expect(await heading()).toEqual(['File number', before![1]]);
    await asSuperuser('delete from label_override', [], superuserUrl);
    expect(await heading()).toEqual(before);
  });

  test('[S1.5] has headings in the organisation’s own words and the reader’s language', async () => {
    const college = world.demo.organizations.find(({ name }) => name === 'Tidewater State College')!;
    const { headers } = await actFor(testing, epi.tokens, `O:${college.id}`);
    for (const [language, ...headings] of [
      ['en', 'School', 'Last name'],
      ['es', 'Escuela', 'Apellido'],
      ['ht', 'Lekòl', 'Siyati'],
    ] as const) {
      const asked = { ...headers, 'accept-language': language };
      expect((await exported({}, ['facility', 'lastName'], asked)).rows[0]).toEqual(headings);
    }
  });

  test('has words for every fixed code, also if columns share them', async () => {
    const words = JSON.parse(
      await readFile(new URL('../../../../web/public/locales/en/case-reports.json', import.meta.url), 'utf8'),
    );
    const coded = Object.entries<Column>(caseReportGrid.columns).flatMap(
      ([name, { options, optionWords }]) =>
        Array.isArray(options) && optionWords === undefined ? [{ name, options }] : [],
    );
    expect(coded.map(({ name }) => name)).toContain('pregnant');
    for (const { name, options } of coded)
      expect(Object.keys(words[codeGroup(name)]), name).toEqual(expect.arrayContaining(options));
  });

  test('is refused whole, not cut off, if it asks for the records of an unknown number', async () => {
    const behind = {
      dashboard: 'nobody',
      measure: 'cases',
      dateRangeValue: { start: '2026-03-01', end: '2026-03-31' },
      filters: {},
    };
    const { answer } = await exported({ behind }, ['caseId']);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { faults: [{ path: 'body.behind.dashboard', code: 'unknown-filter' }] },
    ]);
  });

  test('has the contents of the list: its columns in order, its filters, its sorting', async () => {
    const { answer, rows } = await exported(
      {
        filterModel: { items: [{ field: 'status', operator: 'not', value: 'closed' }] },
        sortModel: [{ field: 'caseId', sort: 'asc' }],
      },
      ['caseId', 'lastName', 'birthDate', 'age', 'status', 'facility', 'onsetOn', 'updatedAt'],
    );
    expect(answer.headers['content-type']).toMatch(/^text\/csv/);
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="case-reports-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(rows).toEqual([
      [
        'Case number',
        'Last name',
        'Birth date',
        'Age when created',
        'Status',
        'Facility',
        'Onset',
        'Changed',
      ],
      [
        '2026-0000001',
        'Müller',
        '1980-05-17',
        '45',
        'Under investigation',
        facility.name,
        '',
        '2026-03-07 22:30',
      ],
      // What a spreadsheet would run is text. [P20]
      [
        '2026-0000002',
        '\'=HYPERLINK("http://x","y")',
        '1980-05-17',
        '45',
        'New',
        facility.name,
        '',
        '2026-03-07 22:30',
      ],
      [
        '2026-0000003',
        "'@SUM(1)",
        '1980-05-17',
        '45',
        'New',
        facility.name,
        '2026-03-01',
        '2026-03-07 22:30',
      ],
    ]);
  });

  test.each([
    ['es', ['Apellido', 'Estado'], 'En investigación'],
    ['ht', ['Siyati', 'Estati'], 'Ap fè ankèt'],
    ['en-GB', ['Last name', 'Status'], 'Under investigation'],
  ])('is written in the language of the person who requests it: %s', async (language, titles, status) => {
    const { rows } = await exported(
      { filterModel: { items: [{ field: 'lastName', operator: 'equals', value: 'muller' }] } },
      ['lastName', 'status'],
      { ...epi.headers, 'accept-language': language },
    );
    expect(rows).toEqual([titles, ['Müller', status]]);
  });

  test('has no restricted family without the permission [P18]', async () => {
    expect((await exported({}, ['caseId'])).rows).toHaveLength(1 + 4);
    expect((await exported({}, ['caseId'], investigator.headers)).answer.statusCode).toBe(403);
  });

  test('has every row, however many pages the list has', async () => {
    await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
      await tx.run(
        `insert into patient (tenant_id, id, last_name) select $1, md5('p' || n)::uuid, 'Many' from generate_series(1, 2500) n
         returning 1`,
        [tenant_id],
      );
      await tx.run(
        `insert into case_report (tenant_id, id, case_id, patient_id, condition_code, disease_family, disease_category,
          classification, created_on, source)
        select $1, md5('c' || n)::uuid, '2025-' || lpad(n::text, 7, '0'), md5('p' || n)::uuid, 'chlamydia', 'chlamydia',
          'sti', 'confirmed', date '2025-01-01', 'elr' from generate_series(1, 2500) n
        returning 1`,
        [tenant_id],
      );
    });
    const { rows } = await exported(
      { filterModel: { items: [{ field: 'lastName', operator: 'equals', value: 'many' }] } },
      ['caseId'],
    );
    // The list's own order: the newest first.
    expect(rows.slice(1).map(([caseId]) => caseId)).toEqual(
      Array.from({ length: 2500 }, (_, index) => `2025-${String(2500 - index).padStart(7, '0')}`),
    );
  });

  test('is logged with its contents, not with the search [P15, P16]', async () => {
    const items = [{ field: 'lastName', operator: 'equals', value: 'Canary' }];
    await exported({ filterModel: { items } }, ['caseId', 'lastName']);
    const [event] = await asSuperuser<{ account_id: string; detail: object }>(
      "select account_id, detail from audit_event where action = 'export' and record_ids = '{}' order by id desc limit 1",
      [],
      superuserUrl,
    );
    expect(event).toEqual({
      account_id: epi.init.user.id,
      detail: { columns: ['caseId', 'lastName'], filteredBy: ['lastName'], format: 'csv', rowsTaken: 'all' },
    });
  });

  test('puts exactly the cases of the file into the audit log, however many there are [P15]', async () => {
    const named = async (lastName: string) => {
      await asSuperuser('delete from audit_event', [], superuserUrl);
      const items = [{ field: 'lastName', operator: 'equals', value: lastName }];
      const { rows } = await exported({ filterModel: { items } }, ['caseId']);
      const events = await asSuperuser<{ caseId: string }>(
        `select k.case_id as "caseId" from audit_event e cross join unnest(e.record_ids) with ordinality as r (id, place)
         join case_report k on k.tenant_id = $1 and k.id = r.id
         where e.tenant_id = $1 and e.action = 'export' and e.record_kind = 'case' order by e.at, e.id, r.place`,
        [tenant_id],
        superuserUrl,
      );
      expect(events.map(({ caseId }) => caseId)).toEqual(rows.slice(1).map(([caseId]) => caseId));
      return events.length;
    };
    expect(await named('Many')).toBe(2500);
    expect(await named('Müller')).toBe(1);
    // Of a restricted family: neither sent nor named.
    expect(await named('Restricted')).toBe(0);
  });

  test('sends no case that could not be logged first [P15]', async () => {
    const check = 'audit_event_full';
    await asSuperuser(
      `alter table audit_event add constraint ${check} check (record_ids = '{}') not valid`,
      [],
      superuserUrl,
    );
    await expect(exported({}, ['caseId', 'lastName'])).rejects.toThrow(/destroyed/);
    await asSuperuser(`alter table audit_event drop constraint ${check}`, [], superuserUrl);
  });

  test('is logged in every tenant that reports to the exporting jurisdiction [P15]', async () => {
    const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
    expect((await exported({}, ['caseId'], jurisdiction.headers)).answer.statusCode).toBe(200);
    const events = await asSuperuser<{ tenant_id: string }>(
      "select tenant_id from audit_event where action = 'export' and account_id = $1 order by tenant_id",
      [jurisdiction.init.user.id],
      superuserUrl,
    );
    const reporting = await asSuperuser<{ tenant_id: string }>(
      'select tenant_id from tenant_reporting where jurisdiction_id = $1 order by tenant_id',
      [jurisdiction.init.availableOrgs[0]!.id],
      superuserUrl,
    );
    expect(reporting).toHaveLength(2);
    expect(events).toEqual(reporting);
  });

  test('accepts only declared columns and filters, and needs the permission', async () => {
    expect((await exported({}, ['tenant_id'])).answer.statusCode).toBe(422);
    expect((await exported({}, [])).answer.statusCode).toBe(422);
    expect((await exported({ filters: { x: [] } }, ['caseId'])).answer.statusCode).toBe(400);
    expect((await exported({}, ['caseId'], {})).answer.statusCode).toBe(401);
  });
});
