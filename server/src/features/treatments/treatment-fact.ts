import { retest, treatments } from '@caseway/contract/treatments';
import { atPlaces, type Beside, storedFact } from '../../platform/analytics/facts.ts';
import {
  ofSamePersons,
  openBirthDate,
  openPerson,
  openText,
  ownPersonColumns,
  personColumns,
  visibleWithPerson,
} from '../patients/person-columns.ts';
import { performed } from '../results/result-fact.ts';

/** Tests of the family of treatment `c`, from the first day on that counts as a retest. */
const retests: Beside = {
  from: (tenant) => `result r where r.tenant_id = ${tenant} and r.patient_id = c.patient_id
  and r.superseded_by is null and r.disease_family = c.disease_family and ${performed}
  and r.collected_on >= c.started_on + ${retest.from}`,
  columns: atPlaces('days_to_retest', 'integer', 'r', (only) => `min(r.collected_on - c.started_on)${only}`),
};

export const treatmentFact = storedFact(treatments, {
  base: { table: 'treatment', as: 't' },
  joins: [
    'join case_report k on k.tenant_id = t.tenant_id and k.id = t.case_report_id',
    'join patient p on p.tenant_id = t.tenant_id and p.id = t.patient_id',
  ],
  open: openPerson,
  columns: {
    caseRecordId: 't.case_report_id',
    caseId: { sql: 'k.case_id', alreadyFolded: 'digits and a hyphen' },
    conditionCode: 'k.condition_code',
    counts: `t.state = 'given'`,
    retestDueOn: `t.started_on + ${retest.until}`,
    daysToRetest: { stored: 'days_to_retest' },
    programId: 'k.program_id',
    taskId: 'k.task_id',
    lastName: { sql: 'p.last_name', open: openText('last_name') },
    firstName: { sql: 'p.first_name', open: openText('first_name') },
    birthDate: { sql: 'p.birth_date', open: openBirthDate },
    ...personColumns,
  },
  own: ownPersonColumns,
  beside: [retests],
  visible: visibleWithPerson,
  person: 'patient_number',
  changedBy: {
    treatment: { by: 'id' },
    patient: { by: 'patient_id' },
    case_report: {
      rows: (ids, tenant) =>
        `select t.id from treatment t where t.tenant_id = ${tenant} and t.case_report_id = any (${ids})`,
    },
    result: ofSamePersons('result', 'treatment'),
  },
  orderedBy: 'started_on',
});
