import type { Profile } from '@caseway/contract/profile';
import type { Tokens } from '@caseway/contract/session';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { messagesTo } from '../../../test/outbox.ts';
import { answerChallenge, beginSignIn, codeFor } from '../../../test/sign-in.ts';
import { Signing } from '../../platform/auth/signing.ts';

const testing = await testApp({}, { background: true });
const { app, config, database, superuserUrl } = testing;
await seedDemoTenants(database);
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const lab = 'lab@vendor.caseway.test';
const [{ id: accountId }] = (await sql<{ id: string }>('select id from account where username = $1', [
  lab,
])) as [{ id: string }];

let tokens: Tokens;
beforeEach(async () => {
  await sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`);
  await sql('delete from contact_change');
  await sql(
    'update account set username = $2, email = $2, phone = null, phone_confirmed = false where id = $1',
    [accountId, lab],
  );
  tokens = await answerChallenge(testing, await beginSignIn(testing, lab));
});

const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object, by: Tokens = tokens) =>
  app.fastify.inject({
    method,
    url: `/api/profile${path}`,
    headers: { authorization: `Bearer ${by.accessToken}` },
    payload,
  });
const begin = (wanted: object) => ask('POST', '/contact', wanted);
const confirm = (details: string, newCode: string, presentCode: string, by = tokens) =>
  ask('POST', '/contact/confirm', { details, newCode, presentCode }, by);
const profile = async () => (await ask('GET', '')).json<Profile>();

/** Waits for a message to an address with certain words: other messages may come before or after it. */
const arrived = (place: string, says: RegExp) =>
  expect.poll(async () => (await messagesTo(testing, place)).some((text) => says.test(text))).toBe(true);
/** The audit details of the last action with this name. */
const logged = async (action: string) =>
  (
    await sql<{ detail: object }>(
      'select detail from audit_event where action = $1 and account_id = $2 order by at desc limit 1',
      [action, accountId],
    )
  )[0]!.detail;
const holding = (code: string) => new RegExp(`^${code}\\r?$`, 'm');
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

describe('a new mail address', () => {
  test('changes once the new and the current address have answered; the previous address is notified', async () => {
    const next = 'leo.new@vendor.caseway.test';
    const begun = (await begin({ kind: 'EMAIL', value: next })).json();
    expect(begun.present).toEqual({ by: 'EMAIL', destination: lab });
    const codes = await codesOf(begun.details);
    expect(codes.new).not.toBe(codes.present);
    await arrived(next, holding(codes.new));
    await arrived(lab, holding(codes.present));
    expect((await profile()).email).toBe(lab);
    const changed = await confirm(begun.details, ` ${codes.new} `, codes.present);
    expect(changed.json()).toMatchObject({ email: next, username: next });
    await arrived(lab, /no longer come to this one/);
    // [P15] The log has the old and the new one.
    expect(await logged('account/email-changed')).toMatchObject({
      before: { email: lab },
      after: { email: next },
    });
    // The new address signs in, the old one does not.
    await answerChallenge(testing, await beginSignIn(testing, next));
    const { details } = await beginSignIn(testing, lab);
    const refused = await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/challenge',
      payload: { details, secret: await codeFor(config.tokenSecret!, details) },
    });
    expect(refused.statusCode).toBe(401);
  });

  test('a code that was sent to the previous address no longer works', async () => {
    const underWay = await beginSignIn(testing, lab);
    const next = 'leo.second@vendor.caseway.test';
    const { details } = (await begin({ kind: 'EMAIL', value: next })).json();
    const codes = await codesOf(details);
    expect((await confirm(details, codes.new, codes.present)).statusCode).toBe(200);
    const late = await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/challenge',
      payload: { details: underWay.details, secret: await codeFor(config.tokenSecret!, underWay.details) },
    });
    // The same answer as for an unknown name.
    expect(late.json().code).toBe('code-wrong');
  });

  test('is changed once, however often it is confirmed at the same time', async () => {
    const next = 'leo.third@vendor.caseway.test';
    const { details } = (await begin({ kind: 'EMAIL', value: next })).json();
    const codes = await codesOf(details);
    const changes = () =>
      sql(`select from audit_event where action = 'account/email-changed' and account_id = $1`, [accountId]);
    const before = (await changes()).length;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => confirm(details, codes.new, codes.present)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200).map((one) => one.json().email)).toEqual([
      next,
    ]);
    for (const refused of answers.filter(({ statusCode }) => statusCode !== 200))
      expect(refused.json().faults[0].code).toBe('code-expired');
    expect(await changes()).toHaveLength(before + 1);
  });

  test('ends another open change, whose code went to the previous address', async () => {
    const [first, second] = [
      (await begin({ kind: 'EMAIL', value: 'leo.fourth@vendor.caseway.test' })).json(),
      (await begin({ kind: 'EMAIL', value: 'leo.fifth@vendor.caseway.test' })).json(),
    ];
    const [one, other] = [await codesOf(first.details), await codesOf(second.details)];
    // Both at the same time: one becomes the address, and the other code no longer works.
    const answers = await Promise.all([
      confirm(first.details, one.new, one.present),
      confirm(second.details, other.new, other.present),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
  });

  test('does not change with only one code, nor with the two swapped, and ends after five tries', async () => {
    const { details } = (await begin({ kind: 'EMAIL', value: 'x@vendor.caseway.test' })).json();
    const codes = await codesOf(details);
    const tries: [string, string][] = [
      [codes.new, wrong(codes.present)],
      [wrong(codes.new), codes.present],
      [codes.present, codes.new],
      ['', ''],
      [codes.new, codes.new],
    ];
    for (const pair of tries) {
      const refused = await confirm(details, ...pair);
      expect([refused.statusCode, refused.json().faults[0].code]).toEqual([422, 'code-wrong']);
    }
    const over = await confirm(details, codes.new, codes.present);
    expect(over.json().faults[0].code).toBe('code-expired');
    expect((await profile()).email).toBe(lab);
  });

  test('five tries, also when they come at the same time', async () => {
    const { details } = (await begin({ kind: 'EMAIL', value: 'x@vendor.caseway.test' })).json();
    const codes = await codesOf(details);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => confirm(details, wrong(codes.new), codes.present)),
    );
    const given = answers.map((one) => one.json().faults[0].code as string);
    expect(given.filter((code) => code === 'code-wrong')).toHaveLength(5);
  });

  test('of another person is refused, after it was shown that mail arrives there', async () => {
    const taken = 'analyst@vendor.caseway.test';
    const { details } = (await begin({ kind: 'EMAIL', value: 'ANALYST@vendor.caseway.test' })).json();
    const codes = await codesOf(details);
    const guessed = await confirm(details, wrong(codes.new), codes.present);
    expect(guessed.json().faults[0].code).toBe('code-wrong');
    const refused = await confirm(details, codes.new, codes.present);
    expect(refused.json().faults[0]).toMatchObject({ path: 'value', code: 'address-taken' });
    const [other] = await sql('select username from account where username = $1', [taken]);
    expect(other).toEqual({ username: taken });
  });

  test('belongs to the person who began it, expires, and can be requested three times in a quarter of an hour', async () => {
    const begun = await begin({ kind: 'EMAIL', value: 'x@vendor.caseway.test' });
    const { details } = begun.json();
    const codes = await codesOf(details);
    await sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`);
    const stranger = await answerChallenge(testing, await beginSignIn(testing, 'admin@vendor.caseway.test'));
    expect((await confirm(details, codes.new, codes.present, stranger)).json().faults[0].code).toBe(
      'code-expired',
    );
    await sql('update contact_change set expires_at = now()');
    expect((await confirm(details, codes.new, codes.present)).json().faults[0].code).toBe('code-expired');
    expect((await begin({ kind: 'EMAIL', value: 'y@vendor.caseway.test' })).statusCode).toBe(200);
    expect((await begin({ kind: 'EMAIL', value: 'y@vendor.caseway.test' })).statusCode).toBe(200);
    expect((await begin({ kind: 'EMAIL', value: 'y@vendor.caseway.test' })).statusCode).toBe(429);
  });
});

describe('a telephone number', () => {
  test('the first is confirmed there and by mail, the next there and at the current one', async () => {
    const first = (await begin({ kind: 'PHONE', value: '+18135550188', presentBy: 'SMS' })).json();
    expect(first.present).toEqual({ by: 'EMAIL', destination: lab });
    const firstCodes = await codesOf(first.details);
    await arrived('+18135550188', holding(firstCodes.new));
    const done = await confirm(first.details, firstCodes.new, firstCodes.present);
    expect(done.json()).toMatchObject({ phone: '+18135550188', email: lab });
    const next = (await begin({ kind: 'PHONE', value: '+18135550199', presentBy: 'SMS' })).json();
    expect(next.present).toEqual({ by: 'SMS', destination: '+18135550188' });
    const codes = await codesOf(next.details);
    await arrived('+18135550199', holding(codes.new));
    await arrived('+18135550188', holding(codes.present));
    expect((await confirm(next.details, codes.new, codes.present)).json().phone).toBe('+18135550199');
    expect(await logged('account/phone-changed')).toMatchObject({
      before: { phone: '+18135550188' },
      after: { phone: '+18135550199' },
    });
  });

  test('[P11] that someone else has entered gets no code, and lets no one in, before the person has confirmed it', async () => {
    const entered = '+18135550155';
    await sql('update account set phone = $2, phone_confirmed = false where id = $1', [accountId, entered]);
    expect(await profile()).toMatchObject({ phone: entered, phoneConfirmed: false });
    const signIn = () =>
      app.fastify.inject({
        method: 'POST',
        url: '/auth/tenant/sign-in',
        payload: { origin: 'localhost', username: lab, challengeMethod: 'SMS' },
      });
    const allSent = () =>
      expect.poll(async () => (await sql('select from graphile_worker.jobs')).length).toBe(0);
    // The answer does not reveal it. [P12]
    expect((await signIn()).statusCode).toBe(200);
    await allSent();
    expect(await messagesTo(testing, entered)).toEqual([]);
    const begun = (await begin({ kind: 'PHONE', value: entered, presentBy: 'SMS' })).json();
    expect(begun.present).toEqual({ by: 'EMAIL', destination: lab });
    const codes = await codesOf(begun.details);
    await arrived(entered, holding(codes.new));
    const done = await confirm(begun.details, codes.new, codes.present);
    expect(done.json()).toMatchObject({ phone: entered, phoneConfirmed: true });
    await allSent();
    await sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`);
    const { details } = (await signIn()).json();
    await arrived(entered, holding(await codeFor(config.tokenSecret!, details)));
  });

  test('that is lost is replaced by email', async () => {
    await sql(`update account set phone = '+18135550177', phone_confirmed = true where id = $1`, [accountId]);
    const begun = (await begin({ kind: 'PHONE', value: '+18135550166', presentBy: 'EMAIL' })).json();
    expect(begun.present).toEqual({ by: 'EMAIL', destination: lab });
  });

  test('is in international form, and can be removed', async () => {
    const refused = await begin({ kind: 'PHONE', value: '813 555 0142', presentBy: 'SMS' });
    expect(refused.json().faults).toEqual([
      expect.objectContaining({ path: 'value', code: 'invalid-phone' }),
    ]);
    expect((await ask('DELETE', '/phone')).statusCode).toBe(404);
    await sql(`update account set phone = '+18135550177' where id = $1`, [accountId]);
    expect((await ask('DELETE', '/phone')).statusCode).toBe(204);
    expect((await profile()).phone).toBeNull();
    expect(await logged('account/phone-removed')).toMatchObject({
      before: { phone: '+18135550177' },
      after: { phone: null },
    });
  });
});

test('is changed only within a quarter of an hour after signing in', async () => {
  await sql(`update session set created_at = created_at - interval '16 minutes'`);
  for (const [method, path, body] of [
    ['POST', '/contact', { kind: 'EMAIL', value: 'x@vendor.caseway.test' }],
    ['POST', '/contact/confirm', { details: 'x', newCode: '1', presentCode: '1' }],
    ['DELETE', '/phone', undefined],
  ] as const) {
    expect((await ask(method, path, body)).json().code).toBe('recent-sign-in-needed');
    const signedOut = await app.fastify.inject({ method, url: `/api/profile${path}`, payload: body });
    expect(signedOut.statusCode).toBe(401);
  }
});

/** Both codes of a change, from the messages. */
async function codesOf(details: string): Promise<{ new: string; present: string }> {
  const signing = new Signing(config.tokenSecret!);
  const id = (await signing.readOwnDetails('contact', accountId, details))!;
  return { new: signing.contactCode(id, 'new'), present: signing.contactCode(id, 'present') };
}
