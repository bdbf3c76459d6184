import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caseReportGrid } from '@caseway/contract/case-reports';
import { caseAnswerColumns } from '@caseway/contract/investigation-form';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { facts } from '../../facts.ts';
import { startAnalytics } from '../../platform/analytics/engine.ts';
import { createLog } from '../../platform/log/log.ts';
import type { Scope } from '../../platform/scope.ts';

/*
 * Answers to an investigation form as columns of the case list and its fact: filtered, sorted, counted and exported,
 * also after a change, and absent for readers who may not see them.
 */

const testing = await testApp();
const { database } = testing;
const { demo } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const { ask, ok } = askingAs(testing, epi);
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const { headers: atCollege } = await actFor(testing, epi.tokens, `O:${college}`);

const [area] = await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
  tx.rows<{ id: string; county: string }>(
    `select jurisdiction_id as id, county_fips as county from jurisdiction_county
     where $1 = any (reported_by) order by county_fips limit 1`,
    [demo.id],
  ),
);
const county_fips = area!.county;

const cases: string[] = [];
for (const answers of [{ titer: '10', treated: 'Y' }, { titer: '5', treated: 'N' }, { treated: 'Y' }, {}]) {
  const { id: patient_id } = await makePatient(database, {
    tenant_id: demo.id,
    sex_at_birth: 'M',
    county_fips,
    organization_ids: [college],
  });
  const { id } = await makeCaseReport(database, {
    tenant_id: demo.id,
    patient_id,
    county_fips,
    organization_id: college,
    condition_code: 'syphilis-secondary',
    disease_family: 'syphilis',
    case_id: `2027-000000${cases.length}`,
  });
  const asked = 'titer' in answers ? { ...answers, nontreponemal: 'reactive' } : answers;
  await ok('PATCH', `case-reports/${id}/investigation`, { version: 1, answers: asked });
  cases.push(id);
}
type Row = { id: string; answers: Record<string, string> };
const search = async (query: object, headers?: Headers) =>
  (await ok<{ rows: Row[] }>('POST', 'grid/case-reports/search', query, headers)).rows;
const where = (field: string, value: string) => ({
  filterModel: { items: [{ field, operator: 'is', value }] },
});
const found = async (query: object) => {
  const ids = (await search(query)).map(({ id }) => id);
  return cases.flatMap((id, index) => (ids.includes(id) ? [index] : []));
};

describe('an answer in the list of cases', () => {
  test('each reportable question with one answer is a column, hidden at first, with its own words', () => {
    const columns = caseReportGrid.columns as Record<string, { hidden?: boolean; words?: { label: string } }>;
    expect(caseAnswerColumns.map(({ name }) => name)).toEqual([
      'syphilisNeurologic',
      'syphilisOcular',
      'syphilisOtic',
      'syphilisTiter',
      'syphilisSexMale',
      'syphilisSexFemale',
      'syphilisInjected',
      'syphilisMeth',
      'syphilisPrenatal',
      'syphilisTreated',
    ]);
    expect(columns.syphilisTiter).toMatchObject({
      hidden: true,
      words: {
        label: 'Titer (Syphilis investigation)',
        labelI18N: { es: 'Título (Investigación de sífilis)' },
      },
    });
  });

  test('is shown, filtered and sorted in the order of its answers', async () => {
    expect(await found(where('syphilisTreated', 'Y'))).toEqual([0, 2]);
    expect(await found(where('syphilisTiter', '5'))).toEqual([1]);
    const rows = await search({
      filterModel: { items: [{ field: 'caseId', operator: 'startsWith', value: '2027-' }] },
      sortModel: [{ field: 'syphilisTiter', sort: 'asc' }],
    });
    // 1:32 before 1:1024, and cases without an answer last.
    expect(rows.map(({ answers }) => answers.syphilisTiter ?? null)).toEqual(['5', '10', null, null]);
    expect(rows[0]!.answers).toEqual({ syphilisTiter: '5', syphilisTreated: 'N' });
  });

  test('follows a change, and is gone when its question is no longer asked', async () => {
    const id = cases[3]!;
    const version = async () => (await ok<{ version: number }>('GET', `case-reports/${id}`)).version;
    const answer = async (answers: object) =>
      ok('PATCH', `case-reports/${id}/investigation`, { version: await version(), answers });
    await answer({ nontreponemal: 'reactive', titer: '7' });
    expect(await found(where('syphilisTiter', '7'))).toEqual([3]);
    await answer({ titer: '8' });
    expect(await found(where('syphilisTiter', '7'))).toEqual([]);
    expect(await found(where('syphilisTiter', '8'))).toEqual([3]);
    await answer({ nontreponemal: 'nonreactive' });
    expect(await found(where('syphilisTiter', '8'))).toEqual([]);
  });

  test('is in the file, in the words of the reader', async () => {
    const query = {
      filterModel: { items: [{ field: 'syphilisTiter', operator: 'isAnyOf', value: ['5', '10'] }] },
      sortModel: [{ field: 'caseId', sort: 'asc' }],
    };
    const columns = ['caseId', 'syphilisTiter', 'syphilisTreated'];
    const file = async (language: string) => {
      const headers = { ...epi.headers, 'accept-language': language };
      const answer = await ask('POST', 'grid/case-reports/export', { query, columns }, headers);
      return parse(answer.body, { bom: true }) as string[][];
    };
    expect(await file('en')).toEqual([
      ['Case number', 'Titer (Syphilis investigation)', 'Was the person treated? (Syphilis investigation)'],
      ['2027-0000000', '1:1024', 'Yes'],
      ['2027-0000001', '1:32', 'No'],
    ]);
    expect((await file('es'))[1]).toEqual(['2027-0000000', '1:1024', 'Sí']);
  });
});

describe('a reader who may not see the answers', () => {
  const refusedBy = async (path: string, body: object) => {
    const answer = await ask('POST', path, body, atCollege);
    const { faults = [] } = answer.json<{ faults?: { path: string; code: string }[] }>();
    return [answer.statusCode, ...faults.map(({ path, code }) => `${path} ${code}`)];
  };

  test('has no such column: not shown, filtered, sorted, kept or exported', async () => {
    const query = where('syphilisTreated', 'Y');
    expect((await search({}, atCollege)).map(({ answers }) => answers)).toEqual(cases.map(() => ({})));
    expect(await refusedBy('grid/case-reports/search', query)).toEqual([
      422,
      'body.filterModel.items.0.field unknown-field',
    ]);
    const sortModel = [{ field: 'syphilisTiter', sort: 'asc' }];
    expect(await refusedBy('grid/case-reports/search', { sortModel })).toEqual([
      422,
      'body.sortModel.0.field unknown-field',
    ]);
    expect((await refusedBy('grid/case-reports/filters', query))[0]).toBe(422);
    expect(await refusedBy('grid/case-reports/search', { grouping: { by: 'syphilisTreated' } })).toEqual([
      422,
      'body.grouping.by unknown-field',
    ]);
    // Nor in a group of conditions, or to count the choices of a filter.
    const groups = [query.filterModel];
    expect(await refusedBy('grid/case-reports/search', { filterModel: { items: [], groups } })).toEqual([
      422,
      'body.filterModel.groups.0.items.0.field unknown-field',
    ]);
    const deeper = { items: [], groups: [{ items: [], groups }] };
    expect(await refusedBy('grid/case-reports/search', { filterModel: deeper })).toEqual([
      422,
      'body.filterModel.groups.0.groups.0.items.0.field unknown-field',
    ]);
    expect(await refusedBy('grid/case-reports/counts', { query, filter: 'visitType' })).toEqual([
      422,
      'body.query.filterModel.items.0.field unknown-field',
    ]);
  });

  test.each(['duckdb', 'postgres'] as const)(
    'counts nothing by them, while investigators count by each on %s',
    async (engine) => {
      const folder = await mkdtemp(join(tmpdir(), 'caseway-answers-'));
      const analytics = await startAnalytics({ database, facts, log: createLog('fatal'), folder, engine });
      try {
        if (engine === 'duckdb') await analytics.caughtUp(demo.id);
        const whole: Scope = {
          kind: 'org',
          tenantId: demo.id,
          accountId: epi.init.user.id,
          orgType: 'T',
          orgId: demo.id,
          counties: [],
          hiddenFamilies: [],
          genderIdentityShown: true,
        };
        const counts = async (scope: Scope) => {
          const { rows } = await analytics.query<{ answer: string | null; n: number }>({
            scopes: [scope],
            freshness: 'current',
            select: `select syphilis_treated as answer, cast(count(*) as integer) as n from case_fact
              where disease_family = 'syphilis' group by syphilis_treated order by 1 nulls last`,
          });
          return rows.map(({ answer, n }) => [answer, Number(n)]);
        };
        expect(await counts(whole)).toEqual([
          ['N', 1],
          ['Y', 2],
          [null, 1],
        ]);
        expect(await counts({ ...whole, orgType: 'PHJ', orgId: area!.id, counties: [county_fips] })).toEqual([
          ['N', 1],
          ['Y', 2],
          [null, 1],
        ]);
        expect(await counts({ ...whole, orgType: 'O', orgId: college })).toEqual([[null, 4]]);
        // The family of the form is hidden: no case, and so no answer. [P18]
        expect(await counts({ ...whole, hiddenFamilies: ['syphilis'] })).toEqual([]);
      } finally {
        await analytics.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
