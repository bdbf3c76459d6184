import { z } from 'zod';
import { addDays, type DateRange, dateRange, daysBetween, startOfMmwrWeek } from './date-range.ts';
import { endpoint, type Permission } from './endpoint.ts';
import { type ChosenGranularity, chosenGranularity, granularity } from './granularity.ts';

/** A number with its parts. `value` is null when the denominator is zero or the number is suppressed. */
export const measureValue = z.object({
  value: z.number().nullable(),
  numerator: z.number().nullable(),
  /** Null for a plain count. */
  denominator: z.number().nullable(),
  /** True when it is withheld because few people are behind it; then every number here is null. [P17] */
  suppressed: z.boolean(),
  /** Rows that are in neither numerator nor denominator, where the measure leaves some out. */
  excluded: z.number().optional(),
  /** The 95 % interval of the value. */
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  /** Why there is no value although there are rows. */
  without: z
    .enum([
      'too-few',
      'no-others',
      'too-early',
      // Of a rate: no population for the time or the counties, none by a filter, by the ages, or of the reader's place.
      'no-population',
      'no-population-by-filter',
      'no-population-by-age',
      'no-population-of-place',
    ])
    .optional(),
  /** The value changes much by chance: a rate of fewer than 16 events. */
  unstable: z.literal(true).optional(),
  /** It is of so few persons, or of a half of them, that it shows an order of size. */
  rough: z.literal(true).optional(),
  /** A share that is known in whole per cent. */
  whole: z.literal(true).optional(),
});
export type MeasureValue = z.infer<typeof measureValue>;

/** A publication with numbers of people, and the years of which it has them. */
export const populationSource = z.object({
  publisher: z.string(),
  title: z.string(),
  /** When it was published. */
  published: z.number().int(),
  years: z.array(z.number().int()),
});
export type PopulationSource = z.infer<typeof populationSource>;

export type MeasureUnit = 'count' | 'share' | 'hours' | 'days';

/** A measure as the screen declares it; its words (title, numerator, denominator, exclusions, source) are in the locales. */
export interface Measure {
  unit: MeasureUnit;
  /** Whether more is better, worse or neither; decides the tone of a trend. */
  direction?: 'up-good' | 'up-bad';
}

/** One mark or table row: its key, which is a code or id of its dimension's look-up, a day, or `missingKey`; and its numbers by measure id. */
export const seriesRow = z.object({
  key: z.string(),
  /** A second key, for charts split by two things (age band × sex). */
  key2: z.string().optional(),
  /** The label of the key, when it is not in a look-up. */
  label: z.string().optional(),
  values: z.record(z.string(), measureValue),
  /** Reports for this period are still arriving. */
  incomplete: z.boolean().optional(),
  /** Days of this week are outside the range. */
  partial: z.boolean().optional(),
  /** The key that this one is part of. */
  within: z.string().optional(),
  /** It puts together the values that are not among the first. */
  rest: z.literal(true).optional(),
  /** Reports with both, with the first alone, with the second alone, and with neither. */
  pair: z.object({ both: z.number(), first: z.number(), second: z.number(), neither: z.number() }).optional(),
});
export type SeriesRow = z.infer<typeof seriesRow>;

export interface AnalyticsScreen {
  id: string;
  permission: Permission;
  /** List filters by their contract names; each defaults to []. [S3.11] */
  listFilters: readonly string[];
  /** String filters by their contract names, with their default. */
  stringFilters?: Readonly<Record<string, string>>;
  /** The event dates by which the screen can count, its default first. Absent if there is only one. */
  eventDates?: readonly [string, ...string[]];
  /** The range the screen opens with, from today in the tenant's time zone. */
  defaultRange: (today: string) => DateRange;
  /** Filters that Clear keeps. [S4.9] */
  keptByClear?: readonly string[];
  /**
   * Names of filters, event dates, measures and series that are no more. Old addresses and saved views may have them: they
   * are left out, and the reader is told. None is ever used again.
   */
  retired?: readonly string[];
  /** [S4.11] Clear sets the filters, and is not one of the presets. */
  clear?: 'sets-filters';
  /** Range and filters stay when another organization is chosen. [S4.7] */
  keptAcrossOrgs?: true;
}

/** The query of an analytics screen. [S3.11, S7.10] */
export interface AnalyticsQuery {
  dateRangeValue: DateRange;
  filters: Record<string, string[] | string>;
  /** The event date to count by; absent on screens without a choice. */
  eventDate?: string;
  /** The periods of its trends; those that suit the range if absent. Protected numbers have their own. [P17] */
  granularity?: ChosenGranularity;
}

/** Twenty years and a little: more would be more weeks than a chart can show. */
const longestRangeDays = 7400;
/** Between these days, the range before and the week around can always be written as days. */
const [firstDay, lastDay] = ['1900-01-01', '2199-12-31'];

/** The schema of a screen's filters: an undeclared one is refused by name, an absent one takes its default. */
export function analyticsFilters(screen: AnalyticsScreen): z.ZodType<AnalyticsQuery['filters']> {
  const lists = screen.listFilters.map(
    (name) => [name, z.array(z.string().max(200)).max(5000).default([])] as const,
  );
  const strings = Object.entries(screen.stringFilters ?? {}).map(
    ([name, initial]) => [name, z.string().max(200).default(initial)] as const,
  );
  return z.strictObject(Object.fromEntries<z.ZodType>([...lists, ...strings])) as never;
}

/** The schema of a screen's query: an undeclared part is refused by name, an absent one takes its default. */
export function analyticsQuery(screen: AnalyticsScreen): z.ZodType<AnalyticsQuery> {
  const filters = analyticsFilters(screen);
  return z.strictObject({
    dateRangeValue: dateRange
      .refine(({ start, end }) => daysBetween(start, end) < longestRangeDays, {
        error: `a range has at most ${longestRangeDays} days`,
        params: { code: 'range-too-long' },
      })
      .refine(({ start, end }) => start >= firstDay && end <= lastDay, {
        error: `a range lies between ${firstDay} and ${lastDay}`,
        params: { code: 'range-out-of-time' },
      }),
    filters: filters.default(filters.parse({})),
    ...(screen.eventDates && { eventDate: z.enum(screen.eventDates).default(screen.eventDates[0]) }),
    granularity: chosenGranularity.optional(),
  }) as unknown as z.ZodType<AnalyticsQuery>;
}

/** Thirteen weeks: what a screen shows at first where numbers are of four weeks, of which few would say little. [P17] */
export const rangeForFew = (today: string): DateRange => ({
  start: addDays(startOfMmwrWeek(today), -7 * 12),
  end: today,
});

/** How many filters readers of protected numbers can use at once. [P17] */
export const mostProtectedFilters = 2;

/** What is drawn over the rows of a trend or an epidemic curve. */
const overlay = z.object({
  /** The median of the same weeks of earlier years, and from which years. */
  against: z
    .array(z.object({ key: z.string(), value: z.number().nullable(), years: z.array(z.number().int()) }))
    .optional(),
  /** Late periods completed by what is still expected; null where it is too early to say. */
  estimate: z
    .array(
      z.object({
        key: z.string(),
        value: z.number().nullable(),
        /** The 95 % interval. */
        interval: z.object({ low: z.number(), high: z.number() }).optional(),
      }),
    )
    .optional(),
  /** Of the rows entered in the range, how many are not drawn, because they lack the chosen date. */
  undated: measureValue.optional(),
  /** Days from which the definition of a case was another. */
  changes: z.array(z.object({ on: z.iso.date(), name: z.string() })).optional(),
});

export const analyticsAnswer = z.object({
  /** The instant up to which commits are counted, ISO 8601 in UTC. */
  asOf: z.iso.datetime(),
  dateRangeValue: dateRange,
  timeZone: z.string(),
  /** Numbers of fewer people are hidden; null for a reader of true numbers. */
  suppressionThreshold: z.number().nullable(),
  /** True if something on the screen was withheld. */
  anySuppressed: z.boolean(),
  measures: z.record(z.string(), measureValue),
  /**
   * The rows of each series. A row has the series' measures and classes by their names; of a box `p10`, `p25`, `p50`,
   * `p75` and `p90`; of pairs `prr` and `adjusted`; of a continuum one row for each step. A mean over seven days is
   * `…Mean`.
   */
  series: z.record(z.string(), z.array(seriesRow)),
  overlays: z.record(z.string(), overlay).optional(),
  /** The day by which each fact is counted. */
  countedBy: z.record(z.string(), z.string()).optional(),
  /** The chosen filters that do not narrow a fact. */
  unfiltered: z.record(z.string(), z.array(z.string())).optional(),
  /** Where each measure with a source is from. */
  sources: z
    .record(z.string(), z.object({ title: z.string(), publisher: z.string(), year: z.number().int() }))
    .optional(),
  /** What rates of each kind of population are per, as far as the range has one. */
  populations: z
    .object({
      residents: z.array(populationSource).optional(),
      'live-births': z.array(populationSource).optional(),
    })
    .optional(),
  /** The numbers are those of a fixed half of the persons, counted double. */
  half: z.literal(true).optional(),
  /** The series that protected readers are not shown: with the filters they would be split by too much. */
  leftOut: z.array(z.string()).optional(),
  /** What the rows of a trend are; the key is the first day. */
  granularity,
  /** From this day on, fewer than nine in ten reports are expected to have arrived; null when all days are complete. */
  incompleteFrom: z.iso.date().nullable(),
});
export type AnalyticsAnswer = z.infer<typeof analyticsAnswer>;

/** The measures over the range that a query is compared with. */
export const analyticsComparison = z.object({
  asOf: z.iso.datetime(),
  previousRange: dateRange,
  measures: z.record(z.string(), measureValue),
});
export type AnalyticsComparison = z.infer<typeof analyticsComparison>;

/** POST /api/web/analytics/{screen}. [S7.10] */
export const analyticsSearch = (screen: AnalyticsScreen) =>
  endpoint({
    method: 'POST',
    path: `/api/web/analytics/${screen.id}`,
    access: screen.permission,
    deed: 'numbers',
    summary: `The numbers of the ${screen.id} analytics screen`,
    // A number can be one person.
    patientData: true,
    body: analyticsQuery(screen),
    response: analyticsAnswer,
  });

/** POST /api/web/analytics/{screen}/comparison: asked after the numbers, so that these do not wait for it. */
export const analyticsCompare = (screen: AnalyticsScreen) =>
  endpoint({
    method: 'POST',
    path: `/api/web/analytics/${screen.id}/comparison`,
    access: screen.permission,
    deed: 'numbers',
    summary: `What the numbers of the ${screen.id} analytics screen are compared with`,
    patientData: true,
    body: analyticsQuery(screen),
    response: analyticsComparison,
  });
