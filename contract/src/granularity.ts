import { z } from 'zod';
import { addDays, type DateRange, daysBetween, endOfMonth } from './date-range.ts';

/** The periods a reader can choose for a trend. */
export const chosenGranularity = z.enum(['day', 'week', 'month']);
export type ChosenGranularity = z.infer<typeof chosenGranularity>;

/** The periods of a trend: days, MMWR weeks, calendar months, or four weeks for readers of protected numbers. [P17] */
export const granularity = z.enum([...chosenGranularity.options, 'four-weeks']);
export type Granularity = z.infer<typeof granularity>;

/** A range shows at most this many days; more would be too narrow to point at. */
const mostDays = 366;

export const granularitiesOf = ({ start, end }: DateRange): ChosenGranularity[] =>
  chosenGranularity.options.filter((one) => one !== 'day' || daysBetween(start, end) < mostDays);

/** The periods of a range: the chosen ones if possible, otherwise days up to a quarter, and weeks beyond. */
export const granularityOf = (range: DateRange, chosen?: ChosenGranularity): ChosenGranularity =>
  chosen !== undefined && granularitiesOf(range).includes(chosen)
    ? chosen
    : daysBetween(range.start, range.end) < 92
      ? 'day'
      : 'week';

const days = { day: 1, week: 7, 'four-weeks': 28 } as const;

/** The last day of the period that begins on a day. */
export const lastDayOf = (first: string, period: Granularity): string =>
  period === 'month' ? endOfMonth(first) : addDays(first, days[period] - 1);
