import type { SignInAnswer } from '@caseway/contract/session';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { expectSameDurations, timeOf } from '../../../test/durations.ts';
import { writeLateEvents } from '../../../test/late-events.ts';
import { load } from '../../../test/load.ts';
import { codeFor } from '../../../test/sign-in.ts';
import { recordStatements } from '../../../test/statements.ts';
import { placedTables, places } from '../../platform/db/places.ts';

const testing = await testApp();
const { app, config, database, superuserUrl } = testing;
await seedDemoTenants(database);
const secret = config.tokenSecret!;
const sql = <Row extends object = object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const names = {
  known: 'admin@demo.caseway.test',
  withSecondFactor: 'lab@demo.caseway.test',
  unknown: 'nobody@elsewhere.example',
  bare: 'somename',
  disabled: 'orgadmin@demo.caseway.test',
  locked: 'entry@demo.caseway.test',
  patient: 'patient@demo.caseway.test',
};
await sql('update account set disabled_at = now() where username = $1', [names.disabled]);
await sql(
  `insert into totp_authenticator (account_id, seed, last_step)
   select id, gen_random_uuid(), 0 from account where username = $1`,
  [names.withSecondFactor],
);
await sql('update account set second_factor_at = now() where username = $1', [names.withSecondFactor]);

beforeEach(async () => {
  await sql(
    `update sign_in_challenge set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days'`,
  );
  await sql('delete from sign_in_failure');
  const { details } = (await begin(names.locked)).json<SignInAnswer>();
  await sql(
    `insert into sign_in_failure (subject, id) select c.subject, gen_random_uuid()
     from generate_series(1, 20), (select subject from sign_in_challenge order by created_at desc limit 1) c`,
  );
  expect((await answer(details, await codeFor(secret, details))).statusCode).toBe(401);
});

const post = (url: string, payload: object) => app.fastify.inject({ method: 'POST', url, payload });
const begin = (username: string, challengeMethod = 'EMAIL') =>
  post('/auth/tenant/sign-in', { origin: 'localhost', username, challengeMethod });
const answer = (details: string, code: string) => post('/auth/tenant/challenge', { details, secret: code });
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
const methods = ['EMAIL', 'SMS', 'TOTP', 'PASSKEY'];

const statementsOf = recordStatements();

describe('[P12] known, unknown, disabled and locked accounts look the same', () => {
  test('the same status, keys and length for each, message sent or not', async () => {
    for (const method of methods) {
      const bodies: { text: string; answer: SignInAnswer }[] = [];
      // The fourth of each is one without a message.
      for (let i = 0; i < 4; i += 1)
        for (const username of Object.values(names)) {
          const response = await begin(username, method);
          expect(response.statusCode).toBe(200);
          bodies.push({ text: response.body, answer: response.json() });
        }
      expect(new Set(bodies.map(({ text }) => Buffer.byteLength(text))).size).toBe(1);
      expect(new Set(bodies.map(({ answer: one }) => Object.keys(one).join())).size).toBe(1);
      expect(new Set(bodies.map(({ answer: one }) => one.details.length)).size).toBe(1);
      expect(new Set(bodies.map(({ answer: one }) => one.challengeMethod)).size).toBe(1);
    }
  });

  test('the masked address comes from what was typed, and reveals nothing else', async () => {
    expect((await begin(names.known)).json().destination).toBe('a***@d***');
    expect((await begin(names.unknown)).json().destination).toBe('n***@e***');
    expect((await begin(names.bare)).json().destination).toBe('****@****');
  });

  test('wrong codes get the same answers, down to the sixth', async () => {
    for (const method of ['EMAIL', 'SMS', 'TOTP']) {
      const outcomes = await Promise.all(
        Object.values(names).map(async (username) => {
          const { details } = (await begin(username, method)).json<SignInAnswer>();
          const code = await codeFor(secret, details);
          const answers = [];
          for (let i = 0; i < 6; i += 1) answers.push(await answer(details, wrong(code)));
          return answers.map((one) => ({ ...one.json(), requestId: '', status: one.statusCode }));
        }),
      );
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    }
  });

  test('even the right code of an unknown, a disabled or a locked name is a wrong one', async () => {
    for (const username of [names.unknown, names.bare, names.disabled, names.locked, names.patient]) {
      const { details } = (await begin(username)).json<SignInAnswer>();
      expect((await answer(details, await codeFor(secret, details))).json().code).toBe('code-wrong');
    }
  });

  test('the same work: one and the same list of statements for each, to begin and to be refused', async () => {
    for (const method of methods) {
      const work = new Set<string>();
      for (const username of Object.values(names)) {
        let details = '';
        const begun = await statementsOf(async () => {
          details = (await begin(username, method)).json<SignInAnswer>().details;
        });
        const right = await codeFor(secret, details);
        const refused = await statementsOf(() => answer(details, wrong(right)));
        expect([begun.length, refused.length].every((count) => count > 4)).toBe(true);
        work.add([...begun, '—', ...refused].join('\n'));
      }
      expect(work.size).toBe(1);
    }
  });

  test('the same rows: a wrong code for an unknown name is logged too, where no tenant reads it', async () => {
    const columns = `action, deed, record_kind, cardinality(record_ids) as records, detail, address, lane is not null as chained,
      length(hash) as hash`;
    const left = async (username: string, table: string) => {
      const { details } = (await begin(username)).json<SignInAnswer>();
      const code = wrong(await codeFor(secret, details));
      await sql('delete from graphile_worker._private_jobs');
      for (const one of ['audit_event', 'audit_decoy', 'audit_record']) await sql(`delete from ${one}`);
      await answer(details, code);
      const [answered] = await sql<{ at: string }>('select clock_timestamp()::text as at');
      expect(await writeLateEvents(testing)).toBe(1);
      // With the time of the attempt.
      expect(await sql(`select from ${table} where at < $1`, [answered!.at])).toHaveLength(1);
      const others = table === 'audit_event' ? 'audit_decoy' : 'audit_event';
      expect(await sql(`select from ${others}`)).toEqual([]);
      return sql(`select ${columns} from ${table}`);
    };
    const known = await left(names.known, 'audit_event');
    expect(known).toHaveLength(1);
    for (const username of [names.unknown, names.bare])
      expect(await left(username, 'audit_decoy')).toEqual(known);
  });

  test('no answer waits for a tenant’s server, so a slow or absent one does not reveal its names [P30]', async () => {
    const client = new pg.Client(superuserUrl);
    await client.connect();
    const tables = await placedTables(client).finally(() => client.end());
    const records = tables.filter(({ place }) => place === 'record').map(({ name }) => name);
    const asks = new RegExp(
      `\\b(?:${records.join('|')})\\b|\\b(?:insert into|update|delete from)\\s+(?:${places.shared.join('|')})\\b`,
    );
    for (const method of methods) {
      const sent: string[] = [];
      for (const username of Object.values(names)) {
        let details = '';
        sent.push(
          ...(await statementsOf(async () => {
            details = (await begin(username, method)).json<SignInAnswer>().details;
          })),
        );
        const code = wrong(await codeFor(secret, details));
        // Down to the last try.
        for (let i = 0; i < 6; i += 1) sent.push(...(await statementsOf(() => answer(details, code))));
      }
      expect(sent.filter((text) => asks.test(text))).toEqual([]);
    }
    // The job queries it.
    await sql('delete from graphile_worker._private_jobs');
    const { details } = (await begin(names.unknown)).json<SignInAnswer>();
    await answer(details, wrong(await codeFor(secret, details)));
    const late = await statementsOf(() => writeLateEvents(testing));
    expect(late.some((text) => asks.test(text))).toBe(true);
  });

  test('the same work also for the wrong code that locks an account', async () => {
    const work = new Set<string>();
    for (const username of [names.known, names.unknown, names.disabled, names.withSecondFactor]) {
      const { details } = (await begin(username)).json<SignInAnswer>();
      await sql(
        `insert into sign_in_failure (subject, id) select c.subject, gen_random_uuid()
         from generate_series(1, 19), (select subject from sign_in_challenge order by created_at desc limit 1) c`,
      );
      const code = wrong(await codeFor(secret, details));
      const shut = await statementsOf(() => answer(details, code));
      const after = await statementsOf(() => answer(details, code));
      // The attempt that locks it also queues a message and has its own row in the log.
      expect(shut.length).toBeGreaterThan(after.length);
      work.add(shut.join('\n'));
    }
    expect(work.size).toBe(1);
  });

  test('the same time: interleaved samples of beginning and of being refused', {
    timeout: 600_000,
  }, async () => {
    const kinds = [names.known, names.unknown, names.disabled, names.withSecondFactor];
    await expectSameDurations({
      kinds: kinds.length,
      rounds: load(30, 250),
      // As at the start: nobody has failed yet, and codes may be sent.
      before: async (round) => {
        if (round % 4 !== 0) return;
        await sql('delete from sign_in_failure');
        await sql('delete from sign_in_challenge');
      },
      once: async (kind) => {
        let details = '';
        const begun = await timeOf(async () => {
          details = (await begin(kinds[kind]!)).json<SignInAnswer>().details;
        });
        return { begin: begun, refuse: await timeOf(() => answer(details, '12345')) };
      },
    });
  });
});
