import {
  type FieldVisit,
  fieldVisitRecord,
  visitAttempts,
  visitsOfCase,
} from '@caseway/contract/field-visits';
import { shownRecord, useRecordWords, useShownText } from '../../record/shown-record.ts';

/** Fields whose codes have the labels of another field. */
const sameWords: Readonly<Record<string, string>> = { lastOutcome: 'outcome', visitTypeFilter: 'visitType' };

/** How visits are shown. */
export const fieldVisits = shownRecord<FieldVisit>(fieldVisitRecord, {
  old: [visitsOfCase, visitAttempts.read],
  named: { patient: 'name', caseRecord: 'caseId' },
  codesOf: (field) => `field-visits:choice.${sameWords[field] ?? field}`,
});

export const useVisitWords = () => useRecordWords(fieldVisits);
export const useVisitText = (row: FieldVisit | null) => useShownText(fieldVisits)(row);

/** A name for the visit in lists and questions. */
export const whoIs = ({ name, number }: Pick<FieldVisit, 'name' | 'number'>): string => name ?? number;
