import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, inject, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { type Area, areas, areasIn, type Canaries, makeCanaries } from '../test/canaries.ts';
import { askedEach } from '../test/cluster.ts';
import { asSuperuser } from '../test/database.ts';
import { makePatient } from '../test/factories.ts';
import { load } from '../test/load.ts';
import { replicasAnswer, replicasFollow } from '../test/replicas.ts';
import {
  type ApiDescription,
  Chance,
  filterNamesIn,
  type Operation,
  operationsOf,
  type Question,
  Requests,
} from '../test/requests.ts';
import { actFor, signInAs, signInAsPatient } from '../test/sign-in.ts';
import { publishWith } from './platform/events/hub.ts';
import { createLog } from './platform/log/log.ts';

/*
 * Everyone requests other people's records from every route of the API, as its own description lists them. A new
 * route is tested without being added here.
 */

const log = new PassThrough();
let logText = '';
log.on('data', (chunk) => {
  logText += chunk;
});
// Requests that run eight at a time do not test how fast a list is.
const testing = await testApp({}, { log: createLog('info', log) });
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const college = world.demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const clinic = world.demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;
const places = {
  organization: college,
  facility: clinic.id,
  facilityOrganization: clinic.organizationId!,
  // Hillsborough is one of the jurisdiction's counties, Miami-Dade is not.
  inside: '12057',
  outside: '12086',
};
// So that readers who only get numbers are also checked for differences.
await sql(`insert into role_grant (tenant_id, role_id, obj, act, eft)
  select tenant_id, id, kind, 'analytics/exact', 'allow' from role, unnest(array['T', 'O', 'F', 'PHJ']) kind
  where code = 'read-only-analyst'`);
const canaries = Object.fromEntries(areas.map((area) => [area, [] as string[]])) as Canaries;
async function make(...made: Area[]): Promise<void> {
  const fresh = await makeCanaries(database, superuserUrl, world, places, made);
  for (const area of made) canaries[area].push(...fresh[area]);
}

interface Actor {
  name: string;
  headers: Record<string, string>;
  /** The areas whose records they may see; for an analyst, the areas whose records are counted. */
  sees: readonly Area[];
}
const actor = async (username: string, sees: readonly Area[]): Promise<Actor> => ({
  name: username,
  headers: (await signInAs(testing, username)).headers,
  sees,
});
const epiTokens = await signInAs(testing, 'epi@demo.caseway.test');
const demoAreas: Area[] = ['dt', 'dj', 'do', 'df', 'ds', 'dp'];
const admin = await actor('admin@demo.caseway.test', [...demoAreas, 'dh']);
const epi: Actor = { name: 'epi', headers: epiTokens.headers, sees: demoAreas };
const atCollege: Actor = {
  name: 'epi of the college',
  headers: (await actFor(testing, epiTokens.tokens, `O:${college}`)).headers,
  sees: ['do'],
};
const analyst = await actor('analyst@demo.caseway.test', demoAreas);
const ofFacility = await actor('facility@demo.caseway.test', ['df']);
const ofNetwork = await actor('orgadmin@demo.caseway.test', ['df']);
const ofJurisdiction = await actor('jurisdiction@demo.caseway.test', ['dj', 'vj', 'dp', 'vp']);
const vendorAdmin = await actor('admin@vendor.caseway.test', ['vt', 'vj', 'vh', 'vs', 'vp']);
const vendorAnalyst = await actor('analyst@vendor.caseway.test', ['vt', 'vj', 'vs', 'vp']);
// A patient sees their own record, which is not a canary.
await makePatient(database, {
  tenant_id: world.patient.tenantId,
  id: world.patient.patientId,
  birth_date: world.patient.birthDate,
});
const ofPatient: Actor = {
  name: 'patient',
  headers: (await signInAsPatient(testing, { email: world.patient.email }, world.patient.birthDate)).headers,
  sees: [],
};
const actors: Actor[] = [
  admin,
  epi,
  atCollege,
  analyst,
  ofFacility,
  ofNetwork,
  ofJurisdiction,
  vendorAdmin,
  vendorAnalyst,
  await actor('auditor@demo.caseway.test', ['ds', 'dp']),
  await actor('sysadmin@demo.caseway.test', []),
  ofPatient,
  { name: 'nobody', headers: {}, sees: [] },
];

await app.fastify.listen({ port: 0, host: '127.0.0.1' });
const origin = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
const send = ({ method, url, payload }: Question, headers: Record<string, string>) =>
  fetch(origin + url, {
    method,
    headers: {
      ...headers,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    },
    body: payload === undefined ? undefined : JSON.stringify(payload),
  });
const ask = async (question: Question, headers: Record<string, string>) => {
  const answer = await send(question, headers);
  return { status: answer.status, body: await answer.text(), headers: JSON.stringify([...answer.headers]) };
};

const description = (await (await fetch(`${origin}/api/openapi.json`)).json()) as ApiDescription;
const all = operationsOf(description);
const filterNames = filterNamesIn(description);
const operations = all.filter(({ produces }) => produces !== 'text/event-stream');
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

async function inLanes(tasks: Iterable<() => Promise<void>>, lanes = 8): Promise<void> {
  const waiting = tasks[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let next = waiting.next(); !next.done; next = waiting.next()) await next.value();
    }),
  );
}

/** Waits until the analytics replicas include the new records. */
async function followed(): Promise<void> {
  const payload = { dateRangeValue: { start: '2026-01-01', end: '2026-12-31' } };
  for (const { headers } of [admin, vendorAdmin])
    await ask({ method: 'POST', url: '/api/web/analytics/testing', payload }, headers);
  await replicasAnswer(app, 3);
  await replicasFollow(app, superuserUrl);
}

describe('hidden records make no difference to anything a reader sees [P1, P18]', () => {
  /**
   * The reading operations, in which a change of the data shows. Answers about the person, or about the moment, are
   * left out.
   */
  const reading = operations.filter(
    ({ method, path, access }) =>
      access.includes('/') &&
      (method === 'GET' || /\/(search|export|counts)$|\/analytics\/[a-z-]+$/.test(path)) &&
      !path.includes('/audit/'),
  );

  /** All answers to an actor, by request: the same requests each time. */
  async function told(one: Actor): Promise<Map<string, string>> {
    const { headers } = one;
    // In `npm test` the epidemiologist, who may do most, requests every operation, and the others every other one in
    // turn.
    const mine = reading.filter((_, at) => load(one === epi || (at + actors.indexOf(one)) % 2 === 0, true));
    const chance = new Chance(7);
    const requests = new Requests(
      chance,
      { id: () => college, text: () => chance.pick(['zqx', '2026-', 'chlamydia']), listLength: 3 },
      filterNames,
    );
    const questions: Question[] = mine.flatMap((operation) =>
      Array.from(
        { length: operation.body ? load(1, 4) : load(1, 2) },
        () => requests.make(operation).request,
      ),
    );
    for (const { path, body } of mine) if (body) questions.push({ method: 'POST', url: path, payload: {} });
    const dateRangeValue = { start: '2026-01-01', end: '2026-12-31' };
    questions.push({ method: 'POST', url: '/api/web/analytics/testing', payload: { dateRangeValue } });
    for (const lookup of ['facilities', 'organizations', 'programs', 'tasks', 'investigators', 'conditions'])
      questions.push({ method: 'GET', url: `/api/web/list/options/${lookup}` });
    const answers = new Map<string, string>();
    await inLanes(
      questions.map((question) => async () => {
        const { status, body } = await ask(question, headers);
        const timeless = body.replace(/"(requestId|asOf)":"[^"]*"/g, '');
        answers.set(JSON.stringify(question), `${status} ${timeless}`);
      }),
    );
    return answers;
  }

  test('not in lists, counts, numbers, look-ups, exports or not-found answers', async () => {
    const before = new Map<Actor, Map<string, string>>();
    /**
     * Adds areas. Readers who do not see them get the same answers as before, and readers who see them are tested
     * from now on.
     */
    const adding = async (made: Area[], asked: Actor[]) => {
      await make(...made);
      await followed();
      // Added records stay: in `npm test` the readers are asked again after the last areas.
      for (const [one, answers] of load(asked.length === 0, true) ? before : []) {
        const changed = [...(await told(one))].filter(
          ([question, answer]) => answer !== answers.get(question),
        );
        const shown = changed.map(([question, answer]) => ({ question, answer, was: answers.get(question) }));
        expect.soft(shown, `${one.name} and ${made}`).toEqual([]);
      }
      for (const one of asked) before.set(one, await told(one));
    };
    await adding(['ds', 'dp', 'vs', 'vp', 'vt', 'vj'], [vendorAnalyst]);
    await adding(['dj'], [ofJurisdiction]);
    await adding(['df'], [ofFacility, ofNetwork]);
    await adding(['do'], [atCollege]);
    await adding(['dt'], [epi, analyst]);
    await adding(['dh', 'vh', 'dn', 'vn'], []);
    // The test did something: most requests were answered, and each actor saw records of their own.
    for (const [{ name }, answers] of before) {
      const successes = [...answers.values()].filter((answer) => answer.startsWith('200'));
      expect(successes.length, name).toBeGreaterThan(load(5, 8));
      expect([...answers.values()].join(''), name).toMatch(
        name.includes('analyst') ? /"value":[1-9]/ : /zqx/,
      );
    }
  });
});

describe(`${load('25,000', '100,000')} attempts at other people’s records [P1, P16]`, () => {
  /**
   * Fingerprints of the canaries' own rows, in any table: people's own setup may change. No canary is a bulk action
   * or a file, which belongs to its owner under whatever id they send.
   */
  async function fingerprints(): Promise<Record<string, string>> {
    const tables = await sql<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'id'
         and a.atttypid = 'uuid'::regtype and c.relname not in ('bulk_action', 'exported_file') order by 1`,
    );
    const prints = await askedEach<{ print: string }>(
      superuserUrl,
      tables.map(
        ({ name }) =>
          `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by id)), '') as print
           from ${name} t where id = any ($1)`,
      ),
      [Object.values(canaries).flat()],
    );
    return Object.fromEntries(tables.map(({ name }, at) => [name, prints[at]![0]!.print]));
  }

  /** Each table with recorded changes has canaries: add a new record to them. */
  async function expectAllRecords(): Promise<void> {
    const tables = await sql<{ name: string }>(
      `select t.relname as name from pg_class t join pg_class h on h.relname = t.relname || '_history'
         join pg_attribute a on a.attrelid = t.oid and a.attname = 'id'
       where t.relnamespace = 'public'::regnamespace and h.relnamespace = t.relnamespace
         and t.relkind = 'r' and h.relkind = 'r' order by 1`,
    );
    const ids = Object.values(canaries).flat();
    const counts = await askedEach<{ n: number }>(
      superuserUrl,
      tables.map(({ name }) => `select count(*)::int as n from ${name} where id = any ($1)`),
      [ids],
    );
    const without = tables.filter((_, at) => counts[at]![0]!.n === 0).map(({ name }) => name);
    expect([tables.length > 10, without], 'tables without a row in server/test/canary-work.ts').toEqual([
      true,
      [],
    ]);
  }

  const few = [1, 1, 25_000];

  test('show nothing, change nothing, break nothing and are in no log', async () => {
    if (canaries.dn.length === 0) await make(...areas);
    // On several servers a request takes several times as long, and every route and reader is tried there too.
    const [rounds, records, least] = (inject('cluster').servers ? few : load(few, [3, 12, 100_000])) as [
      number,
      number,
      number,
    ];
    await expectAllRecords();
    const before = await fingerprints();
    const leaks: string[] = [];
    let attempts = 0;
    const statuses = new Map<string, Set<number>>();

    const forbiddenTo = new Map(
      actors.map((one) => [
        one,
        areas.filter((area) => !one.sees.includes(area)).flatMap((area) => canaries[area]),
      ]),
    );
    const tricks = [
      (id: string) => id.toUpperCase(),
      (id: string) => ` ${id}`,
      (id: string) => `${id}/`,
      (id: string) => `../case-reports/${id}`,
      (id: string) => `${id}\u0000`,
      (id: string) => `${id}' or '1'='1`,
    ];
    const words = ['zqx', 'zqxcanary', 'ZQXCANARY', 'zqxcan', '2026-', '%', '_'];
    /** The same number makes the same request, in any order. */
    const requestOf = (number: number, one: Actor, operation: Operation) => {
      const chance = new Chance(number);
      const id = () => {
        const given = chance.pick(forbiddenTo.get(one)!);
        return chance.maybe(0.03) ? chance.pick(tricks)(given) : given;
      };
      const bait = { id, text: () => chance.pick(words), listLength: 120 };
      return new Requests(chance, bait, filterNames).make(operation);
    };

    async function attempt(
      number: number,
      one: Actor,
      operation: Operation,
      headers = one.headers,
    ): Promise<number> {
      const { request, placed } = requestOf(number, one, operation);
      const answer = await ask(request, headers);
      attempts += Math.max(1, placed);
      const name = nameOf(operation);
      statuses.set(name, (statuses.get(name) ?? new Set()).add(answer.status));
      const answered = answer.body + answer.headers;
      const shown = areasIn(answered).filter((area) => !one.sees.includes(area));
      // A busy server answers 503.
      if (shown.length > 0 || (answer.status >= 500 && answer.status !== 503))
        leaks.push(
          `${one.name} was answered ${answer.status} by ${name} with ${shown}: ${JSON.stringify(request).slice(0, 2000)}`,
        );
      return answer.status;
    }

    // Streams are open in the meantime; they must not send what is published for others.
    const streams = await Promise.all(
      actors.map(async (one) => {
        const { path: url } = all.find(({ produces }) => produces === 'text/event-stream')!;
        const answer = await send({ method: 'GET', url }, one.headers);
        const heard = { one, text: '', close: () => reader.cancel() };
        const reader = answer.body!.getReader();
        const listen = async () => {
          for (;;) {
            const { value, done } = await reader.read();
            if (done) return;
            heard.text += Buffer.from(value).toString();
          }
        };
        void listen();
        return heard;
      }),
    );
    const published: Record<string, string> = {};
    for (const tenantId of [world.demo.id, world.vendor.id]) {
      const [file] = await sql<{ id: string }>(
        `select id from import where tenant_id = $1 and organization_id is null limit 1`,
        [tenantId],
      );
      published[tenantId] = file!.id;
      const about = { organizationId: null, facilityId: null };
      await database.withScope({ kind: 'service', tenantId }, (tx) =>
        publishWith(
          tx,
          { tenantId, within: about },
          {
            type: 'import-progress',
            importId: file!.id,
            state: 'running',
            progress: 0.5,
          },
        ),
      );
    }

    function* tasks() {
      let number = 0;
      for (let round = 0; round < rounds; round += 1)
        for (const operation of operations)
          for (const one of actors) {
            number += 100;
            const first = number;
            yield async () => {
              const status = await attempt(first, one, operation);
              // For permitted routes, one record after the other.
              if (round > 0 || status === 401 || status === 403 || !operation.path.includes('{')) return;
              for (let more = 1; more <= records; more += 1) await attempt(first + more, one, operation);
            };
          }
      // With the token of another organisation: in `npm test`, of one of thirteen with each route.
      const share = load(13, 6);
      for (const [index, operation] of operations.entries())
        if (operation.access.includes('/'))
          for (const one of actors.filter(({ headers }) => headers.authorization))
            for (const [place, other] of actors.entries()) {
              // The epidemiologist has both tokens.
              if (
                other === one ||
                place % share !== index % share ||
                (one.name.startsWith('epi') && other.name.startsWith('epi'))
              )
                continue;
              const headers = { ...one.headers, 'x-org-token': other.headers['x-org-token'] ?? '' };
              number += 100;
              const only = number;
              yield async () => {
                const status = await attempt(only, one, operation, headers);
                if (status !== 403 && status !== 503)
                  leaks.push(`${one.name} with the token of ${other.name}: ${nameOf(operation)} ${status}`);
              };
            }
    }
    await inLanes(tasks());

    expect(leaks).toEqual([]);
    expect(attempts).toBeGreaterThan(least);
    expect([...statuses.keys()].sort()).toEqual(operations.map(nameOf).sort());
    // The test did something: most routes got as far as looking for the record.
    const reached = [...statuses.values()].filter((seen) =>
      [200, 204, 404, 409].some((code) => seen.has(code)),
    );
    expect(reached.length / operations.length).toBeGreaterThan(0.75);
    expect(await fingerprints()).toEqual(before);
    expect(logText).toMatch(/"answered"/);
    expect(areasIn(logText)).toEqual([]);

    for (const { one, text, close } of streams) {
      const [mine, others] = one.name.includes('vendor')
        ? [world.vendor.id, world.demo.id]
        : [world.demo.id, world.vendor.id];
      expect(text, one.name).not.toContain(published[others]);
      if (one === admin || one === vendorAdmin) expect(text).toContain(published[mine]);
      expect(areasIn(text)).toEqual([]);
      await close();
    }
  }, 600_000);
});
