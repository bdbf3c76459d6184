import { z } from 'zod';
import { addDays, day as daySchema } from './date-range.ts';
import { textOfLines } from './name.ts';

/*
 * Attempts to meet the person of a field visit: what each outcome counts as, and when to try again. Attempts
 * are only added; their day and time are in the tenant's time zone.
 */

/**
 * How the person was contacted. `timed`: the time of day matters; messages can be read at any time.
 */
export const visitMethods = {
  visit: { timed: true },
  phone: { timed: true },
  text: { timed: false },
  letter: { timed: false },
  internet: { timed: false },
} as const;
export type VisitMethod = keyof typeof visitMethods;
export const visitMethodCodes = Object.keys(visitMethods) as [VisitMethod, ...VisitMethod[]];

/** What to do after an attempt. */
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
  /** A real attempt was made. */
  attempt: boolean;
  /** Someone spoke with the person. */
  contact: boolean;
  /** The proposed next step; null if the visit can be finished. */
  next: NextStep | null;
  /** Only by these methods, if not by all. */
  by?: readonly VisitMethod[];
}
const there = ['visit', 'phone'] as const;

/** All possible outcomes of an attempt. */
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

/** The possible outcomes of an attempt by a method. */
export const outcomesBy = (method: VisitMethod): AttemptOutcomeCode[] =>
  attemptOutcomeCodes.filter((code) => outcomeOf(code).by?.includes(method) ?? true);

export const leftBehind = ['nothing', 'sealed-letter'] as const;

/** The most attempts of a visit. */
export const mostAttempts = 50;

/** An attempt as sent. */
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
  /** The account that added it; null if no look-up has it any more. */
  by: z.string().nullable(),
});
export type VisitAttempt = z.infer<typeof visitAttempt>;

// — When to try again —

export const dayParts = ['morning', 'afternoon', 'evening'] as const;
export type DayPart = (typeof dayParts)[number];
/** When each part ends; the last one is at the end of the day. */
export const dayPartEnds: readonly { part: DayPart; until: string | null }[] = [
  { part: 'morning', until: '12:00' },
  { part: 'afternoon', until: '17:00' },
  { part: 'evening', until: null },
];
/** Times of day have two digits each, so they can be compared as text. */
export const dayPartOf = (time: string): DayPart =>
  dayPartEnds.find(({ until }) => until === null || time < until)!.part;

/** Saturday or Sunday. */
export const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

type Counted = Pick<AttemptMade, 'day' | 'time' | 'method' | 'outcome'>;

/** An answer to a message also counts as an attempt; sending the message does not. */
export const countsAsAttempt = ({ method, outcome }: Pick<Counted, 'method' | 'outcome'>): boolean =>
  outcomeOf(outcome).attempt && (visitMethods[method].timed || outcomeOf(outcome).contact);
export const countsAsContact = ({ outcome }: Pick<Counted, 'outcome'>): boolean => outcomeOf(outcome).contact;

/** The number of different days of attempts before a supervisor decides. */
export const daysNeeded = 3;

export interface Cadence {
  /** The number of different days with an attempt. */
  days: number;
  /** Attempts on enough days, not always at the same time of day, and once in the evening or on a weekend. */
  isEnough: boolean;
  /** The time of day to try next; null if any will do. A weekend can replace an evening. */
  tryIn: DayPart | null;
}

/** The progress of a visit's attempts, and when to try again. */
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

/** The proposed step after an attempt: a supervisor, after enough attempts without finding the person. */
export function proposedStep(before: readonly Counted[], made: Counted): NextStep | null {
  const { next } = outcomeOf(made.outcome);
  return next === 'other-time' && !countsAsContact(made) && cadenceOf([...before, made]).isEnough
    ? 'supervisor'
    : next;
}

/** What a visit stores of its attempts, for lists and its workflow. `attempts`: newest first. */
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
 * Fault codes of an attempt, worded under `field-visits:fault.<code>`. `now`: day and time in the tenant's
 * time zone. Attempts from before the visit was recorded can be added, but none from another year.
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
