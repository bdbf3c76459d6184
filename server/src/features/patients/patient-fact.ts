import { patients } from '@caseway/contract/patients';
import { type ColumnSql, storedFact } from '../../platform/analytics/facts.ts';
import {
  openBirthDate,
  openPerson,
  openText,
  personColumns,
  personSight,
  visiblePerson,
} from './person-columns.ts';
import { searchTextsOf } from './search-texts.ts';

/** A column that an organization or facility is not shown of somebody else's person. [P23] */
const told = (column: string, as?: 'label' | 'text'): ColumnSql => ({
  sql: `p.${column}`,
  open: openText(column),
  untold: () => 'null',
  ...(as && { as }),
});
/** The newest of a list. */
const firstOf = (column: string): ColumnSql => ({
  sql: `p.${column}[1]`,
  open: `p.told_openly -> '${column}' ->> 0`,
  untold: () => 'null',
});
const yesOrNo = (flag: string) => `case ${flag} when true then 'yes' when false then 'no' end`;

export const patientFact = storedFact(patients, {
  base: { table: 'patient', as: 'p' },
  joins: [],
  where: 'p.merged_into is null',
  open: openPerson,
  columns: {
    id: 'p.id',
    lastName: { sql: 'p.last_name', open: openText('last_name') },
    firstName: { sql: 'p.first_name', open: openText('first_name') },
    middleName: told('middle_name', 'label'),
    birthDate: { sql: 'p.birth_date', open: openBirthDate },
    ...personColumns,
    languageCode: told('language_code'),
    street: told('street'),
    city: told('city', 'label'),
    countyFips: told('county_fips'),
    stateFips: told('state_fips'),
    postalCode: told('postal_code', 'label'),
    phone: firstOf('phones'),
    email: firstOf('emails'),
    deceased: {
      ...told('deceased'),
      sql: yesOrNo('p.deceased'),
      open: yesOrNo(`cast(${openText('deceased')} as boolean)`),
    },
  },
  own: personSight,
  viewOnly: { open_keys: `p.told_openly -> 'keys'` },
  beside: [
    searchTextsOf({
      keys: `k.record_kind = 'patient' and k.record_id = c.id`,
      openly: 'c.open_keys ? k.key',
    }),
  ],
  visible: { ...visiblePerson, county: 'county_fips' },
  changedBy: { patient: { by: 'id' }, search_key: { with: ['patient'] } },
  orderedBy: 'last_name_key',
});
