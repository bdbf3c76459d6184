import type { visitTypes } from '@caseway/contract/case-reports';
import { foldWords } from '../../platform/text/fold.ts';

export type VisitType = (typeof visitTypes)[number];

/**
 * PV1-2, patient class: HL7 table 0004, and the ActEncounterCodes that newer senders use. N (not applicable) and U
 * (unknown) are empty.
 */
const ofPatientClass: Readonly<Record<string, VisitType>> = {
  ...Object.fromEntries(
    ['E', 'I', 'O', 'P', 'R', 'B', 'C', 'AMB', 'EMER', 'IMP', 'ACUTE', 'NONAC', 'OBSENC', 'PRENC', 'SS'].map(
      (code) => [code, 'clinic' as const],
    ),
  ),
  FLD: 'field',
  HH: 'field',
  VR: 'telemedicine',
};

/** Where a person was seen, from the class of the visit; null if it does not say. */
export const visitTypeOfClass = (patientClass: string | undefined): VisitType | null =>
  ofPatientClass[patientClass ?? ''] ?? null;

const words: readonly (readonly [VisitType, RegExp])[] = [
  ['telemedicine', /\b(?:telemedicine|telehealth|virtual|video|telemedicina|telesalud|telemedsin)\b/],
  ['field', /\b(?:field|home|outreach|street|mobile|terreno|domicilio|campo|lakay|teren)\b/],
  [
    'clinic',
    /\b(?:clinic|office|in ?person|hospital|emergency|inpatient|outpatient|clinica|consultorio|klinik)\b/,
  ],
];

/** Where a person was seen, in the words of a table; null for unknown words. */
export function visitTypeOfWords(text: string | undefined): VisitType | null {
  if (text === undefined) return null;
  const folded = foldWords(text);
  return words.find(([, said]) => said.test(folded))?.[0] ?? visitTypeOfClass(text.trim().toUpperCase());
}
