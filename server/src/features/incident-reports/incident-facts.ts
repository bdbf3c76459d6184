import { incidentReactions, incidents } from '@caseway/contract/incident-facts';
import { type OwnColumnSql, storedFact, wholeDays } from '../../platform/analytics/facts.ts';
import {
  countyOfRecord,
  openBirthDate,
  openPerson,
  ownRecordColumns,
  personColumns,
  visibleWithRecord,
} from '../patients/person-columns.ts';
import { agesOn } from '../reference/age-band-sql.ts';

/** People whom the reader does not see are left out. */
const joins = ['left join patient p on p.tenant_id = i.tenant_id and p.id = i.patient_id'];
const shown = 'i.patient_id is null or p.id is not null';

const died = `'death' = any (i.seriousness) or coalesce(i.outcome = 'fatal' or i.harm = 'death', false)`;

const ofReport = {
  patientId: 'i.patient_id',
  kind: 'i.kind',
  stage: 'i.stage',
  counts: `i.stage <> 'discarded'`,
  serious: `case when i.seriousness <> '{}' or i.harm in ('severe', 'death') then 'yes' else 'no' end`,
  receivedOn: 'i.received_on',
  vaccinatedOn: 'i.vaccinated_on',
  occurredOn: 'i.occurred_on',
  createdOn: 'i.created_on',
  organizationId: 'i.organization_id',
  facilityId: 'i.facility_id',
  programId: 'i.program_id',
  visitType: 'i.visit_type',
  countyFips: countyOfRecord('i'),
  diseaseFamily: 'i.disease_family',
  ...agesOn('coalesce(i.occurred_on, i.received_on)', 'p.birth_date', openBirthDate),
  ...personColumns,
};

/** A report about nobody counts as its own person; its id decides whether it is in the half. */
const subject = 'coalesce(i.patient_id, i.id)';
const own: Record<string, OwnColumnSql> = {
  ...ownRecordColumns,
  subject_id: { sql: subject, as: 'id' },
  patient_number: {
    sql: `app_person_number(${subject})`,
    as: 'wide',
    numbers: 'subject_id',
    for: ['numbers'],
  },
  half: { sql: 'coalesce(p.half, app_person_number(i.id) % 2 = 0)', as: 'flag', for: ['numbers'] },
  person_place: {
    sql: `cast(app_person_number(${subject}) & 63 as integer)`,
    as: 'integer',
    for: ['numbers'],
  },
};

export const incidentFact = storedFact(incidents, {
  base: { table: 'incident', as: 'i' },
  joins,
  where: shown,
  open: openPerson,
  columns: {
    ...ofReport,
    ofPerson: 'i.patient_id is not null',
    died,
    hospitalized: `'hospitalization' = any (i.seriousness)`,
    emergencyVisit: `coalesce(i.emergency_visit = 'yes', false)`,
    open: 'i.ended_at is null',
    daysToOnset: wholeDays('i.vaccinated_on', 'i.occurred_on'),
    daysToReport: wholeDays('i.occurred_on', 'i.received_on'),
  },
  own,
  visible: visibleWithRecord,
  person: 'patient_number',
  changedBy: { incident: { by: 'id' }, patient: { by: 'patient_id' } },
  orderedBy: 'received_on',
});

/** In a report without a listed reaction, each vaccine has one row. */
export const incidentReactionFact = storedFact(incidentReactions, {
  base: { table: 'incident', as: 'i' },
  joins: [
    ...joins,
    'cross join jsonb_array_elements(i.vaccines) with ordinality as v (given, place)',
    `cross join unnest(case when i.reactions = '{}' then '{null}' else i.reactions end) as r (reaction)`,
  ],
  where: shown,
  open: openPerson,
  columns: {
    id: `cast(md5(i.id::text || v.place || coalesce(r.reaction, '')) as uuid)`,
    incidentId: 'i.id',
    ...ofReport,
    vaccine: `v.given ->> 'vaccine'`,
    dose: `v.given ->> 'dose'`,
    reaction: 'r.reaction',
  },
  own: { ...own, report_id: { sql: 'i.id', as: 'id', for: ['numbers'] } },
  visible: visibleWithRecord,
  person: 'patient_number',
  unit: 'report_id',
  changedBy: { incident: { by: 'incident_id' }, patient: { by: 'patient_id' } },
  orderedBy: 'received_on',
});
