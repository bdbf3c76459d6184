import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { askingAs } from '../test/asking.ts';
import { asSuperuser } from '../test/database.ts';
import { load } from '../test/load.ts';
import { Chance } from '../test/requests.ts';
import { signInAs } from '../test/sign-in.ts';
import { type Stored, someRecords } from '../test/some-records.ts';
import { bulkServers } from './bulk-servers.ts';
import { caseFollowUpServer } from './features/contacts/case-follow-up-server.ts';
import { optionsOf } from './features/lookups/options.ts';
import { Lookups } from './platform/grid/lookups.ts';
import { transitionTable } from './platform/records/transitions-kept.ts';

/*
 * Every record with a workflow: each of its transitions is stored, with who did it, when and why, and its duration,
 * and does not count while it is undone.
 */

const testing = await testApp();
const { database, superuserUrl, app } = testing;
const { demo } = await seedDemoTenants(database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const { ask, ok } = askingAs(testing, admin);
const { make, someDeed } = await someRecords(testing, demo, admin);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const lookups = new Lookups(database, optionsOf);
const records = [...bulkServers(lookups), caseFollowUpServer(lookups)]
  .map(({ record }) => record)
  .filter(({ workflow }) => workflow !== undefined);

test('all records with transitions are covered', () => {
  const served = app.endpoints.flatMap(({ path, method }) =>
    method === 'POST' && path.endsWith('/transitions/:transition') ? path.split('/')[3] : [],
  );
  expect(records.map(({ id }) => id).sort()).toEqual(served.sort());
});

interface Kept {
  from: string;
  to: string;
  transition: string | null;
  reason: string | null;
  account: string | null;
  counts: boolean;
}

describe.each(records)('the transitions of $id', (record) => {
  const { of, flow } = record.workflow!;
  const read = ({ id }: Pick<Stored, 'id'>) => ok<Stored>('GET', `${record.id}/${id}`);
  const stateOf = (stored: Stored) => stored[of] as string;
  const kept = ({ id }: Stored) =>
    sql<Kept & { isToday: boolean; days: number | null; workdays: number | null }>(
      `select t.from_state as "from", t.to_state as "to", h.transition, h.reason, h.account_id as account, t.counts,
         t.on_day = cast(h.at at time zone n.time_zone as date) as "isToday", t.days, t.workdays
       from ${transitionTable(record)} t
       join ${record.table}_history h on h.tenant_id = t.tenant_id and h.record_id = t.record_id and h.version = t.version
       join tenant n on n.id = t.tenant_id
       where t.record_id = $1 order by t.version`,
      [id],
    );

  test('are stored as they are done and undone', async () => {
    const moves = { done: 0, undone: 0, doneAgain: 0 };
    for (let seed = 1; seed <= load(4, 20); seed += 1) {
      const chance = new Chance(seed);
      let stored = await make(record);
      // As if it had been entered ten days ago.
      await sql(
        `update ${record.table} r set created_on = cast(now() at time zone n.time_zone as date) - 10 from tenant n
         where n.id = r.tenant_id and r.id = $1`,
        [stored.id],
      );
      const expected: Kept[] = [];
      for (let round = 0; round < load(10, 20); round += 1) {
        const here = flow.transitions.filter(({ from }) => from.includes(stateOf(stored)));
        if (here.length === 0) break;
        const { transition } = await someDeed(record, chance.pick(here).id, chance);
        const before = stateOf(stored);
        const { statusCode } = await ask('POST', `${record.id}/${stored.id}/transitions/${transition.id}`, {
          version: stored.version,
          fields: transition.fields,
          reason: transition.reason,
        });
        expect([200, 422]).toContain(statusCode);
        if (statusCode !== 200) continue;
        stored = await read(stored);
        const hasMoved = stateOf(stored) !== before;
        if (!hasMoved) continue;
        const move: Kept = {
          from: before,
          to: stateOf(stored),
          transition: transition.id,
          reason: transition.reason ?? null,
          account: admin.init.user.id,
          counts: true,
        };
        expected.push(move);
        moves.done += 1;
        // Back, and perhaps there again.
        for (let times = 0; times < 3 && chance.maybe(0.4); times += 1) {
          const undo = await ask('POST', `${record.id}/${stored.id}/undo`, { version: stored.version });
          expect([200, 422]).toContain(undo.statusCode);
          if (undo.statusCode !== 200) break;
          stored = await read(stored);
          move.counts = !move.counts;
          moves[move.counts ? 'doneAgain' : 'undone'] += 1;
          expect(stateOf(stored)).toBe(move.counts ? move.to : move.from);
        }
      }
      const rows = await kept(stored);
      expect([record.id, seed, rows]).toEqual([
        record.id,
        seed,
        expected.map((one) => expect.objectContaining({ ...one, isToday: true })),
      ]);
      // The first one since it was entered. After an undone transition, the duration counts from the one before it.
      if (rows.length > 0) expect(rows[0]).toMatchObject({ days: 10 });
      for (const { days, workdays } of rows) {
        expect([0, 10]).toContain(days);
        expect(workdays).toBeLessThanOrEqual(days!);
      }
    }
    for (const [what, n] of Object.entries(moves)) expect([what, n > 0]).toEqual([what, true]);
  });
});
