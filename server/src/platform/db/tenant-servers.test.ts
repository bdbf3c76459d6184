import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { Way } from '../../../test/way.ts';
import { Pool } from './pool.ts';
import { TenantServers } from './tenant-servers.ts';

// One server in two roles: as the coordinator it knows where the tenants are; as their server it is reached by a
// separate proxy. Tables and functions with Citus's names hold what Citus would answer.
const { appUrl, superuserUrl } = await createTestDatabase({
  fill: async (owner) => {
    for (const statement of [
      `create table pg_dist_node (groupid int, nodename text, nodeport int, noderole text, isactive boolean,
         hasmetadata boolean, metadatasynced boolean)`,
      'create table pg_dist_placement (shardid bigint, groupid int)',
      `create function get_shard_id_for_distribution_column(text, uuid) returns bigint language sql
         return ('x' || right($2::text, 12))::bit(48)::bigint`,
      // The expected server identity; a test can set another one.
      'create table meant (result text)',
      `insert into meant select system_identifier::text from pg_control_system()`,
      `create function master_run_on_worker(text[], int[], text[], boolean, out success boolean, out result text)
         returns setof record language sql as 'select true, result from meant'`,
      'grant select on pg_dist_node, pg_dist_placement, meant to caseway_app',
    ])
      await asSuperuser(statement, [], owner);
  },
});

const tenants = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

/** Servers of the tenants, the first behind a proxy that can be cut, and the log lines about them. */
async function servers({ size = 2, host = '127.0.0.1', patienceMs = 60_000 } = {}) {
  const way = await Way.to(appUrl);
  const place = (sql: string, ...params: unknown[]) => asSuperuser(sql, params, superuserUrl);
  await place('delete from pg_dist_node');
  await place('delete from pg_dist_placement');
  await place(
    `insert into pg_dist_node values (1, $1, $2, 'primary', true, true, true)`,
    host,
    new URL(way.url).port,
  );
  await place('insert into pg_dist_placement values (1, 1), (2, 0)');
  const lines: string[] = [];
  const log = pino(
    { base: null, timestamp: false, level: 'debug' },
    { write: (line: string) => void lines.push(line) },
  );
  const coordinator = new Pool({ url: appUrl, log, size: 2, patienceMs: 60_000 });
  const found = new TenantServers({ url: appUrl, coordinator, log, size, patienceMs });
  onTestFinished(async () => {
    await way.cut();
    await found.close();
    await coordinator.close();
  });
  /** How a transaction of a tenant begins: 'near', or not at all. */
  const begin = async (tenantId: string, statement = 'begin') => {
    const near = await found.begin(tenantId, () => async (client) => void (await client.query(statement)));
    await near?.client.query('commit');
    near?.client.release();
    return near === undefined ? 'through' : 'near';
  };
  return { way, found, coordinator, begin, place, said: () => lines.map((line) => JSON.parse(line)) };
}

const reached = 'reads of a tenant go straight to its server';
const lost = 'a server is not reached from here: reads of its tenants go through the coordinator';

describe('the server of a tenant', () => {
  it('is used for a tenant that it has, and not for one that the coordinator has [P30]', async () => {
    const { begin, way, said } = await servers();
    expect([await begin(tenants[0]), await begin(tenants[1]), await begin(tenants[0])]).toEqual([
      'near',
      'through',
      'near',
    ]);
    expect(way.comers).toBe(1);
    expect(said()).toMatchObject([{ level: 20, msg: reached }]);
  });

  it('is left alone while it cannot be reached, without anyone waiting, and tried again later', async () => {
    const { begin, way, said } = await servers();
    expect(await begin(tenants[0])).toBe('near');
    await way.block();
    const comers = way.comers;
    expect(await begin(tenants[0])).toBe('through');
    expect(await begin(tenants[0])).toBe('through');
    expect(way.comers).toBeLessThanOrEqual(comers + 1);
    expect(
      said()
        .map(({ msg }) => msg)
        .filter((msg) => msg !== 'an idle database connection was lost'),
    ).toEqual([reached, lost]);
    await way.reopen();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
    onTestFinished(() => void vi.restoreAllMocks());
    // It is tried along with the first question, and used as soon as it has answered.
    await begin(tenants[0]);
    await expect.poll(() => begin(tenants[0])).toBe('near');
    expect(said().at(-1)).toMatchObject({ level: 30, msg: reached });
  });

  it('makes no one wait for longer than a second when it hangs', async () => {
    const patienceMs = 1000;
    const { begin, way, said } = await servers({ patienceMs });
    // On a busy machine, the first connection may need several questions.
    await expect.poll(() => begin(tenants[0])).toBe('near');
    way.hang();
    const { comers } = way;
    const began = performance.now();
    expect(await begin(tenants[0])).toBe('through');
    expect(performance.now() - began).toBeLessThan(20 * patienceMs);
    // It is not even tried.
    expect(await begin(tenants[0])).toBe('through');
    expect(way.comers).toBe(comers);
    expect(said().at(-1)).toMatchObject({ level: 40, msg: lost });
  });

  it.each([
    ['that is another one than the coordinator means', `update meant set result = '1'`],
    ['that the coordinator does not reach', 'delete from meant'],
  ])('%s is not used', async (_, statement) => {
    const { begin, said, place } = await servers();
    await place(statement);
    onTestFinished(async () => {
      await place('delete from meant');
      await place('insert into meant select system_identifier::text from pg_control_system()');
    });
    expect(await begin(tenants[0])).toBe('through');
    expect(said()).toMatchObject([{ msg: lost, reason: 'it is not the server that the coordinator means' }]);
  });

  it('is not used if its views cannot be read, as on a server that was added later', async () => {
    const { begin, said, place } = await servers();
    await place('revoke select on case_fact from caseway_app');
    onTestFinished(() => place('grant select on case_fact to caseway_app').then(() => {}));
    expect(await begin(tenants[0])).toBe('through');
    expect(said()).toMatchObject([
      { reason: 'the view case_fact cannot be read there: run npm run migrate -- --distribute' },
    ]);
  });

  it('is not used at an unreachable address', async () => {
    const { begin, said } = await servers({ host: 'nowhere.invalid' });
    expect(await begin(tenants[0])).toBe('through');
    expect(said()).toMatchObject([{ msg: lost }]);
  });

  it('is not waited for when all connections to it are in use', async () => {
    const { found, begin, said } = await servers({ size: 1 });
    const start = () => async (client: { query(text: string): Promise<unknown> }) =>
      void (await client.query('begin'));
    const first = (await found.begin(tenants[0], start))!;
    expect(await begin(tenants[0])).toBe('through');
    await first.client.query('rollback');
    first.client.release();
    expect(await begin(tenants[0])).toBe('near');
    expect(said()).toMatchObject([{ msg: reached }]);
  });

  it('leaves what it cannot begin to the coordinator, and errors in the scope to the caller', async () => {
    const { found, begin, said } = await servers();
    expect(await begin(tenants[0], 'select 1 / 0')).toBe('through');
    expect(said()).toMatchObject([{ msg: reached }, { msg: lost, reason: '22012' }]);
    const { found: another } = await servers();
    await expect(
      another.begin(tenants[0], () => {
        throw new Error('an entry holds a comma');
      }),
    ).rejects.toThrow('an entry holds a comma');
    expect(found.usage().every(({ total, idle }) => total === idle)).toBe(true);
    expect(another.usage()).toEqual([{ total: 1, idle: 1, waiting: 0 }]);
  });

  it('is looked up again after an error of the connection [P30]', async () => {
    const { found, place, way } = await servers();
    const start = () => async (client: { query(text: string): Promise<unknown> }) =>
      void (await client.query('begin'));
    const near = (await found.begin(tenants[0], start))!;
    await near.client.query('rollback');
    near.client.release();
    // The tenant has moved to the coordinator.
    await place('update pg_dist_placement set groupid = 0 where shardid = 1');
    const still = (await found.begin(tenants[0], start))!;
    await still.client.query('rollback');
    still.client.release();
    still.failed(Object.assign(new Error('lost'), { code: '08006' }));
    expect(await found.begin(tenants[0], start)).toBeUndefined();
    await pause(0);
    expect(way.comers).toBe(1);
  });
});
