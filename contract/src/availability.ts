import { z } from 'zod';
import { weekdays } from './calendar.ts';
import { timeZoneName } from './codes.ts';
import { addDays, day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { slotMinutes, visitLengths } from './telemedicine.ts';
import { telemedicineVisitTypes } from './telemedicine-flow.ts';

/*
 * When providers can be booked: weekly hours and exceptions. Times are local to the provider's time zone;
 * free-times.ts computes the free times from them.
 */

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const length = z.number().int().min(visitLengths.least).max(visitLengths.most);
const visitTypes = z.array(z.enum(telemedicineVisitTypes)).max(telemedicineVisitTypes.length);

/** Weekly recurring hours. */
export const availabilityRule = z.strictObject({
  weekdays: z.array(z.enum(weekdays)).min(1).max(7),
  from: clock,
  to: clock,
  /** The length of each visit. */
  minutes: length,
  /** What the visits may be for; anything if empty. */
  visitTypes,
  /** The first and last day it applies. */
  validFrom: day.nullable(),
  validTo: day.nullable(),
});
export type AvailabilityRule = z.infer<typeof availabilityRule>;

export const exceptionKinds = ['shut', 'extra'] as const;
/** Days on which a provider is away, all day or for some hours, or works extra hours. */
export const availabilityException = z.strictObject({
  kind: z.enum(exceptionKinds),
  firstDay: day,
  lastDay: day,
  /** Null for the whole day. */
  from: clock.nullable(),
  to: clock.nullable(),
  /** The length of each visit, for extra hours. */
  minutes: length.nullable(),
});
export type AvailabilityException = z.infer<typeof availabilityException>;

export const availabilityBounds = {
  rules: 30,
  exceptions: 100,
  bufferMinutes: { least: 0, most: 120 },
  leadHours: { least: 0, most: 720 },
  horizonDays: { least: 1, most: 180 },
  dailyLimit: { least: 1, most: 100 },
  /** The longest exception, in days. */
  exceptionDays: 366,
} as const;
const within = ({ least, most }: { least: number; most: number }) => z.number().int().min(least).max(most);

export const availabilityPlan = z.strictObject({
  /** Where the provider works; patients who book come here. */
  facility: z.uuid().nullable(),
  timeZone: timeZoneName,
  /** The languages the provider speaks in visits; any if empty. */
  languages: z.array(z.string().max(20)).max(20),
  /** Free minutes to keep before and after each visit. */
  bufferMinutes: within(availabilityBounds.bufferMinutes),
  /** A time must be booked at least this many hours ahead. */
  leadHours: within(availabilityBounds.leadHours),
  /** A time can be booked at most this many days ahead. */
  horizonDays: within(availabilityBounds.horizonDays),
  /** The most visits in one day. */
  dailyLimit: within(availabilityBounds.dailyLimit).nullable(),
  /** Whether patients may book these times themselves. */
  patients: z.boolean(),
  rules: z.array(availabilityRule).max(availabilityBounds.rules),
  exceptions: z.array(availabilityException).max(availabilityBounds.exceptions),
});
export type AvailabilityPlan = z.infer<typeof availabilityPlan>;

export interface PlanFault {
  path: string;
  code: string;
}

/** Minutes since midnight. */
export const minutesOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const isOffStep = (time: string) => minutesOfDay(time) % slotMinutes !== 0;

/** Checks the hours: their order, their steps, and that a visit fits. */
function faultsOfHours(
  at: string,
  { from, to, minutes }: { from: string; to: string; minutes: number | null },
): PlanFault[] {
  const room = minutesOfDay(to) - minutesOfDay(from);
  return [
    ...(isOffStep(from) ? [{ path: `${at}.from`, code: 'not-five' }] : []),
    ...(isOffStep(to) ? [{ path: `${at}.to`, code: 'not-five' }] : []),
    ...(minutes !== null && minutes % slotMinutes !== 0 ? [{ path: `${at}.minutes`, code: 'not-five' }] : []),
    ...(room <= 0
      ? [{ path: `${at}.to`, code: 'to-before-from' }]
      : minutes !== null && minutes > room
        ? [{ path: `${at}.minutes`, code: 'too-long' }]
        : []),
  ];
}

const overlap = (a: AvailabilityRule, b: AvailabilityRule): boolean =>
  a.weekdays.some((one) => b.weekdays.includes(one)) &&
  a.from < b.to &&
  b.from < a.to &&
  (a.validFrom ?? '') <= (b.validTo ?? '9999') &&
  (b.validFrom ?? '') <= (a.validTo ?? '9999');

/** A plan with null in place of parts that have the wrong shape. */
interface Shaped {
  rules: readonly (AvailabilityRule | null)[];
  exceptions: readonly (AvailabilityException | null)[];
  bufferMinutes: number;
}

/** The faults of a plan beyond its shape; codes are worded under `availability:fault.<code>`. */
export function faultsOfPlan({ rules, exceptions, bufferMinutes }: Shaped): PlanFault[] {
  return [
    ...(bufferMinutes % slotMinutes !== 0 ? [{ path: 'bufferMinutes', code: 'not-five' }] : []),
    ...rules.flatMap((rule, index) => {
      if (!rule) return [];
      const at = `rules.${index}`;
      return [
        ...faultsOfHours(at, rule),
        ...(rule.validFrom && rule.validTo && rule.validTo < rule.validFrom
          ? [{ path: `${at}.validTo`, code: 'end-before-start' }]
          : []),
        ...(rules.slice(0, index).some((earlier) => earlier && overlap(earlier, rule))
          ? [{ path: `${at}.from`, code: 'overlaps' }]
          : []),
      ];
    }),
    ...exceptions.flatMap((exception, index) => {
      if (!exception) return [];
      const at = `exceptions.${index}`;
      const { kind, firstDay, lastDay, from, to, minutes } = exception;
      const lacking = (['from', 'to', 'minutes'] as const).filter(
        (name) =>
          exception[name] === null &&
          (kind === 'extra' || (name !== 'minutes' && (from !== null || to !== null))),
      );
      return [
        ...(lastDay < firstDay ? [{ path: `${at}.lastDay`, code: 'end-before-start' }] : []),
        ...(lastDay > addDays(firstDay, availabilityBounds.exceptionDays)
          ? [{ path: `${at}.lastDay`, code: 'too-many-days' }]
          : []),
        ...lacking.map((name) => ({ path: `${at}.${name}`, code: 'required' })),
        ...(from !== null && to !== null ? faultsOfHours(at, { from, to, minutes }) : []),
      ];
    }),
  ];
}

// — Endpoints —

const path = '/api/web/telemedicine/availability';
const ofProvider = z.strictObject({ provider: z.uuid() });
const providerAvailability = z.object({
  provider: z.uuid(),
  name: z.string(),
  mayChange: z.boolean(),
  /** 0 if there is none yet. */
  version: z.number().int(),
  plan: availabilityPlan.nullable(),
});
export type ProviderAvailability = z.infer<typeof providerAvailability>;

export const listAvailability = endpoint({
  method: 'GET',
  path,
  access: 'telemedicine/read',
  deed: 'read',
  summary: 'The providers, and when each of them may be booked',
  response: z.object({ providers: z.array(providerAvailability) }),
});
/**
 * Replaces a provider's availability. Answers 409 if it has changed since `version`. Tenant staff who book
 * visits can change everyone's; providers can change their own.
 */
export const setAvailability = endpoint({
  method: 'PUT',
  path: `${path}/:provider`,
  access: 'telemedicine/read',
  deed: 'change',
  summary: 'Say when a provider may be booked',
  params: ofProvider,
  body: z.strictObject({ version: z.number().int().min(0), plan: availabilityPlan }),
  response: providerAvailability,
});

/** The most days one request can ask for. */
export const freeDaysAtMost = 31;
export const freeTime = z.object({
  startsAt: z.iso.datetime(),
  minutes: z.number().int(),
  provider: z.uuid(),
});
export const freeTimesAnswer = z.object({
  /** In order of start. If any provider will do, one time per start. */
  times: z.array(freeTime),
  /** Whether there are hours for such visits at all. */
  offered: z.boolean(),
  /** The first free time after these days, if they have none. */
  next: z.iso.datetime().nullable(),
});
export type FreeTimesAnswer = z.infer<typeof freeTimesAnswer>;

const count = z.coerce.number().int().min(1).max(freeDaysAtMost);
export const findFreeTimes = endpoint({
  method: 'GET',
  path: '/api/web/telemedicine/free-times',
  access: 'telemedicine/write',
  deed: 'search',
  summary: 'The free times of a provider, or of any provider, from day to day',
  query: z.strictObject({
    visitType: z.enum(telemedicineVisitTypes),
    /** Absent for any provider. */
    provider: z.uuid().optional(),
    /** Only providers who speak this language in visits. */
    language: z.string().max(20).optional(),
    /** The first day, in the tenant's time zone. */
    from: day,
    days: count.default(7),
    /** A visit to reschedule: its own time counts as free. */
    visit: z.uuid().optional(),
  }),
  response: freeTimesAnswer,
});
