import { z } from 'zod';
import { addDays, day as daySchema, daysBetween } from './date-range.ts';
import { endpoint, type Permission } from './endpoint.ts';
import { textOfLines } from './name.ts';

/*
 * The daily follow-up of a record, such as a contact of a case: which days it covers, what was found on each,
 * and who is due. Entries are only added, and the last one of a day counts.
 */

/** The person was seen or spoken to; was looked for but not found; or no one tried. */
export const followUpOutcomes = ['seen', 'not-seen', 'not-attempted'] as const;
/** What a day's finding can be; `answered`: the person answered on the portal. */
export const followUpFindings = [...followUpOutcomes, 'answered'] as const;
export type FollowUpFinding = (typeof followUpFindings)[number];
/** Today for a record under follow-up: due until there is an entry, then the finding. */
export const followUpToday = ['due', ...followUpFindings] as const;
/** Due today; noted today as not seen, or not seen yesterday; all under follow-up; and all. */
export const followUpViews = ['due', 'missed', 'followed', 'all'] as const;
/** Findings that count as hearing from the person. */
const heard: ReadonlySet<string> = new Set<FollowUpFinding>(['seen', 'answered']);
/** What is asked on a visit, whatever the disease; the note explains `other`. */
export const followUpSymptoms = [
  'fever',
  'rash',
  'cough',
  'runny-nose',
  'red-eyes',
  'sore-throat',
  'swollen-glands',
  'shortness-of-breath',
  'headache',
  'muscle-pain',
  'tiredness',
  'vomiting',
  'diarrhea',
  'jaundice',
  'other',
] as const;
/** UCUM units, each with the temperatures a living person can have. */
export const temperatureRanges = {
  '[degF]': { least: 86, most: 113 },
  Cel: { least: 30, most: 45 },
} as const;
export const temperatureUnits = [
  '[degF]',
  'Cel',
] as const satisfies readonly (keyof typeof temperatureRanges)[];

/** Whether the temperature is missing or one that a living person can have. */
export function isTemperature({
  temperature,
  temperatureUnit,
}: Pick<FollowUpFound, 'temperature' | 'temperatureUnit'>): boolean {
  if (temperature === null) return true;
  const range = temperatureUnit && temperatureRanges[temperatureUnit];
  return range !== null && temperature >= range.least && temperature <= range.most;
}

/** A temperature from here on is a fever, as CDC defines it for people under monitoring: 100.4 °F, 38 °C. */
const feverFrom = { '[degF]': 100.4, Cel: 38 } as const satisfies Record<
  keyof typeof temperatureRanges,
  number
>;

/** Whether a finding is a sign of illness: a symptom, or a measured fever. */
export const isIll = ({
  symptoms,
  temperature = null,
  temperatureUnit = null,
}: Pick<FollowUpEntry, 'symptoms'> &
  Partial<Pick<FollowUpEntry, 'temperature' | 'temperatureUnit'>>): boolean =>
  symptoms.length > 0 ||
  (temperature !== null && temperatureUnit !== null && temperature >= feverFrom[temperatureUnit]);

/** One decimal, as on thermometers. */
const degrees = z.number().min(30).max(113).multipleOf(0.1);

/** A day's finding, as sent. */
export const followUpFound = z.strictObject({
  day: daySchema,
  outcome: z.enum(followUpOutcomes),
  symptoms: z.array(z.enum(followUpSymptoms)).max(followUpSymptoms.length),
  temperature: degrees.nullable(),
  temperatureUnit: z.enum(temperatureUnits).nullable(),
  note: textOfLines(2000).nullable(),
});
export type FollowUpFound = z.infer<typeof followUpFound>;

export const followUpEntry = followUpFound.extend({
  id: z.uuid(),
  outcome: z.enum(followUpFindings),
  symptoms: z.array(z.string()),
  addedAt: z.iso.datetime(),
  /** The account that added it; null for the person themselves, and for accounts no look-up has. */
  by: z.string().nullable(),
  /** Answered by someone who is no longer the record's person; it does not count for the day. */
  former: z.boolean(),
});
export type FollowUpEntry = z.infer<typeof followUpEntry>;

/** The days of a follow-up; none without a last day. Before `startedOn`, no one was asked to follow up. */
export interface FollowUpWindow {
  readonly firstOn: string;
  readonly followUntil: string | null;
  readonly startedOn: string | null;
}

const window = z.object({
  firstOn: daySchema,
  followUntil: daySchema.nullable(),
  startedOn: daySchema.nullable(),
});

/** The endpoints that read and extend the follow-up of a kind of record. */
export const followUpOf = ({
  id,
  noun,
  access: { read, write },
}: {
  id: string;
  noun: string;
  access: { readonly read: Permission; readonly write: Permission };
}) => {
  const path = `/api/web/${id}/:id/follow-up` as const;
  const params = z.strictObject({ id: z.uuid() });
  const response = z.object({ window, entries: z.array(followUpEntry) });
  return {
    read: endpoint({
      method: 'GET',
      path,
      access: read,
      deed: 'read',
      summary: `The daily follow-up of a ${noun}, the newest entry first`,
      patientData: true,
      params,
      response,
    }),
    /** `id`: made by the browser, so that a repeated request adds no second entry. */
    add: endpoint({
      method: 'POST',
      path,
      access: write,
      deed: 'change',
      summary: `Add what was found on a day of the follow-up of a ${noun}`,
      patientData: true,
      params,
      body: followUpFound.extend({ id: z.uuid() }),
      response,
    }),
  };
};

// — Days —

/** This many days after the last exposure, unless another last day is given; null if neither is known. */
export const lastDayOf = (
  { lastExposedOn, otherUntil }: { lastExposedOn: string; otherUntil: string | null },
  days: number | undefined,
): string | null => otherUntil ?? (days === undefined ? null : addDays(lastExposedOn, days));

/** The first day of a contact's follow-up: the day after the last exposure. */
export const dayAfterExposure = ({ lastExposedOn }: { lastExposedOn: string }): string =>
  addDays(lastExposedOn, 1);

/** The state of a follow-up day: what was found, or why there is nothing. */
export const followUpDayStates = [
  'seen',
  'seen-ill',
  'answered',
  'answered-ill',
  'not-seen',
  'not-attempted',
  'before',
  'nothing',
  'today',
  'to-come',
] as const;
export type FollowUpDayState = (typeof followUpDayStates)[number];

type Entered = Pick<FollowUpEntry, 'day' | 'outcome'> &
  Partial<Pick<FollowUpEntry, 'former'>> &
  Parameters<typeof isIll>[0];
interface Counted {
  day: string;
  outcome: FollowUpFinding;
  ill: boolean;
}

/**
 * The entry that counts for each day: the last one added. A person's own answers remove nothing, so a day
 * with illness stays one. A failed visit removes nothing either; only a later one that sees the person does.
 * `entries`: newest first.
 */
function byDay(entries: readonly Entered[]): Map<string, Counted> {
  const days = new Map<string, Counted>();
  for (const entry of entries.toReversed()) {
    const { day, outcome, former } = entry;
    if (former) continue;
    const before = days.get(day);
    if (before?.outcome === 'answered' && !heard.has(outcome)) continue;
    const wasIll = outcome === 'answered' && before?.ill === true;
    days.set(day, { day, outcome, ill: heard.has(outcome) && (wasIll || isIll(entry)) });
  }
  return days;
}

const stateFound = ({ outcome: of, ill }: Counted): FollowUpDayState =>
  ill && (of === 'seen' || of === 'answered') ? `${of}-ill` : of;

function emptyDay(day: string, { startedOn }: FollowUpWindow, today: string): FollowUpDayState {
  if (day > today) return 'to-come';
  if (startedOn === null || day < startedOn) return 'before';
  return day === today ? 'today' : 'nothing';
}

/** The state of each follow-up day. `today` is in the tenant's time zone. */
export function followUpDays(
  window: FollowUpWindow,
  entries: readonly Entered[],
  today: string,
): { day: string; state: FollowUpDayState }[] {
  const { firstOn, followUntil } = window;
  if (followUntil === null) return [];
  const counted = byDay(entries);
  return Array.from({ length: Math.max(0, daysBetween(firstOn, followUntil) + 1) }, (_, place) => {
    const day = addDays(firstOn, place);
    const entry = counted.get(day);
    return { day, state: entry ? stateFound(entry) : emptyDay(day, window, today) };
  });
}

/**
 * What a record stores, so that lists find who is due: the last day with an entry, and the last day the
 * person was heard from.
 */
export function followUpKept(entries: readonly Entered[]): {
  lastEntryOn: string | null;
  lastOutcome: FollowUpFinding | null;
  lastSeenOn: string | null;
} {
  const days = [...byDay(entries).values()].toSorted((a, b) => (a.day < b.day ? 1 : -1));
  return {
    lastEntryOn: days[0]?.day ?? null,
    lastOutcome: days[0]?.outcome ?? null,
    lastSeenOn: days.find((one) => heard.has(one.outcome))?.day ?? null,
  };
}

/** Fault codes of an entry, worded under `follow-up:fault.<code>`. */
export function followUpFaults(
  {
    day,
    outcome: of,
    symptoms,
    temperature,
    temperatureUnit,
  }: Omit<FollowUpFound, 'outcome'> & { outcome: FollowUpFinding },
  window: FollowUpWindow,
  today: string,
): { field: 'day' | 'symptoms' | 'temperature'; code: string }[] {
  const isWrong = !isTemperature({ temperature, temperatureUnit });
  const dayFault = () => {
    if (day > today) return 'future';
    if (day < window.firstOn) return 'before-window';
    return window.followUntil !== null && day > window.followUntil ? 'after-window' : null;
  };
  const code = dayFault();
  return [
    ...(code ? [{ field: 'day' as const, code }] : []),
    ...(!heard.has(of) && symptoms.length > 0 ? [{ field: 'symptoms' as const, code: 'only-if-seen' }] : []),
    ...(!heard.has(of) && temperature !== null
      ? [{ field: 'temperature' as const, code: 'only-if-seen' }]
      : isWrong
        ? [{ field: 'temperature' as const, code: 'temperature-range' }]
        : []),
  ];
}
