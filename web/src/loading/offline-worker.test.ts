import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { type Program, startWithoutNetwork } from './offline-worker.ts';

const here = 'https://caseway.example.org';
/** The browser's caches: name, path, text. */
const stored = new Map<string, Map<string, string>>();
/** The server's content, or undefined while it is unreachable. */
let served: ((path: string) => string) | undefined;
const asked: string[] = [];

const pathOf = (request: Request | string) =>
  new URL(typeof request === 'string' ? request : request.url, here).pathname;
vi.stubGlobal('fetch', async (request: Request) => {
  asked.push(pathOf(request));
  if (!served) throw new TypeError('no network');
  return new Response(served(pathOf(request)));
});
const found = (cache: Map<string, string> | undefined, path: string) =>
  cache?.has(path) ? new Response(cache.get(path)) : undefined;
vi.stubGlobal('caches', {
  async open(name: string) {
    const cache = stored.get(name) ?? new Map<string, string>();
    stored.set(name, cache);
    return {
      async addAll(requests: Request[]) {
        for (const request of requests) cache.set(pathOf(request), await (await fetch(request)).text());
      },
      match: async (path: string) => found(cache, path),
    };
  },
  keys: async () => [...stored.keys()],
  delete: async (name: string) => stored.delete(name),
  match: async (path: string) =>
    [...stored.values()].map((cache) => found(cache, path)).find((answer) => answer !== undefined),
});
// Relative to the page, as in a browser.
const { Request: Original } = globalThis;
vi.stubGlobal(
  'Request',
  class extends Original {
    constructor(address: string | Request, init?: RequestInit) {
      super(typeof address === 'string' ? new URL(address, here) : address, init);
    }
  },
);
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => {
  stored.clear();
  asked.length = 0;
  served = (path) => `network ${path}`;
});

const program = (version: string, files: string[]): Program => ({
  version,
  page: '/field-visits/kept',
  files: [...files, '/locales/en/common.json'],
});

/** Installs a program and requests files as a page would; undefined if it does not handle the request. */
async function installed(version: string, files: string[]) {
  const listeners = new Map<string, (event: unknown) => void>();
  const worker = {
    addEventListener: (type: string, listen: (event: never) => void) =>
      void listeners.set(type, listen as (event: unknown) => void),
    skipWaiting: async () => {},
    clients: { claim: async () => {} },
    location: new URL(here),
  };
  startWithoutNetwork(worker as never, program(version, files));
  for (const type of ['install', 'activate']) {
    let work: Promise<unknown> | undefined;
    listeners.get(type)!({
      waitUntil: (promise: Promise<unknown>) => {
        work = promise;
      },
    });
    await work;
  }
  asked.length = 0;
  return async (path: string, mode = 'cors', method = 'GET'): Promise<string | undefined> => {
    let answer: Promise<Response> | undefined;
    const request = new Request(path, { method });
    Object.defineProperty(request, 'mode', { value: mode });
    listeners.get('fetch')!({
      request,
      respondWith: (promise: Promise<Response>) => {
        answer = promise;
      },
    });
    return (await answer)?.text();
  };
}

test("[P20] it never stores or touches the server's answers: only the page and the program's files", async () => {
  const ask = await installed('1', ['/assets/a-1.js']);
  expect([...stored.values()].flatMap((cache) => [...cache.keys()]).sort()).toEqual([
    '/assets/a-1.js',
    '/field-visits/kept',
    '/locales/en/common.json',
  ]);
  for (const path of [
    '/api/web/field-visits/kept',
    '/auth/tenant/refresh-token',
    '/health/ready',
    '/assets/other.js',
  ])
    expect([path, await ask(path)]).toEqual([path, undefined]);
  expect(await ask('/api/web/case-reports/export', 'navigate')).toBeUndefined();
  expect(await ask('/locales/en/common.json', 'cors', 'POST')).toBeUndefined();
  expect(asked).toEqual([]);
});

test('online, page and texts come from the server; offline, from the cache', async () => {
  const ask = await installed('1', ['/assets/a-1.js']);
  served = (path) => `newer ${path}`;
  expect(await ask('/case-reports', 'navigate')).toBe('newer /case-reports');
  expect(await ask('/locales/en/common.json')).toBe('newer /locales/en/common.json');
  expect(await ask('/assets/a-1.js')).toBe('network /assets/a-1.js');
  served = undefined;
  expect(await ask('/case-reports', 'navigate')).toBe('network /field-visits/kept');
  expect(await ask('/locales/en/common.json')).toBe('network /locales/en/common.json');
});

test('a new program replaces the old one, whose files stay for open pages until the next', async () => {
  await installed('1', ['/assets/a-1.js']);
  served = (path) => `second ${path}`;
  const second = await installed('2', ['/assets/a-2.js']);
  served = undefined;
  expect(await second('/', 'navigate')).toBe('second /field-visits/kept');
  expect([...stored.keys()]).toEqual(['caseway-program-1', 'caseway-program-2']);
  served = (path) => `third ${path}`;
  await installed('3', ['/assets/a-3.js']);
  expect([...stored.keys()]).toEqual(['caseway-program-2', 'caseway-program-3']);
});

test('an incomplete program is not installed: the cache stays unchanged', async () => {
  await installed('1', ['/assets/a-1.js']);
  served = undefined;
  await expect(installed('2', ['/assets/a-2.js'])).rejects.toThrow();
  expect(stored.get('caseway-program-1')?.size).toBe(3);
});
