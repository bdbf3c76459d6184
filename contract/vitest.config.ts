import { defineConfig } from 'vitest/config';

export default defineConfig({
  // A machine with other work on it is no failure.
  test: {
    name: 'contract',
    include: ['src/**/*.test.ts'],
    maxWorkers: 3,
    isolate: false,
    testTimeout: 120_000,
  },
});
