import { careYears } from '@caseway/contract/hiv';
import { atPlaces, type Beside, storedFact } from '../../platform/analytics/facts.ts';
import {
  ofSamePersons,
  openBirthDate,
  openPerson,
  ownPersonColumns,
  personColumns,
  visibleWithPerson,
} from '../patients/person-columns.ts';
import { agesOn } from '../reference/age-band-sql.ts';
import { isCare, lastIsSuppressed } from '../results/hiv-care.ts';

/** The day of the diagnosis: that of its specimen, or else the first known day. */
const diagnosedOn = 'coalesce(c.collected_on, c.reported_on, c.received_on, c.created_on)';
/** Rows for future years exist before they begin, so that the end of a year is not a change. */
const yearsAhead = 3;
const yearEndsOn = 'make_date(y.year, 12, 31)';

/** For a place: only what was found there. */
const care: Beside = {
  from: (tenant) => `result r where r.tenant_id = ${tenant} and r.patient_id = c.patient_id and ${isCare}
  and r.collected_on > c.year_ends_on - interval '1 year' and r.collected_on <= c.year_ends_on`,
  columns: {
    ...atPlaces('received', 'flag', 'r', (only) => `count(*)${only} > 0`),
    ...atPlaces(
      'retained',
      'flag',
      'r',
      (only) =>
        `coalesce(max(r.collected_on)${only} >= min(r.collected_on)${only} + interval '3 months', false)`,
    ),
    ...atPlaces('suppressed', 'flag', 'r', lastIsSuppressed),
  },
};

export const careYearFact = storedFact(careYears, {
  base: { table: 'case_report', as: 'c' },
  joins: [
    'join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id',
    `cross join generate_series(1982, cast(extract(year from current_date) as integer) + ${yearsAhead}) as y (year)`,
  ],
  where: `c.disease_family = 'hiv' and c.classification = 'confirmed'
  and y.year > extract(year from ${diagnosedOn})`,
  open: openPerson,
  columns: {
    id: 'cast(md5(c.id::text || y.year) as uuid)',
    living: `case when p.deceased_on is null then not coalesce(p.deceased, false) else p.deceased_on > ${yearEndsOn} end`,
    yearEndsOn,
    received: { stored: 'received' },
    retained: { stored: 'retained' },
    suppressed: { stored: 'suppressed' },
    ...agesOn(yearEndsOn, 'p.birth_date', openBirthDate),
    ...personColumns,
  },
  own: { ...ownPersonColumns, case_report_id: { sql: 'c.id', as: 'id', for: ['list'] } },
  beside: [care],
  visible: visibleWithPerson,
  person: 'patient_number',
  changedBy: {
    case_report: { by: 'case_report_id' },
    patient: { by: 'patient_id' },
    result: ofSamePersons('result', 'care_year_fact'),
  },
  orderedBy: 'year_ends_on',
});
