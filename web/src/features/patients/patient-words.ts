import { caseRecord } from '@caseway/contract/case-record';
import { type PersonAnswer, patientPerson } from '@caseway/contract/patients';
import { shownRecord } from '../../record/shown-record.ts';

/** `Müller, Ana`; the known parts of a name. */
export const listName = (person: { lastName: string | null; firstName: string | null }): string =>
  [person.lastName, person.firstName].filter(Boolean).join(', ');

/** How people are shown. A case has its person's name, and much else. */
export const people = shownRecord<PersonAnswer>(patientPerson, {
  old: [caseRecord.endpoints.search, caseRecord.endpoints.read, { path: '/api/web/patient-matches' }],
  called: (person) => ({ name: listName(person) }),
  codesOf: () => 'common:answers',
  // Only the record itself says so, not its row.
  mayEdit: ({ told }) => told !== false,
});
