import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { makeCaseNumbers } from '../test/factories.ts';
import { load } from '../test/load.ts';
import { replicasAnswer, replicasFollow } from '../test/replicas.ts';
import {
  type ApiDescription,
  Chance,
  filterNamesIn,
  operationsOf,
  type Question,
  Requests,
} from '../test/requests.ts';
import { actFor, signInAs } from '../test/sign-in.ts';
import {
  chlamydia,
  elr,
  gonorrhoea,
  hivScreen,
  importText,
  notDetected,
} from './features/imports/test-messages.ts';

/*
 * Imports that a reader may not see, partly about people whom they do see. Everything that the reader gets stays the
 * same to the byte: rows, counts, versions, times, ETags, events. [P1, P18, P24]
 */

// Speed on a busy machine is not tested here.
const testing = await testApp();
const { app, database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const tenantId = demo.id;
await makeCaseNumbers(database, tenantId);
await app.fastify.listen({ port: 0, host: '127.0.0.1' });
const origin = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));

const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const as = async (name: string) => (await signInAs(testing, `${name}@demo.caseway.test`)).headers;
const admin: object = await as('admin');
type Readers = Record<string, object>;
/** Readers who may not see HIV; the last ones see only their own place. */
const ofTenant = {
  epidemiologist: epi.headers,
  // They see the same records: in `npm test`, the first does for all three.
  ...load<Readers>({}, { laboratorian: await as('lab'), 'data entry': await as('entry') }),
  analyst: await as('analyst'),
  jurisdiction: await as('jurisdiction'),
};
const ofPlace = {
  'a facility': await as('facility'),
  'an organization': (await actFor(testing, epi.tokens, `O:${college}`)).headers,
};

let sent = 0;
const message = (
  last: string,
  test: string,
  more: { clinic?: string; value?: string; patient?: object } = {},
) => {
  sent += 1;
  return elr({
    control: `D${sent}`,
    order: `D-${sent}`,
    // Hillsborough is one of the jurisdiction's counties.
    patient: { id: `MRN-${last}`, last, zip: '33602', city: 'Tampa', county: '12057', ...more.patient },
    tests: [{ test, value: more.value }],
    clinic: more.clinic ?? clinic.name,
    reported: `20260${3 + Math.floor(sent / 20)}${String(1 + (sent % 20)).padStart(2, '0')}150000-0500`,
  });
};
const take = (text: string, place: { facilityId?: string; organizationId?: string } = {}) =>
  importText(database, tenantId, text, place);

// Every reader sees something of these records.
await take(['Adeyemi', 'Brandt', 'Castillo'].map((last) => message(last, chlamydia)).join('\r'), {
  facilityId: clinic.id,
  organizationId: clinic.organizationId!,
});
await take(message('Dumont', gonorrhoea, { clinic: '' }), { organizationId: college });
await take(message('Eriksen', '99999-9^Some local test^L'));

const description = (await (await fetch(`${origin}/api/openapi.json`)).json()) as ApiDescription;
const reading = operationsOf(description).filter(
  ({ method, path, access, produces }) =>
    access.includes('/') &&
    produces !== 'text/event-stream' &&
    !path.includes('/audit/') &&
    (method === 'GET' || /\/(search|export)$|\/analytics\/[a-z-]+$/.test(path)),
);
/** The requests are about earlier records. */
const ids = (
  await service<{ id: string }>(
    `(select id from patient order by last_name limit 2) union all (select id from case_report order by id limit 4) union all
     (select id from result order by id limit 1) union all (select id from import order by id limit 2)
     union all (select id from code_mapping order by id limit 1)`,
  )
).map(({ id }) => id);
/** A patient, two cases, a result, an import and a code. */
const ofEachKind = new Set([0, 2, 4, 6, 7, 9]);
const chance = new Chance(13);
const requests = new Requests(
  chance,
  {
    id: () => chance.pick(ids),
    text: () => chance.pick(['adey', 'brandt', '2026-', 'chlamydia']),
    listLength: 3,
  },
  filterNamesIn(description),
);
const questions: Question[] = reading.flatMap((operation) => {
  const { method, path } = operation;
  if (path.includes('{id}') && !operation.body)
    return ids
      .filter((_, at) => load(ofEachKind.has(at), true))
      .map((id) => ({ method, url: path.replace(/\{\w+\}/g, id) }));
  const made = Array.from({ length: load(1, 2) }, () => requests.make(operation).request);
  return operation.body ? [...made, { method, url: path, payload: {} }] : made;
});
for (const payload of [
  { dateRangeValue: { start: '2026-01-01', end: '2026-12-31' } },
  { dateRangeValue: { start: '2026-01-01', end: '2026-12-31' }, eventDate: 'collected' },
])
  questions.push({ method: 'POST', url: '/api/web/analytics/testing', payload });
for (const field of ['updatedAt', 'createdOn', 'caseId'])
  questions.push({
    method: 'POST',
    url: '/api/web/grid/case-reports/search',
    payload: { sortModel: [{ field, sort: 'desc' }] },
  });
for (const state of ['open', 'same', 'different'])
  questions.push({ method: 'GET', url: `/api/web/patient-matches?state=${state}` });

/** These differ in every answer: the moment, the request number, the nonce of the page and their lengths. */
const passing = ['date', 'x-request-id', 'content-security-policy', 'content-length'];

/** The place where two answers begin to differ. */
function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `${around(one)} => ${around(other)}`;
}

/** Everything that a reader gets, by request; without the time and the request number. */
async function told(headers: object, asks: (at: number) => boolean): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const { method, url, payload } of questions.filter((_, at) => asks(at))) {
    const answer = await fetch(origin + url, {
      method,
      headers: {
        ...(headers as Record<string, string>),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      body: payload === undefined ? undefined : JSON.stringify(payload),
    });
    const lasting = [...answer.headers].filter(([name]) => !passing.includes(name));
    const body = (await answer.text()).replace(/"(requestId|asOf)":"[^"]*"/g, '');
    answers[`${method} ${url} ${JSON.stringify(payload ?? '')}`] =
      `${answer.status} ${JSON.stringify(lasting)} ${body}`;
  }
  return answers;
}

/** The events of a reader's stream, without the tenant's freshness of numbers. */
async function listening(headers: object) {
  const stop = new AbortController();
  const stream = await fetch(`${origin}/api/web/events`, {
    headers: headers as Record<string, string>,
    signal: stop.signal,
  });
  const heard = { text: '' };
  const reading = (async () => {
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) heard.text += chunk;
  })().catch(() => {});
  afterAll(() => stop.abort());
  return {
    events: () =>
      [...heard.text.matchAll(/^event: (.*)\ndata: (.*)$/gm)]
        .map(([, type, data]) => `${type} ${data}`)
        .filter((event) => !event.startsWith('freshness')),
    close: () => {
      stop.abort();
      return reading;
    },
  };
}

/** Waits until the replica has what was committed. */
async function followed(): Promise<void> {
  await fetch(`${origin}/api/web/analytics/testing`, {
    method: 'POST',
    headers: { ...(admin as Record<string, string>), 'content-type': 'application/json' },
    body: JSON.stringify({ dateRangeValue: { start: '2020-01-01', end: '2026-12-31' } }),
  });
  await replicasAnswer(app, 1);
  await replicasFollow(app, superuserUrl);
}

/**
 * In `npm test` the first reader, who may do most, requests everything, and the others every other request in turn.
 */
const inTurn = (reader: number, at: number) => load(reader === 0 || (reader + at) % 2 === 0, true);

async function unchanged(readers: Readers, change: () => Promise<unknown>): Promise<void> {
  await followed();
  const before = new Map<string, Record<string, string>>();
  const streams = new Map<string, Awaited<ReturnType<typeof listening>>>();
  for (const [at, [name, headers]] of Object.entries(readers).entries()) {
    before.set(name, await told(headers, (question) => inTurn(at, question)));
    streams.set(name, await listening(headers));
  }
  await change();
  await followed();
  for (const [at, [name, headers]] of Object.entries(readers).entries()) {
    const now = await told(headers, (question) => inTurn(at, question));
    const differing = Object.keys(now).filter((question) => now[question] !== before.get(name)![question]);
    expect
      .soft(
        differing.map((question) => [question, difference(before.get(name)![question]!, now[question]!)]),
        name,
      )
      .toEqual([]);
    const answered = Object.values(now).filter((answer) => answer.startsWith('200'));
    expect(answered.length, name).toBeGreaterThan(load(1, 5));
  }
  // They receive what they may see, and nothing before it.
  const { importId } = await take(message('Adeyemi', chlamydia, { value: notDetected }), {
    facilityId: clinic.id,
    organizationId: clinic.organizationId!,
  });
  for (const [name, stream] of streams) {
    if (/epi|labor|entry|facility/.test(name)) {
      await expect.poll(() => stream.events().at(-1)).toMatch(/"state":"done"/);
      expect
        .soft(
          stream.events().filter((event) => !event.includes(importId)),
          name,
        )
        .toEqual([]);
    } else expect.soft(stream.events(), name).toEqual([]);
    await stream.close();
  }
}

describe('no reader gets an event about stored data that they may not see', () => {
  test('HIV messages about people whom they see, and about others', async () => {
    const hiv = (last: string, more: Parameters<typeof message>[2] = {}) => message(last, hivScreen, more);
    const change = async () => {
      await take(
        [
          hiv('Adeyemi', { patient: { phone: '5557001', street: '77 Zqsecret Ln', middle: 'Zqvane' } }),
          hiv('Brandt', { value: notDetected }),
          hiv('Zqhidden', { clinic: 'Zq HIV Clinic' }),
          message('Zqother', '75622-1^HIV 1 and 2 Ab panel^LN', { clinic: 'Zq HIV Clinic' }),
        ].join('\r'),
        { facilityId: clinic.id, organizationId: clinic.organizationId! },
      );
      await take(hiv('Castillo', { clinic: 'Zq HIV Clinic', patient: { id: 'ZQ-1', birth: '19900105' } }));
      await take(hiv('Dumont', { clinic: '' }), { organizationId: college });
      await importText(database, tenantId, hiv('Zqdry'), { dryRun: true });
    };
    await unchanged({ ...ofTenant, ...ofPlace }, change);
  });

  test('a result that another place adds to a case, which is one of the whole department', async () => {
    const { importId } = await take(message('Dumont', gonorrhoea, { clinic: 'Zq Third Clinic' }));
    const [added] = await service<{ id: string; case: string }>(
      `select r.id, l.case_report_id as case from result r
       join import_message m on m.tenant_id = r.tenant_id and m.id = r.import_message_id
       join case_result l on l.tenant_id = r.tenant_id and l.result_id = r.id where m.import_id = $1`,
      [importId],
    );
    const record = async (headers: object) =>
      (
        await fetch(`${origin}/api/web/case-reports/${added!.case}`, {
          headers: headers as Record<string, string>,
        })
      ).text();
    expect(await record(epi.headers)).toContain(added!.id);
    const seen = await record(ofPlace['an organization']);
    expect(seen).toContain('"timeline":[{');
    expect(seen).not.toContain(added!.id);
    expect(seen).not.toContain('Zq Third Clinic');
  });

  test('messages of other places about people whom they see', async () => {
    await unchanged(ofPlace, async () => {
      await take(
        [
          message('Adeyemi', gonorrhoea, {
            clinic: 'Zq Other Clinic',
            patient: { id: 'ZQ-2', phone: '5557002', street: '78 Zqsecret Ln', middle: 'Zqvane' },
          }),
          message('Brandt', chlamydia, { clinic: 'Zq Other Clinic' }),
          message('Dumont', chlamydia, { clinic: 'Zq Other Clinic' }),
          message('Zqelsewhere', gonorrhoea, { clinic: 'Zq Other Clinic' }),
          message('Zqwaits', '99999-8^Some other local test^L', { clinic: 'Zq Other Clinic' }),
        ].join('\r'),
      );
    });
  });
});
