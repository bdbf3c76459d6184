import type { PersonAnswer } from '@caseway/contract/patients';
import { alikeLimit } from '@caseway/contract/same-person';
import type { App } from '../../platform/http/app.ts';
import type { Call } from '../../platform/http/serve.ts';
import { sharingKeys } from './alike.ts';
import { type Given, withGiven } from './corrected-person.ts';
import { compare, prepare } from './matching.ts';
import { nobody, prepareFacts } from './patient-facts.ts';
import { readPeople } from './person.ts';

/** A person as the reader sees them, prepared for comparison; hidden data must not lead to them. [P18, P23] */
const preparedAsShown = (person: PersonAnswer) =>
  prepare({
    names: [
      {
        last: person.lastName,
        first: person.firstName,
        middle: person.middleName,
        suffix: person.nameSuffix,
      },
    ],
    birthDate: person.birthDate,
    birthDatePrecision: person.birthDatePrecision,
    sex: person.sex,
    phones: person.phones,
    street: person.street,
    city: person.city,
    postalCode: person.postalCode,
    identifiers: person.numbers,
  });

/**
 * The patients whom the reader sees and who may be the person being entered, the likeliest first. The service finds
 * those with a common key, which no reader sees; only what the reader sees of them decides whether they are alike.
 */
export async function alikeShown(app: App, call: Call, tenantId: string, given: Given) {
  const typed = prepareFacts({ ...nobody, ...withGiven(nobody, { given }) });
  const ids = await app.database.withScope(
    { kind: 'service', tenantId },
    (tx) => sharingKeys(tx, tenantId, typed),
    { readOnly: true },
  );
  return call.withScope(async (tx) => {
    const people = await readPeople(tx, ids, { may: () => false });
    const alike = people
      .map((person) => ({ person, ...compare(typed, preparedAsShown(person)) }))
      .filter(({ decision }) => decision !== 'different')
      .sort((a, b) => b.score - a.score || (a.person.id < b.person.id ? -1 : 1))
      .slice(0, alikeLimit);
    call.audit({ recordKind: 'patient', recordIds: alike.map(({ person }) => person.id) });
    return alike.map(({ decision, person: { id, lastName, firstName, birthDate, sex, city } }) => ({
      id,
      lastName,
      firstName,
      birthDate,
      sex,
      city,
      certain: decision === 'same',
    }));
  });
}
