import type { CustodyEntry, Whereabouts } from '@caseway/contract/storage';

type Event = Omit<CustodyEntry, 'gap'>;

/** Whether it can be taken from here if it was last there. What is not known of either fits. */
const fits = (last: Whereabouts, from: Whereabouts): boolean =>
  (['facility', 'location', 'position'] as const).every(
    (part) => last[part] === null || from[part] === null || last[part] === from[part],
  );

const arrivals: ReadonlySet<string> = new Set(['scanned', 'ticked']);
/** After these nobody has it in hand. */
const endings: ReadonlySet<string> = new Set(['used-up', 'discarded', 'lost']);

/**
 * Marks the events that do not begin where the one before has ended: it was taken from elsewhere, received in a
 * shipment with which it was not on its way, or it was used up, discarded or lost before. `events`: oldest first.
 */
export function withGaps(events: readonly Event[]): CustodyEntry[] {
  let last: Whereabouts | null = null;
  /** The number of the shipment with which it is on its way. */
  let underWay: string | null = null;
  let isOver = false;
  return events.map((event) => {
    const { deed, shipment, from, to, reason } = event;
    const isArrival = arrivals.has(deed);
    const gap = isArrival
      ? underWay !== shipment
      : from !== null && (isOver || underWay !== null || (last !== null && !fits(last, from)));
    if (deed === 'send' || deed === 'taken-back') underWay = shipment;
    else if (isArrival || from !== null) underWay = null;
    if (isArrival || from !== null) isOver = deed === 'taken-out' && endings.has(reason ?? '');
    last = to ?? last;
    return { ...event, gap };
  });
}
