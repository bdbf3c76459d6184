import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/*
 * Reports from the three tables of a VAERS data set. A check reads them and stores nothing; what has no field of ours is
 * kept with the report as it was received.
 */

export const vaersTables = ['data', 'vaccines', 'symptoms'] as const;
/** How a report is numbered, in VAERS or here. */
export const vaersNumber = /^[A-Za-z0-9-]{1,20}$/;
/** Reports that are taken at once. */
export const mostVaersReports = 10_000;
/** Letters of all tables together: 1,200 of each report, which in files of recent years has about a thousand. */
export const longestVaersFiles = 1200 * mostVaersReports;
/** Letters of a cell, which is as long as the longest text of a report; and of the heading of a column. */
export const longestVaersCell = 32_000;
export const longestVaersHeading = 60;
/** So many reports with something to look at are listed; how many there are is said. */
export const listedReports = 200;

/** What keeps all files from being read. */
const fileProblems = [
  'no-table',
  'table-twice',
  'no-data',
  'no-vaccines',
  'no-symptoms',
  'unreadable',
  'too-many',
] as const;
/** What keeps one report, or a row of it, from being taken. */
const rowProblems = [
  'no-number',
  'number',
  'repeated',
  'cells',
  'too-long',
  'no-report',
  'day-of-receipt',
] as const;
/** What no field of ours takes as it is: it is kept as received. */
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
  /** The name of the file; empty where no file has it. */
  file: z.string(),
  /** As an editor numbers it; the heading is the first. */
  line: z.number().int().nullable(),
  column: z.string().nullable(),
  code: z.enum(vaersProblems),
});
export type VaersFault = z.infer<typeof fault>;

/** `same`: it is here already. `differs`: it is here, and the file says something else of it; it stays as it is here. */
export const vaersOutcomes = ['new', 'same', 'differs', 'refused'] as const;
export type VaersOutcome = (typeof vaersOutcomes)[number];

const count = z.number().int();
const outcome = z.object({
  /** How many reports have each outcome. */
  counts: z.object({ new: count, same: count, differs: count, refused: count }),
  /** What is wrong with the files as a whole: then nothing is read. */
  faults: z.array(fault),
  /** The reports with faults, and those that differ, in the order of the file. */
  reports: z
    .array(
      z.object({ vaersId: z.string(), line: count, outcome: z.enum(vaersOutcomes), faults: z.array(fault) }),
    )
    .max(listedReports),
  /** How many there are of them. */
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

/** Stores the reports that are new, and none of the others. 422 `faulty-table` if the files cannot be read. */
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
