import { telemedicineRecord } from '@caseway/contract/telemedicine';
import { useTranslation } from 'react-i18next';
import { AddRecord } from '../../record/AddRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { EditVisit } from './EditVisit.tsx';

/** Books a visit for a person, from their record or a case; nothing for users who may not book visits. */
export function BookVisit({ about }: { about: { id: string; label: string; caseId?: string } }) {
  const { t } = useTranslation('telemedicine');
  if (!useMay()(telemedicineRecord.access.write)) return null;
  return (
    <AddRecord
      aside
      label={t('edit.add')}
      path="/telemedicine"
      form={(handlers) => <EditVisit stored={null} about={about} {...handlers} />}
    />
  );
}
