import { setTimeout as pause } from 'node:timers/promises';
import type { App } from './app.ts';

/** How long a part may take to say that it is ready. A probe that hears nothing learns nothing. */
const patienceMs = 3000;

/** GET /health/live and /health/ready. [S10.7] */
export function serveHealth(app: App): void {
  app.fastify.get('/health/live', async () => ({ status: 'live' }));
  app.fastify.get('/health/ready', async (_, reply) => {
    const checks = await Promise.all(
      [...app.readiness].map(async ([name, check]) => {
        const late = new AbortController();
        const ready = await Promise.race([
          check().then(
            () => true,
            () => false,
          ),
          pause(patienceMs, false, { signal: late.signal }).catch(() => false),
        ]);
        late.abort();
        return [name, ready ? 'ready' : 'not ready'] as const;
      }),
    );
    const ready = checks.every(([, state]) => state === 'ready');
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(checks) });
  });
}
