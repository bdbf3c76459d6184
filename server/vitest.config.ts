import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,seeds,test}/**/*.test.ts'],
    globalSetup: './test/cluster.ts',
    // Temporary files of all tests, in one folder that goes with them.
    env: { TMPDIR: join(tmpdir(), `caseway-tests-${process.pid}`) },
    pool: 'forks',
    // What the files share, and what not, is in the setup.
    isolate: false,
    setupFiles: ['test/setup.ts'],
    // One more than the two processors of CI: programs and databases that a test waits for leave them idle.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What has to come within a time says so itself; what has only to come may wait on a machine with other work.
    expect: { poll: { timeout: 120_000 } },
  },
});
