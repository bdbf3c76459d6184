/** How long a device may show a list, and for whom. All times are by its own clock, in milliseconds. */
export interface Lease {
  account: string;
  /** `orgType:id`, and its name. */
  org: string;
  orgName: string;
  timeZone: string;
  takenAt: number;
  until: number;
  /** The latest time the device is known to have shown. */
  seenAt: number;
  /** There were more visits than can be taken along. */
  more: boolean;
}

const hour = 3_600_000;
/** Clocks correct themselves by up to this much, without anyone turning them back. */
const patience = 5 * 60_000;

/** `over`: it is too old. `turned-back`: the clock was set back, so its age is unknown. */
export type LeaseState = 'good' | 'over' | 'turned-back';

export function leaseState({ until, seenAt }: Pick<Lease, 'until' | 'seenAt'>, now: number): LeaseState {
  if (now < seenAt - patience) return 'turned-back';
  return now < until ? 'good' : 'over';
}

export const untilOf = (now: number, hours: number): number => now + hours * hour;
