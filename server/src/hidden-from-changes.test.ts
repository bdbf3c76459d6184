import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { makeCaseNumbers } from '../test/factories.ts';
import { load } from '../test/load.ts';
import {
  type ApiDescription,
  Chance,
  filterNamesIn,
  operationsOf,
  type Question,
  Requests,
} from '../test/requests.ts';
import { signInAs } from '../test/sign-in.ts';
import {
  chlamydia,
  elr,
  gonorrhoea,
  hivScreen,
  importText,
  notDetected,
} from './features/imports/test-messages.ts';

/*
 * Two worlds that differ only in HIV messages. Readers who may not see these do the same in both, over every
 * operation of the API: they import, change, decide and read. The answers are the same. `hidden-changes.test.ts`
 * only does it for reading, in one world before and after. [P1, P18, P23, P24]
 */

type Headers = Record<string, string>;
// In `npm test`, one reader of each kind of place.
const readers = load(
  ['facility', 'jurisdiction', 'epi'],
  ['facility', 'orgadmin', 'jurisdiction', 'entry', 'epi'],
);
const senders = ['facility', 'orgadmin', 'entry', 'epi'];
const clinic = 'Mangrove Community Clinic Ybor City';

/** A person's own birth date and first name, by the surname. */
const people: Record<string, [first: string, birth: string, sex: string]> = {
  Adeyemi: ['Ulla', '19770707', 'F'],
  Brandt: ['Maren', '19810212', 'M'],
  Castillo: ['Tobias', '19660911', 'F'],
  Dumont: ['Greta', '19900303', 'M'],
  Eriksen: ['Jorge', '19721130', 'F'],
  Hidden: ['Wanda', '19850615', 'M'],
  Nobody: ['Piet', '19990824', 'F'],
};
const message = (
  control: string,
  last: string,
  test: string,
  more: { clinic?: string; value?: string; patient?: object } = {},
) => {
  const [first, birth, sex] = people[last]!;
  return elr({
    control,
    order: `O-${control}`,
    patient: {
      id: '',
      phone: '',
      last,
      first,
      birth,
      sex,
      street: '',
      zip: '33602',
      city: 'Tampa',
      county: '12057',
      ...more.patient,
    },
    tests: [{ test, value: more.value }],
    clinic: more.clinic ?? '',
  });
};

async function makeWorld(withHidden: boolean) {
  const testing = await testApp({}, { background: true });
  const { app, database } = testing;
  const { demo } = await seedDemoTenants(database);
  await makeCaseNumbers(database, demo.id);
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
  const { id: facilityId, organizationId } = demo.facilities.find(({ name }) => name === clinic)!;
  const atClinic = { facilityId, organizationId: organizationId! };
  const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
  const take = (messages: string[], place: object = {}) =>
    importText(database, demo.id, messages.join('\r'), place);

  if (withHidden)
    await take([message('H1', 'Hidden', hivScreen, { patient: { phone: '5557009' } })], atClinic);
  await take(
    ['Adeyemi', 'Brandt', 'Castillo'].map((last, at) => message(`D${at}`, last, chlamydia)),
    atClinic,
  );
  await take([message('D4', 'Dumont', gonorrhoea)], { organizationId: college });
  await take([message('D5', 'Eriksen', '99999-9^Some local test^L')], atClinic);
  // A pair that a person has to decide.
  await take([message('D6', 'Adeyemi', gonorrhoea, { patient: { birth: '19770717' } })], atClinic);
  if (withHidden)
    await take(
      [
        message('H2', 'Adeyemi', hivScreen, {
          patient: { id: 'MRN-Zq', phone: '5557001', street: '77 Zqsecret Ln', middle: 'Zqvane' },
        }),
        message('H3', 'Brandt', hivScreen, { value: notDetected }),
        // Known here only by this message, and openly elsewhere.
        message('H4', 'Dumont', hivScreen, { patient: { phone: '5557002' } }),
        message('H5', 'Castillo', '75622-1^HIV 1 and 2 Ab panel^LN', { clinic: 'Zq HIV Clinic' }),
      ],
      atClinic,
    );

  const headersOf: Record<string, Headers> = {};
  for (const name of readers)
    headersOf[name] = (await signInAs(testing, `${name}@demo.caseway.test`)).headers as unknown as Headers;
  const rows = await database.withScope({ kind: 'service', tenantId: demo.id }, (tx) =>
    tx.rows<{ name: string; id: string }>(
      `with seen as (select m.control_id as control, m.id as message, m.import_id, m.patient_id, r.id as result, l.case_report_id
         from import_message m left join result r on r.tenant_id = $1 and r.import_message_id = m.id
           left join case_result l on l.tenant_id = $1 and l.result_id = r.id
         where m.tenant_id = $1 and m.control_id like 'D%')
       select 'patient ' || control as name, patient_id as id from seen where patient_id is not null
       union all select 'case ' || control, case_report_id from seen where case_report_id is not null
       union all select 'result ' || control, result from seen where result is not null
       union all select 'message ' || control, message from seen
       union all select 'import ' || control, import_id from seen
       union all select 'pair', id from patient_match where tenant_id = $1 and patient_id in (select patient_id from seen)
         and candidate_id in (select patient_id from seen)
       union all select 'code', id from code_mapping where tenant_id = $1 and code = '99999-9' order by 1`,
      [demo.id],
    ),
  );
  const ids = new Map(rows.map(({ name, id }) => [name, id]));
  const names = new Map(rows.map(({ name, id }) => [id, name]));
  const description = (await (await fetch(`${origin}/api/openapi.json`)).json()) as ApiDescription;
  /** Without ids and moments; the rows of a page in a fixed order, because rows of equal rank follow their ids. */
  const lasting = (text: string): string => {
    const named = text
      .replaceAll(/"(requestId|asOf|details)":"[^"]*"/g, '"$1":""')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'time')
      .replaceAll(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        (id) => names.get(id) ?? 'id',
      );
    if (!named.startsWith('{"rows":[')) return named;
    const page = JSON.parse(named) as { rows: unknown[] };
    return JSON.stringify({ ...page, rows: page.rows.map((row) => JSON.stringify(row)).sort() });
  };
  return { origin, ids, headersOf, description, lasting };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

/** Runs all steps, and records the answers by step. */
async function done({ origin, ids, headersOf, description, lasting }: World): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const operations = operationsOf(description).filter(
    ({ path, access, produces, method }) =>
      access.includes('/') &&
      produces !== 'text/event-stream' &&
      path !== '/api/web/imports' &&
      // Changes of users and places are about no record, and would remove the readers' rights.
      !(method !== 'GET' && /\/(users|recoveries|settings|reporting|system)\b/.test(path)),
  );
  const filterNames = filterNamesIn(description);
  for (const [place, reader] of readers.entries()) {
    const headers = headersOf[reader]!;
    /** In `npm test` the epidemiologist, who may do most, runs all operations, and the other two share them out. */
    const shared = <One>(list: readonly One[]) =>
      list.filter((_, at) => load(reader === 'epi' || (at + place) % 2 === 0, true));
    const ask = async ({ method, url, payload }: Question, more: Headers = {}) => {
      const answer = await fetch(origin + url, {
        method,
        headers: {
          ...headers,
          ...more,
          ...(payload !== undefined && { 'content-type': 'application/json' }),
        },
        body: payload === undefined ? undefined : JSON.stringify(payload),
      });
      const text = await answer.text();
      const isBulk = method === 'POST' && /\/bulk(\/[^/]+\/undo)?$/.test(url) && answer.status === 200;
      const body = isBulk ? await bulkEnd(url, text) : text;
      const step = `${String(answers.size).padStart(4, '0')} ${reader}: ${lasting(`${method} ${url} ${JSON.stringify(payload ?? '')}`)}`;
      answers.set(step, `${answer.status} ${lasting(body)}`);
      return { status: answer.status, body };
    };
    /** A job's final result, because its progress at the request varies. */
    const bulkEnd = async (at: string, begun: string): Promise<string> => {
      const { action, id } = JSON.parse(begun) as { action?: { id: string } | null; id?: string };
      const of = action?.id ?? id;
      if (of === undefined) return begun;
      let end = '';
      await expect
        .poll(
          async () => {
            const jobs = at.slice(0, at.indexOf('/bulk') + '/bulk'.length);
            end = await (await fetch(`${origin}${jobs}/${of}`, { headers })).text();
            return end;
          },
          { interval: 25 },
        )
        .not.toContain('"state":"running"');
      return end;
    };
    const get = (url: string) => ask({ method: 'GET', url });
    const post = (url: string, payload: unknown) => ask({ method: 'POST', url, payload });
    const of = (kind: string) => [...ids].flatMap(([name, id]) => (name.startsWith(kind) ? [id] : []));

    const meant = ['Hidden', 'Dumont', 'Adeyemi', 'Nobody'];
    for (const dryRun of senders.includes(reader) ? ['true', 'false'] : []) {
      const response = await fetch(`${origin}/api/web/imports?fileName=a.hl7&dryRun=${dryRun}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: meant.map((last) => message(`U-${reader}-${last}-${dryRun}`, last, chlamydia)).join('\r'),
      });
      const { id } = (await response.json()) as { id: string };
      const url = `/api/web/imports/${id}`;
      await expect
        .poll(async () => (await fetch(origin + url, { headers })).text(), { interval: 25 })
        .toContain('"state":"done"');
      await get(url);
      await get(`${url}/messages`);
    }
    for (const last of meant)
      await post('/api/web/grid/case-reports/search', {
        filterModel: { items: [], quickFilterValues: [last] },
      });
    for (const id of shared(of('case '))) {
      const url = `/api/web/case-reports/${id}`;
      const { body } = await get(url);
      const version = /"version":(\d+)/.exec(body)?.[1] ?? '1';
      await ask({ method: 'PATCH', url, payload: { version: Number(version), hospitalized: 'yes' } });
      await get(`${url}/history`);
      await post(`${url}/notes`, { text: 'Called.' });
      const action = randomUUID();
      await post('/api/web/case-reports/bulk', {
        id: action,
        dryRun: true,
        selection: { ids: [id] },
        transition: { id: 'noFollowUp', reason: 'Moved abroad' },
      });
      await get(`/api/web/case-reports/bulk/${action}/refused`);
    }
    for (const id of of('patient ')) {
      await get(`/api/web/patients/${id}/portal`);
      for (const to of shared(['+14045557001', '+14045557002', '+14045550100']))
        await post(`/api/web/patients/${id}/portal/invite`, { by: 'SMS', to, languageCode: 'en' });
    }
    const chance = new Chance(reader.length);
    const all = [...ids.values()];
    const requests = new Requests(
      chance,
      {
        id: () => chance.pick(all),
        text: () => chance.pick(['adey', '2026-', 'hidd', '5557001']),
        listLength: 3,
      },
      filterNames,
    );
    for (const operation of shared(operations)) {
      const { path, method } = operation;
      const isSearch = path.endsWith('/search');
      const made = [requests.make(operation).request];
      // In random searches, a page can begin among rows of equal rank.
      for (const request of isSearch ? [{ method, url: path, payload: {} }] : made)
        if ((await ask(request)).status === 403) break;
    }
    for (const id of of('code'))
      await ask({
        method: 'PUT',
        url: `/api/web/code-mappings/${id}`,
        payload: { state: 'mapped', loinc: '21613-5' },
      });
    for (const id of of('import ')) {
      await get(`/api/web/imports/${id}`);
      await get(`/api/web/imports/${id}/messages`);
    }
    for (const decision of ['same', 'open'])
      for (const id of of('pair')) {
        await post(`/api/web/patient-matches/${id}`, { decision });
        for (const one of shared(of('case '))) await get(`/api/web/case-reports/${one}`);
      }
  }
  return answers;
}

test('people who import, change or decide get the same answers, whatever is hidden from them', async () => {
  const [open, both] = [await makeWorld(false), await makeWorld(true)];
  expect([...both.ids.keys()]).toEqual([...open.ids.keys()]);
  const [expected, told] = await Promise.all([done(open), done(both)]);
  expect([...told.keys()]).toEqual([...expected.keys()]);
  const differing = [...told].filter(([step, answer]) => expected.get(step) !== answer);
  expect(differing.map(([step, answer]) => [step, expected.get(step), answer])).toEqual([]);
  // The test did something: a good part was allowed and answered.
  for (const reader of readers) {
    const own = [...told].filter(([step]) => step.includes(` ${reader}: `));
    expect(own.filter(([, answer]) => answer.startsWith('2')).length, reader).toBeGreaterThan(load(10, 20));
  }
});
