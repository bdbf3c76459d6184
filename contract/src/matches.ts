// Pairs of records that may be the same person.
import { z } from 'zod';
import { day } from './date-range.ts';
import { endpoint } from './endpoint.ts';
import { listPage } from './imports.ts';

const id = z.uuid();
const count = z.number().int();
const instant = z.iso.datetime();

export const matchParts = [
  'identifier',
  'lastName',
  'firstName',
  'middleName',
  'suffix',
  'birthDate',
  'age',
  'sex',
  'phone',
  'address',
] as const;
export type MatchPart = (typeof matchParts)[number];

const text = z.string().nullable();
const matchPerson = z.object({
  id,
  lastName: text,
  firstName: text,
  middleName: text,
  suffix: text,
  otherNames: z.array(z.string()),
  birthDate: day.nullable(),
  /** If only an age is known: the first and last possible birth date. */
  bornFrom: day.nullable(),
  bornTo: day.nullable(),
  sex: text,
  phones: z.array(z.string()),
  street: text,
  city: text,
  state: text,
  postalCode: text,
  identifiers: z.array(z.object({ kind: z.string(), assigner: z.string(), value: z.string() })),
  results: count,
  cases: count,
  createdAt: instant,
});
export type MatchPerson = z.infer<typeof matchPerson>;

/**
 * The values for which a merge must choose one if they differ. Of everything else the merged record keeps
 * both.
 */
export const keptValues = ['name', 'birth', 'sex', 'address'] as const;
export type KeptValue = (typeof keptValues)[number];
const sides = z.enum(['older', 'newer']);
export type MatchSide = z.infer<typeof sides>;

/** The parts of a comparison that make up a value. */
export const partsOfValue: Readonly<Record<KeptValue, readonly MatchPart[]>> = {
  name: ['lastName', 'firstName', 'middleName', 'suffix'],
  birth: ['birthDate', 'age'],
  sex: ['sex'],
  address: ['address'],
};

export const patientMatch = z.object({
  id,
  state: z.enum(['open', 'same', 'different']),
  /** 0 to 1. */
  score: z.number(),
  /** How well each compared part agrees: 1 fully, 0 not at all; absent if one of them lacks it. */
  parts: z.partialRecord(z.enum(matchParts), z.number()),
  /** The newer record. */
  patient: matchPerson,
  /** The older record, which remains after a merge. */
  candidate: matchPerson,
  /** Whose values a merge keeps by default. */
  kept: z.record(z.enum(keptValues), sides),
  /** For `same`: what of the newer record the merge moved, as far as the reader sees it. */
  moved: z.object({ results: count, cases: count }).nullable(),
  createdAt: instant,
  decidedAt: instant.nullable(),
  /** Null if undecided, or if that person is no longer known. */
  decidedBy: text,
});
export type PatientMatch = z.infer<typeof patientMatch>;

export const listMatches = endpoint({
  method: 'GET',
  path: '/api/web/patient-matches',
  access: 'patients/merge',
  deed: 'search',
  feature: 'imports',
  summary: 'Pairs of patients that may be one person; the likeliest first',
  patientData: true,
  query: z.strictObject({
    state: z.enum(['open', 'same', 'different']).default('open'),
    page: listPage,
  }),
  response: z.object({ rows: z.array(patientMatch), rowCount: count }),
});

/**
 * `same`: everything of the newer record moves to the older one, and can be moved back; `values` says whose
 * name, birth date, sex and address to keep, where not as in `kept`. `different`: they stay two people.
 * `open`: undoes the decision and the merge. 409 if the pair is in the wrong state for it.
 */
export const decideMatch = endpoint({
  method: 'POST',
  path: '/api/web/patient-matches/:id',
  access: 'patients/merge',
  deed: 'change',
  feature: 'imports',
  summary: 'Say whether two patients are one person',
  patientData: true,
  params: z.strictObject({ id }),
  body: z.discriminatedUnion('decision', [
    z.strictObject({
      decision: z.literal('same'),
      values: z.partialRecord(z.enum(keptValues), sides).default({}),
    }),
    z.strictObject({ decision: z.enum(['different', 'open']) }),
  ]),
  response: patientMatch,
});
