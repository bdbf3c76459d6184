import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,seeds,test}/**/*.test.ts'],
    globalSetup: './test/cluster.ts',
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
