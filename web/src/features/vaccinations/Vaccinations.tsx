import {
  type Vaccination,
  vaccinationGrid,
  vaccinationRecord,
  vaccinationsOfPatient,
} from '@caseway/contract/vaccinations';
import { RecordList } from '../../record/RecordList.tsx';
import { shownRecord } from '../../record/shown-record.ts';
import { useGrid } from '../../view/use-grid.ts';
import { useVaccinationWords } from './vaccination-words.ts';

/** What is edited in a row. */
const shown = shownRecord<Vaccination>(vaccinationRecord, {
  old: [vaccinationsOfPatient],
  called: () => ({}),
  saved: 'vaccinations:done.saved',
});
/** A vaccination is part of its person's record, and links there. */
const toPerson = ({ patient }: Vaccination) => `/patients/${patient}`;

/** The list of vaccinations: who was given which lot, and when. */
export default function Vaccinations() {
  const words = useVaccinationWords();
  const state = useGrid(vaccinationGrid);
  return (
    <RecordList<Vaccination>
      grid={vaccinationGrid}
      state={state}
      words={words}
      edits={shown}
      href={toPerson}
    />
  );
}
