/** Milliseconds between two looks of a replica at what nobody has announced. */
export const sweepMs = 10_000;

/**
 * The moment up to which readers are told that numbers count, when something is hidden from them: the last full sweep that
 * every replica has made, however many changes were announced since. When a replica moved on would say when something was
 * stored. [P18, P24]
 */
export const calmMoment = (now = Date.now()): Date => new Date((Math.floor(now / sweepMs) - 2) * sweepMs);
