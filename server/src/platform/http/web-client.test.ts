import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { createLog } from '../log/log.ts';
import { type App, createApp } from './app.ts';
import { serveWebClient } from './web-client.ts';

const { database } = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'caseway-web-'));
const page = `<!doctype html><meta name="caseway-config" content="__RUNTIME_CONFIG__"><meta property="csp-nonce" nonce="__CSP_NONCE__">
<script type="module" nonce="__CSP_NONCE__" src="/assets/main-abc123.js"></script>`;
const script = `console.log(${JSON.stringify('x'.repeat(2000))})`;

let app: App;
const makeApp = () =>
  createApp({
    database,
    authorizer: {
      authenticate: () => Promise.reject(),
      authorise: () => Promise.reject(),
      confirm: () => Promise.reject(),
      recordOf: () => Promise.reject(),
    },
    auditor: { write: () => Promise.reject() },
    log: createLog('fatal'),
    publicUrl: 'http://localhost:8080',
  });
beforeAll(async () => {
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, 'locales/en'), { recursive: true });
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'index.html.br'), brotliCompressSync(page));
  await writeFile(join(folder, 'assets/main-abc123.js'), script);
  await writeFile(join(folder, 'assets/main-abc123.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'locales/en/common.json'), '{"hello":"Hello"}');
  app = await makeApp();
  await serveWebClient(app, folder, { uiLicenseKey: `"><script>'&`, demo: true, demoMessages: false });
  await app.fastify.ready();
});
afterAll(async () => {
  await app.fastify.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.fastify.inject({ url, headers });

describe('the web client', () => {
  it.each([
    '/',
    '/case-reports',
    '/case-reports/11111111-1111-4111-8111-111111111111?tab=results',
    '/no/such/screen',
    '/apiary',
  ])('is its page at %s, because it knows its screens itself [S2.1]', async (url) => {
    const answer = await get(url, { accept: '*/*' });
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
  });

  it.each(['/foo.bar', '/a/b.html', '/case-reports/x.y'])(
    'is its page at %s for a person, which says that there is no such screen [S2.1]',
    async (url) => {
      const answer = await get(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    },
  );

  it.each(['/index.html', '/%69ndex.html', '/index.html.br', '/index.html.gz'])(
    'never sends its page with placeholders, at %s [P20]',
    async (url) => {
      const answer = await get(url, { accept: 'text/html' });
      expect(answer.body).not.toMatch(/__[A-Z_]+__/);
    },
  );

  it('redirects from the name of its file to the root', async () => {
    const answer = await get('/index.html');
    expect([answer.statusCode, answer.headers.location]).toEqual([308, '/']);
  });

  it('has a new nonce in each page, the one that the policy allows [P20]', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { body, headers } = await get('/');
        const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(
          String(headers['content-security-policy']),
        )![1]!;
        expect(body.split(`nonce="${nonce}"`)).toHaveLength(3);
        expect(body).not.toContain('__CSP_NONCE__');
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('gets the runtime configuration, with any characters [S9.18]', async () => {
    const { body } = await get('/');
    const content = /content="([^"]*)"/.exec(body)![1]!;
    const text = content.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(JSON.parse(text)).toEqual({ uiLicenseKey: `"><script>'&`, demo: true, demoMessages: false });
    expect(body.match(/<script/g)).toHaveLength(1);
  });

  it('compresses its page, each time with its own nonce', async () => {
    for (const [accepted, unpack] of [
      ['gzip, deflate, br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await get('/', { 'accept-encoding': accepted });
      expect([headers['content-encoding'], headers.vary]).toEqual([
        accepted.includes('br') ? 'br' : 'gzip',
        'accept-encoding',
      ]);
      const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))![1];
      expect(unpack(rawPayload).toString()).toContain(`<script type="module" nonce="${nonce}"`);
    }
    const plain = await get('/', { 'accept-encoding': 'identity' });
    expect([plain.headers['content-encoding'], plain.body.slice(0, 15)]).toEqual([
      undefined,
      '<!doctype html>',
    ]);
  });

  it('caches files with a hash in their name forever, compressed if the browser can read it [S2.4]', async () => {
    const plain = await get('/assets/main-abc123.js');
    expect(plain.body).toBe(script);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const compressed = await get('/assets/main-abc123.js', { 'accept-encoding': 'br' });
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(compressed.headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(script);
  });

  it('sends parts of the program with few headers, and never as a page [P20]', async () => {
    for (const url of ['/assets/main-abc123.js', '/locales/en/common.json']) {
      const { headers } = await get(url);
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      });
      const length = Object.entries(headers).reduce(
        (sum, [name, value]) => sum + `${name}: ${value}\r\n`.length,
        0,
      );
      expect(length).toBeLessThan(620);
    }
    const { headers } = await get('/');
    expect(String(headers['content-security-policy'])).toContain("script-src 'self' 'nonce-");
  });

  it('revalidates files without one', async () => {
    const first = await get('/locales/en/common.json');
    expect([first.json(), first.headers['cache-control']]).toEqual([{ hello: 'Hello' }, 'no-cache']);
    const again = await get('/locales/en/common.json', { 'if-none-match': String(first.headers.etag) });
    expect(again.statusCode).toBe(304);
  });

  it.each([
    '/api/nothing',
    '/api',
    '/auth/nothing',
    '/health/nothing',
    '/assets/gone-1.js',
    '/locales/xx/common.json',
    '/robots.txt',
  ])('does not pretend that %s exists', async (url) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not-found']);
  });

  it.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '/%2e%2e/package.json',
  ])('gives no outside file at %s', async (url) => {
    const answer = await get(url);
    expect(answer.body).not.toContain('"name"');
  });

  it('answers methods other than GET with 404', async () => {
    expect((await app.fastify.inject({ method: 'POST', url: '/case-reports' })).statusCode).toBe(404);
  });

  it('must be built', async () => {
    const other = await makeApp();
    await expect(
      serveWebClient(other, join(folder, 'nowhere'), { demo: false, demoMessages: false }),
    ).rejects.toThrow('There is no web client in');
    await other.fastify.close();
  });
});
