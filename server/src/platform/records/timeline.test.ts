import { type readTimeline, type TimelineEntry, timelineRecords } from '@caseway/contract/timeline';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { carryAll } from '../../../test/carried.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient, makeResult } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { resultOnTimeline } from '../../features/results/result-timeline.ts';
import { timelineSql } from './timeline.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
// This reader sees cases, and no lists of tests.
await sql(`insert into role_grant (tenant_id, role_id, obj, act, eft)
  select tenant_id, id, 'T', 'case-reports/read', 'allow' from role where code = 'read-only-analyst'`);
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const facilityUser = await signInAs(testing, 'facility@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const auditor = await signInAs(testing, 'auditor@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!.id;
const { ask, ok } = askingAs(testing, epi);

type Page = z.infer<NonNullable<typeof readTimeline.response>>;
const timeline = (id: string, { headers, before }: { headers?: Headers; before?: string } = {}) =>
  ok<Page>('GET', `patients/${id}/timeline${before ? `?before=${before}` : ''}`, undefined, headers);
const said = ({ entries }: Page) => entries.map(({ record, id }) => `${record} ${id}`);
const tenant_id = demo.id;
const hiv = { condition_code: 'hiv', disease_family: 'hiv', disease_category: 'std' };

test('every kind in it has a day that is always known', () => {
  for (const { id, fields, timeline: declared } of timelineRecords) {
    expect([id, declared.at.map((name) => fields[name]!.kind)]).toEqual([id, declared.at.map(() => 'day')]);
    expect([id, fields[declared.at.at(-1)!]!.needed]).toEqual([id, true]);
  }
});

describe('the timeline of a person', () => {
  test('[P15] has cases and results by their days, the newest first, and each look is in the log', async () => {
    const { id } = await makePatient(database, { tenant_id });
    const of = { tenant_id, patient_id: id };
    const early = await makeCaseReport(database, {
      ...of,
      created_on: '2026-03-05',
      condition_code: 'chlamydia',
      disease_family: 'chlamydia',
      classification: 'probable',
    });
    const late = await makeCaseReport(database, { ...of, created_on: '2026-03-09' });
    const collected = await makeResult(database, {
      ...of,
      test_loinc: '21613-5',
      test_name: 'Chlamydia trachomatis DNA',
      result_category: 'positive',
      collected_on: '2026-03-04',
      reported_on: '2026-03-10',
      created_on: '2026-03-10',
    });
    const reported = await makeResult(database, {
      ...of,
      collected_on: null,
      reported_on: '2026-03-07',
      created_on: '2026-03-11',
    });
    await makeResult(database, { ...of, superseded_by: reported.id });
    await carryAll(superuserUrl);

    const page = await timeline(id);
    expect(said(page)).toEqual([
      `case-reports ${late.id}`,
      `results ${reported.id}`,
      `case-reports ${early.id}`,
      `results ${collected.id}`,
    ]);
    expect(page.more).toBe(false);
    const [, , ofCase, ofResult] = page.entries;
    expect(ofCase).toEqual({
      record: 'case-reports',
      id: early.id,
      at: '2026-03-05',
      name: { label: early.case_id },
      shows: { condition: 'chlamydia', classification: 'probable', status: 'new' },
    });
    expect(ofResult).toEqual({
      record: 'results',
      id: collected.id,
      at: '2026-03-04',
      name: {
        label: 'Chlamydia trachomatis DNA',
        labelI18N: { es: 'ADN de Chlamydia trachomatis', ht: 'ADN Chlamydia trachomatis' },
      },
      shows: { resultCategory: 'positive' },
    });
    const log = await sql(
      `select account_id, record_kind, deed from audit_event where record_ids = array[$1::uuid]`,
      [id],
    );
    expect(log).toEqual([{ account_id: epi.init.user.id, record_kind: 'patient', deed: 'read' }]);
  });

  test('comes in pages that continue each other, even with many entries on one day', async () => {
    const { id } = await makePatient(database, { tenant_id });
    const of = { tenant_id, patient_id: id };
    const day = (number: number) => `2026-01-${String(10 + (number % 3)).padStart(2, '0')}`;
    for (let number = 0; number < 60; number += 1)
      await makeResult(database, { ...of, collected_on: day(number) });
    for (let number = 0; number < 45; number += 1)
      await makeCaseReport(database, { ...of, created_on: day(number) });
    await carryAll(superuserUrl);
    const all: TimelineEntry[] = [];
    for (let page = await timeline(id); ; page = await timeline(id, { before: all.at(-1)!.id })) {
      all.push(...page.entries);
      if (!page.more) break;
    }
    expect(all.map(({ at }) => at)).toEqual([
      ...Array(35).fill('2026-01-12'),
      ...Array(35).fill('2026-01-11'),
      ...Array(35).fill('2026-01-10'),
    ]);
    expect(new Set(all.map((entry) => entry.id)).size).toBe(105);
    expect((await ask('GET', `patients/${id}/timeline?before=${id}`)).statusCode).toBe(404);
  });

  test('[S6.4] needs the permission, and the right tenant', async () => {
    const { id } = await makePatient(database, { tenant_id });
    const status = async (headers: Headers) =>
      (await ask('GET', `patients/${id}/timeline`, undefined, headers)).statusCode;
    expect([
      await status({}),
      await status(auditor.headers),
      await status(vendor.headers),
      await status(epi.headers),
    ]).toEqual([401, 403, 404, 200]);
  });

  test('[S6.4] leaves out kinds that the reader may not read', async () => {
    const { id } = await makePatient(database, { tenant_id });
    const report = await makeCaseReport(database, { tenant_id, patient_id: id });
    await makeResult(database, { tenant_id, patient_id: id });
    await carryAll(superuserUrl);
    expect(said(await timeline(id, { headers: analyst.headers }))).toEqual([`case-reports ${report.id}`]);
    expect((await timeline(id)).entries).toHaveLength(2);
  });

  test('[P18] knows nothing of a restricted family, until one record is opened in an emergency', async () => {
    const { id } = await makePatient(database, { tenant_id, disease_families: ['chlamydia', 'hiv'] });
    const of = { tenant_id, patient_id: id };
    const open = await makeCaseReport(database, { ...of, disease_family: 'chlamydia' });
    const hidden = await makeCaseReport(database, { ...of, ...hiv });
    const result = await makeResult(database, { ...of, condition_code: 'hiv', disease_family: 'hiv' });
    await makeCaseReport(database, { ...of, ...hiv });
    await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
      tx.run('insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3)', [
        tenant_id,
        hidden.id,
        result.id,
      ]),
    );
    await carryAll(superuserUrl);
    expect(said(await timeline(id))).toEqual([`case-reports ${open.id}`]);
    const { access } = await ok<{ access: { id: string } }>('POST', 'break-glass', {
      caseNumber: hidden.case_id,
      reasonKind: 'treatment',
      reason: 'The person is in our emergency room.',
    });
    expect(said(await timeline(id)).sort()).toEqual(
      [`case-reports ${open.id}`, `case-reports ${hidden.id}`, `results ${result.id}`].sort(),
    );
    const log = await sql<{ detail: object }>(
      `select detail from audit_event where record_ids = array[$1::uuid] and detail ? 'breakGlass'`,
      [id],
    );
    expect(log).toEqual([{ detail: { breakGlass: access.id } }]);
    await ok('POST', `break-glass/${access.id}/end`);
    expect(said(await timeline(id))).toEqual([`case-reports ${open.id}`]);
  });

  test('[P18] a person with only hidden records is not found', async () => {
    const { id } = await makePatient(database, { tenant_id, disease_families: ['hiv'] });
    await makeCaseReport(database, { tenant_id, patient_id: id, ...hiv });
    await carryAll(superuserUrl);
    expect((await ask('GET', `patients/${id}/timeline`)).statusCode).toBe(404);
  });

  test.each([
    ['a facility', facilityUser.headers, { facility_id: clinic }],
    ['an organization', atCollege.headers, { organization_id: college }],
    ['a jurisdiction', jurisdiction.headers, { county_fips: '12057' }],
  ])('[P1] %s sees only its own records of a person', async (_, headers, own) => {
    const { id } = await makePatient(database, {
      tenant_id,
      county_fips: 'county_fips' in own ? own.county_fips : '13121',
      facility_ids: 'facility_id' in own ? [own.facility_id] : [],
      organization_ids: 'organization_id' in own ? [own.organization_id] : [],
    });
    const of = { tenant_id, patient_id: id };
    const mine = await makeCaseReport(database, { ...of, ...own, created_on: '2026-03-05' });
    const result = await makeResult(database, { ...of, ...own, collected_on: '2026-03-04' });
    await makeCaseReport(database, of);
    await makeResult(database, of);
    await carryAll(superuserUrl);
    expect(said(await timeline(id, { headers }))).toEqual([
      `case-reports ${mine.id}`,
      `results ${result.id}`,
    ]);
  });

  test('[P23] a place sees a shared case without what others have told', async () => {
    const { id } = await makePatient(database, { tenant_id, facility_ids: [clinic] });
    const shared = await makeCaseReport(database, {
      tenant_id,
      patient_id: id,
      facility_id: clinic,
      classification: 'confirmed',
      told_within: { version: 1, classification: 'probable' } as never,
    });
    await carryAll(superuserUrl);
    const classified = async (headers: Headers) =>
      (await timeline(id, { headers })).entries.map((entry) => [entry.id, entry.shows.classification]);
    expect(await classified(facilityUser.headers)).toEqual([[shared.id, 'probable']]);
    expect(await classified(epi.headers)).toEqual([[shared.id, 'confirmed']]);
  });
});

test('a page of many results is read from the index, in its order', async () => {
  const { id } = await makePatient(database, { tenant_id });
  await makeResult(database, { tenant_id, patient_id: id });
  await sql(
    `insert into result (tenant_id, id, patient_id, source_key, content_hash, test_name, result_category, status,
       collected_on, created_on)
     select $1, gen_random_uuid(), $2, 'many ' || n, n::text, 'Test', 'negative', 'final', date '2024-01-01' + n, '2026-01-01'
     from generate_series(1, 2000) n`,
    [tenant_id, id],
  );
  const sources = timelineRecords.map((record) => ({
    record,
    ...(record.id === 'results' && resultOnTimeline),
  }));
  const plan = await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
    tx.rows<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) ${timelineSql(sources)}`, [
      ...[tenant_id, id, null, null, null, 51],
    ]),
  );
  // On several servers the table and its index have the number of a shard.
  const read = plan
    .map((row) => row['QUERY PLAN'].replaceAll(/_\d{6,}/g, ''))
    .filter((line) => line.includes(' on result '));
  expect(read).toEqual([
    expect.stringMatching(/Index Scan Backward using result_patient on result .*rows=51(\.00)? /),
  ]);
});
