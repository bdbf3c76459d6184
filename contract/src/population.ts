import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { populationKinds } from './measure.ts';

/*
 * Of how many people rates are: residents or live births by county, of a year. A tenant imports a table of them, in which
 * each year replaces what there was of it.
 */

/** Residents of all tables and years of a state are some hundred thousand lines. */
export const longestTable = 10_000_000;
/** So many faults are listed; how many there are is said. */
export const listedFaults = 100;

const kind = z.enum(populationKinds);
const year = z.number().int().min(1900).max(2199);
/** Trimmed, and never empty: a rate without its source is not shown. */
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
  /** As a spreadsheet numbers it; the header is the first. */
  line: z.number().int(),
  /** Absent where the whole line or file is meant. */
  column: z.string().optional(),
  value: z.string().optional(),
  code: z.enum(populationProblems),
});
export type PopulationFault = z.infer<typeof populationFault>;

const source = z.object({
  publisher: z.string(),
  title: z.string(),
  /** The year of the publication. */
  published: z.number().int(),
});
const counted = z.object({
  year: z.number().int(),
  counties: z.number().int(),
  people: z.number().int(),
  /** Whether women and men are counted apart. */
  bySex: z.boolean(),
  /** How many groups of ages there are at least; 1 if all ages are together. */
  ages: z.number().int(),
});

export const populationYear = counted.extend({
  ...source.shape,
  kind,
  importedAt: z.iso.datetime(),
  importedBy: z.string().nullable(),
});
export type PopulationYear = z.infer<typeof populationYear>;

/** What a table says before it is imported. */
export const populationPreview = z.object({
  lines: z.number().int(),
  faults: z.array(populationFault).max(listedFaults),
  faultCount: z.number().int(),
  /** Numbers that stand for years, as the Census Bureau has them; those without a year are left out. */
  yearCodes: z.array(z.string()),
  years: z.array(counted.extend({ replaces: source.nullable() })),
});
export type PopulationPreview = z.infer<typeof populationPreview>;

const table = z.strictObject({
  kind,
  text: z.string().max(longestTable),
  /** The year that each number stands for. */
  yearCodes: z.record(z.string().max(20), year).default({}),
  /** Lines of counties that are not known are left out. */
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

/** Refused with `faulty-table` if a line of it is wrong. Each year of the table replaces what there was of it. */
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
