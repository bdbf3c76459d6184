import { type PatientRow, patientGrid } from '@caseway/contract/patients';
import { useTranslation } from 'react-i18next';
import { AddRecord } from '../../record/AddRecord.tsx';
import { useMay } from '../../session/permissions.ts';
import { useAppSelector } from '../../session/store.ts';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { ListFilters } from '../../ui/grid/ListFilters.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { EditPatient } from './EditPatient.tsx';
import { usePatientWords } from './patient-words.ts';

/** The patient database: everyone of whom the reader may know. */
export default function Patients() {
  const { t } = useTranslation('patients');
  const words = usePatientWords();
  const state = useGrid(patientGrid);
  const mayEnter = useMayEnter();
  return (
    <Page
      fill
      title={t('list.title')}
      actions={
        mayEnter ? (
          <AddRecord
            label={t('edit.add')}
            path="/patients"
            form={(handlers) => <EditPatient person={null} {...handlers} />}
          />
        ) : null
      }
    >
      <ListFilters
        grid={patientGrid}
        state={state}
        filters={[
          { name: 'county', label: words.column('county'), lookup: 'counties', missing: true },
          { name: 'language', label: words.column('language'), lookup: 'languages', missing: true },
        ]}
      />
      <DataGrid
        grid={patientGrid}
        state={state}
        label={t('list.title')}
        words={words}
        searchLabel={t('list.search')}
        href={(row: PatientRow) => `/patients/${row.id}`}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
    </Page>
  );
}

/** A jurisdiction sees the people of its tenants, and enters none. */
function useMayEnter(): boolean {
  const may = useMay();
  const orgType = useAppSelector(({ authentication }) => authentication.selectedTenantOrg?.orgType);
  return may('patients/write') && orgType !== 'PHJ';
}
