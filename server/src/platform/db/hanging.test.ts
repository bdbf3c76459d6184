import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { Way } from '../../../test/way.ts';
import { asAppError } from '../http/app-error.ts';
import { serveHealth } from '../http/health.ts';
import { makeApp } from '../http/test-app.ts';
import { createLog } from '../log/log.ts';
import { openDatabase } from './database.ts';

const { appUrl } = await createTestDatabase();

describe('a database that hangs', () => {
  it('blocks no request forever, and no connection afterwards', async () => {
    const way = await Way.to(appUrl);
    const database = await openDatabase({ url: way.url, log: createLog('fatal'), poolSize: 2 });
    const asked = database.withScope(
      { kind: 'identity' },
      async (tx) => {
        await tx.rows('select 1');
        way.hang();
        await tx.rows('select 1');
      },
      { silenceMs: 200 },
    );
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(asAppError(error).code).toBe('unavailable');
    await way.reopen();
    // The abandoned connection is not used again.
    expect(await database.withScope({ kind: 'identity' }, (tx) => tx.rows('select 1 as n'))).toEqual([
      { n: 1 },
    ]);
    expect(database.usage()).toMatchObject({ total: 1, waiting: 0 });
    await database.close();
    await way.cut();
  });

  it('is reported as unreachable by /health/ready while it hangs', async () => {
    const way = await Way.to(appUrl);
    const database = await openDatabase({ url: way.url, log: createLog('fatal'), poolSize: 1 });
    const app = await makeApp({ database });
    serveHealth(app);
    expect((await app.fastify.inject('/health/ready')).statusCode).toBe(200);
    way.hang();
    const answer = await app.fastify.inject('/health/ready');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ checks: { database: 'not ready' } });
    await way.cut();
    await database.close();
  });

  it('does not delay /health/ready if another part does not answer', async () => {
    const app = await makeApp();
    serveHealth(app);
    app.readiness.set('silent', () => new Promise(() => {}));
    const answer = await app.fastify.inject('/health/ready');
    expect(answer.json()).toMatchObject({
      status: 'not ready',
      checks: { database: 'ready', silent: 'not ready' },
    });
  });
});
