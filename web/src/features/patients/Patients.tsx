import { patientGrid } from '@caseway/contract/patients';
import { useTranslation } from 'react-i18next';
import { AddRecord } from '../../record/AddRecord.tsx';
import { RecordList } from '../../record/RecordList.tsx';
import { useMay } from '../../session/permissions.ts';
import { useAppSelector } from '../../session/store.ts';
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
    <RecordList
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
      grid={patientGrid}
      state={state}
      words={words}
      searchLabel={t('list.search')}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
      path="/patients"
    />
  );
}

/** A jurisdiction sees the people of its tenants, and enters none. */
function useMayEnter(): boolean {
  const may = useMay();
  const orgType = useAppSelector(({ authentication }) => authentication.selectedTenantOrg?.orgType);
  return may('patients/write') && orgType !== 'PHJ';
}
