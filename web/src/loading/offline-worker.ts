/** The cached files of the program, and the cache's name. */
export interface Program {
  /** A different program has a different name. */
  version: string;
  /** The page, and its files as paths from the root. */
  page: string;
  files: readonly string[];
}

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Waiting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Worker {
  addEventListener(type: 'install' | 'activate', listen: (event: Waiting) => void): void;
  addEventListener(type: 'fetch', listen: (event: Fetching) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  location: Location;
}

/**
 * Starts the program offline. It caches the page and files of one build and no server answers: it ignores all
 * other requests. Online, the page and the texts come from the server.
 *
 * The build writes this function into a file of its own as text, so it may not use anything outside itself.
 */
export function startWithoutNetwork(worker: Worker, { version, page, files }: Program): void {
  const prefix = 'caseway-program-';
  const own = `${prefix}${version}`;
  const kept = new Set(files);
  /** How long to wait for the page on a very slow network. */
  const patienceMs = 8000;

  worker.addEventListener('install', (event) =>
    event.waitUntil(
      (async () => {
        const cache = await caches.open(own);
        // All or nothing: an incomplete program would not start.
        await cache.addAll([
          new Request(page, { cache: 'no-store', headers: { Accept: 'text/html' } }),
          ...files.map((file) => new Request(file, { cache: 'no-cache' })),
        ]);
        // A page never mixes files of two programs: their names contain a hash, and the page comes with
        // its own.
        await worker.skipWaiting();
      })(),
    ),
  );

  worker.addEventListener('activate', (event) =>
    event.waitUntil(
      (async () => {
        const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own);
        // The newest of the others stays for open pages.
        for (const name of others.slice(0, -1)) await caches.delete(name);
        await worker.clients.claim();
      })(),
    ),
  );

  const stored = async (address: string): Promise<Response | undefined> =>
    (await (await caches.open(own)).match(address)) ?? caches.match(address);
  const pageOf = async (request: Request): Promise<Response> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), patienceMs);
    try {
      return await fetch(request, { signal: late.signal });
    } catch (error) {
      const answer = await stored(page);
      if (answer) return answer;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  const wordsOf = async (request: Request, path: string): Promise<Response> => {
    try {
      return await fetch(request);
    } catch (error) {
      const answer = await stored(path);
      if (answer) return answer;
      throw error;
    }
  };
  const fileOf = async (request: Request, path: string): Promise<Response> =>
    (await stored(path)) ?? fetch(request);

  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== worker.location.origin) return;
    const isScreen =
      !/^\/(api|auth|health|metrics)(\/|$)/.test(pathname) && !/\.[A-Za-z0-9]+$/.test(pathname);
    if (request.mode === 'navigate') {
      if (isScreen) event.respondWith(pageOf(request));
    } else if (kept.has(pathname))
      event.respondWith(
        pathname.startsWith('/locales/') ? wordsOf(request, pathname) : fileOf(request, pathname),
      );
  });
}
