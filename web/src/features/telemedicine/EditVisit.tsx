import type { TelemedicineVisit } from '@caseway/contract/telemedicine';
import { useTranslation } from 'react-i18next';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { visits } from './visit-words.ts';

/** Requests a visit for a person, or changes one; the time is booked on the visit itself. */
export function EditVisit({
  stored,
  about,
  ...handlers
}: FormHandlers<TelemedicineVisit> & {
  /** Null for a new one. */
  stored: TelemedicineVisit | null;
  /** The person a new one is about, and their case, if known. */
  about?: { id: string; label: string; caseId?: string };
}) {
  const { t } = useTranslation('telemedicine');
  return (
    <RecordForm
      of={visits}
      stored={stored}
      preset={about ? { patient: about.id, ...(about.caseId && { caseRecord: about.caseId }) } : {}}
      chosen={about}
      submit={t('edit.next')}
      {...handlers}
    />
  );
}
