import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,seeds,test}/**/*.test.ts'],
    globalSetup: './test/cluster.ts',
    pool: 'forks',
    // Said in each project: left alone, one takes one processor fewer than there are.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What has to come within a time says so itself; what has only to come may wait on a machine with other work.
    expect: { poll: { timeout: 20_000 } },
  },
});
