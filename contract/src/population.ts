import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { populationKinds } from './measure.ts';

/*
 * The denominators of rates: residents or live births by county and year. A tenant imports a table, in which
 * each year replaces what was stored for it.
 */

/** The most characters. All tables and years of residents of a state are several hundred thousand lines. */
export const longestTable = 10_000_000;
/** At most this many faults are listed; the total is also given. */
export const listedFaults = 100;

const kind = z.enum(populationKinds);
const year = z.number().int().min(1900).max(2199);
/** Trimmed and never empty: a rate is not shown without its source. */
const said = z.string().trim().min(1).max(200);

export const populationProblems = [
  'no-county-column',
  'no-year-column',
  'no-number-column',
  'unreadable',
  'too-many-lines',
  'unknown-county',
  'unknown-year',
  'unknown-sex',
  'unknown-age',
  'no-number',
  'not-a-number',
  'repeated',
  'ages-overlap',
  'ages-incomplete',
  'one-sex',
] as const;
export type PopulationProblem = (typeof populationProblems)[number];

const populationFault = z.object({
  /** As a spreadsheet numbers it; the header is line 1. */
  line: z.number().int(),
  /** Absent for a fault of the whole line or file. */
  column: z.string().optional(),
  value: z.string().optional(),
  code: z.enum(populationProblems),
});
export type PopulationFault = z.infer<typeof populationFault>;

const source = z.object({
  publisher: z.string(),
  title: z.string(),
  /** The year of publication. */
  published: z.number().int(),
});
const counted = z.object({
  year: z.number().int(),
  counties: z.number().int(),
  people: z.number().int(),
  /** Whether women and men are counted separately. */
  bySex: z.boolean(),
  /** The smallest number of age groups; 1 if all ages are together. */
  ages: z.number().int(),
});

export const populationYear = counted.extend({
  ...source.shape,
  kind,
  importedAt: z.iso.datetime(),
  importedBy: z.string().nullable(),
});
export type PopulationYear = z.infer<typeof populationYear>;

/** A summary of a table before the import. */
export const populationPreview = z.object({
  lines: z.number().int(),
  faults: z.array(populationFault).max(listedFaults),
  faultCount: z.number().int(),
  /** Numbers that stand for years in Census Bureau tables; those without a year are skipped. */
  yearCodes: z.array(z.string()),
  years: z.array(counted.extend({ replaces: source.nullable() })),
});
export type PopulationPreview = z.infer<typeof populationPreview>;

const table = z.strictObject({
  kind,
  text: z.string().max(longestTable),
  /** The year of each number. */
  yearCodes: z.record(z.string().max(20), year).default({}),
  /** Skip lines of unknown counties. */
  leaveOutUnknown: z.boolean().default(false),
});
export type PopulationTableBody = z.infer<typeof table>;
const imported = z.object({ years: z.array(populationYear) });
const path = '/api/web/settings/population';

export const readPopulation = endpoint({
  method: 'GET',
  path,
  access: 'settings/write',
  deed: 'read',
  summary: 'Of how many people rates are: what the tenant has imported',
  response: imported,
});

export const previewPopulation = endpoint({
  method: 'POST',
  path: `${path}/preview`,
  access: 'settings/write',
  deed: 'read',
  summary: 'What a table of the population says, and what is wrong with it; nothing is stored',
  body: table,
  response: populationPreview,
});

/**
 * Refused with `faulty-table` if any line is wrong. Each year of the table replaces what was stored for it.
 */
export const importPopulation = endpoint({
  method: 'POST',
  path,
  access: 'settings/write',
  deed: 'administration',
  summary: 'Import a table of the population',
  body: table.extend({ publisher: said, title: said, published: year }),
  response: imported,
});

export const deletePopulation = endpoint({
  method: 'DELETE',
  path: `${path}/:kind/:year`,
  access: 'settings/write',
  deed: 'administration',
  summary: 'Delete the population of a year',
  params: z.strictObject({ kind, year: z.coerce.number().int().min(1900).max(2199) }),
  response: imported,
});
