import {
  type FieldVisit,
  fieldVisitRecord,
  visitAttempts,
  visitsOfCase,
} from '@caseway/contract/field-visits';
import { shownRecord, useRecordWords, useShownText } from '../../record/shown-record.ts';

/** The field whose words the codes of another one have. */
const sameWords: Readonly<Record<string, string>> = { lastOutcome: 'outcome', visitTypeFilter: 'visitType' };

/** How visits are shown. */
export const fieldVisits = shownRecord<FieldVisit>(fieldVisitRecord, {
  old: [visitsOfCase, visitAttempts.read],
  named: { patient: 'name', caseRecord: 'caseId' },
  codesOf: (field) => `field-visits:choice.${sameWords[field] ?? field}`,
});

export const useVisitWords = () => useRecordWords(fieldVisits);
export const useVisitText = (row: FieldVisit | null) => useShownText(fieldVisits)(row);

/** Who it is, in any list or question. */
export const whoIs = ({ name, number }: Pick<FieldVisit, 'name' | 'number'>): string => name ?? number;
