import { z } from 'zod';
import { addDays, type DateRange, dateRange, daysBetween, startOfMmwrWeek } from './date-range.ts';
import { endpoint, type Permission } from './endpoint.ts';
import { type ChosenGranularity, chosenGranularity, granularity } from './granularity.ts';

/** A rate of fewer events, and a share of fewer, varies too much by chance to be compared. */
export const stableFrom = 16;

/** A number with its parts. `value` is null when the denominator is zero or the number is suppressed. */
export const measureValue = z.object({
  value: z.number().nullable(),
  numerator: z.number().nullable(),
  /** Null for a plain count. */
  denominator: z.number().nullable(),
  /** True when it is withheld because few people are behind it; then every number here is null. [P17] */
  suppressed: z.boolean(),
  /** Rows that the measure leaves out of both numerator and denominator. */
  excluded: z.number().optional(),
  /** The 95 % interval of the value. */
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  /** Why there are rows but no value. */
  without: z
    .enum([
      'too-few',
      'no-others',
      'too-early',
      // For a rate: no population for the period or the counties, by a filter, by the ages, or for the
      // reader's place.
      'no-population',
      'no-population-by-filter',
      'no-population-by-age',
      'no-population-of-place',
    ])
    .optional(),
  /** The value varies much by chance: a rate of fewer than 16 events. */
  unstable: z.literal(true).optional(),
  /**
   * Only the order of magnitude is meaningful: fewer than about 100 persons are behind it, and only half of them
   * are counted. [P17]
   */
  rough: z.literal(true).optional(),
  /** A share rounded to a whole percent. */
  whole: z.literal(true).optional(),
});
export type MeasureValue = z.infer<typeof measureValue>;

/** A publication of population figures, and the years it covers. */
export const populationSource = z.object({
  publisher: z.string(),
  title: z.string(),
  /** The year of publication. */
  published: z.number().int(),
  years: z.array(z.number().int()),
});
export type PopulationSource = z.infer<typeof populationSource>;

export type MeasureUnit = 'count' | 'share' | 'hours' | 'days';

/**
 * A measure as the screen declares it; its texts (title, numerator, denominator, exclusions, source) are in the
 * locales.
 */
export interface Measure {
  unit: MeasureUnit;
  /** Whether more is better, worse or neither; decides the tone of a trend. */
  direction?: 'up-good' | 'up-bad';
}

/**
 * One mark or table row. The key is a code or id of its dimension's look-up, a day, or `missingKey`; the
 * values are by measure id.
 */
export const seriesRow = z.object({
  key: z.string(),
  /** A second key, for charts split by two things (age band × sex). */
  key2: z.string().optional(),
  /** The key's label, if no look-up has it. */
  label: z.string().optional(),
  values: z.record(z.string(), measureValue),
  /** Reports for this period are still arriving. */
  incomplete: z.boolean().optional(),
  /** Days of this week are outside the range. */
  partial: z.boolean().optional(),
  /** The key of the parent row. */
  within: z.string().optional(),
  /** Sums up the values after the top ones. */
  rest: z.literal(true).optional(),
  /** Reports with both, with only the first, with only the second, and with neither. */
  pair: z.object({ both: z.number(), first: z.number(), second: z.number(), neither: z.number() }).optional(),
});
export type SeriesRow = z.infer<typeof seriesRow>;

export interface AnalyticsScreen {
  id: string;
  permission: Permission;
  /** List filters by their contract names; each defaults to []. [S3.11] */
  listFilters: readonly string[];
  /** String filters by their contract names, with their defaults. */
  stringFilters?: Readonly<Record<string, string>>;
  /** The event dates the screen can count by, the default first. Absent if there is only one. */
  eventDates?: readonly [string, ...string[]];
  /** The range the screen opens with, from today in the tenant's time zone. */
  defaultRange: (today: string) => DateRange;
  /** Filters that Clear keeps. [S4.9] */
  keptByClear?: readonly string[];
  /**
   * Removed filters, event dates, measures and series. Old addresses and saved views may still have them: the
   * screen drops them and tells the reader. A retired name is never reused.
   */
  retired?: readonly string[];
  /** [S4.11] Clear sets the filters but is not one of the presets. */
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
  /** The trend periods; if absent, those that suit the range. Protected numbers have their own. [P17] */
  granularity?: ChosenGranularity;
}

/** A little over twenty years. A longer range would have more weeks than a chart can show. */
const longestRangeDays = 7400;
/** Within these bounds, the range before and the surrounding week can always be written as days. */
const [firstDay, lastDay] = ['1900-01-01', '2199-12-31'];

/**
 * The schema of a screen's filters. An undeclared filter is refused by name; a missing one takes its default.
 */
export function analyticsFilters(screen: AnalyticsScreen): z.ZodType<AnalyticsQuery['filters']> {
  const lists = screen.listFilters.map(
    (name) => [name, z.array(z.string().max(200)).max(5000).default([])] as const,
  );
  const strings = Object.entries(screen.stringFilters ?? {}).map(
    ([name, initial]) => [name, z.string().max(200).default(initial)] as const,
  );
  return z.strictObject(Object.fromEntries<z.ZodType>([...lists, ...strings])) as never;
}

/** The schema of a screen's query. An undeclared part is refused by name; a missing one takes its default. */
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

/**
 * Thirteen weeks: the default range where numbers cover four weeks each, so that there are enough of them.
 * [P17]
 */
export const rangeForFew = (today: string): DateRange => ({
  start: addDays(startOfMmwrWeek(today), -7 * 12),
  end: today,
});

/** How many filters readers of protected numbers can combine. [P17] */
export const mostProtectedFilters = 2;

/** What is drawn over the rows of a trend or an epidemic curve. */
const overlay = z.object({
  /** The median of the same weeks in earlier years, with those years. */
  against: z
    .array(z.object({ key: z.string(), value: z.number().nullable(), years: z.array(z.number().int()) }))
    .optional(),
  /** Late periods with the reports still expected added; null when it is too early to estimate. */
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
  /** How many rows entered in the range are not drawn because they lack the chosen date. */
  undated: measureValue.optional(),
  /** Days on which the case definition changed. */
  changes: z.array(z.object({ on: z.iso.date(), name: z.string() })).optional(),
});

export const analyticsAnswer = z.object({
  /** Commits up to this instant are counted; ISO 8601 in UTC. */
  asOf: z.iso.datetime(),
  dateRangeValue: dateRange,
  timeZone: z.string(),
  /** Numbers below this count of people are hidden; null for a reader with exact counts. */
  suppressionThreshold: z.number().nullable(),
  /** True if something on the screen was withheld. */
  anySuppressed: z.boolean(),
  measures: z.record(z.string(), measureValue),
  /**
   * The rows of each series. A row has the series' measures and classes by name. Box: `p10`, `p25`, `p50`,
   * `p75` and `p90`; pairs: `prr` and `adjusted`; continuum: one row per step. A seven-day mean is `…Mean`.
   */
  series: z.record(z.string(), z.array(seriesRow)),
  overlays: z.record(z.string(), overlay).optional(),
  /** The date each fact is counted by. */
  countedBy: z.record(z.string(), z.string()).optional(),
  /** The chosen filters that do not apply to a fact. */
  unfiltered: z.record(z.string(), z.array(z.string())).optional(),
  /** The source of each measure that has one. */
  sources: z
    .record(z.string(), z.object({ title: z.string(), publisher: z.string(), year: z.number().int() }))
    .optional(),
  /** What rates are per, for each kind of population the range has one for. */
  populations: z
    .object({
      residents: z.array(populationSource).optional(),
      'live-births': z.array(populationSource).optional(),
    })
    .optional(),
  /** The numbers come from a fixed half of the persons, doubled. */
  half: z.literal(true).optional(),
  /** Series hidden from protected readers because the filters would split them too finely. */
  leftOut: z.array(z.string()).optional(),
  /** The period of each trend row; its key is the first day. */
  granularity,
  /**
   * From this day on, less than 90 % of reports are expected to have arrived; null when all days are
   * complete.
   */
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

/**
 * POST /api/web/analytics/{screen}/comparison. Requested after the numbers, so that they do not wait for it.
 */
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
