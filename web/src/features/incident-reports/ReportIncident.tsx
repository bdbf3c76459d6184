import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { useMay } from '../../session/permissions.ts';
import { EditIncident } from './EditIncident.tsx';

/** Writes a report about a person, from their record; nothing for people who may not write reports. */
export function ReportIncident({ about }: { about: { id: string; label: string } }) {
  const { t } = useTranslation('incident-reports');
  const may = useMay();
  const [writing, setWriting] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  if (!may('incident-reports/write')) return null;
  // Once the form is gone, which would ask whether to leave it.
  if (made !== null && !writing) return <Navigate to={`/incident-reports/${made}`} />;
  return (
    <>
      <Button variant="outlined" onClick={() => setWriting(true)}>
        {t('edit.add')}
      </Button>
      {writing ? (
        <EditIncident
          stored={null}
          about={about}
          onSaved={({ id }) => {
            setWriting(false);
            setMade(id);
          }}
          onClose={() => setWriting(false)}
        />
      ) : null}
    </>
  );
}
