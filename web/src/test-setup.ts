import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

// The files of a worker share the libraries, whose evaluation takes most of a file's time. The product's own modules, and
// so the store, the language and what is kept in memory, are each file's own.
vi.resetModules();

// What a module does from time to time, it does for its own file alone.
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

configure({ asyncUtilTimeout: 5000 });

// jsdom lays nothing out, so there is nothing to observe.
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
