import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, createBrotliDecompress, createGunzip } from 'node:zlib';
import { endpoint } from '@caseway/contract/endpoint';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { App } from './app.ts';
import { serve } from './serve.ts';
import { makeApp } from './test-app.ts';

describe('security headers [P20]', () => {
  it("forbid everything that is not the product's own, framing, and storing answers", async () => {
    const app = await makeApp();
    const { headers } = await app.fastify.inject('/api/nothing');
    const policy = String(headers['content-security-policy']);
    expect(policy).not.toContain('unsafe-');
    expect(policy).toMatch(
      /^default-src 'none';script-src 'self' 'nonce-[0-9a-f-]{36}';style-src 'self' 'nonce-[0-9a-f-]{36}';/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it('keep no answer of any route in a browser, however its address is written', async () => {
    const app = await makeApp();
    const about = endpoint({
      method: 'GET',
      path: '/api/about',
      access: 'public',
      deed: 'read',
      summary: 'x',
      response: z.object({}),
    });
    serve(app, about, () => ({}));
    for (const url of [
      '/api/about',
      '/%61pi/about',
      '/api/%61bout',
      '/api/nothing',
      '/%61pi/nothing',
      '/x',
    ]) {
      const answer = await app.fastify.inject(url);
      expect([url, answer.headers['cache-control']]).toEqual([url, 'no-store']);
    }
    expect((await app.fastify.inject('/%61pi/about')).statusCode).toBe(200);
  });

  it('are compressed when they are long, except those that carry a token', async () => {
    const app = await makeApp();
    const long = 'x'.repeat(100_000);
    const answers = (path: string) =>
      serve(
        app,
        endpoint({
          method: 'GET',
          path,
          access: 'public',
          deed: 'read',
          summary: 'x',
          response: z.object({ text: z.string() }),
        }),
        () => ({ text: path.endsWith('short') ? 'x' : long }),
      );
    for (const path of ['/api/long', '/api/short', '/auth/long']) answers(path);
    const encodings = async (accepted: string) =>
      Promise.all(
        ['/api/long', '/api/short', '/auth/long'].map(async (url) => {
          const { headers, rawPayload } = await app.fastify.inject({
            url,
            headers: { 'accept-encoding': accepted },
          });
          if (url === '/api/long' && headers['content-encoding'] === 'br')
            expect(JSON.parse(brotliDecompressSync(rawPayload).toString())).toEqual({ text: long });
          return headers['content-encoding'];
        }),
      );
    expect(await encodings('gzip, deflate, br')).toEqual(['br', undefined, undefined]);
    expect(await encodings('gzip')).toEqual(['gzip', undefined, undefined]);
    expect(await encodings('identity')).toEqual([undefined, undefined, undefined]);
  });

  it.each(['br', 'gzip', 'identity'])(
    'are sent with the first piece of a slow table, as %s',
    async (accepted) => {
      const app = await makeApp();
      const table = endpoint({
        method: 'GET',
        path: '/api/table',
        access: 'public',
        deed: 'export',
        summary: 'x',
        produces: 'text/csv',
      });
      let goOn = () => {};
      serve(app, table, () =>
        Readable.from(
          (async function* () {
            yield 'name,born\r\n';
            await new Promise<void>((resolve) => {
              goOn = resolve;
            });
            yield 'Canary,1980\r\n';
          })(),
        ),
      );
      const origin = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
      const answer = await new Promise<IncomingMessage>((resolve) => {
        httpRequest(`${origin}/api/table`, { headers: { 'accept-encoding': accepted } }, resolve).end();
      });
      expect(answer.headers['content-encoding']).toBe(accepted === 'identity' ? undefined : accepted);
      const pieces = { br: createBrotliDecompress, gzip: createGunzip, identity: () => new PassThrough() };
      const text = answer.pipe(pieces[accepted as keyof typeof pieces]()).setEncoding('utf8');
      const [first] = await once(text, 'data');
      expect(first).toBe('name,born\r\n');
      goOn();
      expect((await text.toArray()).join('')).toBe('Canary,1980\r\n');
    },
  );

  it('are sent with other files as they are', async () => {
    const app = await makeApp();
    const file = endpoint({
      method: 'GET',
      path: '/api/file',
      access: 'public',
      deed: 'export',
      summary: 'x',
      produces: 'application/octet-stream',
    });
    serve(app, file, () => 'x'.repeat(100_000));
    const answer = await app.fastify.inject({ url: '/api/file', headers: { 'accept-encoding': 'br' } });
    expect([answer.headers['content-encoding'], answer.body.length]).toEqual([undefined, 100_000]);
  });

  it('have a new nonce each time, and require https if people use it', async () => {
    const app = await makeApp({ publicUrl: 'https://caseway.example.test' });
    const [one, two] = [await app.fastify.inject('/api/x'), await app.fastify.inject('/api/x')];
    expect(one.headers['content-security-policy']).not.toBe(two.headers['content-security-policy']);
    expect(one.headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
  });
});

describe('slow and large clients', () => {
  const patience = { headers: 300, body: 300, answer: 5000 };
  const listening = async (app: App) => {
    await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    return (app.fastify.server.address() as AddressInfo).port;
  };
  const save = endpoint({
    method: 'POST',
    path: '/api/save',
    access: 'public',
    deed: 'change',
    summary: 'x',
    body: z.object({}),
    response: z.object({}),
  });
  const upload = endpoint({
    method: 'POST',
    path: '/api/upload',
    access: 'public',
    deed: 'change',
    summary: 'x',
    response: z.object({ bytes: z.number() }),
  });
  const count = async (call: { upload: Readable }) => {
    let bytes = 0;
    for await (const chunk of call.upload) bytes += (chunk as Buffer).length;
    return { bytes };
  };
  /** Milliseconds after which the server closes a connection on which only this was sent. */
  const cutAfter = (port: number, sent: string) =>
    new Promise<number>((resolve) => {
      const begun = Date.now();
      const socket = connect(port, '127.0.0.1', () => socket.write(sent));
      socket.on('error', () => {});
      socket.resume().on('close', () => resolve(Date.now() - begun));
    });

  it('are cut off when they do not send the head, the body or the file in time [P10]', async () => {
    const app = await makeApp({ patience });
    serve(app, save, () => ({}));
    serve(app, upload, count, { uploadLimit: 1000 });
    const port = await listening(app);
    const head = 'Host: x\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n';
    const times = await Promise.all([
      cutAfter(port, 'POST /api/save HTTP/1.1\r\nHo'),
      cutAfter(port, `POST /api/save HTTP/1.1\r\n${head}{`),
      cutAfter(port, `POST /api/upload HTTP/1.1\r\n${head}{`),
    ]);
    // Node's default limit would be minutes.
    for (const time of times) expect(time).toBeLessThan(30_000);
  });

  it('[P10] are cut off when they dribble after the answer, or upload a byte now and then', async () => {
    const app = await makeApp({ patience: { headers: 10_000, body: 1000, answer: 60_000 } });
    serve(app, upload, count, { uploadLimit: 1_000_000 });
    const port = await listening(app);
    const head = (first: string) => `${first} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n`;
    /** A socket that sends a byte every 100 ms, which is within every limit of silence. */
    const dribble = (first: string) =>
      new Promise<number>((resolve) => {
        const begun = Date.now();
        const socket = connect(port, '127.0.0.1', () => socket.write(head(first)));
        const sending = setInterval(() => socket.write(' '), 100);
        socket.on('error', () => {});
        socket.resume().on('close', () => {
          clearInterval(sending);
          resolve(Date.now() - begun);
        });
      });
    const requests = ['GET /nothing', 'GET /api/upload', 'POST /api/nothing', 'POST /api/upload'];
    const all = Array.from({ length: 300 }, (_, at) => dribble(requests[at % requests.length]!));
    const begun = Date.now();
    const times = await Promise.all(all);
    expect(times).toHaveLength(300);
    // Before the timeout of the answer.
    expect(Date.now() - begun).toBeLessThan(50_000);
    expect((await app.fastify.inject('/api/nothing')).statusCode).toBe(404);
  });

  it('are refused in the usual shape when they cannot be read', async () => {
    const app = await makeApp();
    serve(app, save, () => ({}));
    const port = await listening(app);
    const told = (sent: string) =>
      new Promise<string>((resolve) => {
        let text = '';
        const socket = connect(port, '127.0.0.1', () => socket.write(sent));
        socket.on('error', () => {});
        socket.on('data', (data) => {
          text += data;
        });
        socket.on('close', () => resolve(text));
      });
    for (const sent of [
      'POST /api/save HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n',
      'nonsense\r\n\r\n',
    ]) {
      const [head, body] = (await told(sent)).split('\r\n\r\n') as [string, string];
      expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(JSON.parse(body)).toMatchObject({ code: 'malformed-request', requestId: expect.any(String) });
    }
  });

  it('get no answer on a connection without a request', async () => {
    const app = await makeApp({ patience });
    const port = await listening(app);
    const heard = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1');
      socket.on('data', (data) => {
        text += data;
      });
      socket.on('close', () => resolve(text));
    });
    expect(heard).toBe('');
  });

  it('get 413 as soon as a file is larger than allowed, announced or not [P9]', async () => {
    const app = await makeApp();
    serve(app, upload, count, { uploadLimit: 1000 });
    const port = await listening(app);
    const send = (chunks: Buffer[], headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const request = httpRequest(
          { port, host: '127.0.0.1', method: 'POST', path: '/api/upload', headers },
          (answer) => {
            answer.resume().on('end', () => resolve(answer.statusCode!));
          },
        );
        request.on('error', reject);
        for (const chunk of chunks) request.write(chunk);
        request.end();
      });
    expect(await send([Buffer.alloc(1000)], { 'content-length': '1000' })).toBe(200);
    expect(await send([Buffer.alloc(600), Buffer.alloc(600)], { 'transfer-encoding': 'chunked' })).toBe(413);
    expect(await send([Buffer.alloc(1001)], { 'content-length': '1001' })).toBe(413);
  });

  it.each([
    ['announced', 'content-length: 2000000000', ''],
    // In one piece of this many bytes.
    ['not announced', 'transfer-encoding: chunked', '77359400\r\n'],
  ])('get the message of 413 even while they are still sending, %s [P9]', async (_, header, first) => {
    const app = await makeApp();
    serve(app, upload, count, { uploadLimit: 1000 });
    const port = await listening(app);
    // Like a proxy: it keeps sending, and looks for an answer only now and then.
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(`POST /api/upload HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n${first}`);
    const sending = setInterval(() => socket.write(Buffer.alloc(100_000)), 20);
    await sleep(400);
    const [data] = (await once(socket, 'data')) as [Buffer];
    const [head, body] = data.toString().split('\r\n\r\n') as [string, string];
    expect(head).toMatch(/^HTTP\/1\.1 413 /);
    expect(JSON.parse(body)).toMatchObject({ code: 'too-large' });
    // Nobody keeps sending for long: the connection is closed, or reset if data was still on its way.
    await new Promise((closed) => socket.on('close', closed));
    clearInterval(sending);
  });

  /** Sends a request, and disconnects as soon as it is being handled. */
  async function askAndLeave(app: App, asked: Promise<void>) {
    const port = await listening(app);
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /api/save HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    await asked;
    socket.destroy();
  }

  it('abort the signal when they leave before the answer', async () => {
    const app = await makeApp();
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    serve(app, { ...save, method: 'GET', body: undefined } as never, async (call) => {
      call.signal.addEventListener('abort', () => gone.resolve());
      asked.resolve();
      await gone.promise;
      return {};
    });
    await askAndLeave(app, asked.promise);
    await gone.promise;
  });

  it('are no failure in the log when their request ends with them', async () => {
    const told: { level: number; msg: string }[] = [];
    const log = pino({ level: 'debug' }, { write: (line) => told.push(JSON.parse(line)) });
    const app = await makeApp({ log });
    const asked = Promise.withResolvers<void>();
    serve(app, { ...save, method: 'GET', body: undefined } as never, async (call) => {
      asked.resolve();
      await once(call.signal, 'abort');
      call.signal.throwIfAborted();
      return {};
    });
    await askAndLeave(app, asked.promise);
    await expect.poll(() => told.map(({ msg }) => msg)).toContain('the reader left');
    expect(told.filter(({ level }) => level > 30)).toEqual([]);
  });

  it('get the answer to a running request when the server closes, and an event stream ends', async () => {
    const app = await makeApp();
    const asked = Promise.withResolvers<void>();
    serve(app, { ...save, method: 'GET', body: undefined } as never, async () => {
      asked.resolve();
      await sleep(300);
      return {};
    });
    const events = endpoint({
      method: 'GET',
      path: '/api/events',
      access: 'public',
      deed: 'read',
      summary: 'x',
      produces: 'text/event-stream',
    });
    serve(app, events, (call) => {
      const stream = new PassThrough();
      stream.write(': hello\n\n');
      call.signal.addEventListener('abort', () => stream.end());
      return stream;
    });
    const port = await listening(app);
    const stream = await fetch(`http://127.0.0.1:${port}/api/events`);
    const slow = fetch(`http://127.0.0.1:${port}/api/save`);
    await asked.promise;
    await app.fastify.close();
    expect((await slow).status).toBe(200);
    expect(await stream.text()).toBe(': hello\n\n');
  });
});
