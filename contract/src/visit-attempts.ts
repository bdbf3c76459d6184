import { z } from 'zod';
import { addDays, day as daySchema } from './date-range.ts';
import { textOfLines } from './name.ts';

/*
 * Attempts to meet the person of a field visit: what each outcome counts as, and when to try again. Attempts are only added,
 * and are on the day and at the time of the tenant.
 */

/** How somebody was looked for. `timed`: it finds people at home at a time of day; what is sent is read at any time. */
export const visitMethods = {
  visit: { timed: true },
  phone: { timed: true },
  text: { timed: false },
  letter: { timed: false },
  internet: { timed: false },
} as const;
export type VisitMethod = keyof typeof visitMethods;
export const visitMethodCodes = Object.keys(visitMethods) as [VisitMethod, ...VisitMethod[]];

/** What is done next after an attempt. */
export const nextSteps = [
  'other-time',
  'new-address',
  'letter',
  'phone',
  'internet',
  'record-search',
  'supervisor',
] as const;
export type NextStep = (typeof nextSteps)[number];

interface AttemptOutcome {
  /** Somebody has really tried to meet the person. */
  attempt: boolean;
  /** The person was spoken to. */
  contact: boolean;
  /** What is proposed next; null: nothing, the visit can be finished. */
  next: NextStep | null;
  /** Only by these methods, where not by all. */
  by?: readonly VisitMethod[];
}
const there = ['visit', 'phone'] as const;

/** Everything that can come of an attempt. */
export const attemptOutcomes = {
  done: { attempt: true, contact: true, next: null },
  refused: { attempt: true, contact: true, next: 'supervisor' },
  rescheduled: { attempt: true, contact: true, next: 'other-time' },
  'other-person-there': { attempt: true, contact: false, next: 'other-time', by: there },
  nobody: { attempt: true, contact: false, next: 'other-time', by: there },
  sent: { attempt: false, contact: false, next: 'other-time', by: ['text', 'letter', 'internet'] },
  'moved-known': { attempt: true, contact: false, next: 'new-address' },
  'moved-unknown': { attempt: true, contact: false, next: 'record-search' },
  'no-such-address': { attempt: false, contact: false, next: 'record-search' },
  unsafe: { attempt: false, contact: false, next: 'supervisor', by: ['visit'] },
  deceased: { attempt: true, contact: false, next: 'supervisor' },
  'in-hospital': { attempt: true, contact: false, next: 'phone' },
  incarcerated: { attempt: true, contact: false, next: 'supervisor' },
  language: { attempt: true, contact: false, next: 'phone' },
  'wrong-person': { attempt: true, contact: false, next: 'record-search' },
} as const satisfies Record<string, AttemptOutcome>;
export type AttemptOutcomeCode = keyof typeof attemptOutcomes;
export const attemptOutcomeCodes = Object.keys(attemptOutcomes) as [
  AttemptOutcomeCode,
  ...AttemptOutcomeCode[],
];
const outcomeOf = (code: AttemptOutcomeCode): AttemptOutcome => attemptOutcomes[code];

/** The outcomes that an attempt by a method can have. */
export const outcomesBy = (method: VisitMethod): AttemptOutcomeCode[] =>
  attemptOutcomeCodes.filter((code) => outcomeOf(code).by?.includes(method) ?? true);

export const leftBehind = ['nothing', 'sealed-letter'] as const;

/** So many attempts a visit has at most. */
export const mostAttempts = 50;

/** An attempt as it is sent. */
export const attemptMade = z.strictObject({
  day: daySchema,
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  method: z.enum(visitMethodCodes),
  outcome: z.enum(attemptOutcomeCodes),
  nextStep: z.enum(nextSteps).nullable(),
  left: z.enum(leftBehind),
  note: textOfLines(2000).nullable(),
});
export type AttemptMade = z.infer<typeof attemptMade>;

export const visitAttempt = attemptMade.extend({
  id: z.uuid(),
  addedAt: z.iso.datetime(),
  /** Who has added it; null where they are in no look-up any more. */
  by: z.string().nullable(),
});
export type VisitAttempt = z.infer<typeof visitAttempt>;

// — When to try again —

export const dayParts = ['morning', 'afternoon', 'evening'] as const;
export type DayPart = (typeof dayParts)[number];
/** Until when each goes on; the last one to the end of the day. */
export const dayPartEnds: readonly { part: DayPart; until: string | null }[] = [
  { part: 'morning', until: '12:00' },
  { part: 'afternoon', until: '17:00' },
  { part: 'evening', until: null },
];
/** Times of day are two digits each, so they are compared as texts. */
export const dayPartOf = (time: string): DayPart =>
  dayPartEnds.find(({ until }) => until === null || time < until)!.part;

/** Saturdays and Sundays. */
export const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

type Counted = Pick<AttemptMade, 'day' | 'time' | 'method' | 'outcome'>;

/** An answer to what was sent is an attempt as well; sending it is none. */
export const countsAsAttempt = ({ method, outcome }: Pick<Counted, 'method' | 'outcome'>): boolean =>
  outcomeOf(outcome).attempt && (visitMethods[method].timed || outcomeOf(outcome).contact);
export const countsAsContact = ({ outcome }: Pick<Counted, 'outcome'>): boolean => outcomeOf(outcome).contact;

/** On so many different days somebody is looked for, before a supervisor decides. */
export const daysNeeded = 3;

export interface Cadence {
  /** On how many different days somebody has tried. */
  days: number;
  /** On enough days, not always at the same time of day, and once in the evening or at the weekend. */
  isEnough: boolean;
  /** The time of day to try next; null where any will do. In place of an evening, a weekend is as good. */
  tryIn: DayPart | null;
}

/** How far the attempts of a visit are, and when to try again. */
export function cadenceOf(attempts: readonly Counted[]): Cadence {
  const counted = attempts.filter(countsAsAttempt);
  const days = new Set(counted.map(({ day }) => day)).size;
  const tried = new Set(
    counted.filter(({ method }) => visitMethods[method].timed).map(({ time }) => dayPartOf(time)),
  );
  const isOffHours = tried.has('evening') || counted.some(({ day }) => isWeekend(day));
  const isEnough = days >= daysNeeded && tried.size > 1 && isOffHours;
  const wanted = (['evening', 'morning', 'afternoon'] as const).find((part) => !tried.has(part)) ?? null;
  return { days, isEnough, tryIn: counted.length === 0 || isEnough ? null : isOffHours ? wanted : 'evening' };
}

/** What is proposed after an attempt: a supervisor, once the person was looked for often enough and not found. */
export function proposedStep(before: readonly Counted[], made: Counted): NextStep | null {
  const { next } = outcomeOf(made.outcome);
  return next === 'other-time' && !countsAsContact(made) && cadenceOf([...before, made]).isEnough
    ? 'supervisor'
    : next;
}

/** What is kept beside a visit, so that lists and its workflow know how far it is. `attempts`: the newest first. */
export function attemptsKept(attempts: readonly Counted[]): {
  attemptCount: number;
  attemptDays: number;
  lastAttemptOn: string | null;
  lastOutcome: AttemptOutcomeCode | null;
  tryIn: DayPart | null;
} {
  const { days, tryIn } = cadenceOf(attempts);
  const last = attempts.toSorted((a, b) => (`${a.day} ${a.time}` < `${b.day} ${b.time}` ? 1 : -1))[0];
  return {
    attemptCount: attempts.filter(countsAsAttempt).length,
    attemptDays: days,
    lastAttemptOn: last?.day ?? null,
    lastOutcome: last?.outcome ?? null,
    tryIn: attempts.some(countsAsContact) ? null : tryIn,
  };
}

/**
 * The codes of faults of an attempt; worded under `field-visits:fault.<code>`. `now`: the day and the time where the tenant
 * is. Attempts from before the visit was written down can be added, but none of another year.
 */
export function attemptFaults(
  { day, time, method, outcome, nextStep, left }: AttemptMade,
  { noLetter, createdOn }: { noLetter: boolean; createdOn: string },
  now: { day: string; time: string },
): { field: 'day' | 'time' | 'method' | 'outcome' | 'left' | 'nextStep'; code: string }[] {
  const dayFault = () => {
    if (day > now.day) return 'future';
    return day < addDays(createdOn, -31) ? 'too-early' : null;
  };
  const code = dayFault();
  return [
    ...(code ? [{ field: 'day' as const, code }] : []),
    ...(day === now.day && time > now.time ? [{ field: 'time' as const, code: 'future' }] : []),
    ...(outcomesBy(method).includes(outcome) ? [] : [{ field: 'outcome' as const, code: 'not-of-method' }]),
    ...(noLetter && method === 'letter' ? [{ field: 'method' as const, code: 'no-letter' }] : []),
    ...(noLetter && left === 'sealed-letter' ? [{ field: 'left' as const, code: 'no-letter' }] : []),
    ...(noLetter && nextStep === 'letter' ? [{ field: 'nextStep' as const, code: 'no-letter' }] : []),
  ];
}
