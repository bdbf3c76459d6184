import type { App } from './app.ts';

/** GET /health/live and /health/ready. [S10.7] */
export function serveHealth(app: App): void {
  app.fastify.get('/health/live', async () => ({ status: 'live' }));
  app.fastify.get('/health/ready', async (_, reply) => {
    const checks = await Promise.all(
      [...app.readiness].map(async ([name, check]) => {
        const ready = await check().then(
          () => true,
          () => false,
        );
        return [name, ready ? 'ready' : 'not ready'] as const;
      }),
    );
    const ready = checks.every(([, state]) => state === 'ready');
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(checks) });
  });
}
