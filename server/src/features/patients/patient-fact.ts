import { patientPerson, patients } from '@caseway/contract/patients';
import { columnFor, type Fields } from '@caseway/contract/record';
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

const fields: Fields = patientPerson.fields;
/** What everyone who sees a person is shown. The rest is only for readers who see everything. [P23] */
export const shownToAll: readonly string[] = ['lastName', 'firstName', 'birthDate', 'sex'];
/** Texts that many people share. */
const shared: readonly string[] = ['middleName', 'city', 'postalCode'];

/** A field of a person, as their table has it. */
const ofField = (name: string): ColumnSql => {
  const column = columnFor(name, fields[name]!);
  return {
    sql: `p.${column}`,
    open: openText(column),
    ...(!shownToAll.includes(name) && { untold: () => 'null' }),
    ...(shared.includes(name) && { as: 'label' }),
  };
};
/** The newest entry of a list. */
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
    birthDate: { sql: 'p.birth_date', open: openBirthDate },
    ...personColumns,
    phone: firstOf('phones'),
    email: firstOf('emails'),
    deceased: {
      sql: yesOrNo('p.deceased'),
      open: yesOrNo(`cast(${openText('deceased')} as boolean)`),
      untold: () => 'null',
    },
  },
  column: ofField,
  own: personSight,
  viewOnly: { open_keys: `p.told_openly -> 'keys'` },
  beside: [
    searchTextsOf({
      keys: `k.record_kind = 'patient' and k.record_id = c.id`,
      openly: 'c.open_keys ? k.key',
    }),
  ],
  visible: { ...visiblePerson, county: 'county' },
  changedBy: { patient: { by: 'id' }, search_key: { with: ['patient'] } },
  orderedBy: 'last_name_key',
});
