import { type AddressInfo, connect, createServer } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import {
  makeCaseReport,
  makeFacility,
  makeMember,
  makeOrganization,
  makePatient,
  makeResult,
  makeTenant,
} from '../../../test/factories.ts';
import { load } from '../../../test/load.ts';
import { createLog } from '../log/log.ts';
import { type Scope, settingsOf } from '../scope.ts';
import { type Database, openDatabase, type Tx } from './database.ts';

const { database, appUrl, ownerUrl } = await createTestDatabase();

const ask = <Row extends object>(scope: Scope, query: string, params: unknown[] = []) =>
  database.withScope(scope, (tx) => tx.rows<Row>(query, params));
const org = (tenantId: string, given: Partial<Extract<Scope, { kind: 'org' }>> = {}): Scope => ({
  kind: 'org',
  tenantId,
  orgType: 'T',
  orgId: tenantId,
  accountId: '00000000-0000-4000-8000-000000000001',
  counties: [],
  hiddenFamilies: [],
  genderIdentityShown: true,
  ...given,
});

describe('withScope', () => {
  it('commits when the work returns, and returns its result', async () => {
    const tenant = await makeTenant(database);
    const patient = await makePatient(database, { tenant_id: tenant.id, last_name: 'Kept' });
    expect(await ask({ kind: 'service', tenantId: tenant.id }, 'select id, birth_date from patient')).toEqual(
      [{ id: patient.id, birth_date: '1980-05-17' }],
    );
  });

  it('rolls back and passes the error on when the work throws', async () => {
    const tenant = await makeTenant(database);
    const scope: Scope = { kind: 'service', tenantId: tenant.id };
    const stopped = database.withScope(scope, async (tx) => {
      await tx.run('update tenant set name = $1', ['Changed']);
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await ask(scope, 'select name from tenant')).toEqual([{ name: tenant.name }]);
  });

  it('does not pretend to have committed when the work swallowed a failed statement', async () => {
    const tenant = await makeTenant(database);
    const scope: Scope = { kind: 'service', tenantId: tenant.id };
    const swallowed = database.withScope(scope, async (tx) => {
      await tx.run('update tenant set name = $1', ['Changed']);
      await tx.rows('select 1 / 0').catch(() => {});
    });
    await expect(swallowed).rejects.toThrow('the transaction was aborted');
    expect(await ask(scope, 'select name from tenant')).toEqual([{ name: tenant.name }]);
  });

  it('sets every setting of the scope, and those that it does not have to the empty string', async () => {
    const names = Object.keys(settingsOf({ kind: 'system' }));
    const query = `select ${names.map((name) => `current_setting('${name}') as "${name}"`).join(', ')}`;
    const tenantId = '11111111-1111-4111-8111-111111111111';
    const counties = ['13121', '13089'];
    const [whole] = await ask(org(tenantId, { orgType: 'PHJ', counties, hiddenFamilies: ['hiv'] }), query);
    expect(whole).toEqual({
      'app.scope': 'org',
      'app.tenant_id': tenantId,
      'app.org_type': 'PHJ',
      'app.org_id': tenantId,
      'app.account_id': '00000000-0000-4000-8000-000000000001',
      'app.patient_id': '',
      'app.counties': '13121,13089',
      'app.guardian': '',
      'app.hidden_from_guardian': '',
      'app.hidden_families': 'hiv',
      'app.gender_identity_shown': 'on',
      'app.glass': '',
      'app.privacy_officer': '',
    });
    const [bare] = await ask({ kind: 'identity' }, query);
    expect(bare).toEqual({ ...Object.fromEntries(names.map((name) => [name, ''])), 'app.scope': 'identity' });
  });

  it('stores a value unchanged, with any quotes, backslashes or line ends', async () => {
    const families = ["o'hara", 'back\\slash', "'; set local app.scope = 'service'; --", 'two\nlines'];
    const [row] = await ask(
      org('11111111-1111-4111-8111-111111111111', { hiddenFamilies: families }),
      "select current_setting('app.hidden_families') as families, current_setting('app.scope') as scope",
    );
    expect(row).toEqual({ families: families.join(','), scope: 'org' });
  });

  it('refuses a list entry that would be read as two entries or as no entry', async () => {
    const hidden = (...hiddenFamilies: string[]) =>
      ask(org('11111111-1111-4111-8111-111111111111', { hiddenFamilies }), 'select 1');
    await expect(hidden('hiv,sti')).rejects.toThrow('holds a comma');
    await expect(hidden('')).rejects.toThrow('is empty');
    await expect(hidden('hi\0v')).rejects.toThrow('zero byte');
  });

  it('cannot write when it is read-only', async () => {
    const tenant = await makeTenant(database);
    const written = database.withScope(
      { kind: 'service', tenantId: tenant.id },
      (tx) => tx.run('update tenant set name = name'),
      {
        readOnly: true,
      },
    );
    await expect(written).rejects.toMatchObject({ code: '25006' });
  });

  it('ends a statement that takes longer than its time', async () => {
    const slow = database.withScope({ kind: 'system' }, (tx) => tx.rows('select pg_sleep(10)'), {
      statementTimeoutMs: 50,
    });
    await expect(slow).rejects.toMatchObject({ code: '57014' });
  });

  it('gives a transaction that stops working once the work is done', async () => {
    let kept: Tx | undefined;
    await database.withScope({ kind: 'system' }, async (tx) => {
      kept = tx;
    });
    await expect(kept!.rows('select 1')).rejects.toThrow('the transaction has ended');
    await expect(kept!.selectFrom('tenant').selectAll().execute()).rejects.toThrow(
      'the transaction has ended',
    );
  });

  it('sends a statement without waiting, before the next one', async () => {
    const tenant = await makeTenant(database);
    const rename = 'update tenant set name = $1 || name';
    await database.withScope({ kind: 'service', tenantId: tenant.id }, async (tx) => {
      await tx.run(`update tenant set name = 'd'`);
      // It does not wait for the sent statement: this continues only once another connection has released the lock.
      const holder = new pg.Client(ownerUrl);
      await holder.connect();
      await holder.query('select pg_advisory_lock(7)');
      await tx.send('select pg_advisory_xact_lock(7)');
      await holder.end();
      await Promise.all([tx.send(rename, ['c']), tx.send(rename, ['b'])]);
      await tx.send(rename, ['a']);
      expect(await tx.rows('select name from tenant')).toEqual([{ name: 'abcd' }]);
      await tx.send(rename, ['_']);
    });
    expect(await ask({ kind: 'service', tenantId: tenant.id }, 'select name from tenant')).toEqual([
      { name: '_abcd' },
    ]);
  });

  it('reports the failure of a statement with the next one or at the end, and keeps nothing', async () => {
    const tenant = await makeTenant(database);
    const scope: Scope = { kind: 'service', tenantId: tenant.id };
    let reached = false;
    const atNext = database.withScope(scope, async (tx) => {
      await tx.send(`update tenant set name = 'lost'`);
      await tx.send('select 1 / 0');
      await tx.selectFrom('tenant').selectAll().execute();
      reached = true;
    });
    await expect(atNext).rejects.toMatchObject({ code: '22012' });
    expect(reached).toBe(false);
    const atEnd = database.withScope(scope, async (tx) => {
      await tx.send(`update tenant set name = 'lost'`);
      await tx.send('select 1 / 0');
    });
    await expect(atEnd).rejects.toMatchObject({ code: '22012' });
    const ownFault = database.withScope(scope, async (tx) => {
      await tx.send(`update tenant set name = 'lost'`);
      throw new Error('of its own');
    });
    await expect(ownFault).rejects.toThrow('of its own');
    const both = database.withScope(scope, async (tx) => {
      await tx.send('select 1 / 0');
      throw new Error('of its own');
    });
    await expect(both).rejects.toMatchObject({ code: '22012' });
    expect(await ask(scope, 'select name from tenant')).toEqual([{ name: tenant.name }]);
  });

  it('speaks Kysely, with the number of rows changed', async () => {
    const tenant = await makeTenant(database);
    await database.withScope({ kind: 'service', tenantId: tenant.id }, async (tx) => {
      const changed = await tx.updateTable('tenant').set({ name: 'Renamed' }).executeTakeFirstOrThrow();
      expect(changed.numUpdatedRows).toBe(1n);
      const found = await tx.selectFrom('tenant').select(['name', 'created_at']).executeTakeFirstOrThrow();
      expect(found.name).toBe('Renamed');
      expect(found.created_at).toBeInstanceOf(Date);
      expect((await sql<{ n: number }>`select 2::bigint as n`.execute(tx)).rows).toEqual([{ n: 2 }]);
    });
  });

  it('copies rows in and out', async () => {
    const tenant = await makeTenant(database);
    const ids = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
    await database.withScope({ kind: 'service', tenantId: tenant.id }, async (tx) => {
      // PostgreSQL cannot COPY into a table with row-level security, so the rows go through a temporary table.
      await tx.rows('create temporary table taken (id uuid, label text) on commit drop');
      const into = tx.copyFrom('copy taken (id, label) from stdin');
      await pipeline(Readable.from(ids.map((id) => `${id}\tType ${id[0]}\n`)), into);
      expect(into.rowCount).toBe(3);
      await tx.run('insert into program_type (tenant_id, id, label) select $1, id, label from taken', [
        tenant.id,
      ]);
      const out = new PassThrough();
      const [copied, rows] = await Promise.all([
        text(out),
        tx.copyTo('copy (select label from program_type order by id) to stdout', out),
      ]);
      expect([copied, rows]).toEqual(['Type a\nType b\nType c\n', 3]);
    });
  });

  it('knows how many rows it has copied out, when the number comes later than the rows', async () => {
    // The end of the copy is sent after a moment, as by a busy server.
    const end = Buffer.from([0x63, 0, 0, 0, 4]);
    const { hostname, port } = new URL(appUrl);
    const slow = createServer((from) => {
      const to = connect(Number(port), hostname);
      let sent = Promise.resolve();
      to.on('data', (bytes: Buffer) => {
        const at = bytes.lastIndexOf(end) + end.length;
        const parts = at < end.length ? [bytes] : [bytes.subarray(0, at), bytes.subarray(at)];
        for (const [index, part] of parts.entries())
          sent = sent.then(async () => {
            if (index > 0) await new Promise((resolve) => setTimeout(resolve, 50));
            from.write(part);
          });
      });
      from.pipe(to);
      for (const one of [from, to])
        one
          .on('error', () => {})
          .on('close', () => {
            from.destroy();
            to.destroy();
          });
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const url = new URL(appUrl);
    url.port = String((slow.address() as AddressInfo).port);
    const through = await openDatabase({ url: url.href, log: createLog('fatal') });
    try {
      const rows = await through.withScope({ kind: 'system' }, (tx) =>
        tx.copyTo('copy (select n from generate_series(1, 7) n) to stdout', new PassThrough().resume()),
      );
      expect(rows).toBe(7);
    } finally {
      await through.close();
      slow.close();
    }
  });

  it('reads days as days, whole numbers as numbers, and refuses one too large to be exact', async () => {
    const [row] = await ask(
      { kind: 'system' },
      "select date '2026-03-08' as day, array[date '2026-03-08'] as days, 9007199254740991 as n, array[1::bigint, null] as many, interval '1 day 2 hours' as span",
    );
    expect(row).toEqual({
      day: '2026-03-08',
      days: ['2026-03-08'],
      n: 9007199254740991,
      many: [1, null],
      span: '1 day 02:00:00',
    });
    await expect(ask({ kind: 'system' }, 'select 9007199254740992 as n')).rejects.toThrow('too large');
  });

  it('survives the loss of its connections', async () => {
    const lost = database.withScope({ kind: 'system' }, async (tx) => {
      const [{ pid }] = (await tx.rows<{ pid: number }>('select pg_backend_pid() as pid')) as [
        { pid: number },
      ];
      await asSuperuser('select pg_terminate_backend($1)', [pid]);
      await tx.rows('select 1');
    });
    await expect(lost).rejects.toThrow();
    expect(await ask({ kind: 'system' }, 'select 1 as n')).toEqual([{ n: 1 }]);
  });
});

describe('what a scope sees', () => {
  it('shows a person the rows of the organisation, facility or counties acted for, and nothing of another tenant [S6.9]', async () => {
    const tenant = await makeTenant(database);
    const other = await makeTenant(database);
    const one = await makeOrganization(database, { tenant_id: tenant.id });
    const clinic = await makeFacility(database, { tenant_id: tenant.id });
    const patients = {
      ofOrganization: await makePatient(database, { tenant_id: tenant.id, organization_ids: [one.id] }),
      ofFacility: await makePatient(database, { tenant_id: tenant.id, facility_ids: [clinic.id] }),
      ofOther: await makePatient(database, { tenant_id: other.id }),
    };
    const seen = async (scope: Scope) =>
      (await ask<{ id: string }>(scope, 'select id from patient order by last_name')).map(({ id }) => id);
    expect(await seen(org(tenant.id))).toEqual([patients.ofOrganization.id, patients.ofFacility.id]);
    expect(await seen(org(tenant.id, { orgType: 'O', orgId: one.id }))).toEqual([patients.ofOrganization.id]);
    expect(await seen(org(tenant.id, { orgType: 'F', orgId: clinic.id }))).toEqual([patients.ofFacility.id]);
    expect(await seen(org(other.id))).toEqual([patients.ofOther.id]);
    expect(await seen({ kind: 'identity' })).toEqual([]);
    expect(await seen({ kind: 'system' })).toEqual([]);
  });

  it('hides restricted disease families [P18]', async () => {
    const tenant = await makeTenant(database);
    const { id: patient_id } = await makePatient(database, { tenant_id: tenant.id });
    await makeResult(database, { tenant_id: tenant.id, patient_id, disease_family: 'hiv' });
    await makeCaseReport(database, { tenant_id: tenant.id, patient_id, disease_family: 'hiv' });
    const count = async (hiddenFamilies: string[]) =>
      (
        await ask(
          org(tenant.id, { hiddenFamilies }),
          'select (select count(*) from result) + (select count(*) from case_report) as n',
        )
      )[0];
    expect(await count([])).toEqual({ n: 2 });
    expect(await count(['hiv'])).toEqual({ n: 0 });
  });

  it('hides a person with only restricted records, and shows one with any other [P18]', async () => {
    const tenant = await makeTenant(database);
    const tenant_id = tenant.id;
    const made = async (last_name: string, ...families: (string | null)[]) => {
      const { id: patient_id } = await makePatient(database, { tenant_id, last_name });
      for (const disease_family of families)
        await makeResult(database, { tenant_id, patient_id, disease_family });
    };
    await made('Hidden', 'hiv', 'hiv');
    await made('Both', 'hiv', 'sti');
    await made('Untold', 'hiv', null);
    await made('New');
    const seen = async (hiddenFamilies: string[]) =>
      (
        await ask<{ last_name: string }>(
          org(tenant_id, { hiddenFamilies }),
          'select last_name from patient order by last_name',
        )
      ).map(({ last_name }) => last_name);
    expect(await seen([])).toEqual(['Both', 'Hidden', 'New', 'Untold']);
    expect(await seen(['hiv'])).toEqual(['Both', 'New', 'Untold']);
    expect(await seen(['hiv', 'sti'])).toEqual(['New', 'Untold']);
  });

  it('does not let a person write a row into another tenant', async () => {
    const tenant = await makeTenant(database);
    const other = await makeTenant(database);
    const written = database.withScope(org(tenant.id), (tx) =>
      tx.run('insert into patient (tenant_id, id) values ($1, gen_random_uuid())', [other.id]),
    );
    await expect(written).rejects.toMatchObject({ code: '42501' });
  });

  it('shows sign-in the accounts, and the tenant only its members', async () => {
    const tenant = await makeTenant(database);
    const other = await makeTenant(database);
    const { account } = await makeMember(database, { tenant_id: tenant.id });
    const found = (scope: Scope) => ask(scope, 'select username from account where id = $1', [account.id]);
    expect(await found({ kind: 'identity' })).toEqual([{ username: account.username }]);
    expect(await found(org(tenant.id))).toEqual([{ username: account.username }]);
    expect(await found(org(other.id))).toEqual([]);
  });
});

describe('no scope, no rows [P4]', () => {
  const tenants: string[] = [];
  let small: Database;

  beforeAll(async () => {
    for (let number = 0; number < 20; number += 1) {
      const tenant = await makeTenant(database);
      await makePatient(database, { tenant_id: tenant.id, last_name: tenant.id });
      tenants.push(tenant.id);
    }
    small = await openDatabase({ url: appUrl, log: createLog('fatal'), poolSize: 2 });
  });
  afterAll(() => small.close());

  const turns = load(2000, 10_000);

  it(`mixes nothing in ${turns} interleaved transactions of many tenants on two connections, some of them aborted`, async () => {
    const seen = { right: 0, aborted: 0, empty: 0 };
    const wrong: string[] = [];
    const one = async (turn: number) => {
      const tenantId = tenants[turn % tenants.length]!;
      const bare = turn % 5 === 1;
      const scope: Scope = bare
        ? { kind: turn % 2 ? 'identity' : 'system' }
        : turn % 3 === 0
          ? { kind: 'service', tenantId }
          : org(tenantId);
      try {
        const names = await small.withScope(scope, async (tx) => {
          const rows = await tx.rows<{ last_name: string }>('select last_name from patient');
          if (turn % 7 === 0) throw new Error('given up');
          if (turn % 11 === 0) await tx.rows('select 1 / 0');
          return rows.map(({ last_name }) => last_name);
        });
        if (bare && names.length === 0) seen.empty += 1;
        else if (!bare && names.length === 1 && names[0] === tenantId) seen.right += 1;
        else wrong.push(`${turn}: ${names}`);
      } catch (error) {
        if (/given up|division by zero/.test((error as Error).message)) seen.aborted += 1;
        else wrong.push(`${turn}: ${error}`);
      }
    };
    let turn = 0;
    const lane = async () => {
      while (turn < turns) await one(turn++);
    };
    await Promise.all(Array.from({ length: 40 }, lane));
    expect(wrong).toEqual([]);
    // Turns that are multiples of 7 or of 11 abort: 286 + 182 - 26 of 2,000, 1429 + 910 - 130 of 10,000. Of the
    // rest, those that are 1 modulo 5 are bare.
    expect(seen).toEqual(
      load({ right: 1247, aborted: 442, empty: 311 }, { right: 6233, aborted: 2209, empty: 1558 }),
    );
  });

  it('leaves nothing behind on a connection, and shows nothing outside a scope', async () => {
    const { Client } = (await import('pg')).default;
    const client = new Client(appUrl);
    await client.connect();
    const settings = settingsOf(org(tenants[0]!));
    await client.query(
      `begin; ${Object.entries(settings)
        .map(([name, value]) => `set local ${name} = '${value}'`)
        .join(';')}`,
    );
    expect((await client.query('select count(*)::int as n from patient')).rows).toEqual([{ n: 1 }]);
    await client.query('commit');
    for (const name of Object.keys(settings))
      expect((await client.query('select current_setting($1, true) as value', [name])).rows).toEqual([
        { value: '' },
      ]);
    expect((await client.query('select count(*)::int as n from patient')).rows).toEqual([{ n: 0 }]);
    expect((await client.query('select count(*)::int as n from tenant')).rows).toEqual([{ n: 0 }]);
    await client.end();
  });
});

describe('listen', () => {
  it('receives notifications, even after its connection had to be renewed', async () => {
    const heard: string[] = [];
    const stop = await database.listen('caseway_test', (payload) => heard.push(payload));
    const notify = (payload: string) =>
      ask({ kind: 'system' }, "select pg_notify('caseway_test', $1)", [payload]);
    await notify('first');
    await expect.poll(() => heard).toEqual(['first']);
    await asSuperuser(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'caseway listen' and datname = $1",
      [new URL(appUrl).pathname.slice(1)],
    );
    await expect
      .poll(async () => {
        await notify('second');
        return heard.includes('second');
      })
      .toBe(true);
    await stop();
  });
});
