import type { PersonAnswer } from '@caseway/contract/patients';
import { useLookup } from '../../data/use-lookup.ts';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { Alike } from './Alike.tsx';
import { people } from './patient-words.ts';

/** The form in lines: what is short shares one. */
const lines = [
  ['lastName', 'firstName'],
  ['middleName', 'nameSuffix'],
  'otherNames',
  ['birthDate', 'sex'],
  ['street', 'street2'],
  ['city', 'state'],
  ['county', 'postalCode'],
  ['phones', 'emails'],
  ['language', 'ethnicity'],
  ['race', 'gender'],
  ['deceased', 'deceasedOn'],
];
const withoutGender = lines.map((line) => (line.includes('gender') ? 'race' : line));

/** Enters a person, or corrects one. */
export function EditPatient({
  person,
  ...handlers
}: FormHandlers<PersonAnswer> & {
  /** Null: a new one. */
  person: PersonAnswer | null;
}) {
  // Where the tenant keeps none, there is nothing to choose from.
  const keepsGender = useLookup('gender').options.length > 0;
  return (
    <RecordForm
      of={people}
      stored={person}
      form={keepsGender ? lines : withoutGender}
      wide={false}
      above={person ? null : <Alike />}
      {...handlers}
    />
  );
}
