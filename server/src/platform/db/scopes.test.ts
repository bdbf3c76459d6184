import { describe, expect, inject, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makeScopeWorld } from '../../../test/scope-world.ts';
import type { ScopeOptions } from './database.ts';
import { places } from './places.ts';

const { database, superuserUrl } = await createTestDatabase({ patienceMs: 60_000 });
const world = await makeScopeWorld(superuserUrl);

// Readers, in the order of the world: the service of the first tenant, sign-in, the system; its whole tenant with
// (T, A) and without (t) the permission for restricted families; its two organisations and their facilities; the
// northern jurisdiction, to which both tenants report, in each of them (N1, N2); the southern one, to which the
// first no longer reports (S1); and ann of the first tenant, who is a patient (P).
const whole = 'service T A t';
const signIn = 'service identity T A t';
const everybody = 'O1 O2 F1 F2 N1';
const nobody = '';

/** What the first tenant's members store for themselves. */
const own = { 't1 T': 'T A t', 't1 O1': 'O1', 't1 O2': 'O2', 't1 F1': 'F1', 't1 F2': 'F2', 't1 PHJ': 'N1' };
const people = { 't1 ann': `${whole} O1 F1 N1`, 't1 bob': `${whole} O2 F2`, 't2 ann': 'N2' };
const persons = { ...people, 't1 cat': 'service T A' };
/** Ann's own result of a visible family, and everything seen with it. */
const own1 = { ...people, 't1 ann': `${people['t1 ann']} P` };
/** Invitations are written together with accounts. */
const invited = {
  't1 ann': `${signIn} O1 F1 N1`,
  't1 bob': `${signIn} O2 F2`,
  't2 ann': 'identity N2',
  't2 bob': 'identity',
};
/** Ann has unrestricted records. Cat has none, so a report about her is hidden with her. */
const incidents = { ...people, 't1 ann hiv': 'service T A' };
/** From the first facility to the second, which sees what was sent. */
const shipments = { 't1 draft': `${whole} O1 F1`, 't1 sent': `${whole} O1 O2 F1 F2` };
/** The contents, also of families that some readers may not see. */
const shipped = {
  ...shipments,
  't1 draft hiv': 'service T A',
  't1 sent hiv': 'service T A',
};
/** In boxes of the first and the second facility. */
const stored = { 't1 f1': `${whole} O1 F1`, 't1 f2': `${whole} O2 F2` };
const cases = { ...people, 't1 ann hiv': 'service T A' };
/** Not visible to the places that know the case. */
const investigated = {
  't1 ann': `${whole} N1`,
  't1 bob': whole,
  't1 ann hiv': 'service T A',
  't2 ann': 'N2',
};
/** Visible at the place that wrote it; emergency access opens none. */
const visits = { ...people, 't1 ann hiv': 'service T A' };
/** Like investigations, and also visible to the place that wrote it if it knows the case. */
const contacts = { ...investigated, 't1 bob': `${whole} O2` };
/** A person under follow-up reads its days and their own answers. */
const ownContacts = Object.fromEntries(
  Object.entries(contacts).map(([name, by]) => [name, name.startsWith('t1 ann') ? `${by} P` : by]),
);
/** Visible with their case, or else with their person. */
const filed = {
  ...people,
  ...Object.fromEntries(Object.entries(cases).map(([name, by]) => [`${name} case`, by])),
};
/** Tasks of cases, and of persons alone. */
const tasked = {
  ...cases,
  ...Object.fromEntries(Object.entries(people).map(([name, by]) => [`${name} alone`, by])),
};
/** About a provider, without naming a patient. */
const ofProviders = {
  't1 ann': `${whole} ${everybody}`,
  't1 bob': `${whole} ${everybody}`,
  't1 ann hiv': `${whole} ${everybody}`,
  't2 ann': 'N2',
  't2 bob': 'N2',
  't2 ann hiv': 'N2',
};
const programs = {
  't1 all': `${whole} ${everybody}`,
  't1 p1': `${whole} O1 F1 N1`,
  't1 p2': `${whole} O2 F2 N1`,
  't2 all': 'N2',
  't2 p1': 'N2',
  't2 p2': 'N2',
};
const staff = {
  't1 T': `${signIn} ${everybody}`,
  't1 O1': `${signIn} O1`,
  't1 O2': `${signIn} O2`,
  't1 F1': `${signIn} O1 F1`,
  't1 F2': `${signIn} O2 F2`,
  't1 PHJ': `${signIn} N1`,
  't2 T': 'identity N2',
  't2 O1': 'identity',
  't2 O2': 'identity',
  't2 F1': 'identity',
  't2 F2': 'identity',
  't2 PHJ': 'identity',
};
const roles = { 't1 reader': `${signIn} ${everybody}`, 't2 reader': 'identity N2' };
const jurisdictions = {
  north: `${signIn} system ${everybody} N2`,
  south: `${signIn} system ${everybody} N2 S1`,
};
const signInAlone = { t1: 'identity', t2: 'identity' };
const audited = {
  't1 T': whole,
  't1 O1': `${whole} O1`,
  't1 O2': `${whole} O2`,
  't1 F1': `${whole} F1`,
  't1 F2': `${whole} F2`,
  't1 PHJ': `${whole} N1`,
};
const service = { 't1 ': 'service' };

const accounts = {
  ...staff,
  't1 PHJ': `${signIn} N1 N2`,
  't2 PHJ': 'identity S1',
  't1 ann': 'identity P',
  't2 ann': 'identity',
};

const ownOrService = Object.fromEntries(
  Object.entries(own).map(([name, by]) => [name, name.startsWith('t1') ? `service ${by}` : by]),
);

/** Which readers see each row of each table. Nobody sees a row that is not listed. */
const seenBy: Record<string, Record<string, string>> = {
  account: accounts,
  account_recovery: signInAlone,
  account_state: accounts,
  analytics_preset: Object.fromEntries(
    Object.entries(own).flatMap(([name, by]) => [
      [`${name} own`, by],
      [`${name} shared`, by],
    ]),
  ),
  // Everyone writes to the audit log.
  audit_chain: { 't1 ': `${signIn} ${everybody} S1 P`, 't2 ': 'identity N2' },
  audit_archive: { 't1 ': `${whole} ${everybody} S1`, 't2 ': 'N2' },
  audit_decoy: { 't1 ': 'identity', 't2 ': 'identity' },
  audit_event: audited,
  audit_record: audited,
  break_glass: { 't1 O1': `${whole} O1` },
  bulk_action: ownOrService,
  bulk_refusal: ownOrService,
  exported_file: ownOrService,
  // The product gives the contents to the owner.
  exported_piece: Object.fromEntries(
    Object.keys(own).flatMap((name) => (name.startsWith('t1') ? [[name, 'service']] : [])),
  ),
  case_counter: service,
  // Everyone who changes a record numbers the change.
  change_counter: { 't1 ': `${whole} ${everybody} S1`, 't2 ': 'N2' },
  case_answer_key: investigated,
  case_answers: investigated,
  case_answers_history: investigated,
  case_event: cases,
  case_report: cases,
  case_report_history: cases,
  case_result: cases,
  record_clock: cases,
  case_report_transition: cases,
  treatment: cases,
  treatment_history: cases,
  vaccination: {
    ...own1,
    ...Object.fromEntries(Object.entries(people).map(([name, by]) => [`${name} error`, by])),
  },
  vaccination_history: people,
  document: filed,
  document_history: filed,
  // Those of which a document was made are of an account that is none of the readers.
  document_file: {
    ...ownOrService,
    ...Object.fromEntries(
      Object.keys(filed).flatMap((name) =>
        name.startsWith('t1') ? [[name.replace('t1', 't1 file of'), 'service']] : [],
      ),
    ),
  },
  document_piece: Object.fromEntries(
    Object.keys(own).flatMap((name) => (name.startsWith('t1') ? [[name, 'service']] : [])),
  ),
  incident: incidents,
  incident_history: incidents,
  incident_transition: incidents,
  telemedicine_visit: incidents,
  telemedicine_visit_history: incidents,
  telemedicine_visit_transition: incidents,
  provider_availability: ofProviders,
  provider_time: ofProviders,
  contact: ownContacts,
  contact_history: contacts,
  contact_transition: contacts,
  case_follow_up: ownContacts,
  case_follow_up_history: contacts,
  case_follow_up_transition: contacts,
  partner_service: contacts,
  partner_service_history: contacts,
  partner_service_transition: contacts,
  follow_up_entry: {
    ...contacts,
    ...Object.fromEntries(Object.entries(ownContacts).map(([name, by]) => [`${name} answered`, by])),
  },
  // What a patient sent.
  own_report: { 't1 ann': 'service P', 't1 bob': 'service P', 't2 ann': '', 't2 bob': '' },
  field_visit: visits,
  field_visit_history: visits,
  field_visit_transition: visits,
  field_visit_attempt: visits,
  custody_event: shipped,
  shipment: shipments,
  shipment_history: shipments,
  shipment_transition: shipments,
  shipment_specimen: shipped,
  storage_place: stored,
  storage_move: stored,
  work_task: tasked,
  work_task_history: tasked,
  code_mapping: { 't1 o1': `${whole} O1`, 't1 o2': `${whole} O2`, 't1 hiv': 'service T A' },
  backup_made: { t1: 'system', t2: 'system' },
  contact_change: signInAlone,
  csv_mapping: { 't1 ': whole },
  facility: {
    't1 f1': `${signIn} O1 F1 N1 P`,
    't1 f2': `${signIn} O2 F2`,
    't1 own': `${signIn} ${everybody}`,
    't1 lab': `${signIn} ${everybody}`,
    't1 told': signIn,
    't1 unknown': signIn,
    't2 f1': 'identity',
    't2 f2': 'identity',
    't2 own': 'identity N2',
    't2 lab': 'identity N2',
    // Not confirmed by anyone; the jurisdiction of the north has a record from the second.
    't2 told': 'identity N2',
    't2 unknown': 'identity',
  },
  // Read with every membership. A jurisdiction does not see what is switched for it.
  feature_switch: {
    't1 o1': signIn,
    't1 north': signIn,
    't2 o1': 'identity',
    't2 north': 'identity',
  },
  facility_alias: { 't1 f1': whole, 't1 f2': whole },
  form_extension: { 't1 ': `${whole} ${everybody}`, 't2 ': 'N2' },
  grid_preference: own,
  // Decided by the service, for guardians and for staff who see the child.
  guardian_link: { 't1 ann': 'service', 't1 bob': 'service', 't2 ann': '', 't2 bob': '' },
  held_result_rule: { 't1 ': `${whole} ${everybody} P`, 't2 ': 'N2' },
  import: { 't1 o1': `${whole} O1`, 't1 o2': `${whole} O2`, 't1 f1': `${whole} O1 F1` },
  import_message: { 't1 o1': `${whole} O1`, 't1 o2': `${whole} O2`, 't1 o1 hiv': 'service T A' },
  import_tally: { 't1 o1': `${whole} O1`, 't1 o2': `${whole} O2`, 't1 o1 hiv': 'service T A' },
  // The unread bytes of a file: only for the product.
  import_upload: { 't1 o1': 'service', 't1 o2': 'service' },
  jurisdiction: jurisdictions,
  jurisdiction_county: jurisdictions,
  label_override: { 't1 ': `${signIn} ${everybody}`, 't2 ': 'identity N2' },
  mail_text: { 't1 ': signIn, 't2 ': 'identity' },
  location: { 't1 f1': `${whole} O1 F1`, 't1 f2': `${whole} O2 F2` },
  membership: staff,
  // Not a colleague yet: visible to administrators of the organization.
  membership_offer: {
    't1 T': `identity ${whole}`,
    't1 O1': `identity ${whole} O1`,
    't1 O2': `identity ${whole} O2`,
    't1 F1': `identity ${whole} O1 F1`,
    't1 F2': `identity ${whole} O2 F2`,
    't1 PHJ': `identity ${whole}`,
    't2 T': 'identity',
    't2 O1': 'identity',
    't2 O2': 'identity',
    't2 F1': 'identity',
    't2 F2': 'identity',
    't2 PHJ': 'identity',
  },
  membership_role: staff,
  organization: {
    't1 o1': `${signIn} O1 F1`,
    't1 o2': `${signIn} O2 F2`,
    't2 o1': 'identity',
    't2 o2': 'identity',
  },
  notification: ownOrService,
  notification_way: ownOrService,
  outbox: service,
  passkey: signInAlone,
  patient: { ...persons, 't1 ann': `${people['t1 ann']} P` },
  patient_block: { 't1 ann': 'service', 't1 bob': 'service' },
  told_result: { 't1 ann': 'service', 't1 bob': 'service' },
  patient_consent: own1,
  population: { 't1 ': whole },
  population_count: { 't1 ': whole },
  patient_history: people,
  portal_invitation: invited,
  patient_identifier: persons,
  patient_match: { 't1 ann bob': whole, 't1 ann cat': 'service T A' },
  policy_version: { 't1 ': `${signIn} ${everybody}`, 't2 ': 'identity N2' },
  program: programs,
  program_type: { 't1 testing': `${whole} ${everybody}`, 't2 testing': 'N2' },
  record_history: { 't1 o1': whole, 't2 o1': '' },
  recovery_approval: signInAlone,
  recovery_code: signInAlone,
  replica_owner: { 't1 ': 'system', 't2 ': 'system' },
  retention_change: { 't1 ': `${signIn} system`, 't2 ': 'identity system' },
  result: { ...cases, 't1 ann': `${people['t1 ann']} P` },
  role_opening: { 't1 reader': `${whole} ${everybody}`, 't2 reader': 'N2' },
  role: { ...roles, 't1 parent': `${signIn} ${everybody}`, 't2 parent': 'identity N2' },
  role_grant: roles,
  role_parent: roles,
  saved_filter: own,
  search_key: {
    't1 ann patient': `${whole} O1 F1 N1`,
    't1 ann case': `${whole} O1 F1 N1`,
    't1 ann hiv case': 'service T A',
    't1 bob patient': `${whole} O2 F2`,
    't1 bob case': `${whole} O2 F2`,
    't1 cat patient': 'service T A',
    't2 ann patient': 'N2',
    't2 ann case': 'N2',
  },
  secret_mark: { one: 'system' },
  seeding: { 't1 ': 'service' },
  session: signInAlone,
  sign_in_challenge: signInAlone,
  sign_in_failure: signInAlone,
  specimen: own1,
  task: programs,
  team: { 't1 field': `${whole} ${everybody}`, 't2 field': 'N2' },
  tenant: { t1: `${signIn} system ${everybody} P`, t2: 'identity system N2' },
  tenant_reporting: {
    't1 to north': `${signIn} system ${everybody} S1`,
    't1 to south': `${signIn} system ${everybody} S1`,
    't2 to north': 'identity system N2',
    't2 to south': 'identity system N2',
  },
  totp_authenticator: signInAlone,
  // Visible like the members themselves, except those whom everyone at a place knows.
  user_history: { ...staff, 't1 T': signIn, 't1 PHJ': signIn, 't2 T': 'identity' },
};

/**
 * Only administrators change administrators' settings, within what they see; everything else is changed by everyone
 * who sees it.
 */
const changedBy: Record<string, string | Record<string, string>> = {
  account: 'identity',
  account_state: 'identity',
  audit_archive: nobody,
  audit_event: nobody,
  audit_record: nobody,
  break_glass: 'service',
  case_answers_history: 'service',
  case_report_history: 'service',
  treatment_history: 'service',
  vaccination_history: 'service',
  document_history: 'service',
  incident_history: 'service',
  telemedicine_visit_history: 'service',
  contact_history: 'service',
  case_follow_up_history: 'service',
  partner_service_history: 'service',
  follow_up_entry: 'service',
  own_report: 'service',
  told_result: 'service',
  field_visit_history: 'service',
  field_visit_attempt: 'service',
  custody_event: 'service',
  shipment: 'service',
  shipment_history: 'service',
  shipment_transition: 'service',
  shipment_specimen: 'service',
  storage_place: 'service',
  storage_move: 'service',
  patient_history: 'service',
  work_task_history: 'service',
  facility: signIn,
  feature_switch: 'identity',
  form_extension: nobody,
  held_result_rule: whole,
  // Everyone else changes their own.
  provider_availability: {
    't1 ann': whole,
    't1 bob': `${whole} F1`,
    't1 ann hiv': whole,
    't2 ann': nobody,
    't2 bob': nobody,
    't2 ann hiv': nobody,
  },
  // Changed by the tenant that manages it, no matter who reports to it.
  jurisdiction: { north: signIn, south: 'identity' },
  jurisdiction_county: { north: signIn, south: 'identity' },
  label_override: whole,
  mail_text: whole,
  location: whole,
  membership: signIn,
  membership_offer: 'identity',
  membership_role: signIn,
  organization: signIn,
  patient_consent: nobody,
  portal_invitation: 'identity',
  policy_version: signIn,
  program: whole,
  program_type: whole,
  record_history: nobody,
  retention_change: nobody,
  role: signIn,
  role_grant: signIn,
  role_opening: whole,
  role_parent: signIn,
  task: whole,
  team: whole,
  tenant: `${signIn} system`,
  tenant_reporting: signIn,
  user_history: nobody,
};

const local: readonly string[] = places.local;

/** Tables without personal data. */
const others = ['schema_migration', 'schema_text'];

const order = Object.keys(world.readers);
const inOrder = (readers: Iterable<string>) => {
  const named = new Set(readers);
  return order.filter((reader) => named.has(reader)).join(' ');
};
const split = (readers: string) => readers.split(' ').filter(Boolean);

/** The readers for whom the statement returns each row. */
async function readersOf(
  table: string,
  statement: (columns: string) => string,
  options?: ScopeOptions,
): Promise<Record<string, string>> {
  const rows = world.rows.get(table)!;
  const by = new Map([...rows.values()].map((name) => [name, new Set<string>()]));
  const columns = world
    .keyColumns(table)
    .map((column) => `${column}::text`)
    .join(', ');
  const undone = new Error('undone');
  for (const [reader, scope] of Object.entries(world.readers))
    await database
      .withScope(
        scope,
        async (tx) => {
          for (const row of await tx.rows(statement(columns)))
            by.get(rows.get(world.keyOf(table, row))!)!.add(reader);
          throw undone;
        },
        options,
      )
      .catch((error) => {
        // Some tables may not be changed by anyone.
        if (error !== undone && error.code !== '42501') throw error;
      });
  return Object.fromEntries([...by].map(([name, readers]) => [name, inOrder(readers)]));
}

describe('each table, row by row [P1, P18, S6.4, S6.9]', async () => {
  const tables = await asSuperuser<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1",
    [],
    superuserUrl,
  );

  it('defines its readers, and the world has rows of it', () => {
    const names = tables.map(({ name }) => name).filter((name) => !others.includes(name));
    expect(Object.keys(seenBy).sort()).toEqual(names);
    expect([...world.rows.keys()].sort()).toEqual(names);
  });

  it.each(Object.keys(seenBy))('%s', async (table) => {
    const names = [...world.rows.get(table)!.values()];
    expect(names).toEqual(expect.arrayContaining(Object.keys(seenBy[table]!)));
    const expected = Object.fromEntries(
      names.map((name) => [name, inOrder(split(seenBy[table]![name] ?? nobody))]),
    );
    expect(
      await readersOf(table, (columns) => `select ${columns} from ${table}`, {
        readOnly: true,
        atCoordinator: local.includes(table),
      }),
    ).toEqual(expected);

    const given = changedBy[table];
    const key = world.keyColumns(table)[0];
    const changed = await readersOf(
      table,
      (columns) => `update ${table} set ${key} = ${key} returning ${columns}`,
    );
    // A patient changes no record, but their actions are written into the log.
    const mayChange = (name: string, by: string) => {
      const changers = typeof given === 'object' ? given[name] : given;
      return inOrder(
        split(by).filter((reader) =>
          changers === undefined
            ? reader !== 'P' || table === 'audit_chain'
            : split(changers).includes(reader),
        ),
      );
    };
    expect(changed).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, by]) => [name, mayChange(name, by)])),
    );
  });

  it('on several servers, readers of one tenant query its own server', () => {
    const { near, through } = database.reads();
    const isSpread = inject('cluster').servers !== undefined;
    expect({ through, isNear: near > 300 }).toEqual({ through: 0, isNear: isSpread });
  });
});
