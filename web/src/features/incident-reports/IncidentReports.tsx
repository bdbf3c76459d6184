import { type Incident, incidentGrid, incidentRecord } from '@caseway/contract/incident-reports';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { useGrid } from '../../view/use-grid.ts';
import { EditIncident } from './EditIncident.tsx';
import { ImportVaers } from './ImportVaers.tsx';
import { incidents, useIncidentWords } from './incident-words.ts';

const reports = bulkRecord(incidentRecord);

/** The list of reports; users who may write them add one. */
export default function IncidentReports() {
  const { t } = useTranslation('incident-reports');
  const words = useIncidentWords();
  const state = useGrid(incidentGrid);
  const many = useMany<Incident>(reports, state, {
    ...words,
    nameOf: ({ number }) => number,
    none: (name) => (name === 'investigator' ? t('record.nobody') : undefined),
  });
  const mayWrite = useMay()(incidentRecord.access.write);
  const [importing, setImporting] = useState(false);
  return (
    <RecordList
      actions={
        mayWrite ? (
          <Button variant="outlined" onClick={() => setImporting(true)}>
            {t('vaers.open')}
          </Button>
        ) : null
      }
      grid={incidentGrid}
      state={state}
      words={words}
      edits={incidents}
      add={{
        needs: incidentRecord.access.write,
        form: (handlers) => <EditIncident stored={null} {...handlers} />,
      }}
      {...many}
      above={importing ? <ImportVaers onClose={() => setImporting(false)} /> : null}
    />
  );
}
