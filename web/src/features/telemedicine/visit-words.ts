import { type TelemedicineVisit, telemedicineRecord, telemedicineRoom } from '@caseway/contract/telemedicine';
import { shownRecord, useRecordWords, useShownText } from '../../record/shown-record.ts';

/** How visits are shown. */
export const visits = shownRecord<TelemedicineVisit>(telemedicineRecord, {
  old: [telemedicineRoom],
  named: { patient: 'name', caseRecord: 'caseId' },
});

export const useVisitWords = () => useRecordWords(visits);
export const useVisitText = (row: TelemedicineVisit | null) => useShownText(visits)(row);

/** A name for the visit in lists and questions. */
export const whose = ({ name, number }: Pick<TelemedicineVisit, 'name' | 'number'>): string => name ?? number;
