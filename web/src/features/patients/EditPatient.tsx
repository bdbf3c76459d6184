import type { PersonAnswer } from '@caseway/contract/patients';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { Alike } from './Alike.tsx';
import { people } from './patient-words.ts';

/** Adds a person, or corrects one. */
export function EditPatient({
  person,
  ...handlers
}: FormHandlers<PersonAnswer> & {
  /** Null for a new one. */
  person: PersonAnswer | null;
}) {
  return (
    <RecordForm of={people} stored={person} wide={false} above={person ? null : <Alike />} {...handlers} />
  );
}
