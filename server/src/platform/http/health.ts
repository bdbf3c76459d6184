import { setTimeout as pause } from 'node:timers/promises';
import type { App } from './app.ts';

/** Milliseconds in which a part has to report that it is ready. A probe without an answer is useless. */
const patienceMs = 3000;

/** Whether each part that the server needs is ready, by name. */
export function checkParts({
  readiness,
}: Pick<App, 'readiness'>): Promise<{ name: string; ready: boolean }[]> {
  return Promise.all(
    [...readiness].map(async ([name, check]) => {
      const late = new AbortController();
      const ready = await Promise.race([
        check().then(
          () => true,
          () => false,
        ),
        pause(patienceMs, false, { signal: late.signal }).catch(() => false),
      ]);
      late.abort();
      return { name, ready };
    }),
  );
}

/** GET /health/live and /health/ready. [S10.7] */
export function serveHealth(app: App): void {
  app.fastify.get('/health/live', async () => ({ status: 'live' }));
  app.fastify.get('/health/ready', async (_, reply) => {
    const parts = await checkParts(app);
    const words = (ready: boolean) => (ready ? 'ready' : 'not ready');
    const ready = parts.every((part) => part.ready);
    return reply.code(ready ? 200 : 503).send({
      status: words(ready),
      checks: Object.fromEntries(parts.map((part) => [part.name, words(part.ready)])),
    });
  });
}
