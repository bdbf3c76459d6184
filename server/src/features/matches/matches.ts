import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { caseRecord } from '@caseway/contract/case-record';
import { listPageSize } from '@caseway/contract/imports';
import type { KeptValue, MatchPerson, MatchSide, PatientMatch } from '@caseway/contract/matches';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { carriedBy, passOn } from '../../platform/carried/carried.ts';
import { noteRestrictedPlaces } from '../../platform/carried/restricted-places.ts';
import { noteSpecimens } from '../../platform/carried/seen-at.ts';
import type { Tx } from '../../platform/db/database.ts';
import { few } from '../../platform/db/few.ts';
import { lockTenant } from '../../platform/db/record-lock.ts';
import { givenRows, json } from '../../platform/db/rows.ts';
import { fromTenantRow, haveTenantRow } from '../../platform/db/tenant-row.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { keepingVersions } from '../../platform/records/record-versions.ts';
import { putBack, type Rejudgment, readPeople, rejudge } from '../case-reports/rejudge.ts';
import { keptWithin } from '../case-reports/shared-cases.ts';
import { chosenValues } from '../patients/chosen-values.ts';
import { sameIdentifier } from '../patients/matching.ts';
import { mergeOpenly } from '../patients/open-facts.ts';
import { prepareFacts } from '../patients/patient-facts.ts';
import {
  type PatientRecord,
  recordedWith,
  seenBy,
  toldBy,
  updatePatient,
} from '../patients/patient-record.ts';
import { writeSearchKeys } from '../patients/search-keys.ts';
import { loadPatients, writeKeys, writePatients } from '../patients/stored-patients.ts';
import { loadTenantContext } from '../patients/tenant-context.ts';
import { alwaysRestricted } from '../reference/catalog.ts';
import {
  type PatientMerged,
  putPatientBack,
  type RecordOfPerson,
  retoldIn,
  snapshot,
} from './patient-put-back.ts';

/*
 * Pairs of patients that may be one person, and decisions about them. A merge moves everything of the newer record
 * to the older one and records what it moved, so that it can be undone.
 */

/** The tenant is `$1`. */
const personColumns = (alias: string) => `jsonb_build_object(
  'id', ${alias}.id, 'lastName', ${alias}.last_name, 'firstName', ${alias}.first_name, 'middleName', ${alias}.middle_name,
  'suffix', ${alias}.name_suffix, 'otherNames', ${alias}.other_names, 'birthDate', ${alias}.birth_date,
  'bornFrom', ${alias}.born_from, 'bornTo', ${alias}.born_to,
  'sex', ${alias}.sex_at_birth, 'phones', ${alias}.phones, 'street', ${alias}.street, 'city', ${alias}.city,
  'state', ${alias}.state_fips, 'postalCode', ${alias}.postal_code,
  'identifiers', coalesce((select jsonb_agg(jsonb_build_object('kind', i.kind, 'assigner', i.assigner, 'value', i.value)
    order by i.kind, i.value) from patient_identifier i where i.tenant_id = $1 and i.patient_id = ${alias}.id), '[]'),
  'results', (select count(*) from result r where r.tenant_id = $1 and r.patient_id = ${alias}.id and r.superseded_by is null),
  'cases', (select count(*) from case_report k where k.tenant_id = $1 and k.patient_id = ${alias}.id),
  'precision', ${alias}.birth_date_precision, 'informedAt', ${alias}.informed_at,
  'createdAt', to_char(${alias}.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** What a merge moved that the reader sees; results that a later version had replaced are not counted. */
const movedColumn = `case when m.state = 'same' then jsonb_build_object(
  'results', (select count(*) from result r where r.tenant_id = $1
    and r.id = any (array(select jsonb_array_elements_text(m.moved -> 'results')::uuid))
    and (r.superseded_by is null or m.moved -> 'superseded' ? r.id::text)),
  'cases', (select count(*) from case_report k where k.tenant_id = $1
    and k.id = any (array(select jsonb_array_elements_text(m.moved -> 'cases')::uuid)))) end as moved`;

const matchColumns = `m.id, m.state, m.score, m.parts, m.created_at, m.decided_at,
  case when m.state <> 'open' then (select nullif(concat_ws(' ', a.first_name, a.last_name), '') from account a
    where a.id = m.decided_by) end as decided_by,
  ${movedColumn},
  ${personColumns('p')} as patient, ${personColumns('c')} as candidate`;
const matchTables = `patient_match m
  join patient stored on stored.tenant_id = m.tenant_id and stored.id = m.patient_id
  cross join lateral app_shown(stored, stored.told_openly) p
  join patient other on other.tenant_id = m.tenant_id and other.id = m.candidate_id
  cross join lateral app_shown(other, other.told_openly) c`;

interface MatchRow {
  id: string;
  state: PatientMatch['state'];
  score: number;
  parts: PatientMatch['parts'];
  created_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  moved: PatientMatch['moved'];
  patient: StoredPerson;
  candidate: StoredPerson;
}
type StoredPerson = Omit<MatchPerson, 'otherNames'> & {
  otherNames: { last?: string | null; first?: string | null; middle?: string | null }[];
  precision: 'day' | 'month' | 'year' | null;
  informedAt: string | null;
};

const shownPerson = ({ otherNames, precision: _, informedAt: __, ...person }: StoredPerson): MatchPerson => ({
  ...person,
  otherNames: otherNames.map(({ last, first, middle }) => [first, middle, last].filter(Boolean).join(' ')),
});
const finer = { year: 0, month: 1, day: 2 };
const isUnknown = (sex: string | null) => sex === null || ['', 'U', 'UNK', 'ASKU'].includes(sex);

/** Whose values a merge keeps, decided as in `updatePatient`: from both records as far as the reader sees them. */
function keptOf(older: StoredPerson, newer: StoredPerson): Record<KeptValue, MatchSide> {
  const side = (isNewer: boolean): MatchSide => (isNewer ? 'newer' : 'older');
  const addressOf = ({ street, city, postalCode }: StoredPerson) => [street, city, postalCode].some(Boolean);
  const isLater =
    older.informedAt === null || (newer.informedAt !== null && newer.informedAt >= older.informedAt);
  return {
    name: side(!older.lastName && !older.firstName),
    birth: side(
      newer.birthDate
        ? !older.birthDate || finer[newer.precision ?? 'day'] > finer[older.precision ?? 'day']
        : !older.birthDate && !older.bornFrom,
    ),
    sex: side(isUnknown(older.sex) && newer.sex !== null),
    address: side(
      addressOf(newer) &&
        (!addressOf(older) || (isLater && (newer.street !== null || older.street === null))),
    ),
  };
}

const shown = ({
  created_at,
  decided_at,
  decided_by,
  patient,
  candidate,
  ...match
}: MatchRow): PatientMatch => ({
  ...match,
  patient: shownPerson(patient),
  candidate: shownPerson(candidate),
  kept: keptOf(candidate, patient),
  createdAt: created_at.toISOString(),
  decidedAt: decided_at?.toISOString() ?? null,
  decidedBy: decided_by,
});

/** An open pair is left out if one of the two has since been merged with someone else. */
const inState = `m.tenant_id = $1 and m.state = $2
  and (m.state <> 'open' or (p.merged_into is null and c.merged_into is null))`;

/** A page of the pairs in one state. */
export async function listMatches(
  tx: Tx,
  state: PatientMatch['state'],
  page: number,
): Promise<{ rows: PatientMatch[]; rowCount: number }> {
  const order = state === 'open' ? 'm.score desc, m.created_at, m.id' : 'm.decided_at desc, m.id';
  const rows = await tx.rows<MatchRow>(
    `select ${matchColumns} from ${matchTables} where ${inState} order by ${order} limit ${listPageSize} offset $3`,
    [tx.tenantId, state, page * listPageSize],
  );
  return { rows: rows.map(shown), rowCount: await countMatches(tx, state) };
}

/** The number of pairs in a state. */
export async function countMatches(tx: Tx, state: PatientMatch['state']): Promise<number> {
  const [counted] = await tx.rows<{ n: number }>(
    `select count(*) as n from ${matchTables} where ${inState}`,
    [tx.tenantId, state],
  );
  return counted!.n;
}

/** One pair; throws `not-found` if the reader does not see both. */
export async function readMatch(tx: Tx, id: string): Promise<PatientMatch> {
  const [row] = await tx.rows<MatchRow>(
    `select ${matchColumns} from ${matchTables} where m.tenant_id = $1 and m.id = $2`,
    [tx.tenantId, id],
  );
  if (!row) throw new AppError('not-found');
  return shown(row);
}

/** What a merge moved, kept for its undo. */
interface Moved extends PatientMerged {
  results: string[];
  specimens: string[];
  cases: string[];
  /** Earlier versions did not move them. */
  vaccinations?: string[];
  documents?: string[];
  incidents?: string[];
  contacts?: string[];
  followUps?: string[];
  /** The person's answers in the follow-up. */
  answers?: string[];
  partners?: string[];
  visits?: string[];
  fieldVisits?: string[];
  tasks?: string[];
  messages: string[];
  /** Results that equal one of the older record, and are not counted a second time. */
  superseded: string[];
  /** What the case rules changed. Earlier versions did not record it. */
  judged?: Rejudgment;
}

/** Whose values a merge keeps, if a person has chosen. */
type ChosenValues = Readonly<Partial<Record<KeptValue, MatchSide>>>;

interface Decidable {
  state: PatientMatch['state'];
  patient_id: string;
  candidate_id: string;
  moved: Moved | null;
}

/**
 * Decides a pair, in the scope of the service: a merge moves everything, including what the person may not see.
 * Throws `conflict` if the pair is in the wrong state for the decision.
 */
export async function decideMatch(
  tx: Tx,
  tenantId: string,
  matchId: string,
  decision: PatientMatch['state'],
  accountId: string,
  values: ChosenValues = {},
): Promise<void> {
  await lockTenant(tx, tenantId);
  const [pair] = await tx.rows<Decidable>(
    'select state, patient_id, candidate_id, moved from patient_match where tenant_id = $1 and id = $2 for update',
    [tenantId, matchId],
  );
  if (!pair || pair.state === decision || (pair.state !== 'open' && decision !== 'open'))
    throw new AppError('conflict');
  let moved: Moved | null = null;
  if (decision === 'same')
    moved = await merge(tx, tenantId, pair.patient_id, pair.candidate_id, values, accountId);
  else if (pair.state === 'same')
    await undo(tx, tenantId, pair.patient_id, pair.candidate_id, pair.moved!, accountId);
  await tx.run(
    `update patient_match set state = $3, moved = $4, decided_by = $5, decided_at = ${decision === 'open' ? 'null' : 'now()'}
     where tenant_id = $1 and id = $2`,
    [tenantId, matchId, decision, moved ? json(moved) : null, accountId],
  );
}

/** The tables of records about a person that carry who sees them. */
const carrying = [
  'vaccination',
  'document',
  'incident',
  'contact',
  'case_follow_up',
  'partner_service',
  'telemedicine_visit',
  'field_visit',
  'work_task',
] as const;

/** Updates who sees records that were given to a person, and the rows that depend on them. */
async function carryRecords(
  tx: Tx,
  tenantId: string,
  patientId: string,
  moved: Readonly<Record<(typeof carrying)[number], readonly string[]>>,
) {
  for (const table of carrying) {
    if (moved[table].length === 0) continue;
    await passOn(tx, tenantId, 'patient', [patientId], [table]);
    await passOn(tx, tenantId, table, moved[table]);
  }
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

async function merge(
  tx: Tx,
  tenantId: string,
  fromId: string,
  toId: string,
  values: ChosenValues,
  accountId: string,
): Promise<Moved> {
  const patients = new Map(
    (await loadPatients(tx, tenantId, [fromId, toId])).map((patient) => [patient.id, patient]),
  );
  const from = patients.get(fromId);
  const to = patients.get(toId);
  if (!from || !to) throw new AppError('conflict');
  const { restrictedFamilies } = await loadTenantContext(tx, tenantId);
  const before = snapshot(to);
  const toBefore = { ...to, identifiers: to.identifiers.map((one) => ({ ...one })) };
  const people = await readPeople(tx, tenantId, [fromId, toId]);

  // The same observation may have been stored for both: only one of the two is counted.
  const superseded = await tx.rows<{ id: string }>(
    `update result r set superseded_by = o.id from result o
     where r.tenant_id = $1 and r.patient_id = $2 and r.superseded_by is null
       and o.tenant_id = $1 and o.patient_id = $3 and o.superseded_by is null and o.source_key = r.source_key
     returning r.id`,
    [tenantId, fromId, toId],
  );
  const move = (table: string, person = 'patient_id') =>
    tx.rows<{ id: string }>(
      `update ${table} set ${person} = $3 where tenant_id = $1 and ${person} = $2 returning id`,
      [tenantId, fromId, toId],
    );
  const results = idsOf(await move('result'));
  const specimens = idsOf(await move('specimen'));
  const cases = idsOf(await move('case_report'));
  await passOn(tx, tenantId, 'case_report', cases, ['treatment']);
  const vaccinations = idsOf(await move('vaccination'));
  const documents = idsOf(await move('document'));
  const incidents = idsOf(await move('incident'));
  const contacts = idsOf(await move('contact'));
  const followUps = idsOf(await move('case_follow_up'));
  const answers = idsOf(await move('follow_up_entry', 'answered_by'));
  const partners = idsOf(await move('partner_service'));
  const visits = idsOf(await move('telemedicine_visit'));
  const fieldVisits = idsOf(await move('field_visit'));
  const tasks = idsOf(await move('work_task'));
  const messages = idsOf(await move('import_message'));
  await tellCases(tx, tenantId, accountId, cases, 'patient-merged', {
    from: fromId,
    to: toId,
    ...onlyRestricted(before.diseaseFamilies, restrictedFamilies),
  });

  const viewersOf = ({ organizationIds, facilityIds }: PatientRecord) => [...organizationIds, ...facilityIds];
  const seenAt = viewersOf(to);
  const isBrought = updatePatient(to, from, from.informedAt);
  const chosen = chosenValues(to, { older: toBefore, newer: from }, values);
  const isChosen = !isDeepStrictEqual({ ...to, ...chosen }, to);
  Object.assign(to, chosen);
  const telling = {
    isNew: false,
    viewers: seenAt,
    brought: isBrought || isChosen,
  };
  // An organization still sees what it reported, and nothing that another one reported. [P23]
  toldBy(to, telling, from.toldBy ?? viewersOf(from), from.identifiers);
  for (const added of to.newIdentifiers)
    added.toldBy = from.identifiers.find((one) => sameIdentifier(one, added))?.toldBy ?? viewersOf(from);
  mergeOpenly(to, toBefore, from, restrictedFamilies, (merged, older, newer) =>
    chosenValues(merged, { older, newer }, values),
  );
  for (const id of from.organizationIds) seenBy(to, id, null, from.restrictedAt.includes(id));
  for (const id of from.facilityIds) seenBy(to, null, id, from.restrictedAt.includes(id));
  for (const family of from.diseaseFamilies) recordedWith(to, family);
  const identifiers = to.newIdentifiers;
  to.changed = true;
  to.keysChanged = true;
  to.prepared = prepareFacts(to);
  await writePatients(tx, tenantId, [to]);
  const given = {
    vaccination: vaccinations,
    document: documents,
    incident: incidents,
    contact: contacts,
    case_follow_up: followUps,
    partner_service: partners,
    telemedicine_visit: visits,
    field_visit: fieldVisits,
    work_task: tasks,
  };
  await carryRecords(tx, tenantId, toId, given);
  await tx.run(
    `update patient set merged_into = $3, version = version + 1, updated_at = now() where tenant_id = $1 and id = $2`,
    [tenantId, fromId, toId],
  );
  const judged = await rejudge(tx, tenantId, people, await readPeople(tx, tenantId, [toId]));
  await noteRestrictedPlaces(tx, tenantId, alwaysRestricted, [fromId, toId]);
  // It can no longer be found.
  await tx.run('delete from patient_block where tenant_id = $1 and patient_id = $2', [tenantId, fromId]);
  await writeSearchKeys(tx, tenantId, 'patient', [{ id: fromId, keys: [] }]);
  await noteSpecimens(tx, tenantId, results);
  await recordChange(tx, tenantId, 'patient', [fromId, toId]);
  await recordChange(tx, tenantId, 'result', results);
  await recordChange(tx, tenantId, 'incident', incidents);
  await recordChange(tx, tenantId, 'telemedicine_visit', visits);
  await recordChange(tx, tenantId, 'field_visit', fieldVisits);
  await recordChange(tx, tenantId, 'partner_service', partners);
  await recordChange(tx, tenantId, 'work_task', tasks);
  await recordChange(tx, tenantId, 'case_report', cases);
  return {
    results,
    specimens,
    cases,
    vaccinations,
    documents,
    incidents,
    contacts,
    followUps,
    answers,
    partners,
    visits,
    fieldVisits,
    tasks,
    messages,
    identifiers,
    retold: retoldIn(toBefore.identifiers, to.identifiers),
    superseded: idsOf(superseded),
    judged,
    before,
    after: snapshot(to),
  };
}

/**
 * Restores what a merge moved, and what the case rules changed because of it. Later data about the person stays with
 * the older record, except corrections of what is restored.
 */
async function undo(
  tx: Tx,
  tenantId: string,
  fromId: string,
  toId: string,
  moved: Moved,
  accountId: string,
): Promise<void> {
  const people = await readPeople(tx, tenantId, [toId]);
  await tx.run(
    'update patient set merged_into = null, version = version + 1, updated_at = now() where tenant_id = $1 and id = $2 and merged_into = $3',
    [tenantId, fromId, toId],
  );
  const patients = new Map(
    (await loadPatients(tx, tenantId, [fromId, toId])).map((patient) => [patient.id, patient]),
  );
  const from = patients.get(fromId);
  const to = patients.get(toId);
  // The older record has since been merged with another one. That merge has to be undone first.
  if (!from || !to) throw new AppError('conflict');
  const back = (table: string, ids: readonly string[], person = 'patient_id') =>
    tx.rows<{ id: string }>(
      `update ${table} set ${person} = $2 where tenant_id = $1 and ${person} = $3 and id = any ($4) returning id`,
      [tenantId, fromId, toId, ids],
    );
  const corrections = await correctionsOf(tx, tenantId, toId, moved);
  const results = [...moved.results, ...corrections.map(({ id }) => id)];
  await back('result', results);
  await tx.run('update result set superseded_by = null where tenant_id = $1 and id = any ($2)', [
    tenantId,
    moved.superseded,
  ]);
  await back('specimen', moved.specimens);
  const cases = idsOf(await back('case_report', moved.cases));
  // What was added to them since the merge returns with them.
  await passOn(tx, tenantId, 'case_report', cases, ['treatment', 'document', 'work_task']);
  const vaccinations = idsOf(await back('vaccination', moved.vaccinations ?? []));
  await back('document', moved.documents ?? []);
  const ofPerson = async (table: 'document' | 'work_task') =>
    idsOf(
      await tx.rows<{ id: string }>(`select id from ${table} where tenant_id = $1 and patient_id = $2`, [
        tenantId,
        fromId,
      ]),
    );
  const documents = await ofPerson('document');
  const incidents = idsOf(await back('incident', moved.incidents ?? []));
  const contacts = idsOf(await back('contact', moved.contacts ?? []));
  const followUps = idsOf(await back('case_follow_up', moved.followUps ?? []));
  await back('follow_up_entry', moved.answers ?? [], 'answered_by');
  const partners = idsOf(await back('partner_service', moved.partners ?? []));
  const visits = idsOf(await back('telemedicine_visit', moved.visits ?? []));
  const fieldVisits = idsOf(await back('field_visit', moved.fieldVisits ?? []));
  await back('work_task', moved.tasks ?? []);
  const tasks = await ofPerson('work_task');
  await back('import_message', [
    ...moved.messages,
    ...corrections.flatMap(({ messageId }) => messageId ?? []),
  ]);
  const { restrictedFamilies } = await loadTenantContext(tx, tenantId);
  await tellCases(tx, tenantId, accountId, cases, 'patient-unmerged', {
    from: toId,
    to: fromId,
    ...onlyRestricted(moved.before.diseaseFamilies, restrictedFamilies),
  });
  // Before reading which records are left, because a case that the merge opened is not one of them.
  const { judged = { changed: [], opened: [], linked: [] } } = moved;
  const settled = await putBack(tx, tenantId, judged);
  const left = await tx.rows<RecordOfPerson>(
    `select organization_id as "organizationId", facility_id as "facilityId", disease_family as family
     from result where tenant_id = $1 and patient_id = $2
     union
     select organization_id, facility_id, disease_family from case_report where tenant_id = $1 and patient_id = $2`,
    [tenantId, toId],
  );
  const gone = putPatientBack(to, moved, left, restrictedFamilies);
  await tx.run(
    `delete from patient_identifier i using ${givenRows('$3', { kind: 'text', assigner: 'text', value: 'text' })} as r
     where i.tenant_id = $1 and i.patient_id = $2 and i.kind = r.kind and i.assigner = r.assigner and i.value = r.value`,
    [tenantId, toId, json(gone)],
  );
  to.changed = true;
  to.prepared = prepareFacts(to);
  await writePatients(tx, tenantId, [to]);
  const returned = {
    vaccination: vaccinations,
    document: documents,
    incident: incidents,
    contact: contacts,
    case_follow_up: followUps,
    partner_service: partners,
    telemedicine_visit: visits,
    field_visit: fieldVisits,
    work_task: tasks,
  };
  await carryRecords(tx, tenantId, fromId, returned);
  await writeKeys(tx, tenantId, [from]);
  await tx.run(
    `delete from case_result l using case_report c, result r
     where l.tenant_id = $1 and c.tenant_id = $1 and r.tenant_id = $1 and c.id = l.case_report_id and r.id = l.result_id
       and r.superseded_by is null and c.patient_id <> r.patient_id and c.patient_id = any ($2)`,
    [tenantId, [fromId, toId]],
  );
  await rejudge(tx, tenantId, people, await readPeople(tx, tenantId, [fromId, toId]), {
    settled,
    loose: new Set(judged.linked.map(({ resultId }) => resultId)),
  });
  await noteRestrictedPlaces(tx, tenantId, alwaysRestricted, [fromId, toId]);
  await noteSpecimens(tx, tenantId, results);
  await recordChange(tx, tenantId, 'patient', [fromId, toId]);
  await recordChange(tx, tenantId, 'result', [...results, ...moved.superseded]);
  await recordChange(tx, tenantId, 'incident', incidents);
  await recordChange(tx, tenantId, 'telemedicine_visit', visits);
  await recordChange(tx, tenantId, 'field_visit', fieldVisits);
  await recordChange(tx, tenantId, 'partner_service', partners);
  await recordChange(tx, tenantId, 'work_task', tasks);
  await recordChange(tx, tenantId, 'case_report', [
    ...new Set([...cases, ...[...judged.changed, ...judged.opened].map(({ id }) => id)]),
  ]);
}

/**
 * Results of the older record that have replaced moved ones: a correction belongs to the person whose result it
 * corrects.
 */
async function correctionsOf(
  tx: Tx,
  tenantId: string,
  toId: string,
  { results, superseded }: Moved,
): Promise<{ id: string; messageId: string | null }[]> {
  return tx.rows(
    `with recursive later (id) as (
       select r.superseded_by from result r
       where r.tenant_id = $1 and r.id = any ($2) and r.id <> all ($3) and r.superseded_by is not null
       union
       select r.superseded_by from result r join later l on r.id = l.id
       where r.tenant_id = $1 and r.superseded_by is not null)
     select r.id, r.import_message_id as "messageId" from result r join later l on r.id = l.id
     where r.tenant_id = $1 and r.patient_id = $4 and r.id <> all ($2)`,
    [tenantId, results, superseded, toId],
  );
}

/** The families of the record that a person is joined with, if only readers of restricted families know about it. */
const onlyRestricted = (
  families: readonly string[],
  restricted: readonly string[],
): { families?: readonly string[] } =>
  families.length > 0 && families.every((family) => restricted.includes(family)) ? { families } : {};

const carried = carriedBy('case_event', 'case_report');

/** Adds to the timelines of cases that their person was joined with another, or separated again. */
async function tellCases(
  tx: Tx,
  tenantId: string,
  accountId: string,
  cases: readonly string[],
  kind: 'patient-merged' | 'patient-unmerged',
  detail: { from: string; to: string; families?: readonly string[] },
): Promise<void> {
  if (cases.length === 0) return;
  await haveTenantRow(tx, tenantId);
  await tx.run(
    `insert into case_event (tenant_id, id, case_report_id, account_id, kind, detail, ${carried.columns})
     select ${fromTenantRow.id}, c.id, c.case_report_id, $5, $3, $4, ${carried.values}
     from ${fromTenantRow.table} cross join ${few('unnest($6::uuid[], $2::uuid[]) as given (id, case_report_id)')} c ${carried.join}
     where ${fromTenantRow.is}`,
    [tenantId, cases, kind, json(detail), accountId, cases.map(() => randomUUID())],
  );
  // The case itself does not change. A new version would reveal to others that something did.
  if (detail.families) return;
  // Organizations and facilities do not see joined persons.
  const kept = await tx.rows<{ id: string; kept: object }>(
    `select c.id, ${keptWithin} as kept from case_report c
     where c.tenant_id = $1 and c.id = any ($2) and c.told_within is null`,
    [tenantId, cases],
  );
  await keepingVersions(tx, caseRecord, tenantId, cases, { accountId }, () =>
    tx.run(
      `update case_report set version = version + 1, updated_at = now(),
       told_within = coalesce(told_within, $3::jsonb -> cast(id as text))
     where tenant_id = $1 and id = any ($2)`,
      [tenantId, cases, json(Object.fromEntries(kept.map((one) => [one.id, one.kept])))],
    ),
  );
}
