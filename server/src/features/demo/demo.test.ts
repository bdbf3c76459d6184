import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoMessage, demoPatient, demoUsernames, isNobodys } from '@caseway/contract/demo';
import type { SignInAnswer } from '@caseway/contract/session';
import { afterAll, describe, expect, it, test } from 'vitest';
import { demoAccounts } from '../../../seeds/demo/accounts.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { demoWorld } from '../../../seeds/demo/tenants.ts';
import { testApp } from '../../../test/app.ts';
import { parseConfig } from '../../config.ts';
import { createMailer } from '../../platform/mail/mailer.ts';
import { createTexter } from '../../platform/mail/texter.ts';
import { newestMessages } from './messages.ts';
import { showsMessages } from './routes.ts';

const testing = await testApp({ DEMO: 'on' }, { background: true });
await seedDemoTenants(testing.database);
const here = { host: 'localhost:8080' };
const ask = (headers: Record<string, string> = here, remoteAddress = '127.0.0.1') =>
  testing.app.fastify.inject({ url: '/auth/demo/messages', headers, remoteAddress });

const folder = await mkdtemp(join(tmpdir(), 'caseway-outbox-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the messages of the demo', () => {
  it('contain the code that signs in an account of the demo [S10.2, S10.8]', async () => {
    const username = 'epi@demo.caseway.test';
    const begun = await testing.app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/sign-in',
      payload: { origin: 'localhost', username, challengeMethod: 'EMAIL' },
    });
    const { details } = begun.json<SignInAnswer>();
    let found: DemoMessage | undefined;
    await expect
      .poll(async () => {
        const { messages } = (await ask()).json<{ messages: DemoMessage[] }>();
        found = messages.find(({ to }) => to === username);
        return found;
      })
      .toBeDefined();
    const answer = await testing.app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/challenge',
      payload: { details, secret: found!.code },
    });
    expect(answer.statusCode).toBe(200);
  });

  it.each([
    [
      'another name for this machine, as a page of a stranger would use',
      { host: 'evil.example' },
      '127.0.0.1',
    ],
    ['another machine', here, '192.0.2.7'],
    ['a proxy on this machine', { ...here, 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1'],
    ['a proxy that says so in the other way', { ...here, forwarded: 'for=192.0.2.7' }, '127.0.0.1'],
  ])('are refused to %s [P1]', async (_, headers, remote) => {
    expect((await ask(headers, remote)).statusCode).toBe(403);
  });

  it.each([
    ['[::1]:8080', '::1'],
    ['127.0.0.1:8080', '::ffff:127.0.0.1'],
    ['localhost', '127.0.0.1'],
  ])('are shown to this machine as %s', async (host, remote) => {
    expect((await ask({ host }, remote)).statusCode).toBe(200);
  });

  it.each([
    ['there is no demo', { DEMO: 'off' }],
    ['mail leaves this machine', { DEMO: 'on', SMTP_URL: 'smtp://localhost' }],
    ['other machines reach the server', { DEMO: 'on', HOST: '0.0.0.0' }],
    ['there is a proxy', { DEMO: 'on', PUBLIC_URL: 'http://localhost:9000' }],
  ])('are not served if %s [P1]', async (_, environment) => {
    expect(showsMessages(parseConfig(environment))).toBe(false);
  });
  it('are served in the default demo', () => {
    expect(showsMessages(parseConfig({}))).toBe(true);
  });
});

describe('the newest messages of an outbox', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second));
  const mailer = createMailer({ outbox: folder, from: 'Caseway <no-reply@caseway.test>' });
  const texter = createTexter({ outbox: folder });

  it('are as they were written, the newest first, without those to real people', async () => {
    await mailer.send({
      id: 'one',
      to: 'ines@demo.caseway.test',
      subject: 'Su código de acceso',
      text: 'Hola,\n\nEste es su código:\n\n123456\n\nFunciona durante 5 minutos. No se lo dé a nadie, ni siquiera a quien diga que es de aquí.',
      language: 'es',
      at: at(1),
    });
    await texter.send({ id: 'two', to: '+18505550123', text: 'Code:\n\n654321', language: 'en', at: at(2) });
    for (const [id, to] of [
      ['three', 'someone@health.gov'],
      ['four', 'someone@test.health.gov'],
    ] as const)
      await mailer.send({ id, to, subject: 'x', text: '111111', language: 'en', at: at(3) });
    await texter.send({ id: 'five', to: '+18504440123', text: '111111', language: 'en', at: at(3) });
    // One still being written, and an unrelated file.
    await writeFile(join(folder, '.2026-11-20T12-00-04.000Z-six.eml.unfinished'), 'To: a@b.test\n\nx');
    await mkdir(join(folder, 'notes'));
    expect(await newestMessages(folder)).toEqual([
      {
        id: 'two',
        at: '2026-11-20T12:00:02.000Z',
        to: '+18505550123',
        subject: '',
        text: 'Code:\n\n654321',
        code: '654321',
      },
      {
        id: 'one',
        at: '2026-11-20T12:00:01.000Z',
        to: 'ines@demo.caseway.test',
        subject: 'Su código de acceso',
        text: 'Hola,\n\nEste es su código:\n\n123456\n\nFunciona durante 5 minutos. No se lo dé a nadie, ni siquiera a quien diga que es de aquí.',
        code: '123456',
      },
    ]);
  });
  it('are none before the first', async () => {
    expect(await newestMessages(join(folder, 'nowhere'))).toEqual([]);
  });
});

test('every account of the demo is named on the sign-in screen', () => {
  const names = demoAccounts(demoWorld()).map(({ username }) => username);
  expect([...demoUsernames, demoPatient].sort()).toEqual(names.sort());
  expect(names.filter((name) => !isNobodys(name))).toEqual([]);
});
