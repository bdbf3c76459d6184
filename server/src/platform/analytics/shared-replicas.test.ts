import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { asSuperuser } from '../../../test/database.ts';
import { makeResult } from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { createLog } from '../log/log.ts';
import type { Scope } from '../scope.ts';
import type { Analytics } from './engine.ts';
import { AnalyticsBusy, AnalyticsTimeout } from './limits.ts';
import type { Reading } from './readings.ts';
import { askOwner, NoAnswer } from './replica-door.ts';
import { type OwnersOptions, ReplicaOwners } from './replica-owners.ts';
import { Sealed } from './sealed.ts';
import { startSharedAnalytics } from './shared-replicas.ts';
import { database, folder, soon, superuserUrl, tenantWithResults } from './test-replica.ts';

const secret = 'signs between the processes of this test';
/** Long enough for a busy machine that renews late. The test of a dead owner shortens its lease itself. */
const times = { lease: 60_000, renew: 300, look: 50, even: 60_000 };

type OrgScope = Extract<Scope, { kind: 'org' }>;
const reader = (tenantId: string, given: Partial<OrgScope> = {}): OrgScope => ({
  kind: 'org',
  tenantId,
  orgType: 'T',
  orgId: tenantId,
  accountId: randomUUID(),
  counties: [],
  hiddenFamilies: [],
  genderIdentityShown: true,
  ...given,
});

interface Seen {
  by: string;
  version?: string;
  ids: string[];
  families: { family: string; n: number }[];
}
/** Two questions, the second of which depends on the rows of the first, as with small cells. */
const seen: Reading<{ least: number }, Seen> = {
  name: 'test/seen',
  asks: 'list',
  args: z.strictObject({ least: z.number() }),
  async run(ask, { least }, { by, version }) {
    const all = await ask<{ id: string }>({ select: 'select cast(id as text) as id from result_fact' });
    const families = await ask<{ family: string; n: number }>({
      select: `select disease_family as family, cast(count(*) as integer) as n from result_fact
        where $1 >= $2 group by 1`,
      params: [all.length, least],
    });
    return { by, version, ids: all.map(({ id }) => id).sort(), families };
  },
};
const slow: Reading<object, number> = {
  name: 'test/slow',
  asks: 'list',
  args: z.strictObject({}),
  async run(ask) {
    const [row] = await ask<{ n: number }>({
      select:
        'select cast(count(*) as integer) as n from range(100000) a, range(1000000) b where a.range + b.range < 3',
    });
    return row!.n;
  },
};
/** Fails like a statement with this PostgreSQL error code. */
const failing: Reading<{ code: string }, never> = {
  name: 'test/failing',
  asks: 'list',
  args: z.strictObject({ code: z.string() }),
  run: (_, { code }) => Promise.reject(Object.assign(new Error('a statement failed'), { code })),
};

const running = new Set<Analytics>();
afterEach(() => Promise.all([...running].map(stop)));
async function stop(analytics: Analytics): Promise<void> {
  running.delete(analytics);
  await analytics.close();
}

/** A process of a fleet, with its own folder. */
async function start(fleet: string, processes = 1, own: Partial<typeof times> = {}): Promise<Analytics> {
  const analytics = await startSharedAnalytics({
    // Results and cases only, because every process of every test makes replicas.
    facts: facts.slice(0, 2),
    database,
    log: createLog('fatal'),
    folder: join(folder, randomUUID()),
    engine: 'duckdb',
    sweepMs: 60_000,
    sharing: {
      fleet,
      process: randomUUID(),
      processes,
      host: '127.0.0.1',
      port: 0,
      secret,
      times: { ...times, ...own },
    },
  });
  running.add(analytics);
  for (const reading of [seen, slow, failing]) analytics.declare(reading as Reading<object, unknown>);
  return analytics;
}

const ask = (analytics: Analytics, scopes: Scope[], freshness: 'any' | 'current' = 'any') =>
  analytics.answer({ scopes, freshness }, seen, { least: 0 });
/** Waits until the replica of a tenant answers in this process, or another process answers for it. */
const ready = (analytics: Analytics, tenantId: string) =>
  soon(() =>
    ask(analytics, [reader(tenantId)]).then(
      ({ by }) => by === 'duckdb',
      () => false,
    ),
  );
const holds = async (analytics: Analytics, tenantId: string) =>
  (await analytics.size(tenantId)) !== undefined;

/** Every process of a test follows these tenants. The first result of each is about HIV. */
const tenants = [await tenantWithResults(3), await tenantWithResults(2)] as const;
for (const { ids } of tenants)
  await asSuperuser(`update result set disease_family = 'hiv' where id = $1`, [ids[0]], superuserUrl);
const [{ tenantId, ids }, { tenantId: foreign }] = tenants;
/** Starts with two results and gets more during a test. */
const growing = await tenantWithResults(2);

/**
 * Two processes that share the three tenants, two and one. On a busy machine the first has all of them before the
 * second has started, and hands one over.
 */
async function two(fleet: string): Promise<[Analytics, Analytics]> {
  const a = await start(fleet, 2, { even: 200 });
  const b = await start(fleet, 2, { even: 200 });
  const held = async (one: Analytics) =>
    (await Promise.all([tenantId, foreign, growing.tenantId].map((id) => holds(one, id)))).filter(Boolean)
      .length;
  await soon(async () => (await held(a)) === 2 && (await held(b)) === 1);
  return [a, b];
}

interface Lease {
  server: string;
  address: string;
  size: number | null;
}
const leaseOf = async (fleet: string, tenantId: string) => {
  const [lease] = await asSuperuser<Lease>(
    'select server, address, size::int from replica_owner where fleet = $1 and tenant_id = $2',
    [fleet, tenantId],
    superuserUrl,
  );
  return lease!;
};

describe('replicas that several processes share [P29]', () => {
  it('have one owner each, and every process answers the same for every reader', async () => {
    const fleet = randomUUID();
    const [a, b] = await two(fleet);
    for (const { tenantId } of tenants) {
      await ready(a, tenantId);
      await ready(b, tenantId);
      expect([await holds(a, tenantId), await holds(b, tenantId)].filter(Boolean)).toHaveLength(1);
    }
    // Each process took its share.
    const owners = await asSuperuser<{ n: number }>(
      'select count(*)::int as n from replica_owner where fleet = $1 group by server',
      [fleet],
      superuserUrl,
    );
    expect(owners).toHaveLength(2);
    for (const { tenantId, ids } of tenants) {
      const whole = await ask(a, [reader(tenantId)]);
      expect(whole).toMatchObject({ by: 'duckdb', ids: [...ids].sort() });
      expect(whole.version).toBeDefined();
      expect(await ask(b, [reader(tenantId)])).toEqual(whole);
      const blind = reader(tenantId, { hiddenFamilies: ['hiv'] });
      const less = await ask(a, [blind]);
      expect(less.ids).toEqual(ids.slice(1).sort());
      expect(await ask(b, [blind])).toEqual(less);
      const elsewhere = reader(tenantId, { orgType: 'F', orgId: randomUUID() });
      for (const one of [a, b]) expect((await ask(one, [elsewhere])).ids).toEqual([]);
    }
  });

  it('answer a question over tenants of several owners, in step, with what was committed before', async () => {
    const fleet = randomUUID();
    const [a, b] = await two(fleet);
    const three = [...tenants, growing];
    for (const { tenantId } of three) for (const one of [a, b]) await ready(one, tenantId);
    // The first process has taken two of the three, its share.
    const held = await Promise.all(three.map((tenant) => holds(b, tenant.tenantId)));
    expect(held.filter(Boolean)).toHaveLength(1);
    const late = await makeResult(database, { tenant_id: growing.tenantId, patient_id: growing.patientId });
    const scopes = three.map((tenant) => reader(tenant.tenantId));
    const all = [...three.flatMap((tenant) => tenant.ids), late.id].sort();
    for (const one of [a, b]) {
      const current = await ask(one, scopes, 'current');
      expect(current.ids).toEqual(all);
      // PostgreSQL may have answered if a replica was late.
      await soon(async () => (await ask(one, scopes)).ids.length === all.length);
      // The second question counted the rows of all tenants; with fewer rows it would have found nothing.
      const { families } = await one.answer({ scopes, freshness: 'any' }, seen, { least: 8 });
      expect(families.reduce((sum, { n }) => sum + n, 0)).toBe(8);
      const { families: none } = await one.answer({ scopes, freshness: 'any' }, seen, { least: 9 });
      expect(none).toEqual([]);
    }
    // Nothing is left open.
    for (const one of [a, b]) expect((await ask(one, scopes)).ids).toEqual(all);
  });

  it('are taken over when their owner has ended without a word, and answered by PostgreSQL until then', async () => {
    const fleet = randomUUID();
    const first = await start(fleet);
    await ready(first, tenantId);
    const second = await start(fleet);
    await ready(second, tenantId);
    await soon(async () => (await leaseOf(fleet, tenantId)).size === 3);
    const set = (change: string) =>
      asSuperuser(
        `update replica_owner set ${change} where fleet = $1 and tenant_id = $2`,
        [fleet, tenantId],
        superuserUrl,
      );
    // The owner has ended: nothing listens at its address.
    const ended = randomUUID();
    await set(
      `server = '${ended}', address = '127.0.0.1:1', until = clock_timestamp() + interval '1 minute'`,
    );
    await soon(async () => (await ask(second, [reader(tenantId)])).by === 'postgres');
    expect((await ask(second, [reader(tenantId)])).ids).toEqual([...ids].sort());
    // PostgreSQL would be too slow for a large tenant.
    await set('size = 1000000');
    const refusal = await soonRefused(() => ask(second, [reader(tenantId)]));
    expect(refusal).toMatchObject({ code: 'unavailable', details: { retryAfter: 5 } });
    await set('until = clock_timestamp()');
    await ready(second, tenantId);
    expect((await leaseOf(fleet, tenantId)).server).not.toBe(ended);
  });

  it('report that the database does not answer when their owner finds that out', async () => {
    const fleet = randomUUID();
    const owner = await start(fleet);
    await ready(owner, tenantId);
    const asker = await start(fleet);
    await ready(asker, tenantId);
    const refusalOf = (code: string) =>
      asker
        .answer({ scopes: [reader(tenantId)], freshness: 'any' }, failing, { code })
        .catch((error) => error);
    // The database server of the tenant is away.
    expect(await refusalOf('08006')).toMatchObject({ code: 'unavailable', details: { retryAfter: 2 } });
    expect(await refusalOf('42703')).toMatchObject({ code: 'internal' });
  });

  it('are not waited for longer than the lease of an owner that has stopped answering', async () => {
    const fleet = randomUUID();
    const asker = await start(fleet);
    await ready(asker, tenantId);
    // It accepts connections and never answers, like a process that hangs.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => {
      silent.close();
      silent.closeAllConnections();
    });
    const { port } = silent.address() as AddressInfo;
    await asSuperuser(
      `update replica_owner set server = $3, address = $4, until = clock_timestamp() + interval '10 minutes'
       where fleet = $1 and tenant_id = $2`,
      [fleet, tenantId, randomUUID(), `127.0.0.1:${port}`],
      superuserUrl,
    );
    await soon(async () => !(await holds(asker, tenantId)));
    const heard = once(silent, 'request');
    const answer = asker.answer({ scopes: [reader(tenantId)], freshness: 'any', timeoutMs: 200_000 }, seen, {
      least: 0,
    });
    await heard;
    await asSuperuser(
      'update replica_owner set until = clock_timestamp() where fleet = $1 and tenant_id = $2',
      [fleet, tenantId],
      superuserUrl,
    );
    const began = performance.now();
    expect((await answer).ids).toEqual([...ids].sort());
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  it('are handed over at once when their owner stops, and the files are closed before', async () => {
    const fleet = randomUUID();
    const lasting = { lease: 60_000 };
    const first = await start(fleet, 1, lasting);
    await ready(first, tenantId);
    const second = await start(fleet, 1, lasting);
    expect(await holds(second, tenantId)).toBe(false);
    await stop(first);
    await soon(() => holds(second, tenantId));
  });

  it('are shared out again when a process comes later, except those too large to remake during work', async () => {
    const fleet = randomUUID();
    // It renews nothing in the meantime, so the test's sizes stay.
    const first = await start(fleet, 1, { lease: 60_000, renew: 60_000 });
    const three = [...tenants, growing];
    for (const one of three) await ready(first, one.tenantId);
    const sizes = (change: string) =>
      asSuperuser(`update replica_owner set size = ${change} where fleet = $1`, [fleet], superuserUrl);
    await sizes('1000000');
    const second = await start(fleet, 1, { even: 200 });
    const held = async (one: Analytics) =>
      (await Promise.all(three.map((tenant) => holds(one, tenant.tenantId)))).filter(Boolean).length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await held(second)).toBe(0);
    await sizes('2');
    await soon(async () => (await held(second)) === 1);
    // Two and one is an even share.
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect([await held(first), await held(second)]).toEqual([2, 1]);
    for (const one of [first, second])
      for (const tenant of tenants)
        expect((await ask(one, [reader(tenant.tenantId)])).ids).toEqual([...tenant.ids].sort());
  });

  it('refuse across processes as within one: too long, too many at once, and a reader who has left', async () => {
    const fleet = randomUUID();
    const owner = await start(fleet);
    await ready(owner, tenantId);
    const other = await start(fleet);
    const scope = reader(tenantId);
    const wait = (timeoutMs: number, signal?: AbortSignal) =>
      other.answer({ scopes: [scope], freshness: 'any', timeoutMs, signal }, slow, {});
    await expect(wait(100)).rejects.toThrow(AnalyticsTimeout);
    const gone = new AbortController();
    const waiting = wait(60_000, gone.signal);
    setTimeout(() => gone.abort(new Error('gone')), 50);
    await expect(waiting).rejects.toThrow('gone');
    // The owner counts the questions of an account from all processes. [P27]
    const left = new AbortController();
    const long = { scopes: [scope], freshness: 'any' as const, timeoutMs: 200_000, signal: left.signal };
    const busy = [other, owner].map((one) => one.answer(long, slow, {}));
    for (const one of busy) one.catch(() => {});
    // Until both have begun, this call itself begins and takes too long.
    await expect.poll(() => wait(200).catch((error) => error)).toBeInstanceOf(AnalyticsBusy);
    left.abort(new Error('gone'));
    for (const one of busy) await expect(one).rejects.toThrow('gone');
  });
});

/** The leases of one process, without replicas. */
function leases(fleet: string, own: Partial<OwnersOptions> = {}): ReplicaOwners {
  const owners = new ReplicaOwners({
    database,
    log: createLog('fatal'),
    fleet,
    server: randomUUID(),
    address: '127.0.0.1:1',
    size: async () => undefined,
    taken: () => {},
    lost: async () => {},
    askForOne: async () => {},
    ...own,
  });
  onTestFinished(() => owners.release());
  return owners;
}

describe('the leases of a process that shares replicas', () => {
  it.each([
    [120, [[{ seconds: 120 }, 'the clock of this server differs from that of the database']]],
    [5, []],
  ])('warn of its clock where it is %i seconds ahead of the database', async (ahead, warned) => {
    const warn = vi.fn();
    const owners = leases(randomUUID(), { log: { warn } as unknown as Logger });
    const real = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => real() + ahead * 1000);
    onTestFinished(() => void vi.restoreAllMocks());
    await owners.look();
    await owners.look();
    expect(warn.mock.calls).toEqual(warned);
  });

  it('are requested one at a time, however long the answer takes', async () => {
    const fleet = randomUUID();
    await leases(fleet).look();
    const { promise, resolve } = Promise.withResolvers<void>();
    const askForOne = vi.fn(() => promise);
    const late = leases(fleet, { askForOne, times: { even: 0 } });
    for (let looks = 0; looks < 3; looks += 1) await late.look();
    expect(askForOne).toHaveBeenCalledTimes(1);
    resolve();
    await expect
      .poll(async () => {
        await late.look();
        return askForOne.mock.calls.length;
      })
      .toBe(2);
  });
});

describe('the door between the processes [P1]', () => {
  it('answers no one without the secret, no old or repeated question, and no question for another process', async () => {
    const fleet = randomUUID();
    const owner = await start(fleet);
    await ready(owner, tenantId);
    const { server, address } = await leaseOf(fleet, tenantId);
    const body = {
      kind: 'whole',
      reading: seen.name,
      args: { least: 0 },
      scope: reader(tenantId),
      freshness: 'any',
      timeoutMs: 60_000,
    };
    const ours = new Sealed(secret);
    const answered = (await askOwner({ server, address }, ours, body, { withinMs: 60_000 })) as {
      answer: Seen;
    };
    expect(answered.answer.ids).toEqual([...ids].sort());

    const knock = (message: Buffer | string, path = '/') =>
      new Promise<[number, string]>((resolve, reject) => {
        const sent = request(`http://${address}${path}`, { method: 'POST' }, async (given) => {
          let text = '';
          for await (const chunk of given) text += chunk;
          resolve([given.statusCode!, text]);
        });
        sent.once('error', reject);
        sent.end(message);
      });
    const refused = [404, ''];
    const { message } = ours.question(server, body);
    expect(await knock(JSON.stringify(body))).toEqual(refused);
    expect(await knock('')).toEqual(refused);
    expect(
      await knock(new Sealed('another secret, of another installation').question(server, body).message),
    ).toEqual(refused);
    expect(await knock(ours.question(randomUUID(), body).message)).toEqual(refused);
    for (const minutes of [-1, 1])
      expect(await knock(ours.question(server, body, Date.now() + minutes * 60_000).message)).toEqual(
        refused,
      );
    for (const at of [0, 20, message.length - 1]) {
      const changedMessage = Buffer.from(message);
      changedMessage[at]! ^= 1;
      expect(await knock(changedMessage)).toEqual(refused);
    }
    expect((await knock(message))[0]).toBe(200);
    expect(await knock(message)).toEqual(refused);
    // The answer to one question is not accepted for another.
    const [one, two] = [randomUUID(), randomUUID()];
    expect(ours.openAnswer(two, ours.answer(one, 'what'))).toBeUndefined();
    expect(ours.openAnswer(one, ours.answer(one, 'what'))).toEqual({ body: 'what' });
  });

  it('accepts readings by name and scopes of readers, and nothing else', async () => {
    const fleet = randomUUID();
    const owner = await start(fleet);
    await ready(owner, tenantId);
    const lease = await leaseOf(fleet, tenantId);
    const whole = {
      kind: 'whole',
      reading: seen.name,
      args: { least: 0 },
      freshness: 'any',
      timeoutMs: 60_000,
    };
    const say = (body: object) => askOwner(lease, new Sealed(secret), body, { withinMs: 60_000 });
    const internal = { kind: 'refused', code: 'internal' };
    expect(await say({ ...whole, scope: { kind: 'service', tenantId } })).toEqual(internal);
    expect(await say({ ...whole, scope: { kind: 'system' } })).toEqual(internal);
    expect(await say({ ...whole, scope: { ...reader(tenantId), glass: randomUUID() } })).toEqual(internal);
    expect(await say({ kind: 'whole', select: 'select 1', scope: reader(tenantId) })).toEqual(internal);
    expect(await say({ ...whole, args: { least: 'select' }, scope: reader(tenantId) })).toEqual(internal);
    expect(await say({ ...whole, reading: 'constructor', scope: reader(tenantId) })).toEqual({
      kind: 'not-mine',
    });
    // Rows for a reading that is not running, or of another reader, are ignored.
    expect(await say({ kind: 'merged', session: randomUUID(), rows: [] })).toEqual({ kind: 'timeout' });
    // A scope that names another tenant sees that tenant or nothing, never a mix.
    const mixed = (await say({ ...whole, scope: { ...reader(foreign), orgId: tenantId } })) as {
      answer: Seen;
    };
    const own = await ask(owner, [reader(foreign)]);
    expect(mixed.answer.ids).toEqual(own.ids);
  });

  it('does not accept an answer from a process that listens at the owner’s address', async () => {
    const impostor = createServer((asked, answer) => {
      asked.resume().once('end', () => answer.end(new Sealed('a guess at the secret').answer('x', {})));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => impostor.once('listening', resolve));
    const { port } = impostor.address() as { port: number };
    const to = { server: randomUUID(), address: `127.0.0.1:${port}` };
    await expect(askOwner(to, new Sealed(secret), {}, { withinMs: 60_000 })).rejects.toThrow(NoAnswer);
    impostor.close();
    impostor.closeAllConnections();
  });
});

/** The error of the first call that fails. */
async function soonRefused(call: () => Promise<unknown>): Promise<unknown> {
  for (const until = performance.now() + 60_000; performance.now() < until; ) {
    try {
      await call();
    } catch (error) {
      return error;
    }
  }
  throw new Error('nothing was refused');
}
