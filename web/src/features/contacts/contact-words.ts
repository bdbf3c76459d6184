import { type Contact, contactFollowUp, contactRecord, contactsOfCase } from '@caseway/contract/contacts';
import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordText } from '../../record/use-record-text.ts';
import type { GridWords } from '../../ui/grid/values.tsx';

export const contact = anyRecord(contactRecord);
const { endpoints } = contactRecord;
/** What a change of a contact makes old. */
export const oldContacts = [
  endpoints.read,
  endpoints.history,
  endpoints.search,
  contactsOfCase,
  contactFollowUp.read,
  readTimeline,
];

/** How the fields and codes of a contact are called. */
export function useContactWords(): Required<GridWords> {
  const { t } = useTranslation('contacts');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) =>
        t(`choice.${field}.${code}`, { defaultValue: t('common:label.unknown.other') }),
    }),
    [t],
  );
}

/** A value of a contact in words; who and which case are named as far as the contact itself says. */
export function useContactText(row: Contact | null): (name: string, value: unknown) => string {
  const { t } = useTranslation('contacts');
  const text = useRecordText(contact, useContactWords());
  return (name, value) => {
    if (!value) return text(name, value);
    if (name === 'patient') return (value === row?.patient && row.name) || t('record.otherPerson');
    if (name === 'caseRecord') return row?.caseId ?? '';
    if (name === 'becameCase')
      return (value === row?.becameCase && row.becameCaseId) || t('record.otherCase');
    return text(name, value);
  };
}
