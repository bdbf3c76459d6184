import type { KeptValue, MatchSide } from '@caseway/contract/matches';
import type { OpenFacts } from './patient-record.ts';

/*
 * A merge of two records of one person can keep only one main name, birth date, sex and address: the default, and
 * the result of a person's choice.
 */

const birth = ['birthDate', 'birthDatePrecision', 'bornFrom', 'bornTo'] as const;
const address = [
  'street',
  'street2',
  'city',
  'stateFips',
  'postalCode',
  'countyFips',
  'countryCode',
] as const;

/** Whether a record has a value at all; an empty value replaces nothing. */
const has: Readonly<Record<KeptValue, (facts: OpenFacts) => boolean>> = {
  name: ({ names }) => names.length > 0,
  birth: ({ birthDate, bornFrom }) => birthDate !== null || bornFrom !== null,
  sex: ({ sexAtBirth }) => sexAtBirth !== null,
  address: ({ street, city, postalCode }) => [street, city, postalCode].some((part) => part !== null),
};

/** The columns of a merged record after a person has chosen whose values it keeps; empty if nothing was chosen. */
export function chosenValues(
  merged: OpenFacts,
  { older, newer }: Readonly<Record<MatchSide, OpenFacts>>,
  values: Readonly<Partial<Record<KeptValue, MatchSide>>>,
): Partial<OpenFacts> {
  const from = (value: KeptValue): OpenFacts | undefined => {
    const side = values[value] === 'newer' ? newer : values[value] === 'older' ? older : undefined;
    return side && has[value](side) ? side : undefined;
  };
  const columns = <K extends keyof OpenFacts>(side: OpenFacts | undefined, fields: readonly K[]) =>
    side ? Object.fromEntries(fields.map((field) => [field, side[field]])) : {};
  const name = from('name')?.names[0];
  const home = from('address');
  // Fills in what one record lacks from the other if the ZIP codes match, because a county decides who sees a case.
  const same = home && older.postalCode === newer.postalCode;
  const found = same ? columnsKnown(merged, home, ['countyFips', 'stateFips', 'countryCode']) : {};
  const isName = (one: unknown) => JSON.stringify(one) === JSON.stringify(name);
  return {
    ...(name && { names: [name, ...merged.names.filter((one) => !isName(one))] }),
    ...columns(from('birth'), birth),
    ...columns(from('sex'), ['sexAtBirth']),
    ...columns(home, address),
    ...found,
  };
}

/** Columns that the merged record has and the chosen side lacks. */
const columnsKnown = <K extends keyof OpenFacts>(merged: OpenFacts, side: OpenFacts, fields: readonly K[]) =>
  Object.fromEntries(fields.filter((field) => side[field] === null).map((field) => [field, merged[field]]));
