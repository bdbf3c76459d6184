import { randomUUID } from 'node:crypto';
import type { PatientFurtherChallenge, SignInAnswer, Tokens } from '@caseway/contract/session';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { expectSameDurations, timeOf } from '../../../test/durations.ts';
import { makePatient, makeTenant } from '../../../test/factories.ts';
import { writeLateEvents } from '../../../test/late-events.ts';
import { load } from '../../../test/load.ts';
import { codeFor, signInAsPatient } from '../../../test/sign-in.ts';
import { recordStatements } from '../../../test/statements.ts';
import { changeAddresses } from '../../platform/auth/addresses.ts';
import type { Identification } from '../../platform/auth/sign-in.ts';

const testing = await testApp();
const { app, config, database, superuserUrl } = testing;
const secret = config.tokenSecret!;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const tenant = await makeTenant(database);
const family = 'family@example.test';
const familyPhone = '+18135550110';

/** A person who can sign in. */
async function makeAccount(birth_date: string, given: Record<string, unknown> = {}) {
  const patient = await makePatient(database, { tenant_id: tenant.id, birth_date });
  const account = { id: randomUUID(), username: patient.id.slice(0, 8), ...given };
  await database.withScope({ kind: 'identity' }, (tx) =>
    tx.run(
      `insert into account (id, username, last_name, first_name, email, phone, patient_tenant_id, patient_id)
       values ($1, $2, '', '', $3, $4, $5, $6)`,
      [account.id, account.username, given.email ?? null, given.phone ?? null, tenant.id, patient.id],
    ),
  );
  return { ...account, patientId: patient.id };
}
const alone = await makeAccount('1990-02-03', { email: 'alone@example.test', username: 'abcd2345' });
const mother = await makeAccount('1979-08-09', { email: family, phone: familyPhone });
const twin = await makeAccount('2004-05-06', { email: family, phone: familyPhone, username: 'twna2345' });
await makeAccount('2004-05-06', { email: family, phone: familyPhone });
const moved = await makeAccount('1988-03-04', { email: 'before@example.test', phone: '+18135550121' });
const byPhone = await makeAccount('1955-01-31', { phone: '+18135550111' });

/** Every test begins without used-up limits. */
beforeEach(async () => {
  await sql('delete from sign_in_failure');
  await sql(`update sign_in_challenge set created_at = created_at - interval '2 days'`);
});

const post = (url: string, payload: object) => app.fastify.inject({ method: 'POST', url, payload });
const begin = async (who: Identification, challengeMethod = who.phone ? 'SMS' : 'EMAIL') => {
  const response = await post('/auth/patient/sign-in', { origin: 'localhost', challengeMethod, ...who });
  expect(response.statusCode).toBe(200);
  return response.json<SignInAnswer>();
};
const answer = (details: string, given: string) =>
  post('/auth/patient/challenge', { details, secret: given });
const code = (details: string) => codeFor(secret, details, 'patient');
/** Runs a sign-in up to the question for the date of birth. */
const untilBirthDate = async (who: Identification) => {
  const { details } = await begin(who);
  const response = await answer(details, await code(details));
  expect(response.statusCode).toBe(200);
  return response.json<PatientFurtherChallenge>();
};
const whoIs = async (tokens: Tokens) => {
  const headers = { authorization: `Bearer ${tokens.accessToken}` };
  return (await app.fastify.inject({ url: '/api/patient/auth/initUser', headers })).json().patient.id;
};

describe('a patient signs in with a code and the date of birth [S4.1, S7.3, S7.4]', () => {
  test('and not with only the code', async () => {
    const further = await untilBirthDate({ email: 'alone@example.test' });
    expect(further).toMatchObject({
      challengeMethod: 'BIRTH_DATE',
      proofs: ['BIRTH_DATE'],
      destination: null,
    });
    expect(further).not.toHaveProperty('accessToken');
    const tokens = (await answer(further.details, '1990-02-03')).json<Tokens>();
    expect(Object.keys(tokens).sort()).toEqual(['accessToken', 'refreshToken']);
    expect(await whoIs(tokens)).toBe(alone.patientId);
  });

  test.each([
    ['mail address', { email: 'ALONE@example.test' }],
    ['user name', { username: 'abcd2345' }],
    ['number on the invitation, however it is written', { patientId: 'ABCD-2345' }],
    ['id of the record', { patientId: alone.patientId }],
  ])('by %s', async (_, who) => {
    const { tokens } = await signInAsPatient(testing, who, '1990-02-03');
    expect(await whoIs(tokens)).toBe(alone.patientId);
  });

  test('by telephone, without a mail address', async () => {
    const { tokens } = await signInAsPatient(testing, { phone: '+18135550111' }, '1955-01-31');
    expect(await whoIs(tokens)).toBe(byPhone.patientId);
  });

  test('a merged record is the one that it was merged into, with its date of birth', async () => {
    const gone = await makeAccount('1961-01-01', { email: 'merged@example.test' });
    const kept = await makePatient(database, { tenant_id: tenant.id, birth_date: '1962-02-02' });
    await sql('update patient set merged_into = $2 where id = $1', [gone.patientId, kept.id]);
    const { details } = await untilBirthDate({ email: 'merged@example.test' });
    expect((await answer(details, '1961-01-01')).statusCode).toBe(401);
    const { tokens } = await signInAsPatient(testing, { email: 'merged@example.test' }, '1962-02-02');
    expect(await whoIs(tokens)).toBe(kept.id);
  });

  test('[P13] tokens rotate, and those of patients renew nothing of staff', async () => {
    const { tokens } = await signInAsPatient(testing, { email: 'alone@example.test' }, '1990-02-03');
    const { refreshToken } = tokens;
    expect((await post('/auth/tenant/refresh-token', { refreshToken })).statusCode).toBe(401);
    const next = (await post('/auth/patient/refresh-token', { refreshToken })).json<Tokens>();
    expect(await whoIs(next)).toBe(alone.patientId);
    await sql(`update session set rotated_at = now() - interval '11 seconds' where account_id = $1`, [
      alone.id,
    ]);
    expect((await post('/auth/patient/refresh-token', { refreshToken })).statusCode).toBe(401);
  });

  test('a session that began without the date of birth opens nothing', async () => {
    const { headers } = await signInAsPatient(testing, { patientId: 'abcd2345' }, '1990-02-03');
    await sql('update session set second_check = false where account_id = $1', [alone.id]);
    const response = await app.fastify.inject({ url: '/api/patient/auth/initUser', headers });
    expect(response.statusCode).toBe(401);
  });
});

describe('a family that shares an address', () => {
  test.each([{ email: family }, { phone: familyPhone }])(
    'is identified by the date of birth: %o',
    async (who) => {
      const { tokens } = await signInAsPatient(testing, who, '1979-08-09');
      expect(await whoIs(tokens)).toBe(mother.patientId);
    },
  );

  test('gets one code, at the address that was used', async () => {
    const { details } = await begin({ email: family });
    const rows = await sql<{ sent: number }>(
      `select count(*)::int as sent from graphile_worker._private_jobs where payload::text like '%challengeId%'`,
    );
    expect(rows[0]!.sent).toBeGreaterThan(0);
    expect(details).toBeTruthy();
    // Not by text message: each may have another number, so nobody gets one.
    const elsewhere = await begin({ email: family }, 'SMS');
    expect((await answer(elsewhere.details, await code(elsewhere.details))).json().code).toBe('code-wrong');
  });

  test('twins do not see each other: neither gets in with what they share, each with their own number', async () => {
    const { details } = await untilBirthDate({ email: family });
    const refused = await answer(details, '2004-05-06');
    expect(refused.statusCode).toBe(401);
    const other = await answer(details, '1999-09-09');
    expect({ ...refused.json(), requestId: '' }).toEqual({ ...other.json(), requestId: '' });
    const { tokens } = await signInAsPatient(testing, { patientId: 'twna-2345' }, '2004-05-06');
    expect(await whoIs(tokens)).toBe(twin.patientId);
  });
});

describe('an address that no longer belongs to a person', () => {
  const set = (email: string | null, phone: string | null) =>
    database.withScope({ kind: 'identity' }, (tx) =>
      changeAddresses(tx, moved.id, () =>
        tx.run('update account set email = $2, phone = $3 where id = $1', [moved.id, email, phone]),
      ),
    );
  const back = () => set('before@example.test', '+18135550121');

  test.each([
    ['mail address', { email: 'before@example.test' }, () => set('after@example.test', '+18135550121')],
    ['telephone', { phone: '+18135550121' }, () => set('before@example.test', '+18135550122')],
    ['telephone, taken away', { phone: '+18135550121' }, () => set('before@example.test', null)],
  ])('opens nothing with the code that was sent there: %s', async (_, who, change) => {
    const { details } = await begin(who);
    await change();
    const refused = await answer(details, await code(details));
    // The same answer as for an unknown name.
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'code-wrong']);
    await back();
  });

  test('not even after the code was read there, with the right date of birth', async () => {
    const { details } = await untilBirthDate({ email: 'before@example.test' });
    await set('after@example.test', '+18135550121');
    expect((await answer(details, '1988-03-04')).json().code).toBe('code-wrong');
    await back();
  });

  test('does not work for a member who has left the family, but still for the others', async () => {
    const left = await makeAccount('1999-12-01', { email: family });
    const leave = () =>
      database.withScope({ kind: 'identity' }, (tx) =>
        changeAddresses(tx, left.id, () =>
          tx.run(`update account set email = 'own@example.test' where id = $1`, [left.id]),
        ),
      );
    const { details } = await untilBirthDate({ email: family });
    await leave();
    expect((await answer(details, '1999-12-01')).json().code).toBe('code-wrong');
    expect((await answer(details, '1979-08-09')).statusCode).toBe(200);
  });
});

describe('refusals look the same [P11, P12]', () => {
  const statementsOf = recordStatements();

  test('known, unknown and shared addresses: one answer of one length, and the same work', async () => {
    const work = new Set<string>();
    const bodies = new Set<string>();
    for (const email of ['alone@example.test', 'nobody@example.test', family]) {
      let details = '';
      const begun = await statementsOf(async () => {
        const response = await begin({ email });
        details = response.details;
        bodies.add(`${Object.keys(response)} ${JSON.stringify(response).length}`);
      });
      const refused = await statementsOf(() => answer(details, '12345'));
      work.add([...begun, '—', ...refused].join('\n'));
    }
    expect(work.size).toBe(1);
    expect(bodies.size).toBe(1);
  });

  test('[P12] the answer to each name depends on its own tries, and reveals nothing about another', async () => {
    const person = await makeAccount('1991-07-08', {
      email: 'two-names@example.test',
      phone: '+18135550119',
    });
    const names: Identification[] = [
      { email: 'two-names@example.test' },
      { phone: '+18135550119' },
      { username: person.username },
      { patientId: person.patientId },
      { email: 'nobody-two@example.test' },
      { phone: '+18135550118' },
    ];
    for (const who of names) {
      const told = [];
      for (let turn = 0; turn < 4; turn += 1) {
        const { resendAt, expiresAt } = await begin(who);
        // Both by the clock of the database: a code is valid for five minutes.
        const begun = Date.parse(expiresAt) - 5 * 60_000;
        told.push(
          Math.round((Date.parse(resendAt) - begun) / 60_000) >= 14 ? 'in a quarter of an hour' : 'soon',
        );
      }
      expect([who, told]).toEqual([
        who,
        ['soon', 'soon', 'in a quarter of an hour', 'in a quarter of an hour'],
      ]);
    }
    // Twelve were promised to its names; the account got three.
    const [counted] = await sql<{ sent: number }>(
      `select count(*) filter (where sent)::int as sent from sign_in_challenge
       where account_id = $1 and created_at > now() - interval '15 minutes'`,
      [person.id],
    );
    expect(counted!.sent).toBe(3);
  });

  test('a wrong date of birth and a shared one: the same answer after the same work', async () => {
    const work = new Set<string>();
    const bodies = new Set<string>();
    for (const day of ['2004-05-06', '1901-01-01', 'no date at all']) {
      const { details } = await untilBirthDate({ email: family });
      let body = '';
      work.add(
        (
          await statementsOf(async () => {
            const response = await answer(details, day);
            body = JSON.stringify({ ...response.json(), requestId: '' });
          })
        ).join('\n'),
      );
      bodies.add(body);
    }
    expect(work.size).toBe(1);
    expect([...bodies]).toEqual([expect.stringContaining('code-wrong')]);
  });

  const fresh = async () => {
    await sql('delete from sign_in_failure');
    await sql('delete from sign_in_challenge');
  };

  test('the same time: interleaved samples of beginning and of being refused', {
    timeout: 600_000,
  }, async () => {
    const kinds: Identification[] = [
      { email: 'alone@example.test' },
      { email: 'nobody@example.test' },
      { email: family },
      { patientId: 'abcd-2345' },
    ];
    await expectSameDurations({
      kinds: kinds.length,
      rounds: load(30, 125),
      // The fourth of each is one without a message.
      before: async (round) => {
        if (round % 4 === 0) await fresh();
      },
      once: async (kind) => {
        let details = '';
        const begun = await timeOf(async () => {
          details = (await begin(kinds[kind]!, 'EMAIL')).details;
        });
        return { begin: begun, 'refuse a code': await timeOf(() => answer(details, '12345')) };
      },
    });
  });

  test('takes the same time for an unknown date of birth, a shared one, and an invalid date', {
    timeout: 600_000,
  }, async () => {
    const days = ['1901-01-01', '2004-05-06', 'no date at all'];
    await expectSameDurations({
      kinds: days.length,
      rounds: load(21, 60),
      before: fresh,
      once: async (kind) => {
        const { details } = await untilBirthDate({ email: family });
        return { 'refuse a date': await timeOf(() => answer(details, days[kind]!)) };
      },
    });
  });

  test('[P11] wrong dates count for everyone in a family, whatever name the next try uses', async () => {
    for (const who of [{ email: family }, { email: family, phone: familyPhone }])
      for (let round = 0; round < 2; round++) {
        const { details } = await untilBirthDate(who);
        for (let tries = 0; tries < 5; tries++)
          expect((await answer(details, '1901-01-01')).statusCode).toBe(401);
      }
    const { details } = await begin({ patientId: 'twna-2345' });
    expect((await answer(details, await code(details))).statusCode).toBe(401);
    // Nobody else is affected.
    await signInAsPatient(testing, { email: 'alone@example.test' }, '1990-02-03');
  });

  test('five dates are tried, also at the same time; then the right one comes too late', async () => {
    const { details } = await untilBirthDate({ email: 'alone@example.test' });
    const tries = await Promise.all(
      Array.from({ length: 7 }, (_, index) => answer(details, `190${index}-01-01`)),
    );
    expect(tries.map((one) => one.json().code).sort()).toEqual([
      ...Array(2).fill('code-expired'),
      ...Array(5).fill('code-wrong'),
    ]);
    expect((await answer(details, '1990-02-03')).json().code).toBe('code-expired');
  });

  test('twenty wrong dates lock the account, even with correct new codes', async () => {
    for (let round = 0; round < 4; round += 1) {
      await sql(`update sign_in_challenge set created_at = created_at - interval '1 hour'`);
      const { details } = await untilBirthDate({ email: 'alone@example.test' });
      for (let i = 0; i < 5; i += 1) await answer(details, `191${i}-01-01`);
    }
    await sql(`update sign_in_challenge set created_at = created_at - interval '1 hour'`);
    const { details } = await begin({ email: 'alone@example.test' });
    expect((await answer(details, await code(details))).json().code).toBe('code-wrong');
  });

  test('a date of birth answers the challenge of its own sign-in, once', async () => {
    const first = await untilBirthDate({ email: 'alone@example.test' });
    // Not the first challenge, nor a staff challenge.
    const { details } = await begin({ email: 'alone@example.test' });
    expect((await answer(details, '1990-02-03')).statusCode).toBe(401);
    expect(
      (await post('/auth/tenant/challenge', { details: first.details, secret: '1990-02-03' })).json().code,
    ).toBe('code-expired');
    const answers = await Promise.all([1, 2, 3].map(() => answer(first.details, '1990-02-03')));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401]);
  });

  test('a disabled account and a suspended tenant let no one in', async () => {
    const { details } = await untilBirthDate({ email: 'alone@example.test' });
    await sql('update account set disabled_at = now() where id = $1', [alone.id]);
    expect((await answer(details, '1990-02-03')).statusCode).toBe(401);
    await sql('update account set disabled_at = null where id = $1', [alone.id]);
    await sql('update tenant set suspended_at = now() where id = $1', [tenant.id]);
    const again = await untilBirthDate({ email: 'alone@example.test' });
    expect((await answer(again.details, '1990-02-03')).statusCode).toBe(401);
    await sql('update tenant set suspended_at = null where id = $1', [tenant.id]);
  });

  test('[P15] attempts are in the tenant’s log, for each person who shares an address', async () => {
    const { details } = await untilBirthDate({ email: family });
    const count = async () =>
      (
        await sql<{ n: number }>(
          `select count(*)::int as n from audit_event where tenant_id = $1 and action = 'sign-in/failed'`,
          [tenant.id],
        )
      )[0]!.n;
    await sql('delete from graphile_worker._private_jobs');
    const before = await count();
    await answer(details, '1901-01-01');
    await writeLateEvents(testing);
    expect(await count()).toBe(before + 3);
  });
});
