import { pbkdf2, randomUUID } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { makeResult } from '../../../test/factories.ts';
import { createLog } from '../log/log.ts';
import { AnalyticsBusy, AnalyticsTimeout } from './limits.ts';
import {
  appUrl,
  count,
  database,
  folder,
  service,
  soon,
  start,
  stop,
  tenantWithResults,
} from './test-replica.ts';

describe('questions', () => {
  it('see one state of the facts, however many there are', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    for (const engine of ['duckdb', 'postgres'] as const) {
      const analytics = await start({ engine });
      await analytics.caughtUp(tenantId);
      const counts = await analytics.read({ scopes: [service(tenantId)], freshness: 'any' }, async (ask) => {
        const select = 'select count(*) as n from result_fact';
        const [before] = await ask<{ n: number }>({ select });
        await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
        await analytics.caughtUp(tenantId);
        const [after] = await ask<{ n: number }>({ select });
        return [before!.n, after!.n];
      });
      expect(counts[1]).toBe(counts[0]);
      await stop(analytics);
    }
  });

  it('are never answered with an older state than before while a replica is made and others write', async () => {
    const { tenantId, patientId } = await tenantWithResults(1);
    // The replica's first read misses a result that PostgreSQL has a moment later.
    let lacking = 3;
    const withScope: typeof database.withScope = async (scope, work, options) => {
      const answer = await database.withScope(scope, work, options);
      if (options?.atCoordinator && lacking > 0) {
        lacking -= 1;
        await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
        await sleep(100);
      }
      return answer;
    };
    const analytics = await start({
      database: new Proxy(database, {
        get: (of, name) => (name === 'withScope' ? withScope : Reflect.get(of, name, of)),
      }),
    });
    const counts: number[] = [];
    const answers = () => analytics.lag().some((one) => one.tenantId === tenantId && one.seconds !== null);
    while (!answers() || counts.at(-1)! < 4) counts.push(await count(analytics, tenantId));
    expect(counts).toEqual(counts.toSorted());
    await stop(analytics);
  });

  it('are answered by PostgreSQL for as many tenants as a jurisdiction has', async () => {
    const tenants = [await tenantWithResults(1), await tenantWithResults(2), await tenantWithResults(3)];
    const analytics = await start({ engine: 'postgres' });
    const scopes = tenants.map(({ tenantId }) => service(tenantId));
    const select = 'select count(*) as n from result_fact';
    const { rows } = await analytics.query<{ n: number }>({
      scopes,
      freshness: 'any',
      select,
      timeoutMs: 5000,
    });
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('accept parameters of every kind, with the same answer from both engines', async () => {
    const { tenantId } = await tenantWithResults(1);
    const facility = randomUUID();
    const question = {
      scopes: [service(tenantId)],
      freshness: 'any' as const,
      select: `select cast($1 as integer) + 1 as n, cast($2 as text) as t, cast($3 as boolean) as b, cast($4 as text) as nothing,
        count(*) filter (where facility_id = any($5)) as listed, count(*) filter (where collected_on >= cast($6 as date)) as later,
        cast(sum(age_years) as bigint) as none, cast($7 as double precision) as d from result_fact`,
      params: [1, "it's; drop table result_fact --", true, null, [facility], '2026-03-02', 1.5],
    };
    for (const engine of ['duckdb', 'postgres'] as const) {
      const analytics = await start({ engine });
      await analytics.caughtUp(tenantId);
      const { rows } = await analytics.query(question);
      expect(rows).toEqual([
        {
          n: 2,
          t: "it's; drop table result_fact --",
          b: true,
          nothing: null,
          listed: 0,
          later: 1,
          none: null,
          d: 1.5,
        },
      ]);
      await stop(analytics);
    }
  });

  it('leave a file that only the account of the server can read', async () => {
    const { tenantId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const { mode } = await stat(join(folder, `${tenantId}.duckdb`));
    expect(mode & 0o777).toBe(0o600);
  });

  it('cannot read files', async () => {
    const { tenantId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const select = "select * from read_text('/etc/passwd')";
    await expect(analytics.query({ scopes: [service(tenantId)], freshness: 'any', select })).rejects.toThrow(
      'disabled by configuration',
    );
  });

  it('end when their time is up or their reader has left, on both engines', async () => {
    const { tenantId } = await tenantWithResults(1);
    for (const engine of ['duckdb', 'postgres'] as const) {
      const analytics = await start({ engine });
      await analytics.caughtUp(tenantId);
      const slow = {
        scopes: [service(tenantId)],
        freshness: 'any' as const,
        select: `select count(*) as n from result_fact, ${
          engine === 'duckdb'
            ? 'range(100000000) a, range(1000) b'
            : 'generate_series(1, 100000000) a, generate_series(1, 1000) b'
        }`,
      };
      // This query would take hours.
      await expect(analytics.query({ ...slow, timeoutMs: 100 })).rejects.toThrow(AnalyticsTimeout);
      const reader = new AbortController();
      setTimeout(() => reader.abort(new Error('gone')), 50);
      if (engine === 'duckdb')
        await expect(analytics.query({ ...slow, signal: reader.signal })).rejects.toThrow('gone');
      expect(await count(analytics, tenantId)).toBe(1);
      await stop(analytics);
    }
  });

  it('keep their time limit while every thread is busy', async () => {
    const { tenantId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    // Libuv has four threads by default. A statement waits for one of them, and is interrupted too early. They are busy
    // for several times as long as the time limit.
    const busy = Array.from({ length: 4 }, () => promisify(pbkdf2)('secret', 'salt', 900_000, 32, 'sha512'));
    const select = 'select count(*) as n from result_fact, range(100000000) a, range(1000) b';
    const ask = (given: object) =>
      analytics.query({ scopes: [service(tenantId)], freshness: 'any', select, ...given });
    const gone = new AbortController();
    setTimeout(() => gone.abort(new Error('gone')), 50);
    await Promise.all([
      expect(ask({ timeoutMs: 100 })).rejects.toThrow(AnalyticsTimeout),
      expect(ask({ timeoutMs: 60_000, signal: gone.signal })).rejects.toThrow('gone'),
    ]);
    await Promise.all(busy);
    expect(await count(analytics, tenantId)).toBe(1);
  });

  it('[P27] of one account run two at a time, and more than can wait are refused; lists are not', async () => {
    const { tenantId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    const scopeOf = (accountId: string) => ({
      kind: 'org' as const,
      tenantId,
      orgType: 'T' as const,
      orgId: tenantId,
      accountId,
      counties: [],
      hiddenFamilies: [],
      genderIdentityShown: true,
    });
    const one = randomUUID();
    let running = 0;
    let most = 0;
    const held: (() => void)[] = [];
    const question = (accountId: string, timeoutMs = 60_000) =>
      analytics.read({ scopes: [scopeOf(accountId)], freshness: 'any', timeoutMs }, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => held.push(resolve));
        running -= 1;
      });
    const first = [question(one), question(one)];
    await soon(async () => running === 2);
    // The third waits for a turn, and its wait counts.
    await expect(question(one, 50)).rejects.toThrow(AnalyticsBusy);
    const other = question(randomUUID());
    await soon(async () => running === 3);
    const { rows } = await analytics.query<{ n: number }>({
      scopes: [scopeOf(one)],
      freshness: 'any',
      urgency: 'list',
      select: 'select count(*) as n from result_fact',
    });
    expect(rows[0]!.n).toBe(1);
    for (const end of held) end();
    await Promise.all([...first, other]);
    expect(most).toBe(3);
  });

  it('are answered by PostgreSQL while the file turns out to be damaged, and by a new replica afterwards', async () => {
    const { tenantId } = await tenantWithResults(2);
    const first = await start();
    await first.caughtUp(tenantId);
    await stop(first);
    const file = await open(join(folder, `${tenantId}.duckdb`), 'r+');
    const { size } = await file.stat();
    const lines: string[] = [];
    const log = createLog('error', { write: (line) => lines.push(line) });
    const second = await start({ log });
    // The file is opened and its header read; then its blocks are damaged.
    await second.caughtUp(tenantId);
    await file.write(Buffer.alloc(size - 3 * 4096, 0xa5), 0, size - 3 * 4096, 3 * 4096);
    await file.close();
    expect(await count(second, tenantId)).toBe(2);
    const { rows } = await second.query<{ test_name: string }>({
      scopes: [service(tenantId)],
      freshness: 'any',
      select: 'select test_name, race, accession_key from result_fact',
    });
    expect(rows).toHaveLength(2);
    expect(lines.join()).toContain('could not answer');
    await soon(async () => second.lag().some((one) => one.tenantId === tenantId && one.seconds !== null));
    expect(await count(second, tenantId)).toBe(2);
  });

  it('never get an older answer than before, while a replica that was just made catches up', async () => {
    const { tenantId } = await tenantWithResults(1);
    const analytics = await start();
    const answeredBy = () =>
      analytics.read({ scopes: [service(tenantId)], freshness: 'any' }, async (_ask, _asOf, by) => by);
    // The replica is loaded, but has not yet read what was committed during the load.
    const loaded = new Promise<string>((resolve) => {
      analytics.onFreshness((told) => told.tenantId === tenantId && resolve(answeredBy()));
    });
    await analytics.caughtUp(tenantId);
    expect([await loaded, await answeredBy()]).toEqual(['postgres', 'duckdb']);
  });

  it('without a scope of a tenant see nothing', async () => {
    const { tenantId } = await tenantWithResults(1);
    const analytics = await start();
    await analytics.caughtUp(tenantId);
    for (const kind of ['system', 'identity'] as const) {
      const { rows } = await analytics.query<{ n: number }>({
        scopes: [{ kind }],
        freshness: 'any',
        select: 'select count(*) as n from result_fact',
      });
      expect(rows[0]!.n).toBe(0);
    }
  });
});

describe('announcements', () => {
  it('with anything but the id of a tenant are skipped', async () => {
    const analytics = await start();
    const client = new pg.Client(appUrl);
    await client.connect();
    await client.query("select pg_notify('outbox', '../../elsewhere')");
    await client.end();
    const { tenantId } = await tenantWithResults(1);
    await analytics.caughtUp(tenantId);
    expect(await count(analytics, tenantId)).toBe(1);
    expect(analytics.lag().every((one) => !one.tenantId.includes('..'))).toBe(true);
  });
});
