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
    // Said in each project: left alone, one takes one processor fewer than there are.
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What has to come within a time says so itself; what has only to come may wait on a machine with other work.
    expect: { poll: { timeout: 120_000 } },
  },
});
