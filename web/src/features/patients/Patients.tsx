import { patientGrid } from '@caseway/contract/patients';
import { RecordList } from '../../record/RecordList.tsx';
import { useRecordWords } from '../../record/shown-record.ts';
import { useAppSelector } from '../../session/store.ts';
import { useGrid } from '../../view/use-grid.ts';
import { EditPatient } from './EditPatient.tsx';
import { people } from './patient-words.ts';

/** The patient database. A jurisdiction sees the people of its tenants, but adds none. */
export default function Patients() {
  const state = useGrid(patientGrid);
  const orgType = useAppSelector(({ authentication }) => authentication.selectedTenantOrg?.orgType);
  return (
    <RecordList
      grid={patientGrid}
      state={state}
      words={useRecordWords(people)}
      edits={people}
      add={
        orgType !== 'PHJ' && {
          needs: 'patients/write',
          form: (handlers) => <EditPatient person={null} {...handlers} />,
        }
      }
    />
  );
}
