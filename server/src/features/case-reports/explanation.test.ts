import type { CaseExplanation } from '@caseway/contract/case-rules';
import { beforeEach, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient, makeResult } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenantId = world.demo.id;
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const facilityUser = await signInAs(testing, 'facility@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const explanation = (results: string[]): CaseExplanation => ({
  rule: 'hepatitis-c-2020',
  statement: '19-ID-06',
  source: 'CDC NNDSS case definitions, hepatitis C acute and chronic 2020 (19-ID-06)',
  validFrom: 2020,
  eventDay: '2026-03-02',
  classification: 'confirmed',
  condition: 'hepatitis-c-undetermined',
  classes: [
    {
      classification: 'confirmed',
      condition: 'hepatitis-c-undetermined',
      state: 'met',
      criteria: [{ depth: 0, kind: 'positive', state: 'met', what: ['hcv-detection'], results }],
    },
  ],
  next: [],
});

let id: string;
let mine: string;
let others: string;
beforeEach(async () => {
  const [facility] = await sql<{ id: string }>(
    `select m.org_id as id from membership m join account a on a.id = m.account_id
     where a.username = 'facility@demo.caseway.test' and m.org_type = 'F'`,
  );
  const patient = await makePatient(database, { tenant_id: tenantId, facility_ids: [facility!.id] });
  const result = (facilityId: string | null) =>
    makeResult(database, {
      tenant_id: tenantId,
      patient_id: patient.id,
      facility_id: facilityId,
      disease_family: 'hepatitis-c',
    });
  mine = (await result(facility!.id)).id;
  others = (await result(null)).id;
  ({ id } = await makeCaseReport(database, {
    tenant_id: tenantId,
    patient_id: patient.id,
    facility_id: facility!.id,
    condition_code: 'hepatitis-c-undetermined',
    disease_family: 'hepatitis-c',
    classification: 'probable',
  }));
  await sql(`update case_report set classified_by = 'person', explanation = $2 where id = $1`, [
    id,
    JSON.stringify(explanation([mine, others])),
  ]);
});

const call = async (method: 'GET' | 'PATCH' | 'POST', headers: object, body?: object, deed = '') => {
  const response = await app.fastify.inject({
    method,
    url: `/api/web/case-reports/${id}${deed}`,
    headers: headers as Record<string, string>,
    ...(body && { payload: body }),
  });
  return { status: response.statusCode, body: response.json() };
};
const results = (body: { explanation: CaseExplanation }) => body.explanation.classes[0]!.criteria[0]!.results;

test('a case explains its classification, and says who decided', async () => {
  const { body } = await call('GET', epi.headers);
  expect(body).toMatchObject({ classification: 'probable', classifiedBy: 'person' });
  expect(body.explanation).toEqual(explanation([mine, others]));
});

test('[P23] the explanation names no result that the reader may not see', async () => {
  const { body } = await call('GET', facilityUser.headers);
  expect(results(body)).toEqual([mine]);
  expect(JSON.stringify(body)).not.toContain(others);
});

test('the rule’s result can be applied, with an entry, and undone', async () => {
  const followed = await call('POST', epi.headers, { version: 1 }, '/follow-rule');
  expect(followed).toMatchObject({
    status: 200,
    body: { classification: 'confirmed', classifiedBy: 'rule', reviewReason: null, version: 2 },
  });
  expect(followed.body.timeline.map(({ kind }: { kind: string }) => kind)).toEqual([
    'rule-followed',
    'classification-changed',
  ]);
  const [audited] = await sql<{ detail: { fields: string[] } }>(
    `select detail from audit_event where action = 'change' order by id desc limit 1`,
  );
  expect(audited!.detail.fields).toEqual(['classification', 'classifiedBy']);
  const undone = await call('POST', epi.headers, { version: 2 }, '/undo');
  expect(undone.body.record).toMatchObject({ classification: 'probable', classifiedBy: 'person' });
});

test('choosing a classification makes it the person’s decision', async () => {
  await sql(`update case_report set classified_by = 'rule' where id = $1`, [id]);
  const changed = await call('PATCH', epi.headers, { version: 1, classification: 'not_a_case' });
  expect(changed.body).toMatchObject({ classification: 'not_a_case', classifiedBy: 'person' });
  const undone = await call('POST', epi.headers, { version: 2 }, '/undo');
  expect(undone.body.record).toMatchObject({ classification: 'probable', classifiedBy: 'rule' });
});

test('a rule’s result cannot be applied if there is none, or without the permission to write', async () => {
  expect((await call('POST', analyst.headers, { version: 1 }, '/follow-rule')).status).toBe(403);
  await sql('update case_report set explanation = null where id = $1', [id]);
  const refused = await call('POST', epi.headers, { version: 1 }, '/follow-rule');
  expect(refused.status).toBe(422);
  expect(refused.body.faults ?? refused.body.error?.faults).toMatchObject([
    { path: 'followRule', code: 'no-rule' },
  ]);
});
