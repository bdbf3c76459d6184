import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { makeCaseNumbers } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { chlamydia, elr, gonorrhoea, importText, type TestMessage } from '../imports/test-messages.ts';

/*
 * A case that one organization reported and another place adds to. The organization and its facilities see what they
 * would see without the other place; the department sees all of it. [P1, P23]
 */

const testing = await testApp();
const { app, database } = testing;
const { demo } = await seedDemoTenants(database);
await makeCaseNumbers(database, demo.id);
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows<Row>(text, params));
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const facilityUser = await signInAs(testing, 'facility@demo.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const inCollege = await actFor(testing, epi.tokens, `O:${college}`);
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;

let sent = 0;
const message = ({ patient, ...given }: TestMessage) => {
  sent += 1;
  return elr({
    control: `N${sent}`,
    order: `N-${sent}`,
    ...given,
    patient: { id: `N${patient?.last}`, ...patient },
  });
};
const take = (text: string, place: { facilityId?: string; organizationId?: string } = {}) =>
  importText(database, demo.id, text, place);

const ask = (headers: object, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  app.fastify.inject({ method, url, headers: headers as Record<string, string>, payload });
const caseOf = async (last: string) =>
  (
    await service<{ id: string }>(
      `select c.id from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
       where p.last_name = $1 order by c.created_at limit 1`,
      [last],
    )
  )[0]!.id;
const record = async (headers: object, id: string) => {
  const { statusCode, body } = await ask(headers, 'GET', `/api/web/case-reports/${id}`);
  expect(statusCode).toBe(200);
  return { body, json: JSON.parse(body) };
};
/** The rows of the grid with a column that other places have reported on, and the rows that a filter on it finds. */
async function listed(headers: object): Promise<string> {
  const answers: string[] = [];
  for (const field of [
    'updatedAt',
    'collectedOn',
    'reportedOn',
    'county',
    'jurisdiction',
    'pregnant',
    'externalId',
  ])
    answers.push(
      (
        await ask(headers, 'POST', '/api/web/grid/case-reports/search', {
          sortModel: [{ field, sort: 'asc' }],
        })
      ).body,
    );
  return answers.join('\n').replaceAll(/"(requestId|asOf)":"[^"]*"/g, '');
}

describe('additions of another place to a case', () => {
  test('are hidden from the place of the case: no fact, no version, no time; the department sees all of it', async () => {
    await take(message({ patient: { last: 'Dumont' }, clinic: '', tests: [{ test: gonorrhoea }] }), {
      organizationId: college,
    });
    const id = await caseOf('Dumont');
    const [before, listedBefore] = [await record(inCollege.headers, id), await listed(inCollege.headers)];
    const whole = await record(epi.headers, id);
    await take(
      message({
        patient: { last: 'Dumont' },
        clinic: 'Zq Third Clinic',
        tests: [{ test: gonorrhoea }],
        collected: '20260225093000-0500',
        reported: '20260227150000-0500',
      }),
    );
    const after = await record(inCollege.headers, id);
    expect(after.json).toEqual(before.json);
    expect(after.body).toEqual(before.body);
    expect(await listed(inCollege.headers)).toBe(listedBefore);
    const now = await record(epi.headers, id);
    expect(now.json).toMatchObject({
      version: whole.json.version + 1,
      collectedOn: '2026-02-25',
      reportedOn: '2026-02-27',
    });
    expect(after.json).toMatchObject({ collectedOn: '2026-03-02', reportedOn: '2026-03-04' });
    expect(now.json.updatedAt > after.json.updatedAt).toBe(true);

    // They work with the version that they know, and their decisions apply to everyone.
    const change = await ask(inCollege.headers, 'PATCH', `/api/web/case-reports/${id}`, {
      version: after.json.version,
      collectedOn: '2026-03-01',
      pregnant: 'no',
    });
    expect(change.statusCode).toBe(200);
    expect(change.json()).toMatchObject({
      version: after.json.version + 1,
      collectedOn: '2026-03-01',
      pregnant: 'no',
    });
    expect((await record(epi.headers, id)).json).toMatchObject({
      version: now.json.version + 1,
      collectedOn: '2026-03-01',
      pregnant: 'no',
    });
    // A change based on an older version is refused in both places.
    for (const [headers, { version }] of [
      [inCollege.headers, after.json],
      [epi.headers, now.json],
    ] as const)
      expect(
        (await ask(headers, 'PATCH', `/api/web/case-reports/${id}`, { version, pregnant: 'yes' })).statusCode,
      ).toBe(409);
  });

  test('a report of their own moves it for both', async () => {
    const id = await caseOf('Dumont');
    const [own, whole] = [await record(inCollege.headers, id), await record(epi.headers, id)];
    await take(
      message({
        patient: { last: 'Dumont' },
        clinic: '',
        tests: [{ test: gonorrhoea }],
        collected: '20260228093000-0500',
        reported: '20260301150000-0500',
      }),
      { organizationId: college },
    );
    const [now, all] = [await record(inCollege.headers, id), await record(epi.headers, id)];
    expect(now.json).toMatchObject({ version: own.json.version + 1, reportedOn: '2026-03-01' });
    expect(all.json).toMatchObject({ version: whole.json.version + 1, reportedOn: '2026-02-27' });
    expect(now.json.results).toHaveLength(2);
    expect(all.json.results).toHaveLength(3);
  });

  test('a county reported by another clinic is not shown with a clinic’s own case or test', async () => {
    await take(
      message({
        patient: { last: 'Castillo', city: 'Tampa', zip: '33602', county: '12057' },
        clinic: 'Zq Third Clinic',
      }),
    );
    await take(
      message({
        patient: { last: 'Castillo', street: '', city: '', zip: '', county: '' },
        clinic: '',
        tests: [{ test: gonorrhoea }],
      }).replace('^GA^^USA^H^^', '^^^^H^^'),
      { facilityId: clinic.id, organizationId: clinic.organizationId! },
    );
    const [found] = await service<{ id: string; result: string }>(
      `select c.id, l.result_id as result from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
       join case_result l on l.tenant_id = c.tenant_id and l.case_report_id = c.id
       where p.last_name = 'Castillo' and c.facility_id = $1`,
      [clinic.id],
    );
    const [ours, theirs] = [
      await record(facilityUser.headers, found!.id),
      await record(epi.headers, found!.id),
    ];
    expect(theirs.json.county).toBe('12057');
    expect([ours.json.county, ours.json.jurisdiction]).toEqual([null, null]);
    const byCounty = await ask(facilityUser.headers, 'POST', '/api/web/grid/case-reports/search', {
      filterModel: { items: [{ field: 'county', operator: 'is', value: '12057' }] },
    });
    expect(byCounty.statusCode).toBe(200);
    expect(byCounty.json().rows.map(({ lastName }: { lastName: string }) => lastName)).not.toContain(
      'Castillo',
    );
    const shown = await database.withScope(
      {
        kind: 'org', tenantId: demo.id, orgType: 'F', orgId: clinic.id, accountId: facilityUser.init.user.id, counties: [],
        hiddenFamilies: ['hiv'], genderIdentityShown: true,
      }, // biome-ignore format: a scope
      (tx) =>
        tx.rows<{ county: string | null }>(
          `select case when not county_borrowed or app_told('{}') then county_fips end as county from result where id = $1`,
          [found!.result],
        ),
    );
    expect(shown).toEqual([{ county: null }]);
  });

  test('a clinic’s own reports stay visible to it', async () => {
    await take(
      message({
        patient: { last: 'Eriksen', city: 'Tampa', zip: '33602', county: '12057' },
        clinic: '',
        tests: [{ test: chlamydia }],
      }),
      {
        facilityId: clinic.id,
        organizationId: clinic.organizationId!,
      },
    );
    await take(
      message({
        patient: { last: 'Eriksen', city: 'Tampa', zip: '33602', county: '12057' },
        clinic: 'Zq Third Clinic',
        tests: [{ test: chlamydia }],
      }),
    );
    expect((await record(facilityUser.headers, await caseOf('Eriksen'))).json.county).toBe('12057');
  });
});
