import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, inject, it } from 'vitest';
import type { ScopeOptions, Tx } from '../src/platform/db/database.ts';
import { localViews, places } from '../src/platform/db/places.ts';
import type { Scope } from '../src/platform/scope.ts';
import { asked, databaseUrl } from '../test/cluster.ts';
import { asSuperuser, createTestDatabase } from '../test/database.ts';
import { makeTenant } from '../test/factories.ts';
import { makeScopeWorld } from '../test/scope-world.ts';

const { database, superuserUrl, appUrl } = await createTestDatabase({ poolSize: 12, patienceMs: 60_000 });
const world = await makeScopeWorld(superuserUrl);
const { servers } = inject('cluster');
const name = new URL(superuserUrl).pathname.slice(1);
const ask = <Row extends object>(statement: string, params: unknown[] = []) =>
  asSuperuser<Row>(statement, params, superuserUrl);

const service = (tenantId: string): Scope => ({ kind: 'service', tenantId });
/** Runs a read-only transaction, and tells whether the tenant's server answered it. */
async function read<T>(scope: Scope, work: (tx: Tx) => Promise<T>, options: ScopeOptions = {}) {
  const before = database.reads();
  const answer = await database.withScope(scope, work, { readOnly: true, ...options });
  const { near, through } = database.reads();
  return { answer, near: near - before.near, through: through - before.through };
}
const portOf = (tx: Tx) =>
  tx.rows<{ port: number }>('select inet_server_port() as port').then((rows) => rows[0]!.port);

/** The port of the tenant's server. */
async function placeOf(tenantId: string): Promise<number> {
  const [place] = await ask<{ port: number }>(
    `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('patient', $1::uuid)`,
    [tenantId],
  );
  return place!.port;
}

/** Everything of one tenant that a reader sees, by table and view. */
async function everythingOf(scope: Scope & { tenantId: string }, options: ScopeOptions) {
  const tables = await ask<{ name: string; own: boolean }>(tablesOfTenants);
  const { answer, near, through } = await read(
    scope,
    async (tx) => {
      const all: Record<string, string[]> = {};
      for (const { name: table, own } of tables) {
        const rows = await tx.rows<{ row: string }>(
          `select to_jsonb(t)::text as row from ${table} t ${own ? 'where t.tenant_id = $1' : ''}`,
          own ? [scope.tenantId] : [],
        );
        all[table] = rows.map(({ row }) => row).sort();
      }
      return { all, port: await portOf(tx) };
    },
    options,
  );
  return { ...answer, near, through };
}
const tablesOfTenants = `
  select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') as own
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    and c.relname <> all ('{${[...places.local, ...localViews].join(',')}}') order by 1`;

const readers = Object.entries(world.readers).filter(
  (one): one is [string, Scope & { tenantId: string }] => 'tenantId' in one[1],
);

it('shows every reader on the tenant’s server what the coordinator shows, also after the tenant has moved [P1, P30]', async () => {
  const coordinator = Number(new URL(appUrl).port);
  const seen = new Map<string, Record<string, string[]>>();
  const there = new Map<string, number>();
  for (const [reader, scope] of readers) {
    const through = await everythingOf(scope, { atCoordinator: true });
    expect(through).toMatchObject({ near: 0, through: 0, port: coordinator });
    const near = await everythingOf(scope, {});
    expect(near).toMatchObject({ near: 1, through: 0, port: await placeOf(scope.tenantId) });
    expect({ reader, ...near.all }).toEqual({ reader, ...through.all });
    seen.set(reader, near.all);
    there.set(reader, near.port);
  }
  const counts = [...seen].map(([reader, all]) => [reader, Object.values(all).flat().length] as const);
  expect(Math.max(...counts.map(([, n]) => n))).toBeGreaterThan(80);

  const workers = servers!.slice(1).map((server) => Number(new URL(server).port));
  for (const tenantId of new Set(readers.map(([, scope]) => scope.tenantId))) {
    const from = await placeOf(tenantId);
    const to = workers.find((port) => port !== from)!;
    await ask(
      `select citus_move_shard_placement(get_shard_id_for_distribution_column('patient', $1::uuid),
         '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => 'block_writes')`,
      [tenantId, from, to],
    );
    expect(await placeOf(tenantId)).toBe(to);
  }
  for (const [reader, scope] of readers) {
    const near = await everythingOf(scope, {});
    // The place is still cached: the former server asks the current one.
    expect(near).toMatchObject({ near: 1, through: 0, port: there.get(reader) });
    expect({ reader, ...near.all }).toEqual({ reader, ...seen.get(reader) });
  }
});

it('refuses what only the coordinator has, wherever it is read [P30]', async () => {
  const scope = readers[0]![1];
  for (const table of [...places.local, ...localViews]) {
    await expect(read(scope, (tx) => tx.rows(`select * from ${table}`))).rejects.toThrow(
      `"from ${table}" is only on the coordinator`,
    );
    // What the door does not recognize, the server itself refuses: the table is missing there, not empty.
    await expect(read(scope, (tx) => tx.rows(`table ${table}`))).rejects.toMatchObject({ code: '42P01' });
  }
  await expect(read(scope, (tx) => tx.rows('select id from graphile_worker . jobs'))).rejects.toMatchObject({
    code: '42P01',
  });
  // Nothing else is missing on the other servers.
  const relations = `select relname as name from pg_class c where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;
  const all = (await ask<{ name: string }>(relations)).map((one) => one.name);
  for (const server of servers!.slice(1)) {
    const have = (await asked<{ name: string }>(databaseUrl(server, name), relations)).map((one) => one.name);
    expect(all.filter((one) => !have.includes(one)).sort()).toEqual([...places.local, ...localViews].sort());
  }
});

it('guards tables, views and functions the same way on every server [P2]', async () => {
  const guards = `
    select 'table ' || c.relname as what, concat_ws(' ', c.relkind, c.relrowsecurity, c.relforcerowsecurity,
      c.reloptions::text, c.relowner::regrole, case c.relkind when 'v' then has_table_privilege('caseway_app', c.oid, 'select')::text
        else (select string_agg(a::text, ',' order by a::text) from unnest(c.relacl) a) end,
      (select json_agg(json_build_array(p.polname, p.polcmd, p.polpermissive, p.polroles::regrole[]::text,
         pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
       from pg_policy p where p.polrelid = c.oid), case c.relkind when 'v' then pg_get_viewdef(c.oid) end) as how
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
      and c.relname !~ '_1\\d{5}$' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      and c.relname <> all ('{${[...places.local, ...localViews].join(',')}}')
    union all
    select 'function ' || p.oid::regprocedure, concat_ws(' ', p.provolatile, p.prosecdef, p.proparallel, p.proisstrict,
      p.proowner::regrole, pg_get_functiondef(p.oid))
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname ~ '^app_'`;
  const guarded = async (url: string) =>
    Object.fromEntries(
      (await asked<{ what: string; how: string }>(url, guards)).map(({ what, how }) => [what, how]),
    );
  const [first, ...workers] = servers!.map((server) => databaseUrl(server, name));
  const here = await guarded(first!);
  expect(Object.keys(here).length).toBeGreaterThan(90);
  for (const worker of workers) expect(await guarded(worker)).toEqual(here);
});

it('answers copies, cursors, snapshots, prepared statements and short time limits like the coordinator [P30]', async () => {
  const scope = readers.find(([reader]) => reader === 'T')![1];
  const { tenantId } = scope;
  const patients = async (tx: Tx) => {
    const names = 'select last_name from patient where tenant_id = $1 order by 1';
    const found = [await tx.rows(names, [tenantId]), await tx.prepared('names', names, [tenantId])];
    await tx.run(`declare matching no scroll cursor for ${names}`, [tenantId]);
    found.push(await tx.rows('fetch 100 from matching'));
    const out = new PassThrough();
    const [copied, rows] = await Promise.all([
      text(out),
      tx.copyTo(`copy (${names.replace('$1', `'${tenantId}'`)}) to stdout`, out),
    ]);
    return { found, copied, rows };
  };
  const through = await read(scope, patients, { atCoordinator: true });
  expect(through.answer.copied.split('\n')).toHaveLength(through.answer.rows + 1);
  expect(through.answer.rows).toBeGreaterThan(2);
  for (const options of [{}, { snapshot: true }, { statementTimeoutMs: 10_000 }] as ScopeOptions[])
    expect(await read(scope, patients, options)).toEqual({ answer: through.answer, near: 1, through: 0 });
  await expect(
    read(scope, (tx) => tx.rows('select pg_sleep(10)'), { statementTimeoutMs: 50 }),
  ).rejects.toMatchObject({ code: '57014' });
  await expect(
    read(scope, (tx) => tx.run('update patient set last_name = $2 where tenant_id = $1', [tenantId, 'x'])),
  ).rejects.toMatchObject({ code: '25006' });
  // The tenant is in their text: Citus would keep a new plan of its shard each time, and free none of them.
  const { answer: kept } = await read(scope, async (tx) => {
    for (let n = 0; n < 9; n++)
      await tx.prepared('one', 'select id from patient where tenant_id = $1 and id = $2', [
        tenantId,
        tenantId,
      ]);
    return tx.rows<{ statement: string; kept: boolean }>(
      `select statement, generic_plans > 0 as kept from pg_prepared_statements where name = $1`,
      [`one of ${tenantId}`],
    );
  });
  expect(kept).toEqual([
    { statement: `select id from patient where tenant_id = '${tenantId}'::uuid and id = $1`, kept: true },
  ]);
  // None of this is a reason to avoid the server.
  expect(await read(scope, portOf)).toMatchObject({ near: 1, through: 0 });
});

it('shows what was written as soon as it is acknowledged, to records and to shared tables [P5, P30]', async () => {
  const tenants = await Promise.all(Array.from({ length: 4 }, () => makeTenant(database)));
  let seen = 0;
  await Promise.all(
    tenants.map(async ({ id: tenantId }, index) => {
      for (let n = 0; n < 40; n++) {
        const [record, shared] = [randomUUID(), randomUUID()];
        await database.withScope(service(tenantId), async (tx) => {
          await tx.run(
            `insert into patient (tenant_id, id, last_name, first_name) values ($1, $2, 'One', 'One')`,
            [tenantId, record],
          );
          // Then it is committed on every server, in two phases.
          if (n % 4 === index)
            await tx.run(
              `insert into facility (tenant_id, id, name, match_name) values ($1, $2, 'One', $3)`,
              [tenantId, shared, shared],
            );
        });
        const { answer, near } = await read(service(tenantId), (tx) =>
          tx.rows(
            `select (select count(*)::int from patient where tenant_id = $1 and id = $2) as records,
               (select count(*)::int from facility where tenant_id = $1 and id = $3) as shared`,
            [tenantId, record, shared],
          ),
        );
        expect(answer).toEqual([{ records: 1, shared: n % 4 === index ? 1 : 0 }]);
        seen += near;
      }
    }),
  );
  expect(seen).toBeGreaterThan(100);
});
