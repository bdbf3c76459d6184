import { afterAll, vi } from 'vitest';

// The files of a worker share the libraries, whose evaluation takes most of a small file's time. Each file has its own
// modules of the product and of the tests, and so its own database, caches and memory.
vi.resetModules();

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
