import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { Way } from '../../../test/way.ts';
import { auditWrites, writeEvent } from '../audit/auditor.ts';
import { type Database, openDatabase } from '../db/database.ts';
import type { App } from '../http/app.ts';
import { serveHealth } from '../http/health.ts';
import { serveMetrics } from '../http/metrics.ts';
import { appUrl, database, makeApp, superuserUrl, tenant } from '../http/test-app.ts';
import { createLog } from '../log/log.ts';
import { createMailer } from '../mail/mailer.ts';
import { createTexter } from '../mail/texter.ts';
import { diskOf } from './disk.ts';
import { product } from './product.ts';
import { watchOperations } from './watch.ts';

const folder = await mkdtemp(join(tmpdir(), 'caseway-watch-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const outbox = join(folder, 'outbox');
const mailer = createMailer({ outbox, from: 'Caseway <no-reply@caseway.test>' });
const texter = createTexter({ outbox });
const disk = { freeBytes: 3e9, totalBytes: 10e9 };

async function watched(
  given: Partial<Parameters<typeof watchOperations>[1]> = {},
  of: Database = database,
): Promise<App> {
  const app = await makeApp({ database: of });
  watchOperations(app, {
    readDisk: async () => disk,
    minFreeBytes: 512e6,
    mailer,
    texter,
    keptMs: 0,
    ...given,
  });
  serveMetrics(app, undefined);
  serveHealth(app);
  return app;
}
const sql = (text: string, params: unknown[] = []) => asSuperuser(text, params, superuserUrl);

/** The values of the product's own metrics by their line, `name{labels}`. */
async function scrape(app: App): Promise<Record<string, number>> {
  const { statusCode, body } = await app.fastify.inject('/metrics');
  expect(statusCode).toBe(200);
  const lines = body.split('\n').filter((line) => line.startsWith('caseway_'));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

describe('/metrics [S10.7]', () => {
  it('names the running version and commit', async () => {
    expect(await scrape(await watched())).toHaveProperty(
      [`caseway_build_info{version="${product.version}",commit="${product.build}"}`],
      1,
    );
    expect(product.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('reports jobs: waiting, running, given up, and since when the oldest waits', async () => {
    const app = await watched();
    const add = (task: string, runAt: string, attempts = 5) =>
      sql('select graphile_worker.add_job($1, run_at := now() + $2::interval, max_attempts := $3)', [
        task,
        runAt,
        attempts,
      ]);
    await add('test/late', '-90 seconds');
    await add('test/late', '-30 seconds');
    await add('test/future', '1 hour');
    await add('test/broken', '-10 seconds', 3);
    await sql(
      `update graphile_worker._private_jobs j set attempts = 3 from graphile_worker._private_tasks t
       where t.id = j.task_id and t.identifier = 'test/broken'`,
    );
    const metrics = await scrape(app);
    expect(metrics).toMatchObject({
      'caseway_jobs{task="test/late",state="waiting"}': 2,
      'caseway_jobs{task="test/late",state="running"}': 0,
      'caseway_jobs{task="test/late",state="failed"}': 0,
      'caseway_jobs{task="test/future",state="waiting"}': 1,
      'caseway_jobs{task="test/broken",state="waiting"}': 0,
      'caseway_jobs{task="test/broken",state="failed"}': 1,
      // Not due yet, or given up: nothing has waited too long.
      'caseway_jobs_oldest_waiting_seconds{task="test/future"}': 0,
      'caseway_jobs_oldest_waiting_seconds{task="test/broken"}': 0,
    });
    const oldest = metrics['caseway_jobs_oldest_waiting_seconds{task="test/late"}']!;
    expect(oldest).toBeGreaterThanOrEqual(90);
    expect(oldest).toBeLessThan(150);
    // A kind without jobs is removed, rather than left at its last number.
    await sql('delete from graphile_worker._private_jobs');
    expect(Object.keys(await scrape(app)).join()).not.toContain('test/late');
  });

  it('reports the imports of the last seven days of all tenants, by state', async () => {
    const other = await makeTenant(database);
    const add = (tenantId: string, state: string, age: string) =>
      sql(
        `insert into import (tenant_id, id, file_name, state, created_at)
         values ($1, gen_random_uuid(), 'a.hl7', $2, now() - $3::interval)`,
        [tenantId, state, age],
      );
    await add(tenant.id, 'failed', '1 day');
    await add(other.id, 'failed', '6 days');
    await add(other.id, 'failed', '8 days');
    await add(other.id, 'queued', '1 minute');
    const metrics = await scrape(await watched());
    const imports = Object.entries(metrics).filter(([name]) => name.startsWith('caseway_imports'));
    expect(Object.fromEntries(imports)).toEqual({
      'caseway_imports{state="queued"}': 1,
      'caseway_imports{state="running"}': 0,
      'caseway_imports{state="needs-mapping"}': 0,
      'caseway_imports{state="done"}': 0,
      'caseway_imports{state="failed"}': 2,
      'caseway_imports{state="cancelled"}': 0,
    });
  });

  it('leaves out the imports of a tenant whose database server does not answer, and nothing else [P30]', async () => {
    const before = await scrape(await watched());
    const stricken = await makeTenant(database);
    await sql(
      `insert into import (tenant_id, id, file_name, state) values ($1, gen_random_uuid(), 'a.hl7', 'failed')`,
      [stricken.id],
    );
    const failing = (code: string): Database => ({
      ...database,
      withScope: (scope, work, options) =>
        'tenantId' in scope && scope.tenantId === stricken.id
          ? Promise.reject(Object.assign(new Error('a statement failed'), { code }))
          : database.withScope(scope, work, options),
    });
    const metrics = await scrape(await watched({}, failing('08006')));
    expect(metrics).toHaveProperty('caseway_database_size_bytes');
    expect(metrics['caseway_imports{state="failed"}']).toBe(before['caseway_imports{state="failed"}']);
    // Any other error is a program fault.
    expect(await scrape(await watched({}, failing('42703')))).not.toHaveProperty(
      'caseway_database_size_bytes',
    );
  });

  it('reports the size of the database and the last backup [P7]', async () => {
    const app = await watched();
    const before = await scrape(app);
    expect(before.caseway_database_size_bytes).toBeGreaterThan(1e6);
    expect(before.caseway_last_backup_timestamp_seconds).toBe(0);
    await sql(
      `insert into backup_made (id, at, bytes, encrypted, rows) values
         (gen_random_uuid(), '2026-03-01T00:00:00Z', 5, true, 1),
         (gen_random_uuid(), '2026-02-01T00:00:00Z', 6, false, 1)`,
    );
    // 2026-03-01T00:00:00Z in seconds since 1970.
    expect((await scrape(app)).caseway_last_backup_timestamp_seconds).toBe(1_772_323_200);
  });

  it('reports the disk, and leaves out one that cannot be read', async () => {
    expect(await scrape(await watched())).toMatchObject({
      caseway_disk_free_bytes: 3e9,
      caseway_disk_total_bytes: 10e9,
    });
    const unread = await scrape(await watched({ readDisk: () => Promise.reject(new Error('EIO')) }));
    expect(unread).not.toHaveProperty('caseway_disk_free_bytes');
    expect(unread).toHaveProperty('caseway_database_size_bytes');
  });

  it('reports emails and text messages that were accepted and refused', async () => {
    const message = { to: 'nobody@caseway.test', subject: 'Hello', text: 'Hello', language: 'en' };
    const refusing = createTexter({ smsUrl: 'http://127.0.0.1:9/', outbox });
    const app = await watched({ texter: refusing });
    await mailer.send({ ...message, id: 'one', at: new Date() });
    await mailer.send({ ...message, id: 'two', at: new Date() });
    const text = { id: 'three', to: '+15550100', text: 'Hello', language: 'en', at: new Date() };
    await expect(refusing.send(text)).rejects.toThrow();
    expect(await scrape(app)).toMatchObject({
      'caseway_messages_total{kind="mail",result="sent"}': 2,
      'caseway_messages_total{kind="mail",result="failed"}': 0,
      'caseway_messages_total{kind="text",result="sent"}': 0,
      'caseway_messages_total{kind="text",result="failed"}': 1,
    });
  });

  it('reports audit events that could not be written [P15]', async () => {
    const app = await watched();
    const before = (await scrape(app)).caseway_audit_write_failures_total!;
    expect(before).toBe(auditWrites.failed);
    const event = {
      accountId: null,
      orgType: null,
      orgId: null,
      action: 'GET /test' as const,
      deed: 'read' as const,
      recordKind: null,
    };
    const write = (tenantId: string) =>
      database.withScope({ kind: 'service', tenantId }, (tx) =>
        writeEvent(tx, { ...event, tenantId, recordIds: [], detail: {} }),
      );
    await write(tenant.id);
    expect((await scrape(app)).caseway_audit_write_failures_total).toBe(before);
    await expect(write('no uuid')).rejects.toThrow();
    expect((await scrape(app)).caseway_audit_write_failures_total).toBe(before + 1);
  });

  it('reads the database once for many scrapes', async () => {
    let asked = 0;
    const counting: Database = {
      ...database,
      withScope: (scope, work, options) => {
        if (scope.kind === 'system') asked += 1;
        return database.withScope(scope, work, options);
      },
    };
    const app = await watched({ keptMs: 60_000 }, counting);
    const many = await Promise.all(Array.from({ length: 10 }, () => scrape(app)));
    await scrape(app);
    expect(asked).toBe(1);
    for (const metrics of many) expect(metrics).toHaveProperty('caseway_database_size_bytes');
  });

  it('leaves out what it cannot read while the database hangs, and waits on one connection at most', async () => {
    const way = await Way.to(appUrl);
    const through = await openDatabase({ url: way.url, log: createLog('fatal'), poolSize: 4 });
    const app = await watched({ patienceMs: 200 }, through);
    await expect.poll(() => scrape(app)).toHaveProperty('caseway_database_size_bytes');
    way.hang();
    const hanging = await Promise.all([scrape(app), scrape(app), scrape(app)]);
    for (const metrics of hanging) {
      const names = Object.keys(metrics).join();
      expect(names).not.toMatch(/caseway_(database_size|last_backup|jobs|imports)/);
      expect(metrics).toMatchObject({ caseway_disk_free_bytes: 3e9 });
    }
    const { total, idle, waiting } = through.usage();
    expect([total - idle, waiting]).toEqual([1, 0]);
    await way.reopen();
    await expect
      .poll(async () => Object.keys(await scrape(app)), { interval: 100 })
      .toContain('caseway_database_size_bytes');
    await way.cut();
    await through.close();
  });
});

describe('/health/ready [S10.7]', () => {
  const ready = async (freeBytes: number, minFreeBytes: number) => {
    const app = await watched({ readDisk: async () => ({ ...disk, freeBytes }), minFreeBytes });
    const answer = await app.fastify.inject('/health/ready');
    return [answer.statusCode, answer.json()];
  };
  const checks = { database: 'ready', disk: 'ready' };

  it('is not ready, by name, when less is free than the limit', async () => {
    expect(await ready(511e6, 512e6)).toEqual([
      503,
      { status: 'not ready', checks: { ...checks, disk: 'not ready' } },
    ]);
    expect(await ready(512e6, 512e6)).toEqual([200, { status: 'ready', checks }]);
    // 0 turns the check off.
    expect(await ready(0, 0)).toEqual([200, { status: 'ready', checks }]);
  });

  it('is not ready when the disk cannot be read', async () => {
    const app = await watched({ readDisk: () => Promise.reject(new Error('EIO')) });
    expect((await app.fastify.inject('/health/ready')).json().checks.disk).toBe('not ready');
  });

  it('reads the disk of the folders that it is given', async () => {
    const { freeBytes, totalBytes } = await diskOf([folder, tmpdir()])();
    expect(freeBytes).toBeGreaterThan(0);
    expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
  });
});
