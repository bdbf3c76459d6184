import {
  type CaseFollowUp,
  caseFollowUpDays,
  caseFollowUpRecord,
  followUpsOfCase,
} from '@caseway/contract/case-follow-ups';
import { shownRecord, useRecordWords } from '../../record/shown-record.ts';

/** How follow-ups of cases are shown. */
export const caseFollowUps = shownRecord<CaseFollowUp>(caseFollowUpRecord, {
  old: [followUpsOfCase, caseFollowUpDays.read],
  named: { patient: 'name', caseRecord: 'caseId' },
});

export const useCaseFollowUpWords = () => useRecordWords(caseFollowUps);
