import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';

/*
 * Confirmed and probable cases of each condition in one MMWR week, compared with the weeks and the year
 * before, as in weekly tables of notifiable diseases. In beta. Cases are counted by the day they were
 * created. Its readers may see exact numbers, so nothing is withheld. [S1.6, P17]
 */

const cases = z.number().int();
const weeklyNumbers = z.object({
  /** In the week itself. */
  current: cases,
  /** The maximum of the 52 weeks before. */
  maximum: cases,
  /** From week 1 of the MMWR year to the week. */
  yearToDate: cases,
  /** From week 1 of the previous MMWR year to the week of the same number, or to its last. */
  lastYearToDate: cases,
});
export type WeeklyNumbers = z.infer<typeof weeklyNumbers>;
/** The numbers in the order of the table's columns. */
export const weeklyColumns = weeklyNumbers.keyof().options;

export const weeklyCases = z.object({
  year: z.number().int(),
  week: z.number().int(),
  start: day,
  end: day,
  /** Conditions with a case in any column, by code. */
  rows: z.array(weeklyNumbers.extend({ condition: z.string() })),
  total: weeklyNumbers,
  /** Cases up to this time are counted. */
  asOf: z.iso.datetime(),
});
export type WeeklyCases = z.infer<typeof weeklyCases>;

const declared = {
  method: 'GET',
  // It also needs one of the permissions for exact numbers.
  access: 'general/other',
  feature: ['case-reports', 'weekly-cases'],
  patientData: true,
  query: z.strictObject({
    /** Any day of the week. */
    weekOf: day.refine((value) => '2000-01-01' <= value && value <= '2099-12-31', {
      error: 'the week lies too far away',
      params: { code: 'invalid-value' },
    }),
  }),
} as const;

export const readWeeklyCases = endpoint({
  ...declared,
  path: '/api/web/weekly-cases',
  deed: 'numbers',
  summary: 'Cases of each condition in one MMWR week, beside the weeks and the year before',
  response: weeklyCases,
});

export const exportWeeklyCases = endpoint({
  ...declared,
  path: '/api/web/weekly-cases/file',
  deed: 'export',
  summary: 'The same as CSV, in the language of the request',
  produces: 'text/csv',
});
