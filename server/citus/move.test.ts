import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { elr, importText } from '../src/features/imports/test-messages.ts';
import { testApp } from '../test/app.ts';
import { askingAs } from '../test/asking.ts';
import { asSuperuser } from '../test/database.ts';
import { signInAs } from '../test/sign-in.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { servers } = inject('cluster');
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

it('moves a tenant as docs/scale-out.md says, while people write, and loses nothing [P5, P30]', async () => {
  const { demo } = await seedDemoTenants(database);
  await importText(database, demo.id, elr());
  const [report] = await sql<{ id: string }>('select id from case_report where tenant_id = $1', [demo.id]);
  const { ask } = askingAs(testing, await signInAs(testing, 'investigator@demo.caseway.test'));

  const acknowledged: string[] = [];
  const others = new Set<number>();
  let stopped = false;
  const writing = Promise.all(
    ['a', 'b', 'c'].map(async (writer) => {
      for (let n = 0; !stopped; n++) {
        const text = `${writer}${n}`;
        const { statusCode } = await ask('POST', `case-reports/${report!.id}/notes`, { text });
        if (statusCode === 200) acknowledged.push(text);
        else others.add(statusCode);
        await pause(10);
      }
    }),
  );
  const written = (more: number) => {
    const before = acknowledged.length;
    return expect.poll(() => acknowledged.length - before).toBeGreaterThan(more);
  };

  const documents = await readFile(new URL('../../docs/scale-out.md', import.meta.url), 'utf8');
  const [, commands] = /^## Move a tenant\n[\s\S]*?```sql\n([\s\S]*?)```/m.exec(documents)!;
  const [isolate, move, ...rest] = commands!.replaceAll('TENANT-ID', demo.id).split(/;\n/);
  expect(rest).toEqual(['']);
  const workers = servers!.slice(1).map((url) => Number(new URL(url).port));
  const port = async () => {
    const [place] = await sql<{ port: number }>(
      `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
       where p.shardid = get_shard_id_for_distribution_column('patient', $1::uuid)`,
      [demo.id],
    );
    return place!.port;
  };
  const from = await port();
  const to = workers.find((one) => one !== from)!;
  await written(3);
  await sql(isolate!);
  await written(3);
  await sql(
    move!
      .replace(`'10.0.0.2', 5432`, `'127.0.0.1', ${from}`)
      .replace(`'10.0.0.3', 5432`, `'127.0.0.1', ${to}`),
  );
  expect(await port()).toBe(to);
  await written(3);
  stopped = true;
  await writing;

  expect([...others].filter((status) => status !== 503)).toEqual([]);
  const stored = await sql<{ text: string }>(
    `select detail ->> 'text' as text from case_event where tenant_id = $1 and kind = 'note'`,
    [demo.id],
  );
  expect(stored.map(({ text }) => text).sort()).toEqual(expect.arrayContaining(acknowledged.sort()));
});
