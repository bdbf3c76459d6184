import { loincCheckDigitValid, snomedCheckDigitValid } from '@caseway/contract/codes';
import { z } from 'zod';
import { type AnalyteKind, analyteKinds } from './analyte.ts';

export type { AnalyteKind };

/**
 * The shapes of the files in server/seeds/reference. Types come from here. The tests in this folder check the files
 * against these schemas; the server does not at its start.
 */

const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const loinc = z.string().refine(loincCheckDigitValid, { error: 'wrong LOINC check digit' });
const snomed = z.string().refine(snomedCheckDigitValid, { error: 'wrong SNOMED CT check digit' });

/** Every entry has Spanish and Haitian Creole, and British English if it differs. */
const labels = {
  label: z.string().min(1),
  labelI18N: z.strictObject({
    es: z.string().min(1),
    ht: z.string().min(1),
    'en-GB': z.string().min(1).optional(),
  }),
};

export const diseaseCategory = z.strictObject({ code: slug, ...labels });
export type DiseaseCategory = z.infer<typeof diseaseCategory>;

/** A family is restricted if its records are open only to staff who were given that family by name. */
export const diseaseFamily = z.strictObject({
  code: slug,
  category: slug,
  ...labels,
  restricted: z.boolean(),
});
export type DiseaseFamily = z.infer<typeof diseaseFamily>;

export const classification = z.enum(['suspect', 'probable', 'confirmed', 'not_a_case', 'unknown']);
export type Classification = z.infer<typeof classification>;

export const condition = z
  .strictObject({
    code: slug,
    family: slug,
    ...labels,
    /** The event code of the National Notifiable Diseases Surveillance System. */
    nndssCode: z
      .string()
      .regex(/^\d{5}$/)
      .optional(),
    snomedCode: snomed.optional(),
    /** The classifications of the case definition, with `not_a_case` and `unknown`. */
    classifications: z.array(classification).min(3),
    /** A later positive within this many days belongs to the same case; null: a person has the condition once. */
    reReportDays: z.number().int().positive().nullable(),
    /** Where the window comes from: a CSTE position statement, a CSTE case definition, or a choice of Caseway. */
    reReportBasis: z.string().regex(/^(caseway|CSTE( \d{2}-ID-\d{2})?)$/),
    /** How many days after the last exposure contacts are followed up; absent: the investigator sets the last day. */
    followUpDays: z.number().int().positive().max(366).optional(),
    followUpBasis: z.string().min(1).optional(),
    /** How many days after the onset a case isolates; absent: the investigator sets the last day of its follow-up. */
    isolationDays: z.number().int().positive().max(366).optional(),
    isolationBasis: z.string().min(1).optional(),
  })
  .refine((one) => (one.followUpDays === undefined) === (one.followUpBasis === undefined), {
    error: 'days of follow-up have a source',
  })
  .refine((one) => (one.isolationDays === undefined) === (one.isolationBasis === undefined), {
    error: 'days of isolation have a source',
  });
export type Condition = z.infer<typeof condition>;

export const testMethod = z.enum([
  'naat',
  'culture',
  'antigen',
  'antigen-antibody',
  'antibody',
  'antibody-igm',
  'antibody-igg',
  'confirmatory-antibody',
  /** One band of an immunoblot: not a result by itself. */
  'antibody-band',
  'nontreponemal',
  'treponemal',
  'viral-load',
  'genotype',
  'microscopy',
  'toxin',
  'resistance',
  'igra',
  'screening',
  'quantity',
  'susceptibility',
  'panel',
  'question',
  'narrative',
  /** A control of the specimen or the assay, not a finding about the patient. */
  'control',
  /** Chemistry, blood counts, urinalysis, comments: stored with a person's results, and never positive or negative. */
  'routine',
]);
export type TestMethod = z.infer<typeof testMethod>;

export const laboratoryTest = z.strictObject({
  loinc,
  component: z.string().min(1),
  family: slug.optional(),
  condition: slug.optional(),
  method: testMethod,
  /** LOINC scale: quantitative, ordinal, nominal, narrative; `-` for a panel. */
  scale: z.enum(['Qn', 'Ord', 'Nom', 'Nar', '-']),
  titer: z.literal(true).optional(),
  /** A number from here on is positive, if it has this unit (UCUM). */
  positiveFrom: z.strictObject({ number: z.number(), unit: z.string() }).optional(),
  /** Reported together with one of these, the test is a part of a supplemental test and not a screen. */
  supplementalWith: z.array(loinc).min(1).optional(),
  /** The specimen's site if the code itself fixes it; a code of `specimenSite`. */
  site: slug.optional(),
});
export type LaboratoryTest = z.infer<typeof laboratoryTest>;

/**
 * Everyday laboratory tests that show no disease of the catalog. A code has to be here, or be declared routine in
 * the queue, before its results are stored without review.
 */
export const routineTest = z.strictObject({
  loinc,
  /** `susceptibility`: the drugs that work against an organism, reported with the culture that found it. */
  kind: z.enum(['chemistry', 'haematology', 'urinalysis', 'blood-bank', 'comment', 'susceptibility']),
  /** For reviewers; a result keeps the name from its sender. */
  component: z.string().min(1),
});
export type RoutineTest = z.infer<typeof routineTest>;

export const resultCategory = z.enum([
  'positive',
  'negative',
  'presumptive-positive',
  'weak-positive',
  'inconclusive',
  'indeterminate',
  'equivocal',
  'invalid',
  'unsatisfactory',
  'pending',
  'not-done',
  // For a number, or for words that are neither positive nor negative; never read from an answer.
  'quantitative',
]);
export type ResultCategory = z.infer<typeof resultCategory>;

export const resultCategoryEntry = z.strictObject({
  code: resultCategory,
  ...labels,
  kind: z.enum(['category', 'status']),
  /** Its place in positivity = positive ÷ (positive + negative). Source: Healthy People STD-1.1. */
  positivity: z.enum(['positive', 'negative', 'outside']),
  snomedCode: snomed.optional(),
});
export type ResultCategoryEntry = z.infer<typeof resultCategoryEntry>;

/** The status of a result, with the codes of HL7 tables 0085 (OBX-11) and 0123 (OBR-25) that mean it. */
export const resultStatus = z.strictObject({
  code: slug,
  ...labels,
  hl70085: z.array(z.string().length(1)),
  hl70123: z.array(z.string().length(1)),
});
export type ResultStatus = z.infer<typeof resultStatus>;

export const resultCode = z.strictObject({
  system: z.enum(['SCT', 'LN', 'HL70078']),
  code: z.string().min(1),
  category: resultCategory,
  meaning: z.string(),
});
export type ResultCode = z.infer<typeof resultCode>;

/**
 * Words that mean a category, in the order in which they are applied: a phrase that matched uses up its words, so
 * "not detected" is removed before "detected" is searched for. `…` is a gap of up to ten words of the same sentence,
 * `*` any ending. Written without accents and in lower case.
 */
export const resultWords = z.strictObject({
  category: resultCategory,
  language: z.enum(['en', 'es', 'fr', 'ht']),
  phrases: z.array(z.string().regex(/^[a-z0-9…* ]+$/)).min(1),
});
export type ResultWords = z.infer<typeof resultWords>;

export const organism = z.strictObject({
  snomedCode: snomed,
  name: z.string().min(1),
  family: slug.optional(),
  condition: slug.optional(),
  /** If found elsewhere than at a normally sterile site, it is carriage, not a case. */
  sterileSiteOnly: z.literal(true).optional(),
  otherNames: z.array(z.string()).optional(),
});
export type Organism = z.infer<typeof organism>;

export const caseRule = z
  .strictObject({
    condition: slug.optional(),
    family: slug.optional(),
    methods: z.array(testMethod).min(1),
    categories: z.array(resultCategory).min(1),
    classification,
    /** The condition of the case; absent: the condition that the test or organism names. */
    opens: slug.optional(),
    sterileSiteOnly: z.literal(true).optional(),
    /** The case definition also requires signs or exposure, which an investigator has to establish. */
    clinicalCriteria: z.literal(true).optional(),
    /** Methods that refute the finding when they are negative within a week of it. */
    refutedBy: z.array(testMethod).min(1).optional(),
    basis: z.string().regex(/^(caseway|CSTE( \d{2}-ID-\d{2})?)$/),
  })
  .refine((rule) => (rule.condition === undefined) !== (rule.family === undefined), { error: 'one target' });
export type CaseRule = z.infer<typeof caseRule>;

/** The meaning of a test's answer, for the words that explain it. */
export const explainedAnswers = [
  'positive',
  'negative',
  'presumptive',
  'unclear',
  'invalid',
  'pending',
  'not-done',
  'number',
  /** Too little to be counted: a viral load `<20`. */
  'below',
  /** So high that it is urgent. */
  'number-very-high',
  'number-high',
  'number-low',
  'number-within',
] as const;
export type ExplainedAnswer = (typeof explainedAnswers)[number];

/**
 * The reviewed table of the words that explain results to patients: which words a test gets for a condition and an
 * answer. The words themselves are in the locale `explanations`, by the row's key. [P26]
 */
export const patientWords = z.strictObject({
  /** Who has to sign the words before they are used for real patients. */
  signer: z.strictObject(labels),
  /**
   * Who signed. `words` is the hash of the table and its words at that time, so that a word changed later is not
   * signed.
   */
  reviewed: z
    .strictObject({ by: z.string().min(1), on: z.iso.date(), words: z.string().regex(/^[0-9a-f]{64}$/) })
    .nullable(),
  sources: z.record(
    slug,
    z.strictObject({
      title: z.string().min(1),
      url: z.url().nullable(),
      /** When the source was last changed; null: check it at signing. */
      updated: z.iso.date().nullable(),
    }),
  ),
  /** The first row that fits counts. A property that a row leaves out fits anything. */
  rows: z.array(
    z.strictObject({
      key: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/),
      families: z.array(slug).min(1).optional(),
      /** The condition of the result; null: it names none. */
      conditions: z.array(slug.nullable()).min(1).optional(),
      kinds: z.array(z.enum(analyteKinds)).min(1).optional(),
      answers: z.array(z.enum(explainedAnswers)).min(1),
      sources: z.array(slug).min(1),
    }),
  ),
});
export type PatientWords = z.infer<typeof patientWords>;

/** One entry of a demographic or clinical code list, with its codes in other systems and its spellings. */
export const listEntry = z.strictObject({
  code: z.string().min(1),
  ...labels,
  codings: z.array(z.strictObject({ system: z.string().min(1), code: z.string().min(1) })),
  aliases: z.array(z.string().min(1)),
});
export type ListEntry = z.infer<typeof listEntry>;

export const demographicLists = z.strictObject({
  sexAtBirth: z.array(listEntry),
  genderIdentity: z.array(listEntry),
  sexualOrientation: z.array(listEntry),
  race: z.array(listEntry),
  ethnicity: z.array(listEntry),
  preferredLanguage: z.array(listEntry),
  pregnancyStatus: z.array(listEntry),
  taskCategory: z.array(listEntry),
  specimenSite: z.array(listEntry),
  vaccineAdverseReaction: z.array(listEntry),
  classification: z.array(listEntry),
});
export type DemographicLists = z.infer<typeof demographicLists>;
export type ListName = keyof DemographicLists;

/** A band of ages in whole years, `fromYears` included, `toYears` not; both null for an unknown age. */
export const ageBand = z.strictObject({
  code: z.string().min(1),
  ...labels,
  fromYears: z.number().int().nullable(),
  toYears: z.number().int().nullable(),
});
export type AgeBand = z.infer<typeof ageBand>;

export const specimenType = z.strictObject({
  code: slug,
  ...labels,
  snomedCode: snomed,
  /** Codes of HL7 tables 0487 (SPM-4) and 0070 (OBR-15). */
  hl7Codes: z.array(z.string()).optional(),
  /** A code of `specimenSite`. */
  site: z.string(),
  /** Whether it comes from a normally sterile site. */
  sterile: z.boolean(),
  aliases: z.array(z.string()),
});
export type SpecimenType = z.infer<typeof specimenType>;
