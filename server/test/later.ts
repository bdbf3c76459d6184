import { onTestFinished } from 'vitest';

const real = performance.now.bind(performance);
let ahead = 0;

/**
 * Lets five seconds pass on the clock of this process that tells how long something is kept: revoked access has ended
 * then. Nobody waits for it, so it does not matter how busy the machine is. Timers go on as before. [P14]
 */
export function letFiveSecondsPass(): void {
  ahead += 5000;
  performance.now = () => real() + ahead;
}

/**
 * Stops that clock until the test has ended: nothing that is kept grows old, and no allowance fills up again, however
 * slow the machine is.
 */
export function stopTheClock(): void {
  const before = performance.now;
  const at = performance.now();
  performance.now = () => at;
  onTestFinished(() => {
    performance.now = before;
  });
}
