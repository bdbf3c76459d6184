import type { Tx } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';

/*
 * A policy reads its own row and the scope (decision record 0054). So a row whose visibility depends on another row
 * carries a copy of the columns that decide it. Code that inserts such a row copies them (`carriedBy`). Code that
 * changes them in the other row passes the change on in the same transaction (`passOn`).
 */

/** The kinds of rows that decide who sees other rows. */
export type Deciding =
  | 'program'
  | 'membership'
  | 'import'
  | 'case_report'
  | 'work_task'
  | 'treatment'
  | 'vaccination'
  | 'document'
  | 'incident'
  | 'contact'
  | 'case_follow_up'
  | 'partner_service'
  | 'telemedicine_visit'
  | 'field_visit'
  | 'shipment'
  | 'specimen'
  | 'patient';

interface Carrier {
  /** The table whose rows `c` carry columns. */
  table: string;
  /** The column with the id of the row that decides. */
  by: string;
  /** Restricts the rows of the table, as SQL about `c`. */
  only?: string;
  /** The columns of its primary key after the tenant, if the key does not begin with the id of the deciding row. */
  key?: readonly string[];
  /** Values of the deciding row `p` that are computed once for all rows that carry them. */
  once?: Readonly<Record<string, string>>;
  /** The carried columns, as SQL over the deciding row `p` (or the values in `once`) and over `c`. */
  columns: Readonly<Record<string, string>>;
  /** The types of these columns if only the scope `identity` may write the table. */
  byIdentity?: Readonly<Record<string, string>>;
}

const asMember = { account_id: 'p.account_id', org_type: 'p.org_type', org_id: 'p.org_id' };

const asImported = {
  organization_id: 'p.organization_id',
  facility_id: 'p.facility_id',
  created_by: 'p.created_by',
};

const asOfCase = {
  disease_family: 'p.disease_family',
  organization_id: 'p.organization_id',
  facility_id: 'p.facility_id',
  county_fips: 'p.county_fips',
};

/** The same for what a list has told (`told_by`): only a place that told it sees it. [P23] */
const asToldOfCase = {
  disease_family: 'p.disease_family',
  organization_id: `case when c.told_by is null or p.organization_id = any (cast(c.told_by as uuid[])) then p.organization_id end`,
  facility_id: `case when c.told_by is null or p.facility_id = any (cast(c.told_by as uuid[])) then p.facility_id end`,
  county_fips: 'case when c.told_by is null then p.county_fips end',
};

/**
 * The same for what investigators found out. The whole tenant and the county see it; of the places that know the
 * case, only the one whose people wrote it.
 */
const asFoundOfCase = {
  disease_family: 'p.disease_family',
  organization_id: 'case when p.organization_id = c.told_by then p.organization_id end',
  facility_id: 'case when p.facility_id = c.told_by then p.facility_id end',
  county_fips: 'p.county_fips',
};

const asOfPerson = {
  disease_families: 'p.disease_families',
  organization_ids: 'p.organization_ids',
  facility_ids: 'p.facility_ids',
  restricted_at: 'p.restricted_at',
  county_fips: 'p.county_fips',
  open_county_fips: `case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end`,
};
/** The same for rows that belong to a row which carries these columns itself. */
const carriedOfPerson = Object.fromEntries(Object.keys(asOfPerson).map((column) => [column, `p.${column}`]));
const typesOfPerson: Record<keyof typeof asOfPerson, string> = {
  disease_families: 'text[]',
  organization_ids: 'uuid[]',
  facility_ids: 'uuid[]',
  restricted_at: 'uuid[]',
  county_fips: 'text',
  open_county_fips: 'text',
};

/** From the person whom a report of an incident or a visit is about, if there is one. */
const asOfItsPerson = {
  disease_families: asOfPerson.disease_families,
  county_fips: asOfPerson.county_fips,
  open_county_fips: asOfPerson.open_county_fips,
};

/** For rows of a report of an incident or a visit, with the column to pass on by. */
const withItsPerson = {
  patient_id: 'p.patient_id',
  disease_family: 'p.disease_family',
  organization_id: 'p.organization_id',
  facility_id: 'p.facility_id',
  county_fips: 'p.county_fips',
  open_county_fips: 'p.open_county_fips',
  disease_families: 'p.disease_families',
};

/** From the person who is a contact or partner, if known, or who is followed up. */
const asOfContact = { disease_families: asOfPerson.disease_families };
/** For rows of a contact, a partner or a follow-up, with the column to pass on by. */
const withContact = {
  case_report_id: 'p.case_report_id',
  patient_id: 'p.patient_id',
  told_by: 'p.told_by',
  disease_families: 'p.disease_families',
  ...asOfCase,
};
/** From the case that a visit is about, if there is one. */
const asOfVisitedCase = { disease_family: asOfCase.disease_family };
/** For rows of a visit, with the column to pass on by. */
const withVisit = { ...withItsPerson, case_report_id: 'p.case_report_id' };
/** The tables of visits, with the rest of their keys. */
const visitTables = {
  field_visit: ['id'],
  field_visit_history: ['record_id', 'version'],
  field_visit_transition: ['id', 'record_id'],
  field_visit_attempt: ['record_id', 'id'],
};
const ofVisits = (by: string, columns: Readonly<Record<string, string>>): Carrier[] =>
  Object.entries(visitTables).map(([table, key]) => ({ table, by, key: [...key, by], columns }));
/** From the case that a document belongs to, if there is one: the county beside that of the person. */
const asFiledWithCase = {
  disease_family: asOfCase.disease_family,
  organization_id: asOfCase.organization_id,
  facility_id: asOfCase.facility_id,
  case_county_fips: asOfCase.county_fips,
};
/** From a shipment: its two ends. The destination sees it once it was sent. */
const asShipped = {
  origin_id: 'p.origin_id',
  origin_organization_id: 'p.origin_organization_id',
  destination_id: 'p.destination_id',
  destination_organization_id: 'p.destination_organization_id',
  sent_on: 'p.sent_on',
};
/** From a specimen: the disease families of all of its results. */
const ofFamilies = { families: `array(select jsonb_array_elements_text(p.seen_at -> '*'))` };

const places = 'p.organization_ids || p.facility_ids';

/** Values of a record that are computed once for all of its search keys (`search_key`). */
export const keySights = {
  case_report: {
    places: 'array_remove(array[p.organization_id, p.facility_id], null)',
    families: 'p.disease_family',
    county: `coalesce(p.county_fips, '')`,
    tellers: 'null::uuid[]',
    names: 'null::text[]',
    facts: 'null::jsonb',
  },
  patient: {
    places,
    families: `array_to_string(p.disease_families, ',')`,
    county: 'app_key_county(p.county_fips, p.told_openly)',
    tellers: `case when p.told_by <@ (${places}) then p.told_by
      when p.told_by is not null then array(select unnest(${places}) intersect select unnest(p.told_by)) end`,
    names: `case when p.told_by is not null
      then string_to_array(app_fold(concat_ws(' ', p.first_name, p.last_name)), ' ') end`,
    // Most records have none.
    facts: `case when p.told_openly is not null or p.restricted_at <> '{}'
      then app_key_facts(p.told_openly, p.restricted_at) end`,
  },
};
/** What one key `c` of a record `p` carries. It is shown to all who know the record, or only to those who told it. */
export const keyCarries = {
  places: 'case when p.tellers is null or c.key = any (p.names) then p.places else p.tellers end',
  families: 'p.families',
  county: 'p.county',
  apart: `case when p.facts is not null then app_key_apart(p.facts, c.key, p.tellers is null or c.key = any (p.names))
    when p.tellers is not null and c.key <> all (p.names) then '{}'::jsonb end`,
};
const asKey = (once: (typeof keySights)['patient']) => ({
  key: ['record_kind', 'key', 'record_id'],
  once,
  columns: keyCarries,
});

/** All carrying tables, by the kind of row that decides. */
export const carriers: Readonly<Record<Deciding, readonly Carrier[]>> = {
  program: [
    {
      table: 'task',
      by: 'program_id',
      columns: { organization_ids: 'array_remove(array[p.organization_id], null)' },
    },
  ],
  membership: [{ table: 'membership_role', by: 'membership_id', columns: asMember }],
  import: [
    { table: 'import_message', by: 'import_id', columns: asImported },
    { table: 'import_tally', by: 'import_id', columns: asImported },
  ],
  case_report: [
    { table: 'case_result', by: 'case_report_id', columns: asOfCase },
    { table: 'case_event', by: 'case_report_id', columns: asOfCase },
    { table: 'case_answers', by: 'case_report_id', columns: asOfCase },
    {
      table: 'case_answer_key',
      by: 'case_report_id',
      key: ['link_id', 'value', 'case_report_id'],
      columns: asOfCase,
    },
    { table: 'case_answers_history', by: 'case_report_id', columns: asOfCase },
    { table: 'case_report_history', by: 'record_id', columns: asOfCase },
    {
      table: 'treatment',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: { patient_id: 'p.patient_id', ...asToldOfCase },
    },
    {
      table: 'treatment_history',
      by: 'case_report_id',
      key: ['record_id', 'version', 'case_report_id'],
      columns: asToldOfCase,
    },
    {
      table: 'contact',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'contact_history',
      by: 'case_report_id',
      key: ['record_id', 'version', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'contact_transition',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'case_follow_up',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'case_follow_up_history',
      by: 'case_report_id',
      key: ['record_id', 'version', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'case_follow_up_transition',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'follow_up_entry',
      by: 'case_report_id',
      key: ['record_id', 'id', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'partner_service',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'partner_service_history',
      by: 'case_report_id',
      key: ['record_id', 'version', 'case_report_id'],
      columns: asFoundOfCase,
    },
    {
      table: 'partner_service_transition',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: asFoundOfCase,
    },
    ...ofVisits('case_report_id', asOfVisitedCase),
    {
      table: 'document',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: { patient_id: 'p.patient_id', ...asFiledWithCase },
    },
    {
      table: 'document_history',
      by: 'case_report_id',
      key: ['record_id', 'version', 'case_report_id'],
      columns: asFiledWithCase,
    },
    {
      table: 'telemedicine_visit',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: asOfVisitedCase,
    },
    {
      table: 'telemedicine_visit_history',
      by: 'case_report_id',
      key: ['record_id', 'version', 'case_report_id'],
      columns: asOfVisitedCase,
    },
    {
      table: 'telemedicine_visit_transition',
      by: 'case_report_id',
      key: ['id', 'case_report_id'],
      columns: asOfVisitedCase,
    },
    {
      table: 'work_task',
      by: 'record_id',
      key: ['id', 'record_id'],
      columns: { patient_id: 'p.patient_id', ...asOfCase },
    },
    {
      table: 'work_task_history',
      by: 'subject_id',
      key: ['record_id', 'version', 'subject_id'],
      columns: asOfCase,
    },
    {
      table: 'record_clock',
      by: 'record_id',
      key: ['id', 'record_id'],
      only: `c.record_kind = 'case'`,
      columns: asOfCase,
    },
    { table: 'case_report_transition', by: 'record_id', key: ['id', 'record_id'], columns: asOfCase },
    {
      table: 'search_key',
      by: 'record_id',
      only: `c.record_kind = 'case'`,
      ...asKey(keySights.case_report),
    },
  ],
  // The records pass columns on to their histories.
  treatment: [
    {
      table: 'treatment_history',
      by: 'record_id',
      columns: { case_report_id: 'p.case_report_id', told_by: 'p.told_by', ...asOfCase },
    },
  ],
  work_task: [
    {
      table: 'work_task_history',
      by: 'record_id',
      columns: {
        subject_id: 'p.record_id',
        patient_id: 'p.patient_id',
        ...asOfCase,
        ...carriedOfPerson,
      },
    },
  ],
  vaccination: [
    {
      table: 'vaccination_history',
      by: 'record_id',
      columns: { patient_id: 'p.patient_id', ...carriedOfPerson },
    },
  ],
  document: [
    {
      table: 'document_history',
      by: 'record_id',
      columns: {
        patient_id: 'p.patient_id',
        case_report_id: 'p.case_report_id',
        ...carriedOfPerson,
        ...Object.fromEntries(Object.keys(asFiledWithCase).map((column) => [column, `p.${column}`])),
      },
    },
  ],
  incident: [
    { table: 'incident_history', by: 'record_id', columns: withItsPerson },
    { table: 'incident_transition', by: 'record_id', key: ['id', 'record_id'], columns: withItsPerson },
    {
      table: 'record_clock',
      by: 'record_id',
      key: ['id', 'record_id'],
      only: `c.record_kind = 'incident'`,
      columns: {
        // A row without a family is visible to everyone, and the county is the one that is openly known.
        disease_family: `coalesce(p.disease_family, '')`,
        organization_id: 'p.organization_id',
        facility_id: 'p.facility_id',
        county_fips: 'p.open_county_fips',
      },
    },
  ],
  contact: [
    { table: 'contact_history', by: 'record_id', columns: withContact },
    { table: 'contact_transition', by: 'record_id', key: ['id', 'record_id'], columns: withContact },
    {
      table: 'follow_up_entry',
      by: 'record_id',
      only: `c.record_kind = 'contact'`,
      columns: withContact,
    },
  ],
  case_follow_up: [
    { table: 'case_follow_up_history', by: 'record_id', columns: withContact },
    { table: 'case_follow_up_transition', by: 'record_id', key: ['id', 'record_id'], columns: withContact },
    {
      table: 'follow_up_entry',
      by: 'record_id',
      only: `c.record_kind = 'case-follow-up'`,
      columns: withContact,
    },
  ],
  partner_service: [
    { table: 'partner_service_history', by: 'record_id', columns: withContact },
    { table: 'partner_service_transition', by: 'record_id', key: ['id', 'record_id'], columns: withContact },
  ],
  telemedicine_visit: [
    {
      table: 'telemedicine_visit_history',
      by: 'record_id',
      columns: withVisit,
    },
    {
      table: 'telemedicine_visit_transition',
      by: 'record_id',
      key: ['id', 'record_id'],
      columns: withVisit,
    },
  ],
  field_visit: [
    { table: 'field_visit_history', by: 'record_id', columns: withVisit },
    { table: 'field_visit_transition', by: 'record_id', key: ['id', 'record_id'], columns: withVisit },
    { table: 'field_visit_attempt', by: 'record_id', columns: withVisit },
  ],
  shipment: [
    { table: 'shipment_history', by: 'record_id', columns: asShipped },
    { table: 'shipment_transition', by: 'record_id', key: ['id', 'record_id'], columns: asShipped },
    // With its state, which decides whether its specimens can be in another shipment.
    { table: 'shipment_specimen', by: 'shipment_id', columns: { ...asShipped, state: 'p.state' } },
    { table: 'custody_event', by: 'shipment_id', columns: asShipped },
  ],
  specimen: [
    {
      table: 'shipment_specimen',
      by: 'specimen_id',
      key: ['shipment_id', 'id', 'specimen_id'],
      columns: ofFamilies,
    },
    {
      table: 'custody_event',
      by: 'specimen_id',
      key: ['shipment_id', 'id', 'specimen_id'],
      columns: ofFamilies,
    },
    { table: 'storage_place', by: 'specimen_id', columns: ofFamilies },
    { table: 'storage_move', by: 'specimen_id', key: ['id', 'specimen_id'], columns: ofFamilies },
  ],
  patient: [
    { table: 'contact', by: 'patient_id', key: ['id', 'patient_id'], columns: asOfContact },
    {
      table: 'contact_history',
      by: 'patient_id',
      key: ['record_id', 'version', 'patient_id'],
      columns: asOfContact,
    },
    {
      table: 'contact_transition',
      by: 'patient_id',
      key: ['id', 'patient_id'],
      columns: asOfContact,
    },
    {
      table: 'case_follow_up',
      by: 'patient_id',
      key: ['id', 'patient_id'],
      columns: asOfContact,
    },
    {
      table: 'case_follow_up_history',
      by: 'patient_id',
      key: ['record_id', 'version', 'patient_id'],
      columns: asOfContact,
    },
    {
      table: 'case_follow_up_transition',
      by: 'patient_id',
      key: ['id', 'patient_id'],
      columns: asOfContact,
    },
    {
      table: 'follow_up_entry',
      by: 'patient_id',
      key: ['record_id', 'id', 'patient_id'],
      columns: asOfContact,
    },
    { table: 'partner_service', by: 'patient_id', key: ['id', 'patient_id'], columns: asOfContact },
    {
      table: 'partner_service_history',
      by: 'patient_id',
      key: ['record_id', 'version', 'patient_id'],
      columns: asOfContact,
    },
    {
      table: 'partner_service_transition',
      by: 'patient_id',
      key: ['id', 'patient_id'],
      columns: asOfContact,
    },
    { table: 'vaccination', by: 'patient_id', key: ['id', 'patient_id'], columns: asOfPerson },
    {
      table: 'vaccination_history',
      by: 'patient_id',
      key: ['record_id', 'version', 'patient_id'],
      columns: asOfPerson,
    },
    { table: 'document', by: 'patient_id', key: ['id', 'patient_id'], columns: asOfPerson },
    {
      table: 'document_history',
      by: 'patient_id',
      key: ['record_id', 'version', 'patient_id'],
      columns: asOfPerson,
    },
    // A task of a case has the columns of the case.
    {
      table: 'work_task',
      by: 'patient_id',
      only: 'c.record_id is null',
      key: ['id', 'patient_id'],
      columns: asOfPerson,
    },
    {
      table: 'work_task_history',
      by: 'patient_id',
      only: 'c.subject_id is null',
      key: ['record_id', 'version', 'patient_id'],
      columns: asOfPerson,
    },
    { table: 'incident', by: 'patient_id', key: ['id', 'patient_id'], columns: asOfItsPerson },
    {
      table: 'incident_history',
      by: 'patient_id',
      key: ['record_id', 'version', 'patient_id'],
      columns: asOfItsPerson,
    },
    {
      table: 'incident_transition',
      by: 'patient_id',
      key: ['id', 'patient_id'],
      columns: asOfItsPerson,
    },
    { table: 'telemedicine_visit', by: 'patient_id', key: ['id', 'patient_id'], columns: asOfItsPerson },
    {
      table: 'telemedicine_visit_history',
      by: 'patient_id',
      key: ['record_id', 'version', 'patient_id'],
      columns: asOfItsPerson,
    },
    {
      table: 'telemedicine_visit_transition',
      by: 'patient_id',
      key: ['id', 'patient_id'],
      columns: asOfItsPerson,
    },
    ...ofVisits('patient_id', asOfItsPerson),
    { table: 'patient_identifier', by: 'patient_id', columns: asOfPerson },
    { table: 'patient_history', by: 'record_id', columns: { ...asOfPerson, told_by: 'p.told_by' } },
    { table: 'patient_consent', by: 'patient_id', columns: asOfPerson },
    { table: 'portal_invitation', by: 'patient_id', columns: asOfPerson, byIdentity: typesOfPerson },
    { table: 'patient_match', by: 'patient_id', columns: { patient_families: 'p.disease_families' } },
    { table: 'patient_match', by: 'candidate_id', columns: { candidate_families: 'p.disease_families' } },
    {
      table: 'search_key',
      by: 'record_id',
      only: `c.record_kind = 'patient'`,
      ...asKey(keySights.patient),
    },
  ],
};

function carrierOf(table: string, of: Deciding): Carrier {
  const carrier = carriers[of].find((one) => one.table === table);
  if (!carrier) throw new Error(`${table} is not among the carriers of ${of} in platform/carried/carried.ts`);
  return carrier;
}

/**
 * What a statement `insert … select … from … c` with the tenant as `$1` needs so that its rows carry the deciding
 * columns: the columns, their values, and the join that finds the deciding row by its id in `c`. If the transaction
 * does not see that row, nothing is carried, and row-level security or the key refuses the insert. The limit makes
 * PostgreSQL look up each row by its key; without statistics it would otherwise read all rows of a tenant.
 */
export function carriedBy(
  table: string,
  of: Deciding,
): { names: readonly string[]; columns: string; values: string; join: string } {
  const { by, columns } = carrierOf(table, of);
  return {
    names: Object.keys(columns),
    columns: Object.keys(columns).join(', '),
    values: Object.values(columns).join(', '),
    join: `left join lateral (select * from ${of} p where p.tenant_id = $1 and p.id = c.${by} limit 1) p on true`,
  };
}

/**
 * Inserts a row that carries the deciding columns of the row with this id. `columns`: its other columns. Throws
 * `unavailable` if the transaction does not see the deciding row: on Citus, a statement that waited while its tenant
 * moved finds nothing once.
 */
export async function insertCarried(
  tx: Tx,
  table: string,
  of: Deciding,
  tenantId: string,
  id: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { by, columns: carried } = carrierOf(table, of);
  const names = Object.keys(columns);
  const inserted = await tx.run(
    `insert into ${table} (tenant_id, ${[by, ...names, ...Object.keys(carried)].join(', ')})
     select p.tenant_id, ${['p.id', ...names.map((_, place) => `$${place + 3}`), ...Object.values(carried)].join(', ')}
     from ${of} p where p.tenant_id = $1 and p.id = $2`,
    [tenantId, id, ...Object.values(columns)],
  );
  if (inserted === 1) return;
  const cause = new Error(`the ${of} that decides about a ${table} is not seen`);
  throw new AppError('unavailable', { retryAfter: 2, cause });
}

/** The memberships of an account `a`, in the form that it carries them. */
export const memberships = `array(
  select distinct place from membership m, unnest(array[m.tenant_id::text, m.tenant_id || '/' || m.org_id,
    case when m.org_type = 'T' then m.tenant_id || '/T' end]) as place
  where m.account_id = a.id and place is not null order by place)`;

/**
 * Updates the current and former memberships that accounts carry, after memberships were written. In the scope
 * `identity`.
 */
export async function noteMemberships(tx: Tx, accountIds: readonly string[]): Promise<void> {
  await tx.run(
    `update account a set member_of = ${memberships} where a.id = any ($1) and a.member_of <> ${memberships}`,
    [accountIds],
  );
  await tx.run(
    `update account_state s set member_of = a.member_of from account a where a.id = s.account_id and a.id = any ($1)`,
    [accountIds],
  );
}

/** The columns that a row carries, by name. */
export type Carried = Readonly<Record<string, unknown>>;

/**
 * What a row of the record with this id would carry. For rows that are written in a scope that does not see the
 * record.
 */
export async function carriedNow(tx: Tx, table: string, of: Deciding, id: string): Promise<Carried> {
  const { by, columns } = carrierOf(table, of);
  const [carried] = await tx.rows<Carried>(
    `select ${Object.entries(columns)
      .map(([name, value]) => `${value} as ${name}`)
      .join(', ')}
     from (select $2::uuid as ${by}) c ${carriedBy(table, of).join}`,
    [tx.tenantId, id],
  );
  return carried!;
}

/** The deciding rows, with the values that are computed once. */
export const decidingRows = (of: string, once: Readonly<Record<string, string>>, where: string): string =>
  Object.keys(once).length === 0
    ? `select * from ${of} p where ${where}`
    : `select p.tenant_id, p.id, ${Object.entries(once)
        .map(([name, value]) => `${value} as ${name}`)
        .join(', ')} from ${of} p where ${where}`;

/**
 * Updates rows so that they carry the current columns of these deciding rows; `all`: of every one of the tenant.
 * Writes only rows that differ. In the scope of the service, after the deciding rows have been written. `tables`:
 * only these.
 */
export async function passOn(
  tx: Tx,
  tenantId: string,
  of: Deciding,
  ids: readonly string[] | 'all',
  tables?: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const params = ids === 'all' ? [tenantId] : [tenantId, ids];
  for (const carrier of carriers[of]) {
    if (tables && !tables.includes(carrier.table)) continue;
    const { text, name } = passing(of, carrier, ids === 'all');
    const { byIdentity, table } = carrier;
    // Prepared once, because most of the time goes into planning: few rows differ.
    if (!byIdentity) {
      await tx.send(text, params, name);
      continue;
    }
    const [row] = await tx.prepared<{ changed: object[] | null }>(name, text, params);
    if (row!.changed)
      await tx.runAsIdentity(
        `update ${table} c set ${Object.keys(byIdentity)
          .map((column) => `${column} = p.${column}`)
          .join(', ')}
         from json_to_recordset($2::json) as p (id uuid, ${Object.entries(byIdentity)
           .map(([column, type]) => `${column} ${type}`)
           .join(', ')})
         where c.tenant_id = $1 and c.id = p.id`,
        [tenantId, JSON.stringify(row!.changed)],
      );
  }
}

/** The name of that prepared statement. PostgreSQL tells names apart by their first 63 characters. */
export const passingName = (
  of: Deciding,
  { table, by }: Pick<Carrier, 'table' | 'by'>,
  all: boolean,
): string => `${of}: ${table} ${by}${all ? ' all' : ''}`;

/** The statement that updates what rows carry, or that reads what they have to carry if another scope writes it. */
function passing(
  of: Deciding,
  { table, by, only, key, once = {}, columns, byIdentity }: Carrier,
  all: boolean,
): { name: string; text: string } {
  // The condition is given for both tables, because PostgreSQL without statistics may begin with either.
  const among = (column: string) => (all ? '' : `and ${column} = any ($2)`);
  const names = Object.keys(columns);
  const values = Object.values(columns);
  const deciding = `with p as materialized (${decidingRows(of, once, `p.tenant_id = $1 ${among('p.id')}`)})`;
  const mine = `c.tenant_id = $1 ${among(`c.${by}`)} ${only ? `and ${only}` : ''}`;
  const astray = `(${names.map((name) => `c.${name}`).join(', ')}) is distinct from (${values.join(', ')})`;
  const set = names.map((name, place) => `${name} = ${values[place]}`).join(', ');
  const name = passingName(of, { table, by }, all);
  if (byIdentity)
    return {
      name,
      text: `${deciding}
        select json_agg(json_build_object('id', c.id, ${names
          .map((column, place) => `'${column}', ${values[place]}`)
          .join(', ')})) as changed
        from p, ${table} c where ${mine} and c.${by} = p.id and ${astray}`,
    };
  if (key)
    // All keys are found first. In one query for one record and for all, PostgreSQL would read the tenant's keys for
    // each.
    return {
      name,
      text: `${deciding}, k as materialized (select ${key.join(', ')} from ${table} c where ${mine})
        update ${table} c set ${set}
        from p, k where k.${by} = p.id and c.tenant_id = $1 and ${key
          .map((column) => `c.${column} = k.${column}`)
          .join(' and ')} and ${astray}`,
    };
  return {
    name,
    text: `${deciding} update ${table} c set ${set} from p where ${mine} and c.${by} = p.id and ${astray}`,
  };
}
