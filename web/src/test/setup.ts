import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

// A worker's files share the libraries, whose evaluation takes most of a file's time. Each file has its own
// modules of the product, and so its own store, language and memory.
vi.resetModules();

// A module's timers run only for its own file.
const begun: NodeJS.Timeout[] = [];
const { setInterval } = globalThis;
globalThis.setInterval = ((...given: Parameters<typeof setInterval>) => {
  const interval = setInterval(...given);
  begun.push(interval);
  return interval;
}) as typeof setInterval;
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  globalThis.setInterval = setInterval;
  for (const interval of begun) clearInterval(interval);
});

// Ends only hanging tests: on a busy machine an answer, or a part that is imported first, takes its time.
configure({ asyncUtilTimeout: 60_000 });

// jsdom has no layout, so there is nothing to observe.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});
