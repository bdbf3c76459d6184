import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/*
 * Reports from the three tables of a VAERS data set. A check reads them but stores nothing; values without a
 * field here are kept with the report as received.
 */

export const vaersTables = ['data', 'vaccines', 'symptoms'] as const;
/** A report's number, in VAERS or here. */
export const vaersNumber = /^[A-Za-z0-9-]{1,20}$/;
/** The most reports in one import. */
export const mostVaersReports = 10_000;
/** The most characters of all tables together: 1,200 per report; recent files have about a thousand. */
export const longestVaersFiles = 1200 * mostVaersReports;
/** The most characters of a cell, which is the longest text of a report, and of a column heading. */
export const longestVaersCell = 32_000;
export const longestVaersHeading = 60;
/** The most reports with something to review in an answer; the total is also given. */
export const listedReports = 200;

/** Problems that prevent reading the files. */
const fileProblems = [
  'no-table',
  'table-twice',
  'no-data',
  'no-vaccines',
  'no-symptoms',
  'unreadable',
  'too-many',
] as const;
/** Problems that prevent importing a report or one of its rows. */
const rowProblems = [
  'no-number',
  'number',
  'repeated',
  'cells',
  'too-long',
  'no-report',
  'day-of-receipt',
] as const;
/** Values that no field can take as they are; kept as received. */
const kept = [
  'no-day',
  'no-number-of-days',
  'cut',
  'left-out',
  'unknown-code',
  'future',
  'before-1900',
  'before-vaccination',
  'before-occurred',
] as const;
export const vaersProblems = [...fileProblems, ...rowProblems, ...kept] as const;
export type KeptProblem = (typeof kept)[number];
export type RowProblem = (typeof rowProblems)[number];

const fault = z.object({
  /** The file's name; empty if no file has it. */
  file: z.string(),
  /** As an editor numbers it; the heading is line 1. */
  line: z.number().int().nullable(),
  column: z.string().nullable(),
  code: z.enum(vaersProblems),
});
export type VaersFault = z.infer<typeof fault>;

/** `same`: already here. `differs`: already here, but the file has other values; the stored report stays. */
export const vaersOutcomes = ['new', 'same', 'differs', 'refused'] as const;
export type VaersOutcome = (typeof vaersOutcomes)[number];

const count = z.number().int();
const outcome = z.object({
  /** The number of reports by outcome. */
  counts: z.object({ new: count, same: count, differs: count, refused: count }),
  /** Faults of the files as a whole; nothing is then read. */
  faults: z.array(fault),
  /** Reports with faults, and those that differ, in file order. */
  reports: z
    .array(
      z.object({ vaersId: z.string(), line: count, outcome: z.enum(vaersOutcomes), faults: z.array(fault) }),
    )
    .max(listedReports),
  /** The total number of these. */
  reportCount: count,
});
export type VaersAnswer = z.infer<typeof outcome>;

const body = z.strictObject({
  files: z
    .array(z.strictObject({ name: z.string().max(255), text: z.string().max(longestVaersFiles) }))
    .min(1)
    .max(vaersTables.length),
});
export type VaersFiles = z.infer<typeof body>['files'];
const path = '/api/web/incident-reports/vaers';

export const checkVaers = endpoint({
  method: 'POST',
  path: `${path}/check`,
  access: 'incident-reports/write',
  deed: 'read',
  summary: 'What would become of each report in files of VAERS; nothing is stored',
  patientData: true,
  body,
  response: outcome,
});

/** Stores only the new reports. 422 `faulty-table` if the files cannot be read. */
export const takeVaers = endpoint({
  method: 'POST',
  path,
  access: 'incident-reports/write',
  deed: 'change',
  summary: 'Take reports from files of VAERS',
  patientData: true,
  body,
  response: outcome,
});
