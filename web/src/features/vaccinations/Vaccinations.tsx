import { type Vaccination, vaccinationGrid } from '@caseway/contract/vaccinations';
import { RecordList } from '../../record/RecordList.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { useVaccinationWords } from './vaccination-words.ts';

/** A vaccination is part of its person's record, and links there. */
const toPerson = ({ patient }: Vaccination) => `/patients/${patient}`;

/** The list of vaccinations: who was given which lot, and when. */
export default function Vaccinations() {
  const words = useVaccinationWords();
  const state = useGrid(vaccinationGrid);
  return <RecordList<Vaccination> grid={vaccinationGrid} state={state} words={words} href={toPerson} />;
}
