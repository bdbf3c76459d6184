import { visitTypes } from '@caseway/contract/case-reports';
import { type Incident, incidentGrid } from '@caseway/contract/incident-reports';
import Button from '@mui/material/Button';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { BehindChip } from '../../dashboard/BehindChip.tsx';
import { useMay } from '../../session/permissions.ts';
import { DateRangeField } from '../../ui/DateRangeField.tsx';
import { FilterBar } from '../../ui/FilterBar.tsx';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { EditIncident } from './EditIncident.tsx';
import { useIncidentWords } from './incident-words.ts';

/** The list of reports; who may write them adds one. */
export default function IncidentReports() {
  const { t } = useTranslation('incident-reports');
  const words = useIncidentWords();
  const state = useGrid(incidentGrid);
  const may = useMay();
  const { view, today } = state;
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const cells = useMemo(
    () => ({ number: (row: Incident) => <span className="mono">{row.number}</span> }),
    [],
  );
  // Once the form is gone, which would ask whether to leave it.
  if (made !== null && !adding) return <Navigate to={`/incident-reports/${made}`} />;
  const rangeFields = incidentGrid.rangeFields!;
  return (
    <Page
      fill
      title={t('list.title')}
      actions={
        may('incident-reports/write') ? (
          <Button
            variant="contained"
            startIcon={<Plus size={16} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t('edit.add')}
          </Button>
        ) : null
      }
    >
      <FilterBar
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
        values={view.filters}
        onChange={(filters) => state.setFilters(filters as Record<string, string[]>)}
        onClear={() => state.setFilters({})}
        before={
          <DateRangeField
            allDays
            value={view.range}
            defaultRange={incidentGrid.defaultRange!}
            today={today}
            onChange={state.setRange}
            by={{
              value: view.rangeField ?? rangeFields[0]!,
              options: rangeFields.map((field) => ({ value: field, label: words.column(field) })),
              onChange: state.setRangeField,
            }}
          />
        }
      />
      <BehindChip state={state} />
      <DataGrid
        grid={incidentGrid}
        state={state}
        label={t('list.title')}
        words={words}
        searchLabel={t('list.search')}
        href={(row: Incident) => `/incident-reports/${row.id}`}
        cells={cells}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      {adding ? (
        <EditIncident
          stored={null}
          onSaved={({ id }) => {
            setAdding(false);
            setMade(id);
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </Page>
  );
}
