/**
 * Findings of an investigation that a rule may require: signs, links, treatment, the mother. None is recorded yet,
 * so they are unknown everywhere. They are passed to `decide` under these codes.
 */
export const factCodes = [
  // Signs and findings of the clinician
  'primary-lesion',
  'secondary-signs',
  'painful-ulcer',
  'herpes-excluded',
  'hepatitis-signs',
  'acute-cough',
  'cough-two-weeks',
  'pertussis-sign',
  'febrile-rash',
  'measles-clinical',
  'mumps-clinical',
  'varicella-clinical',
  'pneumonia',
  'meningococcal-clinical',
  'rabies-clinical',
  'diarrheal-illness',
  'erythema-migrans',
  'lyme-manifestation',
  'lyme-likely-sign',
  'mpox-rash',
  'tb-clinical',
  'covid-clinical',
  'congenital-signs',
  // Links and exposure
  'link-confirmed-case',
  'contact-confirmed-case',
  'mpox-exposure',
  'tick-exposure',
  'syphilis-partner-early',
  'sexual-debut-year',
  'syphilis-symptoms-year',
  // The mother
  'mother-untreated',
  'mother-hbv',
  // Judgment, treatment, other sources
  'other-diagnosis-excluded',
  'not-vaccine-rash',
  'culture-not-possible',
  'hiv-documented',
  'death-certificate',
] as const;
export type FactCode = (typeof factCodes)[number];
