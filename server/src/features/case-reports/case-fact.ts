import { cases } from '@caseway/contract/case-reports';
import { caseAnswerColumns } from '@caseway/contract/investigation-form';
import { atPlaces, type Beside, snake, storedFact, wholeDays } from '../../platform/analytics/facts.ts';
import {
  ofSamePersons,
  openBirthDate,
  openPerson,
  openText,
  ownPersonColumns,
  personColumns,
  visibleWithPerson,
} from '../patients/person-columns.ts';
import { searchTextsOf } from '../patients/search-texts.ts';
import { agesOn } from '../reference/age-band-sql.ts';
import { asksForHiv, isCare, knowsHiv } from '../results/hiv-care.ts';
import { performed } from '../results/result-fact.ts';
import { caseNotes, inOneText } from './case-notes.ts';
import { ofProgram } from './of-case.ts';

/** A case is found by its own keys and by those of its patient. */
const searchTexts = searchTextsOf({
  keys: `k.record_kind = 'case' and k.record_id = c.id or k.record_kind = 'patient' and k.record_id = c.patient_id`,
  openly: `k.record_kind = 'case' or c.open_keys ? k.key`,
  ownNumber: 'case_id',
});

const notesOf = (column: string) => `${inOneText} filter (where n.${column} = c.${column})`;

/** The notes of senders, and those of its own places if they differ. [P23] */
const noteTexts: Beside = {
  from: (tenant) => `(${caseNotes(tenant, 'c')}) n`,
  folded: true,
  columns: {
    notes_key: {
      kind: 'text',
      sql: inOneText,
      ofPlace: { O: 'organization_notes_key', F: 'facility_notes_key', PHJ: 'county_notes_key' },
    },
    organization_notes_key: { kind: 'text', sql: notesOf('organization_id'), unless: 'notes_key' },
    facility_notes_key: { kind: 'text', sql: notesOf('facility_id'), unless: 'notes_key' },
    county_notes_key: { kind: 'text', sql: notesOf('county_fips'), unless: 'notes_key' },
  },
};

/** Reports of the same person and condition in the 90 days before. */
const earlierReports: Beside = {
  from: (tenant) => `case_report d where d.tenant_id = ${tenant} and d.patient_id = c.patient_id
  and d.condition_code = c.condition_code and d.created_on >= c.created_on - 90
  and (d.created_on, d.id) < (c.created_on, c.id)`,
  columns: { possible_duplicate: { kind: 'flag', sql: 'count(*) > 0' } },
};

/** What is known without other places, if that is not everything. */
const within = (column: string, type?: string) =>
  type === undefined ? `c.told_within ->> '${column}'` : `cast(c.told_within ->> '${column}' as ${type})`;

/** An answer among the keys `k` of a case, as long as the case is of the form's family. */
export const answerOf = ({ family, linkId }: { family: string; linkId: string }): string =>
  `max(k.value) filter (where k.link_id = '${linkId}' and k.disease_family = '${family}')`;

/** The task category, beside the fact like the program type. */
const ofTask: Beside = {
  from: (tenant) => `task t where t.tenant_id = ${tenant} and t.id = c.task_id`,
  columns: { task_category: { kind: 'code', sql: 'max(t.task_category)' } },
};

/** Answers that cases are found by. */
const answers: Beside = {
  from: (tenant) => `case_answer_key k where k.tenant_id = ${tenant} and k.case_report_id = c.id`,
  columns: Object.fromEntries(
    caseAnswerColumns.map(({ name, ...question }) => [
      snake(name),
      { kind: 'code' as const, sql: answerOf(question) },
    ]),
  ),
};
const answerColumns = Object.fromEntries(
  caseAnswerColumns.map(({ name }) => [name, { stored: snake(name) }]),
);

/** A place that shares a case sees the collection day without what others have told. [P23] */
const collectedAt = (isPlace: boolean) =>
  isPlace ? '(case when c.told_within then c.within_collected_on else c.collected_on end)' : 'c.collected_on';
const treatments: Beside = {
  from: (tenant) =>
    `treatment k where k.tenant_id = ${tenant} and k.case_report_id = c.id and k.state = 'given'`,
  columns: atPlaces(
    'days_to_treatment',
    'integer',
    'k',
    (only, isPlace) => `min(k.started_on)${only} - ${collectedAt(isPlace)}`,
  ),
};

/** Up to this many days before or after the collection, an HIV test belongs to the same visit. */
const hivDays = 30;
const hivTests: Beside = {
  from: (tenant) => `result r where r.tenant_id = ${tenant} and r.patient_id = c.patient_id
  and r.superseded_by is null and r.disease_family = 'hiv' and r.status <> 'withdrawn'`,
  columns: {
    ...atPlaces('hiv_tested', 'flag', 'r', (only, isPlace) => {
      const close = `abs(r.collected_on - ${collectedAt(isPlace)}) <= ${hivDays}`;
      return `coalesce(bool_or(${close} and ${performed} and ${asksForHiv('r')})${only}, false)`;
    }),
    ...atPlaces(
      'hiv_known',
      'flag',
      'r',
      (only, isPlace) => `coalesce(bool_or(${knowsHiv(collectedAt(isPlace))})${only}, false)`,
    ),
  },
};

/** For a case of HIV: the viral loads and CD4 counts of its person. */
const hivCare: Beside = {
  from: (tenant) => `result r where r.tenant_id = ${tenant} and r.patient_id = c.patient_id
  and c.disease_family = 'hiv' and ${isCare}`,
  columns: atPlaces('days_to_care', 'integer', 'r', (only, isPlace) => {
    const diagnosed = collectedAt(isPlace);
    return `min(case when r.collected_on >= ${diagnosed} then r.collected_on end)${only} - ${diagnosed}`;
  }),
};

export const caseFact = storedFact(cases, {
  base: { table: 'case_report', as: 'c' },
  joins: ['join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id'],
  open: openPerson,
  within: 'c.told_within',
  columns: {
    caseId: { sql: 'c.case_id', alreadyFolded: 'digits and a hyphen' },
    onsetOn: { sql: 'c.onset_on', within: within('onset_on', 'date') },
    collectedOn: { sql: 'c.collected_on', within: within('collected_on', 'date') },
    reportedOn: { sql: 'c.reported_on', within: within('reported_on', 'date') },
    programTypeId: { stored: 'program_type_id' },
    taskCategory: { stored: 'task_category' },
    visitType: { sql: 'c.visit_type', within: within('visit_type') },
    jurisdictionId: { sql: 'c.jurisdiction_id', within: within('jurisdiction_id', 'uuid') },
    countyFips: { sql: 'c.county_fips', within: within('county_fips') },
    outcome: { sql: 'c.outcome', within: within('outcome') },
    pregnant: { sql: 'c.pregnant', within: within('pregnant') },
    externalId: { sql: 'c.external_id', within: within('external_id') },
    updatedAt: { sql: 'c.updated_at', within: within('updated_at', 'timestamptz') },
    lastName: { sql: 'p.last_name', open: openText('last_name') },
    firstName: { sql: 'p.first_name', open: openText('first_name') },
    city: { sql: 'p.city', as: 'label', open: openText('city'), untold: () => 'null' },
    birthDate: { sql: 'p.birth_date', open: openBirthDate },
    ...agesOn('c.created_on', 'p.birth_date', openBirthDate),
    ...personColumns,
    notes: { stored: 'notes_key' },
    daysToTreatment: { stored: 'days_to_treatment' },
    hivTested: { stored: 'hiv_tested' },
    hivKnown: { stored: 'hiv_known' },
    daysOnsetToReported: {
      sql: wholeDays('c.onset_on', 'c.reported_on'),
      within: wholeDays(within('onset_on', 'date'), within('reported_on', 'date')),
    },
    daysReportedToReceived: {
      sql: wholeDays('c.reported_on', 'c.received_on'),
      within: wholeDays(within('reported_on', 'date'), 'c.received_on'),
    },
    possibleDuplicate: { stored: 'possible_duplicate' },
    daysToCare: { stored: 'days_to_care' },
    ...answerColumns,
  },
  own: {
    ...ownPersonColumns,
    disease_category: { sql: 'c.disease_category', as: 'code' },
    created_at: { sql: 'c.created_at', as: 'instant' },
  },
  // The person's search keys that find the case.
  viewOnly: { open_keys: `p.told_openly -> 'keys'` },
  beside: [searchTexts, noteTexts, ofProgram, ofTask, answers, earlierReports, treatments, hivTests, hivCare],
  visible: visibleWithPerson,
  person: 'patient_number',
  changedBy: {
    // An earlier report makes a later one of the same person a possible duplicate.
    case_report: ofSamePersons('case_report', 'case_report'),
    patient: { by: 'patient_id' },
    program: { by: 'program_id' },
    task: { by: 'task_id' },
    // Its notes, and its person's HIV tests and care.
    result: {
      rows: (ids, tenant) =>
        `select l.case_report_id as id from case_result l where l.tenant_id = ${tenant} and l.result_id = any (${ids})
         union select k.id from result r join case_report k on k.tenant_id = r.tenant_id and k.patient_id = r.patient_id
         where r.tenant_id = ${tenant} and r.disease_family = 'hiv' and r.id = any (${ids})`,
    },
    treatment: {
      rows: (ids, tenant) =>
        `select t.case_report_id as id from treatment t where t.tenant_id = ${tenant} and t.id = any (${ids})`,
    },
    case_result: { with: ['case_report'] },
    case_event: { with: ['case_report'] },
    case_answer_key: { with: ['case_report'] },
    search_key: { with: ['case_report', 'patient'] },
  },
  orderedBy: 'created_on',
});
