import type { SignInAnswer } from '@caseway/contract/session';
import type pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient } from '../../../test/factories.ts';
import { messagesIn } from '../../../test/outbox.ts';
import { answerChallenge, beginSignIn, codeFor, signInAsPatient } from '../../../test/sign-in.ts';
import { forgetSignIns } from '../../platform/auth/sign-in-mail.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log/log.ts';

const logged: string[] = [];
const log = createLog('trace', {
  write: (line: string) => void logged.push(line),
} as unknown as pino.DestinationStream);
const testing = await testApp({}, { background: true, log });
const { app, config, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
await makePatient(database, {
  tenant_id: world.patient.tenantId,
  id: world.patient.patientId,
  birth_date: world.patient.birthDate,
});
const secret = config.tokenSecret!;

const epi = 'epi@demo.caseway.test';
const patient = 'patient@demo.caseway.test';
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

/** Every test begins without used-up limits, as if a day had passed. */
beforeEach(async () => {
  await sql(
    `update sign_in_challenge set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days'`,
  );
  await sql(`update sign_in_failure set at = at - interval '2 days'`);
});

const post = (url: string, payload: object) => app.fastify.inject({ method: 'POST', url, payload });
const begin = (username: string, more: object = {}) =>
  post('/auth/tenant/sign-in', { origin: 'localhost', username, challengeMethod: 'EMAIL', ...more });
const answer = (details: string, code: string, audience = 'tenant') =>
  post(`/auth/${audience}/challenge`, { details, secret: code });
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

const messages = () => messagesIn(testing);
const messagesTo = async (username: string) =>
  (await messages()).filter((one) => one.includes(`To: ${username}`));
/** The next message to an account, without waiting longer than a person would. */
async function nextMessage(username: string, before: number): Promise<string> {
  await expect.poll(async () => (await messagesTo(username)).length, { interval: 10 }).toBe(before + 1);
  return (await messagesTo(username)).at(-1)!;
}

describe('[S4.1] signing in', () => {
  test('[S10.3] with the code that arrives in the outbox, alone on a line', async () => {
    const before = (await messagesTo(epi)).length;
    const { details } = await beginSignIn(testing, epi);
    const message = await nextMessage(epi, before);
    const [code, ...others] = message.split('\n').filter((line) => /^\d{6}$/.test(line));
    expect(others).toEqual([]);
    const response = await answer(details, code!);
    expect(response.statusCode).toBe(200);
    expect(Object.keys(response.json()).sort()).toEqual(['accessToken', 'refreshToken']);
  });

  test('the user name is accepted in any case and with blanks around it', async () => {
    const response = await begin(`  ${epi.toUpperCase()} `);
    expect(
      (await answer(response.json().details, await codeFor(secret, response.json().details))).statusCode,
    ).toBe(200);
  });

  test.each([
    ['espanol@demo.caseway.test', 'Su código de acceso', 'Content-Language: es'],
    ['kreyol@demo.caseway.test', 'Kòd ou pou konekte', 'Content-Language: ht'],
  ])('[S1.4] %s gets the message in their language', async (username, subject, language) => {
    const before = (await messagesTo(username)).length;
    await begin(username);
    const message = await nextMessage(username, before);
    expect(message).toContain(language);
    const [, encoded] = /^Subject: ((?:.+\n )*.+)$/m.exec(message)!;
    const plain = encoded!
      .replace(/\?=\s+=\?/g, '?==?')
      .replace(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text: string) =>
        decodeURIComponent(
          text
            .replaceAll('_', ' ')
            .replaceAll('%', '%25')
            .replace(/=([0-9A-F]{2})/g, '%$1'),
        ),
      );
    expect(plain).toBe(subject);
  });

  test('[S10.3] with a code by text message, if the account has a phone', async () => {
    const lab = 'lab@demo.caseway.test';
    await sql(`update account set phone = '+18135550177', phone_confirmed = true where username = $1`, [lab]);
    const response = await begin(lab, { challengeMethod: 'SMS' });
    expect(response.json()).toMatchObject({ challengeMethod: 'SMS', destination: null });
    const { details } = response.json<SignInAnswer>();
    const sent = async () => (await messages()).filter((one) => one.includes('To: +18135550177'));
    await expect.poll(async () => (await sent()).length).toBe(1);
    const [code, ...others] = (await sent())[0]!.split('\n').filter((line) => /^\d{6}$/.test(line));
    expect(others).toEqual([]);
    expect((await answer(details, code!)).statusCode).toBe(200);
  });

  test('an account without a phone gets no text message, and the answer does not reveal it', async () => {
    const [with_, without] = [
      await begin(epi, { challengeMethod: 'SMS' }),
      await begin('nobody', { challengeMethod: 'SMS' }),
    ];
    expect(with_.body.length).toBe(without.body.length);
    expect(Object.keys(with_.json())).toEqual(Object.keys(without.json()));
  });

  test('[S5.1] all faults of a request are reported together', async () => {
    const response = await post('/auth/tenant/sign-in', { origin: 7, challengeMethod: 'PIGEON' });
    expect(response.statusCode).toBe(422);
    expect(
      response
        .json()
        .faults.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['challengeMethod', 'origin', 'username']);
  });
});

describe('[P11] one-time codes', () => {
  test('a code works for one sign-in, even if it is used many times at the same time', async () => {
    const { details } = await beginSignIn(testing, epi);
    const code = await codeFor(secret, details);
    const answers = await Promise.all(Array.from({ length: 12 }, () => answer(details, code)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(11).fill(401)]);
    expect((await answer(details, code)).json().code).toBe('code-expired');
  });

  test('five tries for a challenge: the sixth is refused, even if it is right', async () => {
    const { details } = await beginSignIn(testing, epi);
    const code = await codeFor(secret, details);
    for (let i = 0; i < 5; i += 1)
      expect((await answer(details, wrong(code))).json().code).toBe('code-wrong');
    const sixth = await answer(details, code);
    expect(sixth.statusCode).toBe(401);
    expect(sixth.json().code).toBe('code-expired');
  });

  test('five tries, also when they come at the same time', async () => {
    const { details } = await beginSignIn(testing, epi);
    const code = await codeFor(secret, details);
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(details, wrong(code))));
    const codes = answers.map((one) => one.json().code as string);
    expect(codes.filter((one) => one === 'code-wrong')).toHaveLength(5);
    expect(codes.filter((one) => one === 'code-expired')).toHaveLength(15);
  });

  test('a code expires after five minutes', async () => {
    const asked = Date.now();
    const { details, expiresAt } = await beginSignIn(testing, epi);
    expect(Date.parse(expiresAt) - asked).toBeGreaterThan(4.9 * 60_000);
    expect(Date.parse(expiresAt) - asked).toBeLessThan(6 * 60_000);
    await sql(
      `update sign_in_challenge set expires_at = now() - interval '1 second' where expires_at > now()`,
    );
    expect((await answer(details, await codeFor(secret, details))).json().code).toBe('code-expired');
  });

  test('twenty failures in 24 hours lock an account, for any challenges and codes', async () => {
    for (let challenge = 0; challenge < 4; challenge += 1) {
      const { details } = await beginSignIn(testing, epi);
      const code = await codeFor(secret, details);
      for (let i = 0; i < 5; i += 1) expect((await answer(details, wrong(code))).statusCode).toBe(401);
    }
    // A quarter of an hour later a new code is sent, which does not help.
    await sql(`update sign_in_challenge set created_at = created_at - interval '16 minutes'`);
    const { details } = await beginSignIn(testing, epi);
    const shut = await answer(details, await codeFor(secret, details));
    expect(shut.statusCode).toBe(401);
    expect(shut.json().code).toBe('code-wrong');
    // A day after the failures it works.
    await sql(`update sign_in_failure set at = at - interval '24 hours'`);
    const later = await beginSignIn(testing, epi);
    expect((await answer(later.details, await codeFor(secret, later.details))).statusCode).toBe(200);
  });

  test('when an account is locked, its owner gets one email, and each tenant finds it in its log', async () => {
    const name = 'analyst@demo.caseway.test';
    const told = async () =>
      (await messagesTo(name)).filter((one) =>
        /Too many wrong codes\s+were entered/.test(one.replaceAll('=\n', '')),
      );
    const shut = () =>
      sql<{ since: Date; hours: number }>(
        `select locked_at as since, extract(epoch from locked_until - locked_at)::float / 3600 as hours
         from account left join account_state on account_id = id where username = $1`,
        [name],
      );
    for (let challenge = 0; challenge < 4; challenge += 1) {
      const { details } = await beginSignIn(testing, name);
      const code = await codeFor(secret, details);
      for (let i = 0; i < 5; i += 1) {
        expect((await shut())[0]!.since).toBeNull();
        await answer(details, wrong(code));
      }
    }
    const [first] = await shut();
    expect(first!.hours).toBeGreaterThan(23.9);
    expect(first!.hours).toBeLessThanOrEqual(24);
    const { details } = await beginSignIn(testing, name);
    await answer(details, wrong(await codeFor(secret, details)));
    expect((await shut())[0]!.since).toEqual(first!.since);
    await expect.poll(async () => (await told()).length).toBe(1);
    const events = () =>
      sql(
        `select tenant_id from audit_event e join account a on a.id = e.account_id
         where a.username = $1 and action = 'account/locked'`,
        [name],
      );
    await expect.poll(events).toEqual([{ tenant_id: world.demo.id }]);
  });

  test('the owner of a locked account gets an email that says so, and no code', async () => {
    const { details } = await beginSignIn(testing, 'entry@demo.caseway.test');
    const [row] = await sql<{ subject: Buffer }>(
      'select subject from sign_in_challenge order by created_at desc limit 1',
    );
    await sql(
      `insert into sign_in_failure (subject, id) select $1, gen_random_uuid() from generate_series(1, 20)`,
      [row!.subject],
    );
    expect((await answer(details, await codeFor(secret, details))).statusCode).toBe(401);
    await expect
      .poll(async () => (await messages()).filter((one) => one.includes('To: entry@')).length)
      .toBe(1);
    await beginSignIn(testing, 'entry@demo.caseway.test');
    // Accounts that other tests locked also get such messages, as soon as theirs are sent.
    const notices = async () =>
      (await messages()).filter((one) => one.includes('To: entry@') && one.includes('Sign-in is paused'));
    await expect.poll(async () => (await notices()).length).toBe(1);
    const [notice] = await notices();
    expect(notice).not.toMatch(/^\d{6}$/m);
  });

  test('three messages in a quarter of an hour, even if they are requested at the same time', async () => {
    const lab = 'lab@demo.caseway.test';
    const before = (await messagesTo(lab)).length;
    const answers = await Promise.all(Array.from({ length: 8 }, () => begin(lab)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    await expect.poll(async () => (await messagesTo(lab)).length).toBe(before + 3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await messagesTo(lab)).length).toBe(before + 3);
    // A code that was not sent cannot be guessed either: it is not accepted.
    const results = await Promise.all(
      answers.map(
        async (one) =>
          (await answer(one.json().details, await codeFor(secret, one.json().details))).statusCode,
      ),
    );
    expect(results.sort()).toEqual([200, 200, 200, 401, 401, 401, 401, 401]);
  });

  test('the answer says when the next message can be requested', async () => {
    const times: number[] = [];
    for (let i = 0; i < 4; i += 1)
      times.push(
        Date.parse((await beginSignIn(testing, 'clinician@demo.caseway.test')).resendAt) - Date.now(),
      );
    expect(times[0]).toBeLessThan(31_000);
    expect(times[1]).toBeLessThan(31_000);
    // The third was the last one for a quarter of an hour, counted from the first.
    for (const time of times.slice(2)) {
      expect(time).toBeGreaterThan(14 * 60_000);
      expect(time).toBeLessThanOrEqual(15 * 60_000);
    }
  });

  test('the limits do not count addresses: the same account from many is one account', async () => {
    const analyst = 'analyst@demo.caseway.test';
    const before = (await messagesTo(analyst)).length;
    for (let i = 0; i < 6; i += 1)
      await app.fastify.inject({
        method: 'POST',
        url: '/auth/tenant/sign-in',
        remoteAddress: `192.0.2.${i + 1}`,
        headers: { 'x-forwarded-for': `198.51.100.${i}` },
        payload: { origin: 'localhost', username: analyst, challengeMethod: 'EMAIL' },
      });
    await expect.poll(async () => (await messagesTo(analyst)).length).toBe(before + 3);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await messagesTo(analyst)).length).toBe(before + 3);
  });

  test('a code answers its own challenge and no other', async () => {
    const first = await beginSignIn(testing, epi);
    const second = await beginSignIn(testing, epi);
    expect((await answer(first.details, await codeFor(secret, second.details))).json().code).toBe(
      'code-wrong',
    );
    expect((await answer(first.details, await codeFor(secret, first.details))).statusCode).toBe(200);
  });

  test('changed details are refused', async () => {
    const { details } = await beginSignIn(testing, epi);
    const code = await codeFor(secret, details);
    const [head, body, seal] = details.split('.') as [string, string, string];
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    const other = Buffer.from(JSON.stringify({ ...payload, exp: 4_000_000_000 })).toString('base64url');
    for (const forged of [`${head}.${other}.${seal}`, 'x', `${details}x`])
      expect((await answer(forged, code)).json().code).toBe('code-expired');
  });

  test('an account that was disabled after the code was sent does not get in', async () => {
    const { details } = await beginSignIn(testing, 'auditor@demo.caseway.test');
    await sql(`update account set disabled_at = now() where username = 'auditor@demo.caseway.test'`);
    expect((await answer(details, await codeFor(secret, details))).statusCode).toBe(401);
    await sql(`update account set disabled_at = null where username = 'auditor@demo.caseway.test'`);
  });
});

describe('staff and patients never mix', () => {
  const asPatient = (who: object) =>
    post('/auth/patient/sign-in', { origin: 'localhost', challengeMethod: 'EMAIL', ...who });

  test('[S7.3] a patient signs in by e-mail, by user name or by patient id, and init says who is signed in', async () => {
    for (const who of [{ email: patient }, { username: patient }, { patientId: world.patient.patientId }]) {
      const { headers } = await signInAsPatient(testing, who, world.patient.birthDate);
      const init = await app.fastify.inject({ url: '/api/patient/auth/initUser', headers });
      expect(init.json()).toEqual({
        patient: { id: world.patient.patientId, email: patient },
        labelOverrides: {},
      });
    }
  });

  test('a patient who leaves every field empty sees what is missing', async () => {
    const response = await asPatient({});
    expect(response.statusCode).toBe(422);
    expect(response.json().faults).toHaveLength(1);
  });

  test('two names of different patients match no one', async () => {
    const response = await asPatient({ email: patient, phone: '+18135550100' });
    const { details } = response.json<SignInAnswer>();
    expect((await answer(details, await codeFor(secret, details, 'patient'), 'patient')).statusCode).toBe(
      401,
    );
  });

  test('a patient’s account is not a staff account, or the other way round', async () => {
    const staff = await beginSignIn(testing, patient);
    expect((await answer(staff.details, await codeFor(secret, staff.details))).statusCode).toBe(401);
    const { details } = (await asPatient({ email: epi })).json<SignInAnswer>();
    expect((await answer(details, await codeFor(secret, details, 'patient'), 'patient')).statusCode).toBe(
      401,
    );
  });

  test('details of one do not work for the other', async () => {
    const { details } = (await asPatient({ email: patient })).json<SignInAnswer>();
    const response = await answer(details, await codeFor(secret, details, 'patient'), 'tenant');
    expect(response.json().code).toBe('code-expired');
  });

  test('tokens of one do not work for the other', async () => {
    const { tokens, headers } = await signInAsPatient(testing, { email: patient }, world.patient.birthDate);
    const staffInit = await app.fastify.inject({ url: '/api/auth/initUser', headers });
    expect(staffInit.statusCode).toBe(403);
    const refresh = await post('/auth/tenant/refresh-token', { refreshToken: tokens.refreshToken });
    expect(refresh.statusCode).toBe(401);
    const own = await post('/auth/patient/refresh-token', { refreshToken: tokens.refreshToken });
    expect(own.statusCode).toBe(200);
  });
});

describe('stored data', () => {
  test('records that no limit counts any longer are deleted', async () => {
    const rows = () =>
      sql(`select (select count(*) from sign_in_challenge where expires_at < now() - interval '1 day')::int as challenges,
        (select count(*) from sign_in_failure where at < now() - interval '24 hours')::int as failures`);
    expect((await rows())[0]).toEqual({ challenges: expect.any(Number), failures: expect.any(Number) });
    expect((await rows())[0]).not.toEqual({ challenges: 0, failures: 0 });
    const { details } = await beginSignIn(testing, 'lab@vendor.caseway.test');
    await database.withScope({ kind: 'system' }, (tx) => enqueue(tx, forgetSignIns, {}));
    await expect.poll(async () => (await rows())[0]).toEqual({ challenges: 0, failures: 0 });
    expect((await answer(details, await codeFor(secret, details))).statusCode).toBe(200);
  });

  test('each tenant of an account finds its sign-ins in its own log', async () => {
    const { details } = await beginSignIn(testing, 'admin@vendor.caseway.test');
    await answer(details, wrong(await codeFor(secret, details)));
    await answerChallenge(testing, { details } as SignInAnswer);
    const rows = () =>
      sql(
        `select tenant_id, action, record_kind, address from audit_event e join account a on a.id = e.account_id
         where a.username = 'admin@vendor.caseway.test' order by at`,
      );
    // The wrong code's row comes a moment later, with the time of the attempt.
    await expect.poll(rows).toEqual(
      ['sign-in/failed', 'sign-in/succeeded'].map((action) => ({
        tenant_id: world.vendor.id,
        action,
        record_kind: 'account',
        address: '127.0.0.1',
      })),
    );
  });

  test('[P16] no code, token, name or address of a person was logged in all of this', async () => {
    const text = logged.join('\n');
    expect(text).toContain('answered');
    const codes = (await messages()).flatMap((one) => one.split('\n').filter((line) => /^\d{6}$/.test(line)));
    expect(codes.length).toBeGreaterThan(5);
    // Six digits can also be part of a time or an id, so a code counts only if it stands alone.
    for (const code of codes) expect(text).not.toMatch(new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`));
    expect(text).not.toMatch(/eyJ[\w-]{10}/);
    expect(text).not.toContain('@demo.caseway.test');
    expect(text).not.toContain('@vendor.caseway.test');
  });
});
