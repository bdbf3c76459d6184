import { onTestFinished } from 'vitest';

const real = performance.now.bind(performance);
let ahead = 0;

/**
 * Moves this process's clock for caches forward by five seconds: by then, revoked access has ended. Nobody waits for
 * it, so it does not matter how busy the machine is. Timers continue as before. [P14]
 */
export function letFiveSecondsPass(): void {
  ahead += 5000;
  performance.now = () => real() + ahead;
}

/**
 * Stops that clock until the test has ended: no cache entry gets old, and no allowance refills, however slow the
 * machine is.
 */
export function stopTheClock(): void {
  const before = performance.now;
  const at = performance.now();
  performance.now = () => at;
  onTestFinished(() => {
    performance.now = before;
  });
}
