import { z } from 'zod';
import { dateRange } from './date-range.ts';
import { chosenGranularity } from './granularity.ts';

const name = z.string().max(60);
const value = z.string().max(200);

/**
 * A number of a dashboard with the query behind it: a measure, or a mark of a series, optionally one class of
 * it. A list accepts it, and the server derives the condition from the declaration that counted the number.
 */
export const behindNumber = z
  .strictObject({
    dashboard: name,
    dateRangeValue: dateRange,
    filters: z.record(name, z.union([value, z.array(value).max(5000)])).default({}),
    eventDate: name.optional(),
    /** The chosen periods, if the mark is a period. */
    granularity: chosenGranularity.optional(),
    measure: name.optional(),
    series: name.optional(),
    key: value.optional(),
    key2: value.optional(),
    class: name.optional(),
  })
  .refine(({ measure, series, key }) => (series === undefined ? measure !== undefined : key !== undefined), {
    error: 'a number is a measure, or a mark of a series',
  });
export type BehindNumber = z.infer<typeof behindNumber>;
