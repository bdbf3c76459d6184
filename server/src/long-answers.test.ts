import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Endpoint } from '@caseway/contract/endpoint';
import pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { seedDemoTenants } from '../seeds/demo/seed-tenants.ts';
import { testApp } from '../test/app.ts';
import { asSuperuser } from '../test/database.ts';
import { makePatient } from '../test/factories.ts';
import { signInAs, signInAsPatient } from '../test/sign-in.ts';
import type { IdentityAuthorizer } from './platform/auth/authorizer.ts';
import { type Call, serve } from './platform/http/serve.ts';

/*
 * Every operation that answers with a file, as the routes declare it, is cut off when its reader loses access. A new
 * route is tested without being added here. [P14]
 */

/** Serves the operations as declared, at a pace that the reader cannot outrun. */
const paced = (path: string) => `/api/test/paced${path.replaceAll(':', '')}`;
const files: Endpoint[] = [];
const testing = await testApp(
  {},
  {
    extend: (app) => {
      files.push(
        // What everybody may read cannot be taken away from anybody.
        ...app.endpoints.filter(
          ({ produces, access }) =>
            produces !== undefined && produces !== 'text/event-stream' && access !== 'public',
        ),
      );
      for (const { params: _, query: __, body: ___, ...file } of files)
        serve(app, { ...file, method: 'GET', path: paced(file.path) } as Endpoint, (call) => {
          // The permissions it uses follow from the scope that it takes.
          void call.scope;
          return Readable.from(lines(call));
        });
    },
  },
);
async function* lines(call: Call) {
  for (;;) {
    if ('tenantId' in call.scope) call.gaveOut(call.scope.tenantId, 1);
    yield 'a line\r\n';
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
await makePatient(database, {
  tenant_id: world.patient.tenantId,
  id: world.patient.patientId,
  birth_date: world.patient.birthDate,
});
// Beta features are on.
await sql(`update tenant set beta_features = '{weekly-cases}'`);
const staff = ['admin', 'epi', 'lab', 'auditor', 'sysadmin', 'orgadmin', 'jurisdiction', 'privacy'];
const headersOf = new Map<string, Record<string, string>>();
for (const name of staff) headersOf.set(name, (await signInAs(testing, `${name}@demo.caseway.test`)).headers);
headersOf.set(
  'patient',
  (await signInAsPatient(testing, { email: world.patient.email }, world.patient.birthDate)).headers,
);
const origin = await app.fastify.listen({ port: 0, host: '127.0.0.1' });

interface Taken {
  answer: IncomingMessage;
  /** Milliseconds on the clock when it ended, whole or not. */
  overAt: Promise<number>;
}
const open = new Set<IncomingMessage>();
// Releases all, so that the server waits for none when it closes.
const letGo = () => {
  for (const answer of open) answer.destroy();
  open.clear();
};
afterEach(letGo);
async function take(url: string, headers: Record<string, string>): Promise<Taken> {
  const request = httpRequest(`${origin}${url}`, { headers }).end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  // A file that is cut off reports it to both.
  for (const one of [request, answer]) one.on('error', () => {});
  answer.resume();
  open.add(answer);
  const overAt = new Promise<number>((resolve) => answer.once('close', () => resolve(performance.now())));
  return { answer, overAt };
}

/** Every file, each read by the first person who may. */
const takers = new Map<Endpoint, string>();
for (const file of files)
  for (const name of file.access === 'patient' ? ['patient'] : staff) {
    const { answer } = await take(paced(file.path), headersOf.get(name)!);
    if (answer.statusCode !== 200) continue;
    takers.set(file, name);
    break;
  }

letGo();

/** Clears what the server caches for some seconds. */
function forget(): void {
  const authorizer = app.authorizer as IdentityAuthorizer;
  authorizer.forgetMemberships();
  for (const sessionId of sessionIds) authorizer.forgetSession(sessionId);
}
const sessionIds = (await sql<{ id: string }>('select id from session')).map(({ id }) => id);

type Change = { name: string; file: Endpoint['access'] | 'any'; code: string; away: string; back: string };
const ofAccounts = `account_id in (select id from account where username like '%@demo.caseway.test' or patient_id is not null)`;
const changes: Change[] = [
  {
    name: 'the role is taken away',
    file: 'any',
    code: 'forbidden',
    away: `create table taken as select * from membership_role; delete from membership_role`,
    back: `insert into membership_role select * from taken; drop table taken`,
  },
  {
    name: 'the membership ends',
    file: 'any',
    code: 'forbidden',
    away: `update membership set ended_at = now() where ${ofAccounts}`,
    back: `update membership set ended_at = null where ${ofAccounts}`,
  },
  {
    name: 'the tenant is suspended',
    file: 'any',
    code: 'tenant-suspended',
    away: `update tenant set suspended_at = now(), suspended_reason = 'x'`,
    back: 'update tenant set suspended_at = null, suspended_reason = null',
  },
  {
    name: 'the session ends',
    file: 'patient',
    code: 'session-expired',
    away: `update session set revoked_at = now() where ${ofAccounts}`,
    back: `update session set revoked_at = null where ${ofAccounts}`,
  },
];

describe('[P14] every file that is being sent', () => {
  test('is found from the routes, and someone may read it', () => {
    expect(files.map(({ path }) => path)).toContain('/api/web/grid/case-reports/export');
    expect(files.filter((file) => !takers.has(file)).map(({ path }) => path)).toEqual([]);
  });

  test('continues as long as nothing is revoked', async () => {
    const taken = await Promise.all(
      [...takers].map(async ([file, name]) => ({
        file,
        ...(await take(paced(file.path), headersOf.get(name)!)),
      })),
    );
    // Two checks and some more.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    for (const { file, answer } of taken) expect.soft(answer.destroyed, file.path).toBe(false);
  });

  test.each(changes)(
    'is cut off within five seconds when $name',
    async ({ file: access, code, away, back }) => {
      const asked = files.filter((file) => access === 'patient' || file.access !== 'patient');
      const taken = await Promise.all(
        asked.map(async (file) => ({
          file,
          ...(await take(paced(file.path), headersOf.get(takers.get(file)!)!)),
        })),
      );
      expect(taken.map(({ answer }) => answer.statusCode)).toEqual(asked.map(() => 200));
      // Some lines have come by then, and the first check has found nothing revoked.
      await new Promise((resolve) => setTimeout(resolve, 800));
      for (const { file, answer } of taken) expect(answer.destroyed, file.path).toBe(false);
      const since = performance.now();
      await sql(away);
      try {
        for (const { file, answer, overAt } of taken) {
          // The promise is five seconds on a machine that does nothing else.
          expect.soft((await overAt) - since, file.path).toBeLessThan(25_000);
          // Half a file does not look complete.
          expect.soft(answer.complete, file.path).toBe(false);
        }
      } finally {
        await sql(back);
        forget();
      }
      for (const file of asked)
        await expect
          .poll(
            async () => {
              const [row] = await sql<{ code: string; rows: number }>(
                `select detail ->> 'brokenOff' as code, (detail ->> 'rows')::int as rows from audit_event
               where action = $1 and detail ? 'brokenOff' order by at desc limit 1`,
                [`GET ${paced(file.path)}`],
              );
              return row && { code: row.code, some: row.rows > 0 };
            },
            { message: file.path },
          )
          .toEqual({ code, some: true });
    },
  );

  test('and every upload is refused in the middle', async () => {
    const request = httpRequest(`${origin}/api/web/imports?fileName=f.hl7`, {
      method: 'POST',
      headers: { ...headersOf.get('admin'), 'content-type': 'application/octet-stream' },
    });
    request.on('error', () => {});
    const sending = setInterval(() => request.write('MSH|^~\\&|canary\r'), 50);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const since = performance.now();
    await sql(`update session set revoked_at = now() where ${ofAccounts}`);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    expect([answer.statusCode, performance.now() - since < 25_000]).toEqual([401, true]);
    clearInterval(sending);
    answer.resume();
    await sql(`update session set revoked_at = null where ${ofAccounts}`);
    forget();
    expect(await sql('select from import_upload')).toEqual([]);
  });

  test('of refused messages is cut off between two pages, and the log has the number sent', async () => {
    const importId = randomUUID();
    await sql(
      `insert into import (tenant_id, id, file_name, byte_size, sha256, state)
       values ($1, $2, 'f.hl7', 1, '\\x00', 'done')`,
      [world.demo.id, importId],
    );
    await sql(
      `insert into import_message (tenant_id, id, import_id, index, line, raw, content_hash, state, disease_families)
       select $1, gen_random_uuid(), $2, n, n, 'MSH|canary', int4send(n), 'refused', '{}' from generate_series(1, 250) n`,
      [world.demo.id, importId],
    );
    // The second page, of fifty, is read until the session has ended.
    await sql(`create function slow() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$`);
    await sql(`create trigger slow before insert on audit_event for each row
      when (cardinality(new.record_ids) = 50) execute function slow()`);
    const holder = new pg.Client(superuserUrl);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('select pg_advisory_lock(4711)');
    const { answer, overAt } = await take(
      `/api/web/imports/${importId}/file?state=refused`,
      headersOf.get('admin')!,
    );
    let text = '';
    answer.on('data', (piece) => {
      text += piece;
    });
    expect(answer.statusCode).toBe(200);
    await expect.poll(() => text.match(/canary/g)?.length).toBe(200);
    await sql(`update session set revoked_at = now() where ${ofAccounts}`);
    await overAt;
    await holder.query('select pg_advisory_unlock(4711)');
    expect([answer.complete, text.match(/canary/g)?.length]).toEqual([false, 200]);
    await expect
      .poll(() =>
        sql(
          `select detail from audit_event where action = 'GET /api/web/imports/:id/file' and detail ? 'brokenOff'`,
        ),
      )
      .toEqual([{ detail: { text: true, brokenOff: 'session-expired', rows: 200 } }]);
  });
});
