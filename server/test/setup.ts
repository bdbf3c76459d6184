import { PerformanceObserver } from 'node:perf_hooks';
import { afterAll, vi } from 'vitest';

// The files of a worker share the libraries, whose evaluation takes most of a small file's time. Each file has its
// own modules of the product and of the tests, and so its own database, caches and memory.
vi.resetModules();

// The metrics of each app observe the process forever, and would keep the modules of every file in memory.
const observers: PerformanceObserver[] = [];
const { observe } = PerformanceObserver.prototype;
PerformanceObserver.prototype.observe = function (options) {
  observers.push(this);
  observe.call(this, options);
};

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  PerformanceObserver.prototype.observe = observe;
  for (const observer of observers) observer.disconnect();
});
