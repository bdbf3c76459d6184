import { hivTests } from '@caseway/contract/hiv';
import { atPlaces, type Beside, storedFact } from '../../platform/analytics/facts.ts';
import { ofSamePersons } from '../patients/person-columns.ts';
import { asksForHiv, knowsHiv } from '../results/hiv-care.ts';
import { performed, resultSql } from '../results/result-fact.ts';

/** What is known about a person from before the day of a test; for a place, only what was found there. */
const before: Beside = {
  from: (tenant) => `result r where r.tenant_id = ${tenant} and r.patient_id = c.patient_id
  and r.superseded_by is null and r.disease_family = 'hiv' and r.collected_on < c.collected_on and r.status <> 'withdrawn'`,
  columns: {
    ...atPlaces('first_test', 'flag', 'r', (only) => {
      const tested = `case when ${asksForHiv('r')} and ${performed} then 1 end`;
      return `c.collected_on is not null and count(${tested})${only} = 0`;
    }),
    ...atPlaces(
      'positive_before',
      'flag',
      'r',
      (only) => `coalesce(bool_or(${knowsHiv('c.collected_on')})${only}, false)`,
    ),
  },
};

export const hivTestFact = storedFact(hivTests, {
  ...resultSql,
  where: `${resultSql.where} and ${asksForHiv('r')}`,
  columns: {
    ...resultSql.columns,
    firstTest: { stored: 'first_test' },
    positiveBefore: { stored: 'positive_before' },
  },
  beside: [before],
  changedBy: {
    // A result affects all tests of its person.
    result: ofSamePersons('result', 'result', `o.disease_family = 'hiv'`),
    patient: { by: 'patient_id' },
  },
});
