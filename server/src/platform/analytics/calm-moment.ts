/** Milliseconds between a replica's checks for changes that nobody announced. */
export const sweepMs = 10_000;

/**
 * The moment up to which numbers count, as readers see it, when something is hidden from them: the last full sweep that
 * every replica has made, no matter how many changes were announced since. The moment of a replica's last change would
 * reveal when something was stored. [P18, P24]
 */
export const calmMoment = (now = Date.now()): Date => new Date((Math.floor(now / sweepMs) - 2) * sweepMs);
