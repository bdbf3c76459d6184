import { useTranslation } from 'react-i18next';
import { AddRecord } from '../../record/AddRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { EditIncident } from './EditIncident.tsx';

/** Creates a report about a person, from their record; nothing for users who may not write reports. */
export function ReportIncident({ about }: { about: { id: string; label: string } }) {
  const { t } = useTranslation('incident-reports');
  const may = useMay();
  if (!may('incident-reports/write')) return null;
  return (
    <AddRecord
      aside
      label={t('edit.add')}
      path="/incident-reports"
      form={(handlers) => <EditIncident stored={null} about={about} {...handlers} />}
    />
  );
}
