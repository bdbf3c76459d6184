import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    // Libraries are evaluated once for all files of a worker; the setup gives each file modules of its own of the rest,
    // and of the one library that keeps a state for everyone.
    isolate: false,
    server: { deps: { inline: [/i18next/] } },
    maxWorkers: 3,
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // A machine with other work on it is no failure: these end only what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
