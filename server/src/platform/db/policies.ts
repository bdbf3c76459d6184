/*
 * Who sees and changes the rows of each table: the one list of row-level-security policies. `npm run db:types` prints it
 * as server/migrations/policies.sql, which `migrate` applies and people review; a test fails when that is not current.
 *
 * A policy reads its own row and the scope, nothing else (decision record 0054); what a reader is, app_… says
 * (server/migrations/functions). Each of these is called as `(select app_x())`: PostgreSQL then asks it once a statement
 * and not once a row. Where tables are spread over several servers, the same text is applied without `select`.
 *
 * T and A see their whole tenant. O: its own organization, the facilities that belong to it, and their people. F: its own
 * facility. PHJ: the residents of its counties in the tenants that report to it, and what names their records. What is set
 * up (organizations, programs, roles, people who sign in …) is written by the service, by sign-in and by whole tenants.
 * platform/db/scopes.test.ts has a row of every table for every kind of reader. [S6.4, S6.9, P1, P18]
 */

/** Whom the policies of a table let do what, as conditions in SQL. */
interface TablePolicies {
  /** Who sees rows, and adds, changes and removes those that they see. */
  all?: string;
  /** Who sees rows, in addition to `all`. */
  read?: string;
  /** Who adds, changes and removes rows. */
  write?: string;
  add?: string;
  change?: string;
  /**
   * What the conditions above may allow patients: nothing, whatever they say, if this is not given; to read; or to write
   * too, as in the log of their actions.
   */
  patients?: 'read' | 'write';
}

const signIn = `(select app_scope()) = 'identity'`;
const system = `(select app_scope()) = 'system'`;
const signInOrSystem = `(select app_scope()) in ('identity', 'system')`;
const service = '(select app_service())';
const whole = '(select app_whole_tenant())';
const unrestricted = '(select app_unrestricted())';
const here = '(select app_reads_here())';
const tenant = '(select app_tenant())';
const account = '(select app_account())';
const patient = '(select app_patient())';
const organization = `(select app_org('O'))`;
const facility = `(select app_org('F'))`;
const jurisdiction = `(select app_org('PHJ'))`;
const facilityOrganization = '(select app_facility_organization())';
const facilities = '(select app_organization_facilities())::uuid[]';
const counties = '(select app_counties())::text[]';
const hiddenFamilies = '(select app_hidden_families())';
const hidden = `${hiddenFamilies}::text[]`;
const openedCase = '(select app_glass_case())';
const openedPatient = '(select app_glass_patient())';
const openedResults = '(select app_glass_results())::uuid[]';

const own = `tenant_id = ${tenant}`;
const ownWhole = `${own} and ${whole}`;
const ownService = `${own} and ${service}`;
const nothingHidden = `${hiddenFamilies} = '{}'`;

const signInAlone: TablePolicies = { all: signIn };
const systemAlone: TablePolicies = { all: system };
const serviceAlone: TablePolicies = { all: ownService };
/** What every reader of the tenant knows, and sign-in reads over all tenants. */
const knownToAll = `${signIn} or ${own} and (${whole} or ${here})`;
const byWholeOrSignIn = `${signIn} or ${ownWhole}`;
const setUp: TablePolicies = { read: knownToAll, write: byWholeOrSignIn };

/**
 * Rows that belong to persons, cases and messages, and carry who sees them, are added by the service alone: anyone else
 * could choose the columns, and so decide who sees the row.
 */
const addedByService = (condition: string): TablePolicies => ({
  read: condition,
  write: condition,
  add: `${condition} and ${service}`,
});

/** A record of an organization, a facility and a county. */
const ofPlace = `(${whole} or organization_id = ${organization} or facility_id = ${facility}
  or county_fips = any (${counties}))`;
/** What was sent for an organization or facility. */
const sentFor = `(${whole} or organization_id = ${organization} or facility_id = ${facility})`;

/** What belongs to a case, which carries what decides about the case; also that it was opened in an emergency. */
const withCase = (more = '', id = 'case_report_id') => `${own} and (${unrestricted}
  or (disease_family <> all (${hidden}) and ${ofPlace} or ${id} = ${openedCase}) ${more})`;

/** What a list has told is for the places that have told it, also in an emergency; absent: for all. [P23] */
const toldToReader = '(told_by is null or app_told(told_by))';

/** What investigators have learned about a case; organizations and facilities that know the case are not told. */
const investigated = `${own} and (${unrestricted}
  or disease_family <> all (${hidden}) and (${whole} or county_fips = any (${counties})))`;

/**
 * Whether a place that knows the person does so by more than records of restricted families that the reader may not see.
 * A person of whom there are only such records is hidden everywhere.
 */
const knownOpenly = (place: string) =>
  `(not disease_families && ${hidden} or ${place} <> all (restricted_at))`;
const person = (
  key: string,
  county: string,
) => `(disease_families = '{}' or not disease_families <@ ${hidden})
  and (${whole}
    or ${organization} = any (organization_ids) and ${knownOpenly(organization)}
    or ${facility} = any (facility_ids) and ${knownOpenly(facility)}
    or ${county} = any (${counties})
    or ${key} = ${patient})`;

/** What belongs to a person, which carries what decides about the person. */
const seenPerson = (id: string) =>
  person(id, `case when ${nothingHidden} then county_fips else open_county_fips end`);
const ofPerson = (id: string) => `(${seenPerson(id)}
  or ${id} = ${openedPatient})`;
const withPerson = ofPerson('patient_id');
/** What staff write down about a person whom they see. */
const aboutPerson = `${own} and (${unrestricted} or ${seenPerson('patient_id')})`;

/** A report of an incident, or a visit: of its place, and of a person who is not hidden. */
const ofItsPlace = `${own} and (${unrestricted}
  or (disease_family is null or disease_family <> all (${hidden}))
    and (disease_families is null or disease_families = '{}' or not disease_families <@ ${hidden})
    and (${whole} or organization_id = ${organization} or facility_id = ${facility}
      or case when ${nothingHidden} then county_fips else open_county_fips end = any (${counties})))`;

/** A contact, a partner or a follow-up of a case, and of a person who is not hidden. An access in an emergency opens the case, not the people around it. */
const contact = `${own} and (${unrestricted}
  or disease_family <> all (${hidden})
    and (disease_families is null or disease_families = '{}' or not disease_families <@ ${hidden})
    and ${ofPlace})`;
/** What is followed up now, for the person themselves: the days on which they answer how they are. */
const ownFollowed = `${own} and patient_id = ${patient} and status = 'under-follow-up'`;
/** What belongs to the follow-up of a case that was opened in an emergency. */
const ofOpenedCase = `${own} and case_report_id = ${openedCase}`;
/** What people have answered themselves; not what staff have noted of them, nor what was answered for somebody else. */
const ownAnswer = `${own} and patient_id = ${patient} and account_id = ${account} and outcome = 'answered'`;
/** A shipment is of both of its ends, of the destination once it was sent; a draft is the sender's alone. */
const shipment = `${own} and (${whole} or origin_id = ${facility} or origin_organization_id = ${organization}
  or sent_on is not null and (destination_id = ${facility} or destination_organization_id = ${organization}))`;
/** What is in it: nothing of a specimen of which the reader may see no result at any place. [P18] */
const inShipment = `${shipment} and (${unrestricted} or families = '{}' or not families <@ ${hidden})`;
const storedByService = (read: string): TablePolicies => ({ read, write: ownService });

/**
 * What cannot be said to be of another family is shown to readers from whom nothing is hidden and to those who sent it;
 * to nobody who may not see a family that it may be about.
 */
const message = (families: string) => `${own} and (${unrestricted}
  or not ${families} && ${hidden} and ${sentFor}
    and (not '?' = any (${families}) or ${nothingHidden} or created_by = ${account}))`;

/** Everyone knows the tenant's own staff, who work on their cases, and the people of their own organization. */
const member = `${signIn} or ${own} and (${whole}
  or account_id = ${account}
  or (org_type = 'T' or org_id = (select nullif(current_setting('app.org_id', true), '')::uuid)) and ${here}
  or org_type = 'F' and org_id = any (${facilities}))`;

/** An organization and a facility read what was done for them, and nobody else's. */
const ownDeeds = `${own} and (${whole} or org_type = current_setting('app.org_type', true)
  and org_id = nullif(current_setting('app.org_id', true), '')::uuid)`;

/** Shared by the tenants that report to it; changed by the one that manages it. */
const jurisdictions = (id: string): TablePolicies => ({
  read: `${signInOrSystem} or ${id} = ${jurisdiction}
    or (${whole} or ${here}) and (managed_by_tenant_id = ${tenant} or ${tenant} = any (reported_by))`,
  write: `${signIn} or managed_by_tenant_id = ${tenant} and ${whole}`,
});

/** What people keep for themselves, and what of it they show to others who work for the same organization. */
const kept = `${own} and account_id = ${account}`;
const ownOrService = `${own} and (account_id = ${account} or ${service})`;
const shownWithin = (org: string) =>
  `${own} and (account_id = ${account} or ${org} = nullif(current_setting('app.org_id', true), '')::uuid)`;

const seenAt = `app_seen_at(seen_at, (select app_places()), (select to_jsonb(app_hidden_families())))`;
const reader = `(select coalesce(app_org('O'), app_org('F')))`;

const notPatients = `coalesce((select app_scope()), '') <> 'patient'`;
const forStaff = (condition: string | undefined) => condition && `(${condition}) and ${notPatients}`;

const policies: Readonly<Record<string, TablePolicies>> = {
  // Tenants, and the installation.
  tenant: {
    read: `${signInOrSystem} or id = ${tenant} and (${whole} or ${here} or ${patient} is not null)`,
    write: `${signInOrSystem} or id = ${tenant} and ${whole}`,
    patients: 'read',
  },
  // Read with every membership, written as settings are.
  feature_switch: { read: byWholeOrSignIn, write: signIn },
  // Every reader of the tenant is shown its words; messages are sent by the product itself.
  label_override: { read: knownToAll, write: ownWhole },
  mail_text: { read: byWholeOrSignIn, write: ownWhole },
  retention_change: { read: `${signInOrSystem} or ${ownWhole}`, add: signIn },
  seeding: serviceAlone,
  secret_mark: systemAlone,
  backup_made: systemAlone,

  // Places. Partners of a tenant (employers, schools, clinics) do not learn of each other.
  organization: {
    read: `${signIn} or ${own} and (${whole} or id = ${organization} or id = ${facilityOrganization})`,
    write: byWholeOrSignIn,
  },
  // Laboratories, and what the tenant runs itself and has registered, are known to all its readers. What belongs to an
  // organization is known to it; and what the importer made from a report, until the tenant confirms it, only to readers
  // who see one of its records. One with records of restricted families alone could say what is treated there. [P24]
  facility: {
    read: `${signIn} or ${own}
      and (registered or disease_families = '{}' or not disease_families <@ ${hidden})
      and (${whole}
        or organization_id = ${organization}
        or id = ${facility}
        or registered and (facility_type = 'laboratory' or organization_id is null) and ${here}
        or ${seenAt}
        or id = any ((select app_told_facilities())::uuid[]))`,
    write: byWholeOrSignIn,
    patients: 'read',
  },
  facility_alias: { all: ownWhole },
  location: {
    read: `${own} and (${whole} or facility_id = ${facility} or facility_id = any (${facilities}))`,
    write: ownWhole,
  },
  jurisdiction: jurisdictions('id'),
  jurisdiction_county: jurisdictions('jurisdiction_id'),
  tenant_reporting: { read: `${signInOrSystem} or ${own}`, write: byWholeOrSignIn },
  program_type: { read: `${own} and (${whole} or ${here})`, write: ownWhole },
  // A program of an organization is its own; a jurisdiction needs the names of all under which records come to it.
  program: {
    read: `${own} and (${whole}
      or organization_id = ${organization}
      or (organization_id is null or ${jurisdiction} is not null) and ${here}
      or organization_id = ${facilityOrganization})`,
    write: ownWhole,
  },
  task: {
    read: `${own} and (${whole}
      or ${organization} = any (organization_ids)
      or (organization_ids = '{}' or ${jurisdiction} is not null and organization_ids is not null) and ${here}
      or ${facilityOrganization} = any (organization_ids))`,
    write: ownWhole,
  },
  // Of records that the whole tenant sets up; nobody changes what has been. Roles are written in the scope of sign-in.
  record_history: { read: ownWhole, add: byWholeOrSignIn },
  // Of users, for those who administer them (as in user_list); written where users are.
  user_history: {
    read: `${signIn} or ${own} and (${whole} or org_type = 'O' and org_id = ${organization}
      or org_type = 'F' and (org_id = ${facility} or org_id = any (${facilities})))`,
    add: signIn,
  },

  // Accounts and roles. An account can belong to several tenants, so no tenant changes one.
  account: {
    read: `${signIn} or id = ${account} or member_of && (select app_colleagues())`,
    write: signIn,
    patients: 'read',
  },
  account_state: {
    read: `${signIn} or account_id = ${account} or member_of && (select app_colleagues())`,
    write: signIn,
    patients: 'read',
  },
  membership: { read: member, write: byWholeOrSignIn },
  // Seen by the administrators of the organization, of whatever kind; written as accounts are.
  membership_offer: {
    read: `${signIn} or ${own} and (${whole}
      or org_type = 'O' and org_id = ${organization}
      or org_type = 'F' and (org_id = ${facility} or org_id = any (${facilities})))`,
    write: signIn,
  },
  role: setUp,
  role_parent: setUp,
  role_grant: setUp,
  membership_role: { read: member, write: byWholeOrSignIn },
  policy_version: setUp,

  // Sign-in.
  session: signInAlone,
  sign_in_challenge: signInAlone,
  sign_in_failure: signInAlone,
  totp_authenticator: signInAlone,
  passkey: signInAlone,
  recovery_code: signInAlone,
  contact_change: signInAlone,
  account_recovery: signInAlone,
  recovery_approval: signInAlone,

  // Imports.
  import: { all: `${own} and ${sentFor}` },
  import_upload: { all: `${own} and (select app_scope()) = 'service'` },
  import_message: addedByService(message('disease_families')),
  import_tally: addedByService(message('families')),
  // A sender's words can be anything: seen by the whole tenant, and by those whose message waits for them.
  code_mapping: {
    all: `${own} and (disease_family is null or disease_family <> all (${hidden}))
      and (${whole} or app_waits(waiting_at, (select coalesce(app_org('O'), app_org('F'))::text), ${hidden}, ${account}))`,
  },
  csv_mapping: { all: ownWhole },
  population: { all: ownWhole },
  population_count: { all: ownWhole },

  // Persons.
  patient: {
    all: `${own} and ${person(
      'id',
      `case when told_openly is null or ${nothingHidden} then county_fips else told_openly ->> 'county_fips' end`,
    )}`,
    // Opened in an emergency: in addition to what the reader sees anyway, and read-only.
    read: `${own} and id = ${openedPatient}`,
    patients: 'read',
  },
  patient_identifier: addedByService(`${own} and (${unrestricted}
      or app_told(told_by) and (told_in is null or not told_in <@ ${hidden}) and ${withPerson})`),
  patient_history: {
    read: `${own} and (${unrestricted} or ${ofPerson('record_id')})`,
    add: ownService,
    write: ownService,
  },
  patient_block: serviceAlone,
  // A pair says what is known of two persons, and deciding it joins their records: for readers who see the whole tenant.
  patient_match: addedByService(`${ownWhole} and (${unrestricted}
      or (patient_families = '{}' or not patient_families <@ ${hidden} or patient_id = ${openedPatient})
        and (candidate_families = '{}' or not candidate_families <@ ${hidden} or candidate_id = ${openedPatient}))`),

  // Results.
  specimen: {
    ...addedByService(`${own} and (${unrestricted}
      or ${seenAt}
      or ${patient} is not null and app_told_me(told)
      or id = any ((select app_glass_specimens())::uuid[]))`),
    patients: 'read',
  },
  result: {
    all: `${own} and (disease_family is null or disease_family <> all (${hidden}))
      and (${whole} or organization_id = ${organization} or facility_id = ${facility} or county_fips = any (${counties})
        or patient_id = ${patient}
          and (released_at is not null or not app_held_from_me(disease_family, condition_code, result_category)))`,
    // Those of the case that was opened, and those that they replaced.
    read: `${own} and (id = any (${openedResults}) or superseded_by = any (${openedResults}))`,
    patients: 'read',
  },

  // Cases.
  case_counter: serviceAlone,
  case_report: {
    all: `${own} and disease_family <> all (${hidden}) and ${ofPlace}`,
    read: `${own} and id = ${openedCase}`,
  },
  case_result: addedByService(withCase()),
  // That a record was joined with another one is for readers who see both.
  case_event: {
    all: withCase(`and (kind not in ('patient-merged', 'patient-unmerged') or ${whole} and (detail -> 'families' is null
      or not detail -> 'families' <@ (select to_jsonb(app_hidden_families()))))`),
  },
  case_answers: { all: investigated },
  case_answer_key: { all: investigated },
  // Nobody changes what has been; the service changes what the rows carry.
  case_answers_history: { read: investigated, add: investigated, change: ownService },
  // Every reader who is shown a form; what was published stays.
  form_extension: { read: `${own} and (${whole} or ${here})`, add: ownWhole },
  // A version that another place has made is not shown to those that share the case. [P23] Nobody changes what has been.
  case_report_history: {
    read: withCase(
      `and (version_within is not null
        or coalesce((select current_setting('app.org_type', true)), '') not in ('O', 'F'))`,
      'record_id',
    ),
    add: withCase('', 'record_id'),
    write: ownService,
  },
  // What was given for a case; nobody changes what has been.
  treatment: { all: withCase(`and ${toldToReader}`) },
  treatment_history: {
    read: withCase(`and ${toldToReader}`),
    add: withCase(`and ${toldToReader}`),
    write: ownService,
  },
  // Opened in an emergency with the case of its person: read-only. Nobody changes what has been.
  incident: { all: ofItsPlace, read: `${own} and patient_id = ${openedPatient}` },
  incident_history: {
    read: `${ofItsPlace} or ${own} and patient_id = ${openedPatient}`,
    add: ofItsPlace,
    write: ownService,
  },
  incident_transition: { all: ofItsPlace },
  // As the person; opened in an emergency with them, read-only. Patients read those that count, and no history.
  vaccination: {
    all: `${aboutPerson} and ${notPatients}`,
    read: `${own} and (patient_id = ${openedPatient} or patient_id = ${patient} and state = 'given')`,
    patients: 'read',
  },
  vaccination_history: {
    read: `${own} and (${unrestricted} or ${withPerson})`,
    add: aboutPerson,
    write: ownService,
  },
  // An access in an emergency does not open visits. Who books knows when a provider has no time, and not with whom.
  telemedicine_visit: { all: ofItsPlace },
  telemedicine_visit_history: { read: ofItsPlace, add: ofItsPlace, write: ownService },
  telemedicine_visit_transition: { all: ofItsPlace },
  provider_time: { all: `${own} and (${whole} or ${here})` },
  // It names no person. Whole tenants change that of everyone, everyone else their own.
  provider_availability: {
    read: `${own} and (${whole} or ${here})`,
    write: `${own} and (${whole} or ${here} and account_id = ${account})`,
  },
  // What was found on a day is only added; the service changes what the rows carry. It adds what people answer themselves,
  // so that nobody else can say that they have, and that they change nothing else.
  contact: { all: contact, read: ownFollowed, patients: 'read' },
  contact_history: { read: contact, add: contact, write: ownService },
  contact_transition: { all: contact },
  // That of a case is opened with it in an emergency, read-only.
  case_follow_up: { all: contact, read: `${ownFollowed} or ${ofOpenedCase}`, patients: 'read' },
  case_follow_up_history: { read: `${contact} or ${ofOpenedCase}`, add: contact, write: ownService },
  case_follow_up_transition: { all: contact },
  partner_service: { all: contact },
  partner_service_history: { read: contact, add: contact, write: ownService },
  partner_service_transition: { all: contact },
  follow_up_entry: {
    read: `${contact} or ${ownAnswer} or record_kind = 'case-follow-up' and ${ofOpenedCase}`,
    add: `${contact} and (outcome <> 'answered' or ${service})`,
    write: ownService,
    patients: 'read',
  },
  // Attempts are only added. An access in an emergency is for treatment, and opens no visits.
  field_visit: { all: ofItsPlace },
  field_visit_history: { read: ofItsPlace, add: ofItsPlace, write: ownService },
  field_visit_transition: { all: ofItsPlace },
  field_visit_attempt: { read: ofItsPlace, add: ofItsPlace, write: ownService },
  // Written by the service: a box can hold what its packer does not see.
  shipment: storedByService(shipment),
  shipment_history: storedByService(shipment),
  shipment_transition: storedByService(shipment),
  shipment_specimen: storedByService(inShipment),
  custody_event: storedByService(inShipment),
  // What has to be done about a case, and until when: seen and changed with it.
  work_task: { all: withCase('', 'record_id') },
  work_task_history: { read: withCase('', 'subject_id'), add: withCase('', 'subject_id'), write: ownService },
  record_clock: { all: withCase('', 'record_id') },
  case_report_transition: { all: withCase('', 'record_id') },
  // Nobody gives an access to themselves past the endpoint that asks for the reason.
  break_glass: {
    read: `${own} and (${whole} or (select app_scope()) = 'org' and account_id = ${account})`,
    add: ownService,
    change: ownService,
  },

  // Patients' own entrance.
  held_result_rule: {
    read: `${own} and (${whole} or ${here} or ${patient} is not null)`,
    write: ownWhole,
    patients: 'read',
  },
  // The service changes only what the rows carry, when the person changes.
  patient_consent: {
    read: `${own} and (${unrestricted} or ${withPerson})`,
    add: `${own} and ${withPerson}`,
    change: ownService,
    patients: 'write',
  },
  // Written together with the account that it is about.
  portal_invitation: {
    read: `${signIn} or ${own} and (${unrestricted} or ${withPerson})`,
    add: signIn,
    change: signIn,
  },

  // Search, and what people keep for themselves. Nobody is found by what the reader is not shown.
  search_key: addedByService(`${own} and (${unrestricted}
      or (apart is null or (not apart ? 'closed' or ${nothingHidden})
          and (apart ? 'all' or coalesce((select current_setting('app.org_type', true)), '') not in ('O', 'F')
            or ${reader} = any (places)))
        and ((families = '' or not string_to_array(families, ',') <@ ${hidden})
          and (${whole}
            or ${reader} = any (places)
              and (not string_to_array(families, ',') && ${hidden}
                or not coalesce(apart -> 'at' ? (select current_setting('app.org_id', true)), false))
            or case when ${nothingHidden} or county not like '%/%' then split_part(county, '/', 1)
              else split_part(county, '/', 2) end = any (${counties}))
          or record_id = case record_kind when 'patient' then ${openedPatient} else ${openedCase} end))`),
  saved_filter: { all: kept, read: shownWithin('org_id') },
  grid_preference: { all: kept },
  // What they do to many records at once; the service notes that it was stopped, and how far it has come where it writes.
  bulk_action: { all: ownOrService },
  bulk_refusal: { all: ownOrService },
  // Files of lists that are made for them; what is in one is handed out by the service, which looks at what they see now.
  exported_file: { all: ownOrService },
  exported_piece: { all: ownService },
  // Told by the service, so that nobody tells others what has not happened; read by its owner alone.
  notification: { read: ownOrService, change: ownOrService, add: ownService, write: ownService },
  notification_way: { all: ownOrService },
  analytics_preset: { all: kept, read: shownWithin('shared_with_org') },

  // Changes: everyone who changes a record says so, and only the service reads it. The count says nothing of a record.
  outbox: { all: ownService, add: own },
  change_counter: { all: own },
  replica_owner: systemAlone,

  // Audit.
  audit_event: { read: ownDeeds, add: `${own} or ${signIn}`, patients: 'write' },
  audit_record: { read: ownDeeds, add: `${own} or ${signIn}`, patients: 'write' },
  audit_chain: { all: `${own} or ${signIn}`, patients: 'write' },
  // That a month is archived is no secret from readers of a part of the log. Added by the owner alone.
  audit_archive: { read: own, add: signIn },
  audit_decoy: signInAlone,
};

/**
 * The list as SQL: a statement for each policy, named after its table and what it is for. None is restrictive, because
 * Citus would copy it to its servers as one that permits: what keeps patients out is a part of each.
 */
export function printPolicies(): string {
  const blocks = Object.entries(policies).map(([table, given]) => {
    const { write } = given;
    const { all, read, add = write, change = write, patients } = given;
    const reading = (condition?: string) => (patients ? condition : forStaff(condition));
    const writing = (condition?: string) => (patients === 'write' ? condition : forStaff(condition));
    const statements =
      patients === 'read' && all
        ? [
            policy(table, 'all_read', 'for select using', all),
            policy(table, 'add', 'for insert with check', writing(all)),
            policy(table, 'change', 'for update using', writing(all)),
            policy(table, 'remove', 'for delete using', writing(all)),
            policy(table, 'read', 'for select using', read),
          ]
        : [
            policy(table, 'all', 'using', writing(all)),
            policy(table, 'read', 'for select using', reading(read)),
            policy(table, 'add', 'for insert with check', writing(add)),
            policy(table, 'change', 'for update using', writing(change)),
            policy(table, 'remove', 'for delete using', writing(write)),
          ];
    return statements.join('');
  });
  return `${heading}\n${blocks.join('\n')}`;
}

const heading = `-- Printed by \`npm run db:types\` from server/src/platform/db/policies.ts, where the reasons are; do not edit it here.
`;

const policy = (table: string, name: string, kind: string, condition: string | undefined) =>
  condition === undefined
    ? ''
    : wrapped(`create policy ${table}_${name} on ${table} ${kind} (${condition});`);

/** A statement on lines of at most 120 characters, broken before its condition and the parts of that where possible. */
function wrapped(statement: string): string {
  const text = statement.replaceAll(/\s+/g, ' ');
  if (text.length <= 120) return `${text}\n`;
  const [head, ...parts] = text.split(/ (?=(?:and|or|using|with check) )/);
  const pieces = parts.flatMap((part) => (part.length > 118 ? part.split(' ') : [part]));
  const lines = [head!];
  for (const piece of pieces) {
    const line = lines.at(-1)!;
    if (lines.length > 1 && line.length + piece.length < 120) lines[lines.length - 1] = `${line} ${piece}`;
    else lines.push(`  ${piece}`);
  }
  return `${lines.join('\n')}\n`;
}
