import { type Contact, contactFollowUp, contactRecord, contactsOfCase } from '@caseway/contract/contacts';
import { shownRecord, useRecordWords } from '../../record/shown-record.ts';

/** How contacts are shown. */
export const contacts = shownRecord<Contact>(contactRecord, {
  old: [contactsOfCase, contactFollowUp.read],
  named: { patient: 'name', caseRecord: 'caseId', becameCase: 'becameCaseId' },
});

export const useContactWords = () => useRecordWords(contacts);
