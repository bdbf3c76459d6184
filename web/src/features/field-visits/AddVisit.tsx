import { fieldVisitRecord } from '@caseway/contract/field-visits';
import { useTranslation } from 'react-i18next';
import { AddRecord } from '../../record/AddRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { EditVisit, type VisitAbout } from './EditVisit.tsx';

/** Adds a visit to a person, from their record; nothing for users who may not write visits. */
export function AddVisit({ about }: { about: VisitAbout }) {
  const { t } = useTranslation('field-visits');
  if (!useMay()(fieldVisitRecord.access.write)) return null;
  return (
    <AddRecord
      aside
      label={t('edit.add')}
      path="/field-visits"
      form={(handlers) => <EditVisit stored={null} about={about} {...handlers} />}
    />
  );
}
