import { visitTypes } from '@caseway/contract/case-reports';
import { type Incident, incidentGrid, incidentRecord } from '@caseway/contract/incident-reports';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BehindChip } from '../../dashboard/BehindChip.tsx';
import { AddRecord } from '../../record/AddRecord.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { GridRange } from '../../ui/grid/GridRange.tsx';
import { ListFilters } from '../../ui/grid/ListFilters.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { EditIncident } from './EditIncident.tsx';
import { ImportVaers } from './ImportVaers.tsx';
import { useIncidentWords } from './incident-words.ts';

const reports = bulkRecord(incidentRecord);

/** The list of reports; who may write them adds one. */
export default function IncidentReports() {
  const { t } = useTranslation('incident-reports');
  const words = useIncidentWords();
  const state = useGrid(incidentGrid);
  const many = useMany<Incident>(reports, state, {
    ...words,
    nameOf: ({ number }) => number,
    none: (name) => (name === 'investigator' ? t('record.nobody') : undefined),
  });
  const may = useMay();
  const [importing, setImporting] = useState(false);
  const cells = useMemo(
    () => ({ number: (row: Incident) => <span className="mono">{row.number}</span> }),
    [],
  );
  return (
    <Page
      fill
      title={t('list.title')}
      actions={
        may('incident-reports/write') ? (
          <>
            <Button variant="outlined" onClick={() => setImporting(true)}>
              {t('vaers.open')}
            </Button>
            <AddRecord
              label={t('edit.add')}
              path="/incident-reports"
              form={(handlers) => <EditIncident stored={null} {...handlers} />}
            />
          </>
        ) : null
      }
    >
      <ListFilters
        grid={incidentGrid}
        state={state}
        filters={[
          { name: 'programFilter', label: t('filters.program'), lookup: 'programs', missing: true },
          { name: 'locationFilter', label: t('filters.location'), lookup: 'facilities', missing: true },
          {
            name: 'visitTypeFilter',
            label: t('filters.visitType'),
            options: visitTypes.map((id) => ({ id, label: words.choice('visitType', id) })),
            missing: true,
          },
          {
            name: 'diseaseFamilyFilter',
            label: t('filters.diseaseFamily'),
            lookup: 'diseaseFamilies',
            missing: true,
          },
        ]}
        before={<GridRange grid={incidentGrid} state={state} label={words.column} />}
      />
      <BehindChip state={state} />
      {importing ? <ImportVaers onClose={() => setImporting(false)} /> : null}
      <DataGrid
        grid={incidentGrid}
        state={state}
        label={t('list.title')}
        words={words}
        searchLabel={t('list.search')}
        href={(row: Incident) => `/incident-reports/${row.id}`}
        cells={cells}
        {...many}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
    </Page>
  );
}
