import { type Item, walk } from '@caseway/contract/form';
import type { PublishedForm } from '@caseway/contract/form-settings';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenantId = world.demo.id;
const admin = (await signInAs(testing, 'admin@demo.caseway.test')).headers;
const epi = (await signInAs(testing, 'epi@demo.caseway.test')).headers;
const vendor = (await signInAs(testing, 'admin@vendor.caseway.test')).headers;

const call = async (
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  headers: Record<string, string>,
  body?: object,
) => {
  const response = await app.fastify.inject({ method, url, headers, ...(body && { payload: body }) });
  return { status: response.statusCode, body: response.json() };
};
const forms = '/api/web/settings/forms';
const readForm = async (headers: Record<string, string> = admin): Promise<PublishedForm> =>
  (await call('GET', forms, headers)).body.forms.find(({ family }: PublishedForm) => family === 'syphilis');
const publish = (version: number, extension: object, headers: Record<string, string> = admin) =>
  call('POST', `${forms}/syphilis`, headers, { version, extension });

const words = (label: string) => ({ label, labelI18N: { es: label, ht: label } });
const fentanyl: Item = {
  linkId: 'x-fentanyl',
  type: 'choice',
  words: words('Fentanyl'),
  answers: [
    { code: 'yes', words: words('Yes') },
    { code: 'no', words: words('No') },
  ],
  reportable: true,
};
const first = { after: { meth: [fentanyl] }, hidden: ['without-condom'] };

describe("a tenant's own questions", () => {
  test('nothing is added at first', async () => {
    const { version, extension, published } = await readForm();
    expect([version, extension, published]).toEqual([0, { after: {}, hidden: [] }, []]);
  });

  test('faults are refused by the name of the question', async () => {
    const { status, body } = await publish(0, {
      after: { meth: [{ ...fentanyl, linkId: 'x-bad', words: { label: 'Bad' } }] },
      hidden: ['meth'],
    });
    expect(status).toBe(422);
    expect(body.faults.map(({ path }: { path: string }) => path)).toEqual([
      'extension.meth',
      'extension.x-bad',
      'extension.x-bad',
    ]);
    // A question is data of a fixed shape: it names no field of the record.
    expect(
      (await publish(0, { after: { meth: [{ ...fentanyl, field: 'onsetOn' }] }, hidden: [] })).status,
    ).toBe(400);
    expect((await readForm()).version).toBe(0);
  });

  test('are asked from the moment they are published, only in this tenant', async () => {
    const patient = await makePatient(database, { tenant_id: tenantId });
    const report = await makeCaseReport(database, {
      tenant_id: tenantId,
      patient_id: patient.id,
      condition_code: 'syphilis-primary',
      disease_family: 'syphilis',
    });
    const path = `/api/web/case-reports/${report.id}/investigation`;
    const early = await call('PATCH', path, epi, {
      version: 1,
      answers: { 'without-condom': 'Y', meth: 'N' },
    });
    expect(early.status).toBe(200);

    const { status, body } = await publish(0, first);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: 1,
      extension: first,
      published: [{ version: 1, by: 'Adaeze Stone' }],
    });
    expect((await readForm(vendor)).version).toBe(0);

    const { investigation } = (await call('GET', path, epi)).body;
    const items = new Map(walk(investigation.form.items).map((item) => [item.linkId, item]));
    expect(items.get('x-fentanyl')).toEqual(fentanyl);
    // Hidden questions are not asked; earlier answers stay, and no new ones are accepted.
    expect(items.get('without-condom')!.retired).toBe(true);
    const saved = await call('PATCH', path, epi, { version: 2, answers: { 'x-fentanyl': 'yes' } });
    expect(saved.body.investigation.answers).toEqual({
      'without-condom': 'Y',
      meth: 'N',
      'x-fentanyl': 'yes',
    });
    expect((await call('PATCH', path, epi, { version: 3, answers: { 'without-condom': 'N' } })).status).toBe(
      422,
    );
    expect(
      await asSuperuser(
        `select a.extension_version, k.value from case_answers a join case_answer_key k on k.tenant_id = a.tenant_id
           and k.case_report_id = a.case_report_id and k.link_id = 'x-fentanyl' where a.case_report_id = $1`,
        [report.id],
        superuserUrl,
      ),
    ).toEqual([{ extension_version: 1, value: 'yes' }]);
  });

  test('a published question is retired, not removed, and never comes back; an earlier version stays', async () => {
    expect((await publish(1, { after: {}, hidden: [] })).status).toBe(422);
    const retired = { after: { meth: [{ ...fentanyl, retired: true }] }, hidden: [] };
    expect((await publish(1, retired)).body.version).toBe(2);
    expect((await publish(2, first)).status).toBe(422);
    expect(
      await asSuperuser(
        'select version, extension from form_extension where tenant_id = $1 order by version',
        [tenantId],
        superuserUrl,
      ),
    ).toEqual([
      { version: 1, extension: first },
      { version: 2, extension: retired },
    ]);
  });

  test('if two people publish at once, the second gets a conflict', async () => {
    const retired = { after: { meth: [{ ...fentanyl, retired: true }] }, hidden: [] };
    const both = await Promise.all([publish(2, retired), publish(2, retired)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('the log says who published what', async () => {
    const events = await asSuperuser<{ detail: { version: number } }>(
      `select detail from audit_event where tenant_id = $1 and action = 'setting/form-published' order by at, id`,
      [tenantId],
      superuserUrl,
    );
    expect(events.map(({ detail }) => detail.version)).toEqual([1, 2, 3]);
  });

  test('publishing needs a sign-in and the permission', async () => {
    expect((await publish(3, first, {})).status).toBe(401);
    expect((await publish(3, first, epi)).status).toBe(403);
    expect((await call('GET', forms, {})).status).toBe(401);
    expect((await call('GET', forms, epi)).status).toBe(403);
    expect((await call('POST', `${forms}/measles`, admin, { version: 0, extension: first })).status).toBe(
      404,
    );
  });
});
