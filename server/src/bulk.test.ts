import { randomUUID } from 'node:crypto';
import type { BulkAction, BulkRefusal } from '@caseway/contract/bulk';
import { accessOf } from '@caseway/contract/record';
import { bulkTransitions } from '@caseway/contract/record-transitions';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { askingAs, type Headers } from '../test/asking.ts';
import { bulkJobIn } from '../test/bulk.ts';
import { asSuperuser } from '../test/database.ts';
import { load } from '../test/load.ts';
import { Chance } from '../test/requests.ts';
import { signInAs } from '../test/sign-in.ts';
import { type Asked, type Stored, someRecords } from '../test/some-records.ts';
import { bulkServers } from './bulk-servers.ts';
import { optionsOf } from './features/lookups/options.ts';
import { Lookups } from './platform/grid/lookups.ts';

/*
 * Every record with bulk actions: people may do the same to many as to one, with the same answer for each, and learn
 * nothing about records that they do not see. [P1, P5, P15, P23]
 */

const testing = await testApp();
const { database, superuserUrl, app } = testing;
const { demo } = await seedDemoTenants(database);
const people = Object.fromEntries(
  await Promise.all(
    ['epi', 'investigator', 'analyst', 'clinician', 'jurisdiction'].map(
      async (name) => [name, await signInAs(testing, `${name}@demo.caseway.test`)] as const,
    ),
  ),
);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const { ask, ok } = askingAs(testing, admin);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
const work = bulkJobIn(database);
/** Runs the parts of an action: a jurisdiction has one in each of its tenants. */
async function end(id: string): Promise<void> {
  const parts = await sql<{ tenant: string }>('select tenant_id as tenant from bulk_action where id = $1', [
    id,
  ]);
  for (const { tenant } of parts) await work(tenant, id);
}
interface Told {
  status: number;
  action?: BulkAction;
  refused?: BulkRefusal[];
}

type Given = Parameters<typeof fieldsOf> extends [unknown, ...infer Rest] ? Rest : never;

const {
  make: makeOne,
  optionsFor,
  someDeed: deedOf,
  someFields: fieldsOf,
  someValue,
} = await someRecords(testing, demo, admin);

const servers = bulkServers(new Lookups(database, optionsOf));

test('all kinds with the endpoint are run by the job', () => {
  const served = app.endpoints.flatMap(({ path, method }) =>
    method === 'POST' && path.endsWith('/bulk') ? path.split('/')[3] : [],
  );
  expect(servers.map(({ record }) => record.id).sort()).toEqual(served.sort());
  expect(servers.length).toBeGreaterThan(5);
});

for (const { record } of servers) {
  const { id: path, fields, workflow } = record;
  const { write } = accessOf(record);
  const settable = (record as unknown as { bulk: readonly string[] }).bulk;
  const deeds = bulkTransitions(record);

  const make = () => makeOne(record);
  const someFields = (...given: Given) => fieldsOf(record, ...given);
  const someDeed = (id: string, chance: Chance) => deedOf(record, id, chance);
  const read = ({ id }: Stored) => ok<Stored>('GET', `${path}/${id}`);
  /** The answer of an action on these records, and what it left unchanged. */
  async function many(ids: readonly string[], body: object, headers?: Headers): Promise<Told> {
    const id = randomUUID();
    const begun = await ask('POST', `${path}/bulk`, { id, selection: { ids }, ...body }, headers);
    if (begun.statusCode !== 200) return { status: begun.statusCode };
    await end(id);
    return { status: 200, ...(await ended(id, headers)) };
  }
  async function ended(id: string, headers?: Headers) {
    const action = await ok<BulkAction>('GET', `${path}/bulk/${id}`, undefined, headers);
    const of = await ok<{ refused: BulkRefusal[] }>('GET', `${path}/bulk/${id}/refused`, undefined, headers);
    return { action, refused: of.refused };
  }
  const one = ({ id, version }: Stored, { transition, change }: Asked, headers?: Headers) =>
    transition
      ? ask(
          'POST',
          `${path}/${id}/transitions/${transition.id}`,
          { version, fields: transition.fields, reason: transition.reason },
          headers,
        )
      : ask('PATCH', `${path}/${id}`, { version, ...change }, headers);
  /** The outcome for one record, in the same words whichever way it was requested. */
  function outcomeOfOne({ version }: Stored, answer: Awaited<ReturnType<typeof ask>>): string {
    const { statusCode } = answer;
    if (statusCode === 200) return answer.json<Stored>().version === version ? 'same' : 'changed';
    if (statusCode === 404) return 'not-found';
    const { faults = [] } = answer.json<{ faults?: { path: string; code: string }[] }>();
    return statusCode === 422 ? `${faults[0]?.path} ${faults[0]?.code}` : `${statusCode}`;
  }
  function outcomeOfMany({ status, action, refused = [] }: Told): string {
    if (status !== 200) return `${status}`;
    if (action!.refused > 0) {
      const [{ code, field }] = refused as [BulkRefusal];
      return code === 'not-found' ? code : `${field} ${code}`;
    }
    return action!.changed > 0 ? 'changed' : 'same';
  }

  describe(`many ${path} at once`, () => {
    test('a random walk of transitions has the same result as one at a time, with the same refusals', async () => {
      for (const seed of load([1], [1, 2, 3, 4, 5])) {
        const chance = new Chance(seed);
        let [single, twin] = [await make(), await make()];
        const differing = new Set(
          Object.keys(fields).filter(
            (name) =>
              fields[name]!.kind === 'instant' || JSON.stringify(single[name]) !== JSON.stringify(twin[name]),
          ),
        );
        const alike = (of: Stored) =>
          Object.fromEntries(
            Object.keys(fields).flatMap((name) => (differing.has(name) ? [] : [[name, of[name]]])),
          );
        const outcomes = new Set<string>();
        for (let round = 0; round < load(24, 60); round += 1) {
          const state = workflow ? single[workflow.of] : undefined;
          const all = workflow?.flow.transitions ?? [];
          const here = all.filter(({ from }) => from.includes(state as string));
          const of = chance.maybe(0.8) && here.length > 0 ? here : all;
          const isChange = all.length === 0 || chance.maybe(0.2);
          const names = [chance.pick(settable)];
          const asked: Asked = isChange
            ? { change: await someFields(names, chance, 1) }
            : await someDeed(chance.pick(of).id, chance);
          const answer = await one(single, asked);
          const expected = outcomeOfOne(single, answer);
          const isForMany = isChange || deeds.some(({ id }) => id === asked.transition?.id);
          if (isForMany) {
            const told = await many([twin.id], asked);
            expect([path, seed, round, asked, outcomeOfMany(told)]).toEqual([
              path,
              seed,
              round,
              asked,
              // The places of a request differ from those of a record.
              expected.replace(/^fields\./, ''),
            ]);
            outcomes.add(expected.includes(' ') ? 'refused' : expected);
          } else {
            // A transition for single records is not a bulk action.
            expect((await many([twin.id], asked)).status).toBe(422);
            const times = await someDeed(asked.transition!.id, new Chance(round));
            const others = Object.fromEntries(
              Object.entries(asked.transition!.fields).map(([name, value]) => [
                name,
                fields[name]!.kind === 'instant' ? (times.transition!.fields[name] ?? value) : value,
              ]),
            );
            await one(twin, { transition: { ...asked.transition!, fields: others } });
          }
          [single, twin] = [await read(single), await read(twin)];
          if (workflow && single[workflow.of] !== twin[workflow.of]) break;
          // Another time can be on another day, even if a later transition sets that day.
          const everyName = Object.keys(fields);
          const timesDiffer = everyName.some(
            (name) => fields[name]!.kind === 'instant' && single[name] !== twin[name],
          );
          for (const name of everyName)
            if (timesDiffer && fields[name]!.set === 'server' && fields[name]!.kind === 'day')
              differing.add(name);
          if (isForMany) expect([round, asked, alike(twin)]).toEqual([round, asked, alike(single)]);
        }
        expect([...outcomes]).toEqual(expect.arrayContaining(['changed']));
      }
    });

    test.each(Object.keys(people))('%s may do to many what they may do to one, and no more', async (name) => {
      const { headers } = people[name]!;
      const chance = new Chance(name.length);
      let stored = await make();
      const asked: Asked[] = [
        { change: await someFields([settable[0]!], chance, 1) },
        ...(await Promise.all(deeds.map(({ id }) => someDeed(id, chance)))),
      ];
      for (const deed of asked) {
        // A dry run first, on the same record.
        const told = outcomeOfMany(await many([stored.id], { ...deed, dryRun: true }, headers));
        const answer = outcomeOfOne(stored, await one(stored, deed, headers));
        expect([path, name, deed, told]).toEqual([path, name, deed, answer.replace(/^fields\./, '')]);
        if (answer === 'changed') stored = await make();
      }
    });

    test('one out of sight is answered like one that does not exist, and stays unchanged', async () => {
      const stored = await make();
      const asked = { change: await someFields([settable[0]!], new Chance(3), 1) };
      const id = randomUUID();
      const begun = await ask(
        'POST',
        `${path}/bulk`,
        { id, selection: { ids: [stored.id, randomUUID()] }, ...asked },
        vendor.headers,
      );
      expect(begun.statusCode).toBe(200);
      await end(id);
      const { refused } = await ended(id, vendor.headers);
      const told = refused.map(({ id: _, ...rest }) => rest);
      expect(told).toEqual([told[0], { name: null, state: null, code: 'not-found', field: null }]);
      expect(told[0]).toEqual(told[1]);
      expect(await read(stored)).toEqual(stored);
    });

    test('each is decided separately: refused ones stay, the others change, are logged, and are undone as one', async () => {
      const chance = new Chance(5);
      const [name] = settable;
      const [good, late] = [await make(), await make()];
      const { options } = fields[name!]!;
      const choices = typeof options === 'string' ? await optionsFor(options) : options;
      const value = choices
        ? choices.find((code) => code !== good[name!])
        : await someValue(fields[name!]!, chance);
      const unknown = randomUUID();
      const { action, refused } = await many([good.id, late.id, unknown], { change: { [name!]: value } });
      expect(action).toMatchObject({ state: 'done', total: 3, changed: 2, refused: 1 });
      expect(refused).toEqual([{ id: unknown, name: null, state: null, code: 'not-found', field: null }]);
      const log = await sql<{ action: string; fields: string[] }>(
        `select e.action, e.detail -> 'fields' as fields from audit_record r
           join audit_event e on e.tenant_id = r.tenant_id and e.id = r.event_id
         where r.record_id = $1 and e.detail ->> 'bulk' = $2 and e.deed = 'change' and e.action = 'change'
           and e.detail ? 'fields'`,
        [good.id, action!.id],
      );
      expect(log).toEqual([{ action: 'change', fields: [name] }]);
      // Someone has changed one of them since.
      const now = await read(late);
      await ok('PATCH', `${path}/${late.id}`, { version: now.version, [name!]: late[name!] });
      const kept = await read(late);
      const undoing = await ok<BulkAction>('POST', `${path}/bulk/${action!.id}/undo`, { id: randomUUID() });
      await end(undoing.id);
      const undone = await ended(undoing.id);
      expect(undone.action).toMatchObject({ undoes: action!.id, changed: 1, refused: 1 });
      expect(undone.refused).toEqual([
        {
          id: late.id,
          name: late[record.name],
          state: record.workflow ? late[record.workflow.of] : null,
          code: 'changed-meanwhile',
          field: null,
        },
      ]);
      expect((await read(good))[name!]).toEqual(good[name!]);
      expect(await read(late)).toEqual(kept);
    });

    test('setting fields needs the permission to write, even for people who may do transitions', async () => {
      const { id } = await make();
      const change = await someFields([settable[0]!], new Chance(1), 1);
      const { status } = await many([id], { change }, people.analyst!.headers);
      expect([write, status]).toEqual([write, 403]);
    });
  });
}
