/*
 * Who sees and changes the rows of each table: the one list of row-level-security policies. `npm run db:types`
 * prints it as server/migrations/policies.sql, which `migrate` applies and people review; a test fails when that
 * file is outdated.
 *
 * A policy reads its own row and the scope, nothing else (decision record 0054). The app_… functions describe the
 * reader (server/migrations/functions). Each is called as `(select app_x())`, so that PostgreSQL runs it once a
 * statement and not once a row. On tables that are spread over several servers, the same text is applied without
 * `select`.
 *
 * T and A see their whole tenant. O: its own organization, the facilities that belong to it, and their people. F:
 * its own facility. PHJ: the residents of its counties in the tenants that report to it, and the names that their
 * records need. Setup data (organizations, programs, roles, accounts …) is written by the service, by sign-in and by
 * whole tenants. platform/db/scopes.test.ts has a row of every table for every kind of reader. [S6.4, S6.9, P1, P18]
 */

/** The policies of a table, as conditions in SQL. */
interface TablePolicies {
  /** Who sees rows, and may add, change and remove the rows they see. */
  all?: string;
  /** Who also sees rows, in addition to `all`. */
  read?: string;
  /** Who adds, changes and removes rows. */
  write?: string;
  add?: string;
  change?: string;
  /**
   * What the conditions above may allow patients: by default nothing, whatever they say; to read; or also to write,
   * as in the log of their actions.
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
/** A guardian reads the record of a child. */
const guardian = '(select app_guardian())';
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
/** Known to every reader of the tenant, and read by sign-in over all tenants. */
const knownToAll = `${signIn} or ${own} and (${whole} or ${here})`;
const byWholeOrSignIn = `${signIn} or ${ownWhole}`;
const setUp: TablePolicies = { read: knownToAll, write: byWholeOrSignIn };

/**
 * Rows that belong to persons, cases and messages carry who sees them. Only the service adds them: anyone else could
 * choose the columns, and so decide who sees the row.
 */
const addedByService = (condition: string): TablePolicies => ({
  read: condition,
  write: condition,
  add: `${condition} and ${service}`,
});

/** A record of an organization, a facility and a county. */
const ofPlace = `(${whole} or organization_id = ${organization} or facility_id = ${facility}
  or county_fips = any (${counties}))`;
/** What was sent on behalf of an organization or facility. */
const sentFor = `(${whole} or organization_id = ${organization} or facility_id = ${facility})`;

/** For rows of a case, which carry the columns that decide about the case; also if it was opened in an emergency. */
const withCase = (more = '', id = 'case_report_id') => `${own} and (${unrestricted}
  or (disease_family <> all (${hidden}) and ${ofPlace} or ${id} = ${openedCase}) ${more})`;

/** What a list told is visible to the places that told it, also in an emergency; absent: to all. [P23] */
const toldToReader = '(told_by is null or app_told(told_by))';

/** What investigators have learned about a case. Organizations and facilities that know the case do not see it. */
const investigated = `${own} and (${unrestricted}
  or disease_family <> all (${hidden}) and (${whole} or county_fips = any (${counties})))`;

/**
 * Whether a place that knows the person has more than records of restricted families that the reader may not see. A
 * person with only such records is hidden everywhere.
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

/** For rows of a person, which carry the columns that decide about the person. */
const seenPerson = (id: string) =>
  person(id, `case when ${nothingHidden} then county_fips else open_county_fips end`);
const ofPerson = (id: string) => `(${seenPerson(id)}
  or ${id} = ${openedPatient})`;
const withPerson = ofPerson('patient_id');
/** What staff record about a person whom they see. */
const aboutPerson = `${own} and (${unrestricted} or ${seenPerson('patient_id')})`;

/** A document: visible with its case if it belongs to one, otherwise with its person. */
const filed = `${own} and (${unrestricted} or case_report_id is null and ${seenPerson('patient_id')}
  or case_report_id is not null and disease_family <> all (${hidden})
    and (${whole} or organization_id = ${organization} or facility_id = ${facility}
      or case_county_fips = any (${counties})))`;
const openedFiled = `${own} and (case_report_id is null and patient_id = ${openedPatient}
  or case_report_id = ${openedCase})`;

/** A task: visible with its case (`id`) if it is about one, otherwise with its person. */
const tasked = (id: string) => `${own} and (${unrestricted}
  or ${id} is null and ${seenPerson('patient_id')}
  or ${id} is not null and (disease_family <> all (${hidden}) and ${ofPlace} or ${id} = ${openedCase}))`;
const openedTasked = (id: string) => `${own} and ${id} is null and patient_id = ${openedPatient}`;

/** A report of an incident, or a visit: visible at its place, unless its person is hidden. */
const ofItsPlace = `${own} and (${unrestricted}
  or (disease_family is null or disease_family <> all (${hidden}))
    and (disease_families is null or disease_families = '{}' or not disease_families <@ ${hidden})
    and (${whole} or organization_id = ${organization} or facility_id = ${facility}
      or case when ${nothingHidden} then county_fips else open_county_fips end = any (${counties})))`;

/**
 * A contact, a partner or a follow-up of a case, unless the person is hidden. Emergency access opens the case, not
 * the people around it.
 */
const contact = `${own} and (${unrestricted}
  or disease_family <> all (${hidden})
    and (disease_families is null or disease_families = '{}' or not disease_families <@ ${hidden})
    and ${ofPlace})`;
/** For a person under follow-up: the days on which they report how they are. */
const ownFollowed = `${own} and patient_id = ${patient} and status = 'under-follow-up' and not ${guardian}`;
/** Rows of the follow-up of a case that was opened in an emergency. */
const ofOpenedCase = `${own} and case_report_id = ${openedCase}`;
/** What people have answered about themselves; not what staff noted about them, nor answers for another person. */
const ownAnswer = `${own} and patient_id = ${patient} and account_id = ${account} and outcome = 'answered'`;
/** A shipment is visible at both of its ends, at the destination once it was sent. Only the sender sees a draft. */
const shipment = `${own} and (${whole} or origin_id = ${facility} or origin_organization_id = ${organization}
  or sent_on is not null and (destination_id = ${facility} or destination_organization_id = ${organization}))`;
/** The contents: no specimen whose results are hidden from the reader at every place. [P18] */
const inShipment = `${shipment} and (${unrestricted} or families = '{}' or not families <@ ${hidden})`;
/**
 * Where a specimen is stored: visible at the facility of its box, and at its organization; no specimen whose results
 * are hidden from the reader at every place. [P18]
 */
const inStorage = `${own} and (${whole} or facility_id = ${facility} or facility_id = any (${facilities}))
  and (${unrestricted} or families = '{}' or not families <@ ${hidden})`;
const storedByService = (read: string): TablePolicies => ({ read, write: ownService });

/**
 * A message is hidden from readers who may not see a family that it may be about. If its family is unknown (`?`),
 * only readers from whom nothing is hidden see it, and the account that sent it.
 */
const message = (families: string) => `${own} and (${unrestricted}
  or not ${families} && ${hidden} and ${sentFor}
    and (not '?' = any (${families}) or ${nothingHidden} or created_by = ${account}))`;

/** Everyone knows the tenant's own staff, who work on their cases, and the people of their own organization. */
const member = `${signIn} or ${own} and (${whole}
  or account_id = ${account}
  or (org_type = 'T' or org_id = (select nullif(current_setting('app.org_id', true), '')::uuid)) and ${here}
  or org_type = 'F' and org_id = any (${facilities}))`;

/** An organization and a facility read only what was done for them. */
const ownDeeds = `${own} and (${whole} or org_type = current_setting('app.org_type', true)
  and org_id = nullif(current_setting('app.org_id', true), '')::uuid)`;

/** Shared by the tenants that report to it; changed by the tenant that manages it. */
const jurisdictions = (id: string): TablePolicies => ({
  read: `${signInOrSystem} or ${id} = ${jurisdiction}
    or (${whole} or ${here}) and (managed_by_tenant_id = ${tenant} or ${tenant} = any (reported_by))`,
  write: `${signIn} or managed_by_tenant_id = ${tenant} and ${whole}`,
});

/** People's private data, and the part of it that they share with others who work for the same organization. */
const kept = `${own} and account_id = ${account}`;
const ownOrService = `${own} and (account_id = ${account} or ${service})`;
const shownWithin = (org: string) =>
  `${own} and (account_id = ${account} or ${org} = nullif(current_setting('app.org_id', true), '')::uuid)`;

const seenAt = `app_seen_at(seen_at, (select app_places()), (select to_jsonb(app_hidden_families())))`;
const reader = `(select coalesce(app_org('O'), app_org('F')))`;

const notPatients = `coalesce((select app_scope()), '') <> 'patient'`;
const forStaff = (condition: string | undefined) => condition && `(${condition}) and ${notPatients}`;

const policies: Readonly<Record<string, TablePolicies>> = {
  // Tenants and the installation.
  tenant: {
    read: `${signInOrSystem} or id = ${tenant} and (${whole} or ${here} or ${patient} is not null)`,
    write: `${signInOrSystem} or id = ${tenant} and ${whole}`,
    patients: 'read',
  },
  // Read with every membership, and written like settings.
  feature_switch: { read: byWholeOrSignIn, write: signIn },
  // Every reader of the tenant sees its words; the product itself sends messages.
  label_override: { read: knownToAll, write: ownWhole },
  mail_text: { read: byWholeOrSignIn, write: ownWhole },
  retention_change: { read: `${signInOrSystem} or ${ownWhole}`, add: signIn },
  seeding: serviceAlone,
  secret_mark: systemAlone,
  backup_made: systemAlone,

  // Places. Partners of a tenant (employers, schools, clinics) do not see each other.
  organization: {
    read: `${signIn} or ${own} and (${whole} or id = ${organization} or id = ${facilityOrganization})`,
    write: byWholeOrSignIn,
  },
  // Laboratories, and registered facilities that the tenant runs itself, are known to all its readers. Facilities of
  // an organization are known to it. A facility that the importer made from a report is visible, until the tenant
  // confirms it, only to readers who see one of its records; if it has only records of restricted families, it could
  // reveal what is treated there. [P24]
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
  // A program belongs to its organization. A jurisdiction needs the names of all programs whose records it gets.
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
  team: { read: `${own} and (${whole} or ${here})`, write: ownWhole },
  // The history of records that the whole tenant sets up. Nobody changes it. Roles are written in the scope of
  // sign-in.
  record_history: { read: ownWhole, add: byWholeOrSignIn },
  // The history of users, for those who administer them (as in user_list). It is written with the users.
  user_history: {
    read: `${signIn} or ${own} and (${whole} or org_type = 'O' and org_id = ${organization}
      or org_type = 'F' and (org_id = ${facility} or org_id = any (${facilities})))`,
    add: signIn,
  },

  // Accounts and roles. An account can belong to several tenants, so no tenant changes it.
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
  // Visible to the administrators of the organization, of any kind; written like accounts.
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
  // A sender's words can contain anything: visible to the whole tenant, and to those whose message waits for them.
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
    // In an emergency: in addition to what the reader sees anyway, and read-only.
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
  told_result: serviceAlone,
  // A pair shows data of two persons, and deciding it joins their records: for readers who see the whole tenant.
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
          and (not ${guardian}
            or disease_family is not null and disease_family <> all ((select app_hidden_from_guardian())::text[]))
          and (released_at is not null or not app_held_from_me(disease_family, condition_code, result_category)))`,
    // The results of the opened case, and those that they replaced.
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
  // Readers who see both records see that one was joined with the other.
  case_event: {
    all: withCase(`and (kind not in ('patient-merged', 'patient-unmerged') or ${whole} and (detail -> 'families' is null
      or not detail -> 'families' <@ (select to_jsonb(app_hidden_families()))))`),
  },
  case_answers: { all: investigated },
  case_answer_key: { all: investigated },
  // Nobody changes history. The service changes what the rows carry.
  case_answers_history: { read: investigated, add: investigated, change: ownService },
  // Visible to every reader who uses a form. Published versions stay.
  form_extension: { read: `${own} and (${whole} or ${here})`, add: ownWhole },
  // A version by another place is hidden from places that share the case. [P23] Nobody changes history.
  case_report_history: {
    read: withCase(
      `and (version_within is not null
        or coalesce((select current_setting('app.org_type', true)), '') not in ('O', 'F'))`,
      'record_id',
    ),
    add: withCase('', 'record_id'),
    write: ownService,
  },
  // Treatment for a case. Nobody changes history.
  treatment: { all: withCase(`and ${toldToReader}`) },
  treatment_history: {
    read: withCase(`and ${toldToReader}`),
    add: withCase(`and ${toldToReader}`),
    write: ownService,
  },
  // Opened in an emergency with the case of its person: read-only. Nobody changes history.
  incident: { all: ofItsPlace, read: `${own} and patient_id = ${openedPatient}` },
  incident_history: {
    read: `${ofItsPlace} or ${own} and patient_id = ${openedPatient}`,
    add: ofItsPlace,
    write: ownService,
  },
  incident_transition: { all: ofItsPlace },
  // Visible like the person; opened in an emergency with them, read-only. Patients read the valid ones, and no
  // history.
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
  // Opened in an emergency with its case or person, read-only. Nobody changes history.
  document: { all: filed, read: openedFiled },
  document_history: { read: `${filed} or ${openedFiled}`, add: filed, write: ownService },
  // Files that people have uploaded: nobody else can make a document of them.
  document_file: { all: ownOrService },
  document_piece: { all: ownService },
  // Emergency access does not open visits. People who book see when a provider has no time, but not with whom.
  telemedicine_visit: { all: ofItsPlace },
  telemedicine_visit_history: { read: ofItsPlace, add: ofItsPlace, write: ownService },
  telemedicine_visit_transition: { all: ofItsPlace },
  provider_time: { all: `${own} and (${whole} or ${here})` },
  // It names no person. Whole tenants change everyone's availability, everyone else their own.
  provider_availability: {
    read: `${own} and (${whole} or ${here})`,
    write: `${own} and (${whole} or ${here} and account_id = ${account})`,
  },
  // Daily findings are only added; the service changes what the rows carry. It also adds what people answer about
  // themselves, so that nobody can forge an answer, and so that people change nothing else.
  contact: { all: contact, read: ownFollowed, patients: 'read' },
  contact_history: { read: contact, add: contact, write: ownService },
  contact_transition: { all: contact },
  // The follow-up of a case is opened with it in an emergency, read-only.
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
  // Patients read what they sent; staff read the incident report.
  own_report: {
    read: `${own} and (account_id = ${account} and ${patient} is not null or ${service})`,
    write: ownService,
    patients: 'read',
  },
  // Attempts are only added. Emergency access is for treatment, and opens no visits.
  field_visit: { all: ofItsPlace },
  field_visit_history: { read: ofItsPlace, add: ofItsPlace, write: ownService },
  field_visit_transition: { all: ofItsPlace },
  field_visit_attempt: { read: ofItsPlace, add: ofItsPlace, write: ownService },
  // Written by the service: a box can hold specimens that its packer does not see.
  shipment: storedByService(shipment),
  shipment_history: storedByService(shipment),
  shipment_transition: storedByService(shipment),
  shipment_specimen: storedByService(inShipment),
  custody_event: storedByService(inShipment),
  storage_place: storedByService(inStorage),
  storage_move: storedByService(inStorage),
  // The work to do about a case or a person, with its due date: seen and changed with it. Opened in an emergency
  // with the person, read-only.
  work_task: { all: tasked('record_id'), read: openedTasked('record_id') },
  work_task_history: {
    read: `${tasked('subject_id')} or ${openedTasked('subject_id')}`,
    add: tasked('subject_id'),
    write: ownService,
  },
  record_clock: { all: withCase('', 'record_id') },
  case_report_transition: { all: withCase('', 'record_id') },
  // Nobody can give themselves access without the endpoint that asks for the reason.
  break_glass: {
    read: `${own} and (${whole} or (select app_scope()) = 'org' and account_id = ${account})`,
    add: ownService,
    change: ownService,
  },

  // The patient portal.
  held_result_rule: {
    read: `${own} and (${whole} or ${here} or ${patient} is not null)`,
    write: ownWhole,
    patients: 'read',
  },
  // The service changes only what the rows carry, when the person changes.
  patient_consent: {
    read: `${own} and (${unrestricted} or ${withPerson})`,
    add: `${own} and ${withPerson} and not ${guardian}`,
    change: ownService,
    patients: 'write',
  },
  // Who sees a child's record as a guardian is decided by the service, when a request begins and for staff who see
  // the child.
  guardian_link: serviceAlone,
  // Written together with its account.
  portal_invitation: {
    read: `${signIn} or ${own} and (${unrestricted} or ${withPerson})`,
    add: signIn,
    change: signIn,
  },

  // Search, and people's private data. Nobody is found by values that the reader does not see.
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
  // Actions on many records at once. The service stores their progress, and that one was stopped.
  bulk_action: { all: ownOrService },
  bulk_refusal: { all: ownOrService },
  // Files of lists for a person. The service gives out a file after checking what the person sees now.
  exported_file: { all: ownOrService },
  exported_piece: { all: ownService },
  // Written by the service, so that nobody can announce what has not happened. Read only by its owner.
  notification: { read: ownOrService, change: ownOrService, add: ownService, write: ownService },
  notification_way: { all: ownOrService },
  // A shared one is changed by people of its organization, of whom the product asks whether they may share views.
  analytics_preset: {
    read: shownWithin('shared_with_org'),
    write: shownWithin('shared_with_org'),
    add: kept,
  },
  role_opening: { read: `${own} and (${whole} or ${here})`, write: ownWhole },

  // Changes: everyone who changes a record adds one, and only the service reads them. The count reveals nothing
  // about a record.
  outbox: { all: ownService, add: own },
  change_counter: { all: own },
  replica_owner: systemAlone,

  // Audit.
  audit_event: { read: ownDeeds, add: `${own} or ${signIn}`, patients: 'write' },
  audit_record: { read: ownDeeds, add: `${own} or ${signIn}`, patients: 'write' },
  audit_chain: { all: `${own} or ${signIn}`, patients: 'write' },
  // Readers of a part of the log may know that a month is archived. Only the owner adds rows.
  audit_archive: { read: own, add: signIn },
  audit_decoy: signInAlone,
};

/**
 * The list as SQL: a statement for each policy, named after its table and purpose. None is restrictive, because
 * Citus would copy it to its servers as a permissive one; so each policy itself excludes patients.
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

/**
 * A statement on lines of at most 120 characters, broken before its condition and the parts of the condition if
 * possible.
 */
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
