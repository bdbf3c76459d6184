import { visitLengths } from './telemedicine.ts';

const minuteMs = 60_000;

/**
 * A visit of a provider whose person has arrived and is waiting, or has been admitted; times are instants.
 */
export interface QueuedVisit {
  id: string;
  startsAt: string;
  minutes: number;
  arrivedAt: string;
  /** Null until the person is admitted. */
  joinedAt: string | null;
}

export interface Place {
  /** 1 for the next person; null for someone who is not waiting. */
  place: number | null;
  /** Whole minutes until the person is likely to be admitted; null if unknown. */
  minutes: number | null;
}

/**
 * A person's place in a provider's queue, and their expected remaining wait.
 *
 * The queue is everyone who has arrived and was not admitted, ordered by when their wait began: at their
 * start or arrival, whichever is later. Visits that began or were due longer ago than the longest visit lasts
 * are left out: no one recorded their end.
 *
 * The wait is from `now` until the provider is free for this visit: after the current visit, by its booked
 * length, and after the booked lengths of earlier visits; never before its own booked start. It is unknown
 * while a visit takes longer than booked, and once the provider should be free and the visit should have
 * begun.
 */
export function placeInQueue(visits: readonly QueuedVisit[], id: string, now: number): Place {
  const isForgotten = (since: number) => now - since > visitLengths.most * minuteMs;
  const queue = visits
    .filter(({ joinedAt }) => joinedAt === null)
    .map((visit) => ({ ...visit, start: Date.parse(visit.startsAt), since: waitsSince(visit) }))
    .filter((visit) => visit.id === id || !isForgotten(visit.since))
    .sort((a, b) => a.since - b.since || a.start - b.start || a.id.localeCompare(b.id));
  const own = queue.findIndex((visit) => visit.id === id);
  if (own < 0) return { place: null, minutes: null };
  const ends = visits.flatMap(({ joinedAt, minutes }) =>
    joinedAt !== null && !isForgotten(Date.parse(joinedAt))
      ? [Date.parse(joinedAt) + minutes * minuteMs]
      : [],
  );
  const place = own + 1;
  if (ends.some((end) => end <= now)) return { place, minutes: null };
  let free = Math.max(now, ...ends);
  for (const { start, minutes } of queue.slice(0, own)) free = Math.max(free, start) + minutes * minuteMs;
  const begins = Math.max(free, queue[own]!.start);
  return { place, minutes: begins > now ? Math.ceil((begins - now) / minuteMs) : null };
}

const waitsSince = ({ startsAt, arrivedAt }: Pick<QueuedVisit, 'startsAt' | 'arrivedAt'>) =>
  Math.max(Date.parse(startsAt), Date.parse(arrivedAt));
