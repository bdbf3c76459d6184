import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type BuildOptions, buildApp } from '../src/app.ts';
import { type Config, parseConfig } from '../src/config.ts';
import type { App } from '../src/platform/http/app.ts';
import { createLog } from '../src/platform/log/log.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestApp extends TestDatabase {
  app: App;
  config: Config;
}

export interface TestAppOptions
  extends Partial<Pick<BuildOptions, 'background' | 'log' | 'listMs' | 'turnMs' | 'now'>> {
  /** The database to use; by default a migrated, empty one. */
  on?: TestDatabase;
  /** Serves the test's own endpoints in addition to the real ones. */
  extend?: (app: App) => void;
}

/**
 * The real application on the test file's own database, without a port: send requests with `app.fastify.inject`.
 * Call it at the top of a file: `const { app, database } = await testApp();`
 */
export async function testApp(
  environment: Record<string, string> = {},
  { extend, on, ...options }: TestAppOptions = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'caseway-app-'));
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  // All requests of a test file come from one network, about a few accounts.
  const anonymous = { ANONYMOUS_PER_MINUTE: '1000000' };
  const secret = { TOKEN_SECRET: 'signs nothing outside of this test' };
  const config = parseConfig({ DEMO: 'off', DATA_DIR: dataDir, ...anonymous, ...secret, ...environment });
  const testDatabase = on ?? (await createTestDatabase());
  const { database, appUrl, ownerUrl } = testDatabase;
  const app = await buildApp({
    config,
    connection: { database, appUrl, ownerUrl },
    // `LOG_LEVEL=error` shows why a request was answered with 500.
    log: createLog(process.env.LOG_LEVEL ?? 'fatal'),
    checkAnswers: true,
    // Other tests run at the same time. Tests of the speed of a list set their own limit.
    listMs: 60_000,
    turnMs: 60_000,
    ...options,
  });
  extend?.(app);
  await app.fastify.ready();
  // Before the database is closed, because hooks of a file run in reverse order.
  afterAll(() => app.fastify.close());
  return { ...testDatabase, app, config };
}
