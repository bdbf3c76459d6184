import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createTexter, type TextMessage } from './texter.ts';

const folder = await mkdtemp(join(tmpdir(), 'caseway-sms-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const message: TextMessage = {
  id: '0b1c2d3e-0000-4000-8000-000000000002',
  to: '+18135550142',
  text: 'Su código para iniciar sesión:\n\n012345\n\nVale durante 5 minutos.',
  language: 'es',
  at: new Date('2026-03-01T10:20:30.405Z'),
};

test('[S10.2, S10.3] without a webhook a message is one file in the outbox, its code alone on a line', async () => {
  const outbox = join(folder, 'outbox');
  const texter = createTexter({ outbox });
  await texter.send(message);
  await texter.send(message);
  const [name, ...others] = await readdir(outbox);
  expect(others).toEqual([]);
  expect(name).toBe('2026-03-01T10-20-30.405Z-0b1c2d3e-0000-4000-8000-000000000002.eml');
  const text = await readFile(join(outbox, name!), 'utf8');
  expect(text.split('\n')).toContain('012345');
  expect(text.split('\n')).toContain('To: +18135550142');
  expect((await stat(join(outbox, name!))).mode & 0o077).toBe(0);
});

describe('[S10.2] the webhook', async () => {
  const received: { path?: string; headers: IncomingHttpHeaders; body: unknown }[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    received.push({ path: request.url, headers: request.headers, body: JSON.parse(text) });
    response.writeHead(status).end(status === 204 ? undefined : `cannot send to ${message.to}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;

  test('gets number and text as JSON, the same id for the same message, and the credentials from the address', async () => {
    const outbox = join(folder, 'unused');
    const texter = createTexter({ smsUrl: `http://caseway:p%40ss@127.0.0.1:${port}/send?from=us`, outbox });
    await texter.send(message);
    const { id, to, text } = message;
    expect(received).toMatchObject([
      {
        path: '/send?from=us',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': id,
          authorization: `Basic ${Buffer.from('caseway:p@ss').toString('base64')}`,
        },
        body: { id, to, text },
      },
    ]);
    await expect(readdir(outbox)).rejects.toThrow();
  });

  test('[P16] that refuses or is away is an error without number, text or address', async () => {
    status = 502;
    const refused = createTexter({ smsUrl: `http://127.0.0.1:${port}`, outbox: folder }).send(message);
    await expect(refused).rejects.toThrow(/^the SMS webhook did not take a message \(502\)$/);
    const away = createTexter({ smsUrl: 'http://127.0.0.1:9', outbox: folder }).send(message);
    await expect(away).rejects.toThrow(/^the SMS webhook was not reached \(TypeError\)$/);
  });
});
