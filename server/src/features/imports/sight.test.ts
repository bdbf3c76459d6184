import type { AddressInfo } from 'node:net';
import type { ImportDetail } from '@caseway/contract/imports';
import type { PatientMatch } from '@caseway/contract/matches';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { makeCaseNumbers } from '../../../test/factories.ts';
import { load } from '../../../test/load.ts';
import {
  type ApiDescription,
  Chance,
  filterNamesIn,
  operationsOf,
  Requests,
} from '../../../test/requests.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { chlamydia, elr, gonorrhoea, hivScreen, importText, notDetected } from './test-messages.ts';

/* Two worlds that differ in one thing: one of them has people whom the senders below may not see. */

/** Known only from a message of another clinic: about HIV, or something else. */
const hidden = {
  id: 'SECRETMRN-H',
  last: 'Zqhalloway',
  first: 'Maren',
  birth: '19770707',
  sex: 'F',
  phone: '5557001',
  street: '77 Zqsecret Ln',
};
const elsewhere = {
  ...hidden,
  id: 'SECRETMRN-E',
  last: 'Zqwinthrop',
  first: 'Tobias',
  birth: '19811112',
  sex: 'M',
};
/** Facts that anyone can read on a public profile. */
const known = { id: '', phone: '', street: '', zip: '', city: '', county: '', race: '' };
const secrets = /zqsecret|secretmrn|5557001|secret clinic/i;

async function makeWorld(withPeople: boolean) {
  const testing = await testApp({}, { background: true });
  const { app, database } = testing;
  const world = await seedDemoTenants(database);
  const tenantId = world.demo.id;
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
  const service = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
    database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
  // The numbers of both worlds come from one secret.
  await makeCaseNumbers(database, tenantId);
  if (withPeople) {
    const of = (patient: typeof hidden, test: string, at: string) =>
      elr({
        control: `W${at}`,
        order: `W-${at}`,
        lab: `Zq HIV Lab ${at}^99D${at}^CLIA`,
        clinic: 'Zq secret clinic',
        patient,
        tests: [{ test }],
      });
    await importText(database, tenantId, of(hidden, hivScreen, '000001'));
    await importText(
      database,
      tenantId,
      // The second person's clinic belongs to an organization that none of the senders belongs to.
      of(elsewhere, chlamydia, '000002').replace('Zq secret clinic', 'Secret clinic of others'),
    );
  }
  const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${tenantId}`);
  const college = world.demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
  const senders = {
    epidemiologist: epi.headers,
    laboratorian: (await signInAs(testing, 'lab@demo.caseway.test')).headers,
    'data entry': (await signInAs(testing, 'entry@demo.caseway.test')).headers,
    'of a facility': (await signInAs(testing, 'facility@demo.caseway.test')).headers,
    'of an organization': (await actFor(testing, epi.tokens, `O:${college}`)).headers,
  };
  const admin = await signInAs(testing, 'admin@demo.caseway.test');
  return { testing, app, database, tenantId, origin, service, senders, admin };
}
type World = Awaited<ReturnType<typeof makeWorld>>;
type Sender = keyof World['senders'];

async function uploaded(
  { origin, senders }: World,
  sender: Sender,
  text: string,
  query: Record<string, string>,
): Promise<{ status: number; detail: ImportDetail }> {
  const headers = senders[sender] as Record<string, string>;
  const response = await fetch(
    `${origin}/api/web/imports?${new URLSearchParams({ fileName: 'f.hl7', ...query })}`,
    {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: text,
    },
  );
  let detail = (await response.json()) as ImportDetail;
  if (response.status !== 200) return { status: response.status, detail };
  await expect
    .poll(
      async () => {
        detail = (await (
          await fetch(`${origin}/api/web/imports/${detail.id}`, { headers })
        ).json()) as ImportDetail;
        return ['queued', 'running'].includes(detail.state);
      },
      { interval: 30 },
    )
    .toBe(false);
  return { status: response.status, detail };
}

/** Without ids and times, which differ each time. */
const lasting = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');

const rowsOf = (header: string, ...rows: string[]) => `${[header, ...rows].join('\n')}\n`;
/** Files that name the people as someone would who only knows of them. */
const forgeries: Record<string, { text: (n: string) => string; query?: Record<string, string> }> = {
  'a report of a person of whom there is HIV alone': {
    text: (n) =>
      elr({
        control: `G1${n}`,
        order: `G1-${n}`,
        clinic: '',
        patient: { ...hidden, ...known },
        tests: [{ test: gonorrhoea }],
      }),
  },
  'a negative one': {
    text: (n) =>
      elr({
        control: `G2${n}`,
        order: `G2-${n}`,
        clinic: '',
        patient: { ...hidden, ...known },
        tests: [{ test: chlamydia, value: notDetected }],
      }),
  },
  'a report of a person of another clinic': {
    text: (n) =>
      elr({
        control: `G3${n}`,
        order: `G3-${n}`,
        clinic: '',
        patient: { ...elsewhere, ...known },
        tests: [{ test: gonorrhoea }],
      }),
  },
  'a report with the order number of the other laboratory': {
    text: (n) =>
      elr({
        control: `G4${n}`,
        order: 'W-000002',
        lab: 'Zq HIV Lab 000002^99D000002^CLIA',
        clinic: '',
        patient: { ...elsewhere, ...known },
        tests: [{ status: 'C' }],
      }),
  },
  'a report that names the other clinic': {
    text: (n) =>
      elr({
        control: `G5${n}`,
        order: `G5-${n}`,
        clinic: 'Zq secret clinic',
        patient: { ...hidden, ...known },
      }),
  },
  'a line list': {
    text: () =>
      rowsOf(
        'case_id,name,date_of_birth,sex,onset_date,classification',
        'L-900001,Maren Zqhalloway,1977-07-07,F,2026-03-01,confirmed',
        'L-900002,Tobias Zqwinthrop,1981-11-12,M,2026-03-01,confirmed',
      ),
    query: { fileName: 'list.csv', condition: 'gonorrhea' },
  },
};

const [without, beside] = [await makeWorld(false), await makeWorld(true)];
const senders = Object.keys(without.senders) as Sender[];
/** Senders who see everything in the department except restricted families know people of other clinics. */
const isOfTenant = (sender: Sender) => !sender.startsWith('of ');

describe('what an import reports [P23]', () => {
  test.each(senders)(
    'is the same whether or not it is about someone hidden: %s',
    async (sender) => {
      for (const [at, [what, { text, query }]] of Object.entries(forgeries).entries()) {
        if (isOfTenant(sender) && /another clinic|other laboratory|line list/.test(what)) continue;
        // In `npm test`, each sender stores every other file, and only tries the others.
        const isStored = (at + senders.indexOf(sender)) % 2 === 0;
        for (const dryRun of load([`${!isStored}`], ['true', 'false'])) {
          const n = `${senders.indexOf(sender)}`;
          const told = await Promise.all(
            [without, beside].map((world) => uploaded(world, sender, text(n), { ...query, dryRun })),
          );
          expect(lasting(told[1]), `${what}, dry run: ${dryRun}`).toBe(lasting(told[0]));
          expect(told[1]!.status).toBe(200);
        }
      }
    },
    300_000,
  );

  test('the text of a message is shown without what it says about a family that the reader may not see [P18]', async () => {
    const notes = ['NTE|1||Zq known HIV positive, on treatment', 'DG1|1||B20^Zqcode^I10', 'NTE|2||Zq kept'];
    const secret = /known HIV|B20|Zqcode/;
    const order = { clinic: '', patient: { last: 'Zqnotes', id: 'ZQ-NOTES' } };
    const text =
      elr({ ...order, control: 'GN1', order: 'GN-1', more: notes }) +
      // An unreadable value waits for a person, who gets the whole text.
      elr({
        ...order,
        control: 'GN2',
        order: 'GN-2',
        more: notes,
        tests: [{ value: 'Zq maybe', type: 'ST' }],
      });
    const table = rowsOf(
      'last_name,first_name,date_of_birth,onset_date,notes',
      'Zqrow,Ann,1990-01-01,2026-03-01,"known HIV, B20"',
    );
    for (const [sender, query, body] of [
      ['data entry', {}, text],
      ['laboratorian', { format: 'csv', condition: 'measles' }, table],
    ] as const) {
      const { detail } = await uploaded(beside, sender, body, query);
      const asked = async (headers: object, path: string) => {
        const answer = await fetch(`${beside.origin}/api/web/imports/${detail.id}${path}`, {
          headers: headers as Record<string, string>,
        });
        return answer.text();
      };
      const shown = async (headers: object) => {
        const { rows } = JSON.parse(await asked(headers, '/messages')) as { rows: { id: string }[] };
        const texts = await Promise.all(rows.map(({ id }) => asked(headers, `/messages/${id}`)));
        return [...texts, await asked(headers, '/columns'), await asked(headers, '/file?state=waiting')];
      };
      const whole = (await shown(beside.admin.headers)).join('');
      expect(whole, sender).toMatch(secret);
      for (const reader of [beside.senders.epidemiologist, beside.senders[sender]]) {
        const told = await shown(reader);
        expect(told.filter((one) => one.includes('Zqnotes') || one.includes('Zqrow')).length).toBeGreaterThan(
          0,
        );
        expect(told.join(''), sender).not.toMatch(secret);
      }
    }
  });

  test('a dry run logs who was looked up, for people who see the whole tenant', async () => {
    const [person] = await beside.service<{ id: string }>(
      `select id from patient where last_name = 'Zqhalloway' and disease_families = '{hiv}'`,
    );
    const events = await beside.service<{ org_id: string | null; record_ids: string[]; account_id: string }>(
      `select org_id, record_ids, account_id from audit_event where action = 'looked up by a dry run' and $1 = any (record_ids)`,
      [person!.id],
    );
    expect(events.length).toBeGreaterThan(load(0, 2));
    expect(events.every(({ org_id, account_id }) => org_id === null && account_id !== null)).toBe(true);
  });
});

describe('what an import reveals [P1, P18, P23]', () => {
  test('the people do not change, and pairs with them are for readers who see everything', async () => {
    const { ok } = askingAs(beside.testing, beside.admin, '');
    const { rows } = await ok<{ rows: PatientMatch[] }>('GET', '/api/web/patient-matches');
    const pairs = rows.filter(({ candidate }) =>
      candidate.identifiers.some(({ value }) => secrets.test(value)),
    );
    expect(new Set(pairs.map(({ candidate }) => candidate.lastName))).toEqual(
      new Set(['Zqhalloway', 'Zqwinthrop']),
    );
    const people = await beside.service(
      `select last_name, disease_families as families, cardinality(organization_ids) as organizations, phones
       from patient where street = '77 Zqsecret Ln' order by last_name`,
    );
    expect(people).toMatchObject([
      { last_name: 'Zqhalloway', families: ['hiv'], organizations: 0 },
      { last_name: 'Zqwinthrop', families: expect.arrayContaining(['chlamydia']), organizations: 0 },
    ]);
  });

  test.each(senders)(
    'no route shows what other clinics reported: %s',
    async (sender) => {
      const { origin, service } = beside;
      const headers = beside.senders[sender] as Record<string, string>;
      const description = (await (await fetch(`${origin}/api/openapi.json`)).json()) as ApiDescription;
      const ids = (
        await service<{ id: string }>(
          `select id from patient where tenant_id = $1 and last_name like 'Zq%'
           union select id from case_report where tenant_id = $1 and patient_id in
             (select id from patient where tenant_id = $1 and last_name like 'Zq%')
           union select id from patient_match where tenant_id = $1 union select id from import where tenant_id = $1`,
          [beside.tenantId],
        )
      ).map(({ id }) => id);
      const chance = new Chance(11);
      const requests = new Requests(
        chance,
        {
          id: () => chance.pick(ids),
          text: () =>
            chance.pick(['zqhalloway', 'zqwinthrop', '5557001', 'secretmrn', '77 zqsecret', '2026-']),
          listLength: 3,
        },
        filterNamesIn(description),
      );
      const reading = operationsOf(description).filter(
        ({ method, path, access, produces }) =>
          access.includes('/') &&
          produces !== 'text/event-stream' &&
          (method === 'GET' || /\/(search|export)$|\/analytics\/[a-z-]+$/.test(path)),
      );
      const questions = reading.flatMap((operation) =>
        Array.from(
          { length: operation.path.includes('{') ? load(1, 8) : load(1, 3) },
          () => requests.make(operation).request,
        ),
      );
      // In `npm test`, each sender searches every list for some of the words.
      const words = ['zqhalloway', 'zqwinthrop', '4045557001', 'secretmrne', 'secretmrnh'];
      for (const word of words.filter((_, at) => load(at === senders.indexOf(sender), true)))
        for (const { path, method } of reading)
          if (method === 'POST' && path.endsWith('/search'))
            questions.push({
              method,
              url: path,
              payload: { filterModel: { items: [], quickFilterValues: [word] } },
            });
      const leaks: string[] = [];
      let answered = 0;
      for (const { method, url, payload } of questions) {
        const answer = await fetch(origin + url, {
          method,
          headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
          body: payload === undefined ? undefined : JSON.stringify(payload),
        });
        const body = await answer.text();
        if (answer.status === 200) answered += 1;
        // The department's staff see people reported by a clinic, unless their families are hidden.
        const told = isOfTenant(sender) ? /secretmrn-h|zq secret clinic|zq hiv lab 000001/i : secrets;
        const secret = body.match(told)?.[0];
        // Their own file that names the clinic shows its name; a refused query names the field that it used.
        const isTheirs =
          (/imports/.test(url) && !/secretmrn/i.test(body)) ||
          (answer.status === 400 && JSON.stringify(payload).includes(`"${secret}"`));
        if (secret !== undefined && !isTheirs) leaks.push(`${method} ${url} ${secret}`);
      }
      expect(leaks).toEqual([]);
      expect(answered).toBeGreaterThan(load(5, 20));
    },
    300_000,
  );
});
