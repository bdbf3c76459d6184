import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NamedAction } from '@caseway/contract/audit-action';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import type { Tx } from '../db/database.ts';
import { createLog } from '../log/log.ts';
import { forPeople } from '../log/log-for-people.ts';
import { writeEvent } from './auditor.ts';
import { logHeads, readLoggedHeads } from './heads.ts';
import { lostHeads, verifyChain } from './verify.ts';

const { database, appUrl, superuserUrl } = await createTestDatabase({ poolSize: 8 });
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
let tenant = '';
beforeEach(async () => {
  tenant = (await makeTenant(database)).id;
});

const event = (tx: Tx, action: string, recordIds: string[] = [], tenantId = tenant) =>
  writeEvent(tx, {
    tenantId,
    accountId: null,
    orgType: 'T',
    orgId: tenantId,
    action: action as NamedAction,
    deed: 'change',
    recordKind: 'case',
    recordIds,
    detail: { words: 'Ünïcode, "quotes" and \\ too', n: 1.5 },
    address: '192.0.2.1',
  });
const write = (action: string, recordIds?: string[]) =>
  database.withScope({ kind: 'service', tenantId: tenant }, (tx) => event(tx, action, recordIds));
const faults = async () =>
  (await verifyChain(database, tenant)).faults.map(({ kind, number }) => [kind, number]);
const idOf = async (action: string) =>
  (
    await sql<{ id: string }>('select id from audit_event where tenant_id = $1 and action = $2', [
      tenant,
      action,
    ])
  )[0]!.id;

describe('the chain of the audit log [P15]', () => {
  test('is sound as it is written, one event after the other', async () => {
    for (const action of ['a', 'b', 'c']) await write(action, [randomUUID()]);
    const report = await verifyChain(database, tenant);
    expect(report).toMatchObject({ events: 3, faults: [], heads: [{ number: 3 }] });
    const before = report.digest;
    await write('d');
    expect((await verifyChain(database, tenant)).digest).not.toBe(before);
  });

  test.each([
    ['what was done', `action = 'z'`],
    ['who did it', `account_id = '${randomUUID()}'`],
    // The start of the same month, so that the event stays in its partition.
    ['when', `at = '${new Date().toISOString().slice(0, 7)}-01T00:00:00Z'`],
    ['whose record it was', `record_ids = '{${randomUUID()}}'`],
    ['a word of its detail', `detail = jsonb_set(detail, '{n}', '2')`],
    ['of what kind it was', `deed = 'read'`],
    ['that it once said no kind', 'deed = null'],
    ['from where', `address = '192.0.2.2'`],
    ['for which organisation', `org_type = 'O'`],
    ['its hash itself', `hash = sha256('x')`],
  ])('detects that %s was edited', async (_, change) => {
    for (const action of ['a', 'b', 'c']) await write(action, [randomUUID()]);
    await sql(`update audit_event set ${change} where id = $1`, [await idOf('b')]);
    expect((await faults())[0]).toEqual(['edited', 2]);
  });

  test('detects an edited event with a matching hash: the next one does not follow from it', async () => {
    for (const action of ['a', 'b', 'c']) await write(action);
    const [edited] = await sql<{ id: string; hash: Buffer }>(
      `select e.id, sha256(p.hash || convert_to(app_audit_text(e.tenant_id, e.id, e.at,
         e.account_id, e.org_type, e.org_id, 'z', e.record_kind, e.record_ids, e.detail, e.request_id, e.address, e.deed), 'UTF8')) as hash
       from audit_event e join audit_event p on p.tenant_id = e.tenant_id and p.action = 'a'
       where e.action = 'b' and e.tenant_id = $1`,
      [tenant],
    );
    await sql(`update audit_event set action = 'z', hash = $2 where id = $1`, [edited!.id, edited!.hash]);
    expect(await faults()).toEqual([['edited', 3]]);
  });

  test('detects a removed event, in the middle, at the beginning and at the end', async () => {
    for (const action of ['a', 'b', 'c', 'd', 'e']) await write(action);
    for (const action of ['a', 'c', 'e'])
      await sql('delete from audit_event where id = $1', [await idOf(action)]);
    expect(await faults()).toEqual([
      ['missing', 1],
      ['missing', 3],
      ['missing', 5],
    ]);
  });

  test('detects that everything was removed, or one lane', async () => {
    for (const action of ['a', 'b']) await write(action);
    await sql('delete from audit_event where tenant_id = $1', [tenant]);
    expect(await faults()).toEqual([['missing', 1]]);
    await write('c');
    await sql('delete from audit_chain where tenant_id = $1', [tenant]);
    expect((await faults()).map(([kind]) => kind)).toEqual(['foreign']);
  });

  test('detects an event that another program inserted', async () => {
    await write('a');
    await sql(`insert into audit_event (tenant_id, id, action) values ($1, gen_random_uuid(), 'b')`, [
      tenant,
    ]);
    await sql(
      `insert into audit_event (tenant_id, id, action, lane, number, hash)
       select tenant_id, gen_random_uuid(), 'c', lane, number + 1, sha256('x') from audit_event where action = 'a' and tenant_id = $1`,
      [tenant],
    );
    expect((await faults()).map(([kind]) => kind)).toEqual(['foreign', 'foreign']);
  });

  test('needs earlier heads to detect a chain whose end was cut off', async () => {
    for (const action of ['a', 'b', 'c']) await write(action);
    const { heads } = await verifyChain(database, tenant);
    await sql('delete from audit_event where id = $1', [await idOf('c')]);
    await sql(
      `update audit_chain c set number = e.number, hash = e.hash from audit_event e
       where e.tenant_id = c.tenant_id and e.action = 'b' and c.tenant_id = $1`,
      [tenant],
    );
    expect(await faults()).toEqual([]);
    expect(await lostHeads(database, tenant, heads)).toEqual(heads);
    expect(await lostHeads(database, tenant, (await verifyChain(database, tenant)).heads)).toEqual([]);
  });

  test('an event that was rolled back leaves no gap', async () => {
    await write('a');
    const undone = database.withScope({ kind: 'service', tenantId: tenant }, async (tx) => {
      await event(tx, 'b');
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    await write('c');
    expect(await verifyChain(database, tenant)).toMatchObject({ events: 2, faults: [] });
  });

  test('writers do not wait for each other, and the chain stays intact', async () => {
    // One writer holds its lane while others write.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = database.withScope({ kind: 'service', tenantId: tenant }, async (tx) => {
      await event(tx, 'slow');
      await held;
      await event(tx, 'slow again');
    });
    await Promise.all(Array.from({ length: 60 }, (_, index) => write(`w${index}`, [randomUUID()])));
    release();
    await slow;
    const report = await verifyChain(database, tenant);
    expect(report).toMatchObject({ events: 62, faults: [] });
    // About one lane per simultaneous writer, and a few more if two looked for one at the same moment.
    expect(report.heads.length).toBeLessThanOrEqual(31);
    expect(report.heads.reduce((sum, { number }) => sum + number, 0)).toBe(62);
  });

  test('events are found by each record they name, except those that name hundreds', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await write('pair', [one, two, one]);
    await write(
      'many',
      Array.from({ length: 201 }, () => randomUUID()),
    );
    const found = await sql<{ record_id: string }>(
      'select record_id from audit_record where tenant_id = $1 order by 1',
      [tenant],
    );
    expect(found.map(({ record_id }) => record_id)).toEqual([one, two].sort());
    expect(await sql('select action from audit_event where tenant_id = $1 and wide', [tenant])).toEqual([
      { action: 'many' },
    ]);
  });

  test('[P1] no tenant, organisation or facility reads what was done for another', async () => {
    const other = (await makeTenant(database)).id;
    const [record, another] = [randomUUID(), randomUUID()];
    await write('mine', [another]);
    await database.withScope({ kind: 'service', tenantId: other }, (tx) => event(tx, 'theirs', [], other));
    const organization = randomUUID();
    await database.withScope(
      { kind: 'service', tenantId: tenant },
      (tx) =>
      writeEvent(tx, {
        tenantId: tenant, accountId: null, orgType: 'O', orgId: organization, action: 'role/changed', deed: 'change',
        recordKind: 'case', recordIds: [record], detail: {},
      }), // biome-ignore format: a record
    );
    const read = (orgType: 'T' | 'O' | 'F', orgId: string) =>
      database.withScope(
        {
          kind: 'org',
          tenantId: tenant,
          orgType,
          orgId,
          accountId: randomUUID(),
          counties: [],
          hiddenFamilies: [],
          genderIdentityShown: true,
        },
        async (tx) => ({
          actions: (await tx.rows('select action from audit_event order by action')).map((row) => row.action),
          records: (await tx.rows('select record_id from audit_record')).map((row) => row.record_id).sort(),
        }),
      );
    expect(await read('T', tenant)).toEqual({
      actions: ['mine', 'role/changed'],
      records: [record, another].sort(),
    });
    expect(await read('O', organization)).toEqual({ actions: ['role/changed'], records: [record] });
    expect(await read('O', randomUUID())).toEqual({ actions: [], records: [] });
    // The same id, for another kind of organization.
    expect(await read('F', organization)).toEqual({ actions: [], records: [] });
  });

  test('the server’s role can add to the log and not change it', async () => {
    await write('a', [randomUUID()]);
    for (const text of [
      `update audit_event set action = 'x'`,
      'delete from audit_event',
      'update audit_record set record_id = event_id',
      'delete from audit_record',
    ])
      await expect(
        database.withScope({ kind: 'service', tenantId: tenant }, (tx) => tx.run(text)),
      ).rejects.toThrow('permission denied');
  });
});

describe('npm run audit:verify', () => {
  const command = fileURLToPath(new URL('../../commands/audit-verify.ts', import.meta.url));
  const run = (...args: string[]) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      execFile(
        process.execPath,
        [command, ...args],
        { env: { ...process.env, DATABASE_URL: appUrl, DEMO: 'off', NODE_ENV: 'test' }, timeout: 240_000 },
        (error, output) => resolve({ code: error ? Number(error.code) : 0, output }),
      );
    });

  test('finds an edited and a missing row, and ends with 1', async () => {
    await sql('delete from audit_event');
    await sql('delete from audit_chain');
    for (const action of ['a', 'b', 'c', 'd']) await write(action);
    const folder = await mkdtemp(join(tmpdir(), 'caseway-audit-'));
    afterAll(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'heads.json');
    const sound = await run('--write', file);
    expect([sound.code, sound.output]).toEqual([
      0,
      expect.stringContaining('The audit log is as it was written.'),
    ]);

    await sql(`update audit_event set action = 'z' where id = $1`, [await idOf('b')]);
    await sql('delete from audit_event where id = $1', [await idOf('d')]);
    const found = await run('--json', '--against', file);
    expect(found.code).toBe(1);
    const { faults: total, tenants } = JSON.parse(found.output) as {
      faults: number;
      tenants: { events: number; faults: { kind: string; number: number }[]; lost: unknown[] }[];
    };
    expect(total).toBe(3);
    const mine = tenants.find(({ events }) => events === 3)!;
    expect(mine.faults.map(({ kind, number }) => [kind, number])).toEqual([
      ['edited', 2],
      ['missing', 4],
    ]);
    expect(mine.lost).toEqual(JSON.parse(await readFile(file, 'utf8'))[tenant]);
  });
});

describe("the ends of the audit log in the server's own log", () => {
  test('show that the end of a lane was removed and the chain put back', async () => {
    await sql('delete from audit_event');
    await sql('delete from audit_chain');
    await write('a');
    const before = await sql<{ number: number; hash: Buffer }>(
      'select number, hash from audit_chain where tenant_id = $1',
      [tenant],
    );
    await write('b');
    const lines: string[] = [];
    const stop = logHeads(
      { database, log: createLog('info', { write: (line) => lines.push(line) }) },
      { everyMs: 20 },
    );
    await expect.poll(() => lines.length).toBeGreaterThan(2);
    await stop();
    const whole = readLoggedHeads(lines.join(''));
    expect(whole).toMatchObject({ lines: lines.length, broken: [] });
    expect(await lostHeads(database, tenant, whole.noted.get(tenant)!)).toEqual([]);

    // A log formatted for people has the same heads, and so does the log of a worker process.
    const ofWorker = lines.map((line) => `${JSON.stringify({ worker: 1, ...JSON.parse(line) })}\n`);
    expect(readLoggedHeads(ofWorker.join(''))).toEqual(whole);
    for (const written of [lines, ofWorker]) {
      const words: string[] = [];
      const forReaders = forPeople((text) => words.push(text));
      for (const line of written) forReaders.write(line);
      expect(words.join('')).not.toContain('"level"');
      expect(readLoggedHeads(words.join(''))).toEqual(whole);
    }

    // One line in the middle is missing, and one was changed.
    expect(readLoggedHeads([lines[0], ...lines.slice(2)].join('')).broken).toEqual([2]);
    expect(readLoggedHeads(lines.join('').replace('"number":2', '"number":3')).broken).toContain(2);

    await sql(`delete from audit_event where action = 'b'`);
    await sql('update audit_chain set number = $1, hash = $2 where tenant_id = $3', [
      before[0]!.number,
      before[0]!.hash,
      tenant,
    ]);
    expect((await verifyChain(database, tenant)).faults).toEqual([]);
    expect(await lostHeads(database, tenant, whole.noted.get(tenant)!)).toMatchObject([{ number: 2 }]);
  });
});
