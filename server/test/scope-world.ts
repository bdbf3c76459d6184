import pg from 'pg';
import { v5 } from 'uuid';
import type { Scope } from '../src/platform/scope.ts';
import { carryAll } from './carried.ts';
import { asSuperuser } from './database.ts';

/**
 * Two tenants with two organisations, their facilities, people and a row of every other table, and every kind of
 * reader. Each row has a name, so that a test can say who sees it.
 */
export interface ScopeWorld {
  readers: Readonly<Record<string, Scope>>;
  /** The names of the rows of each table, by their primary key as `keyOf` writes it. */
  rows: ReadonlyMap<string, ReadonlyMap<string, string>>;
  keyOf(table: string, row: Record<string, unknown>): string;
  keyColumns(table: string): readonly string[];
}

/** The number of PostgreSQL's type. */
const boolean = 16;
const uuid = (name: string) => v5(name, '5f8e3d5c-4a53-4a53-9d5a-1c7c3a6b2f10');
const [north, south] = ['12001', '12003'];

export async function makeScopeWorld(superuserUrl: string): Promise<ScopeWorld> {
  const keys = await asSuperuser<{ table: string; columns: string[] }>(
    `select c.relname as table, array(select a.attname::text from unnest(i.indkey) with ordinality as k (attnum, place)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
       -- Times and lists are not written alike everywhere; the rows are told apart without them.
       where a.atttypid not in ('timestamptz'::regtype, 'date'::regtype, 'text[]'::regtype) order by k.place) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid
     where i.indisprimary and c.relnamespace = 'public'::regnamespace`,
    [],
    superuserUrl,
  );
  const columnsOf = new Map(keys.map(({ table, columns }) => [table, columns]));
  const keyColumns = (table: string) => columnsOf.get(table)!;
  const keyOf = (table: string, row: Record<string, unknown>) =>
    keyColumns(table)
      .map((column) => String(row[column]))
      .join(' ');

  const rows = new Map<string, Map<string, string>>();
  const client = new pg.Client(superuserUrl);
  await client.connect();
  /** Inserts a row, bypassing every policy, under a name for the test. */
  const put = async (table: string, name: string, row: Record<string, unknown>) => {
    const names = Object.keys(row);
    const {
      rows: [made],
    } = await client.query<Record<string, unknown>>({
      text: `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})
       returning ${keyColumns(table).join(', ')}`,
      values: Object.values(row),
      // The same text as `::text`, which Citus does not evaluate here.
      types: { getTypeParser: (type: number) => (text: string) => (type === boolean ? text === 't' : text) },
    });
    const known = rows.get(table) ?? new Map<string, string>();
    rows.set(table, known.set(keyOf(table, made!), name));
  };

  const tenants = { t1: uuid('t1'), t2: uuid('t2') };
  await put('secret_mark', 'one', { mark: Buffer.from('x') });
  for (const [name, id] of Object.entries(tenants)) await put('tenant', name, { id, name, slug: name });
  await put('jurisdiction', 'north', { id: uuid('north'), name: 'North', managed_by_tenant_id: tenants.t1 });
  await put('jurisdiction', 'south', { id: uuid('south'), name: 'South', managed_by_tenant_id: tenants.t2 });
  await put('jurisdiction_county', 'north', { jurisdiction_id: uuid('north'), county_fips: north });
  await put('jurisdiction_county', 'south', { jurisdiction_id: uuid('south'), county_fips: south });
  // Both tenants report to the north, only the second to the south.
  for (const [tenant, jurisdiction] of [
    ['t1', 'north'],
    ['t2', 'north'],
    ['t2', 'south'],
  ] as const)
    await put('tenant_reporting', `${tenant} to ${jurisdiction}`, {
      tenant_id: tenants[tenant],
      jurisdiction_id: uuid(jurisdiction),
    });
  // The first no longer reports to the south, but still sees its name.
  await put('tenant_reporting', 't1 to south', {
    tenant_id: tenants.t1,
    jurisdiction_id: uuid('south'),
    ended_at: new Date(),
  });

  for (const [t, tenant_id] of Object.entries(tenants)) {
    const id = (name: string) => uuid(`${t} ${name}`);
    const moved = (record_id: string, from_state: string, to_state: string) => ({
      id: id(`moved ${record_id}`),
      record_id,
      version: 2,
      last_version: 2,
      from_state,
      to_state,
      on_day: '2026-01-02',
    });
    const put1 = (table: string, name: string, row: Record<string, unknown>) =>
      put(table, `${t} ${name}`, { tenant_id, ...row });

    /** A document with its file and its history. */
    const pdf = { file_type: 'pdf', byte_size: 1, sha256: 'x' };
    const filed = async (label: string, about: { patient_id: string; case_report_id?: string }) => {
      const document = id(`document ${label}`);
      await put('document_file', `${t} file of ${label}`, {
        tenant_id,
        id: document,
        account_id: document,
        ...pdf,
      });
      await put1('document', label, {
        id: document,
        file_id: document,
        category: 'letter',
        title: label,
        created_on: '2026-01-01',
        ...about,
        ...pdf,
      });
      await put1('document_history', label, {
        record_id: document,
        version: 2,
        version_within: 2,
        changes: { title: { from: null, to: 'x' } },
        ...about,
      });
    };

    /** A task with its history. */
    const givenTask = async (label: string, about: { patient_id: string; record_id: string | null }) => {
      const task = id(`task ${label}`);
      await put1('work_task', label, {
        id: task,
        work: 'call',
        queue: 'assignee',
        made_on: '2026-01-01',
        ...about,
      });
      await put1('work_task_history', label, {
        record_id: task,
        version: 2,
        version_within: 2,
        changes: { state: { from: 'open', to: 'done' } },
        subject_id: about.record_id,
        patient_id: about.patient_id,
      });
    };

    await put1('organization', 'o1', { id: id('o1'), name: 'One' });
    await put1('organization', 'o2', { id: id('o2'), name: 'Two' });
    const facility = (name: string, row: object) =>
      put1('facility', name, { id: id(name), name, match_name: name, ...row });
    await facility('f1', { organization_id: id('o1') });
    await facility('f2', { organization_id: id('o2') });
    await facility('own', {});
    await facility('lab', { facility_type: 'laboratory' });
    // Made by the importer: one with a record of the north, one without any.
    await facility('told', { registered: false });
    await facility('unknown', { registered: false });
    for (const name of ['f1', 'f2'] as const) {
      await put1('facility_alias', name, {
        id: id(`alias ${name}`),
        facility_id: id(name),
        match_name: `old ${name}`,
      });
      await put1('location', name, {
        id: id(`room ${name}`),
        facility_id: id(name),
        level: 'location',
        name: 'Room',
      });
    }

    await put1('record_history', 'o1', {
      kind: 'organization',
      record_id: id('o1'),
      version: 1,
      changes: { name: { to: 'One' } },
    });

    await put1('program_type', 'testing', { id: id('pt'), label: 'Testing' });
    for (const [name, organization_id] of [
      ['all', null],
      ['p1', id('o1')],
      ['p2', id('o2')],
    ] as const) {
      await put1('program', name, { id: id(name), program_type_id: id('pt'), label: name, organization_id });
      await put1('task', name, {
        id: id(`k${name}`),
        program_id: id(name),
        task_category: 'testing',
        label: name,
      });
    }

    await put1('team', 'field', { id: id('team'), name: 'Field' });

    await put1('role', 'reader', { id: id('role'), code: 'reader', label: 'Reader' });
    await put1('role', 'parent', { id: id('role0'), code: 'parent', label: 'Parent' });
    await put1('role_parent', 'reader', { role_id: id('role'), parent_id: id('role0') });
    await put1('role_grant', 'reader', { role_id: id('role'), obj: 'T', act: 'general/other', eft: 'allow' });
    await put1('policy_version', '', { version: 1 });
    await put1('replica_owner', '', {
      fleet: uuid('fleet'),
      server: uuid('server'),
      address: '127.0.0.1:1',
      until: new Date(),
    });
    await put1('retention_change', '', {
      id: id('shortened'),
      setting: 'auditMonths',
      before: 72,
      after: 24,
      at: new Date(),
      held_until: new Date(),
      account_id: id('T'),
    });
    for (const [name, org_type, org_id] of [
      ['o1', 'O', id('o1')],
      ['north', 'PHJ', uuid('north')],
    ] as const)
      await put1('feature_switch', name, { org_type, org_id, feature: 'imports', is_on: false });
    await put1('form_extension', '', {
      form: 'x',
      version: 1,
      extension: '{}',
      published_by: id('T'),
    });
    await put1('label_override', '', { language: 'en', key: 'common:screen.home', words: 'Start' });
    await put1('mail_text', '', { kind: 'notice', language: 'en', subject: 'x', body: '{{what}}' });
    const staff = [
      ['T', 'T', tenant_id],
      ['O1', 'O', id('o1')],
      ['O2', 'O', id('o2')],
      ['F1', 'F', id('f1')],
      ['F2', 'F', id('f2')],
      ['PHJ', 'PHJ', uuid(t === 't1' ? 'north' : 'south')],
    ] as const;
    for (const [name, org_type, org_id] of staff) {
      await put('account', `${t} ${name}`, {
        id: id(name),
        username: `${name}@${t}`.toLowerCase(),
        email: `${name}@${t}`,
        first_name: name,
        last_name: t,
      });
      await put('account_state', `${t} ${name}`, { account_id: id(name), last_sign_in_at: new Date() });
      await put1('membership', name, { id: id(`m${name}`), account_id: id(name), org_type, org_id });
      await put1('membership_role', name, { membership_id: id(`m${name}`), role_id: id('role') });
      await put1('user_history', name, {
        record_id: id(`m${name}`),
        version: 1,
        changes: { roles: { to: [id('role')] } },
        org_type,
        org_id,
      });
      await put1('membership_offer', name, {
        id: id(`w${name}`),
        person_id: id(`v${name}`),
        account_id: id(name),
        org_type,
        org_id,
        role_ids: [id('role')],
        email: `${name}@${t}`,
        first_name: name,
        last_name: t,
        language_code: 'en',
        time_zone: 'America/New_York',
        invited_by: id('T'),
        inviter_org_type: 'T',
        inviter_org_id: tenant_id,
      });
      await put1('audit_event', name, {
        id: id(`a${name}`),
        org_type,
        org_id,
        action: 'x',
        at: '2026-01-01',
      });
      if (name === 'O1')
        await put1('break_glass', name, {
          id: id(`g${name}`),
          account_id: id(name),
          org_type,
          org_id,
          case_number: '2026-0000001',
          reason_kind: 'treatment',
          reason: 'x',
          expires_at: '2100-01-01',
        });
      await put1('audit_record', name, {
        record_id: id('ann'),
        event_id: id(`a${name}`),
        at: '2026-01-01',
        org_type,
        org_id,
      });
      await put1('saved_filter', name, {
        id: id(`s${name}`),
        account_id: id(name),
        org_id,
        grid: 'case-reports',
        filter_model: '{}',
      });
      await put1('document_file', name, { id: id(`u${name}`), account_id: id(name), ...pdf });
      await put1('document_piece', name, {
        file_id: id(`u${name}`),
        byte_offset: 0,
        byte_length: 1,
        bytes: 'x',
      });
      await put1('bulk_action', name, {
        id: id(`b${name}`),
        record: 'case-reports',
        account_id: id(name),
        session_id: id(name),
        org_type,
        org_id,
        request_id: 'x',
        address: 'x',
        change: '{}',
        record_ids: [],
        total: 0,
      });
      await put1('bulk_refusal', name, {
        action_id: id(`b${name}`),
        record_id: id('ann'),
        account_id: id(name),
        code: 'x',
      });
      await put1('exported_file', name, {
        id: id(`f${name}`),
        grid: 'case-reports',
        format: 'csv',
        language: 'en',
        account_id: id(name),
        session_id: id(name),
        org_type,
        org_id,
        request_id: 'x',
        address: 'x',
        total: 0,
      });
      await put1('exported_piece', name, {
        file_id: id(`f${name}`),
        run: id(`run ${name}`),
        number: 0,
        bytes: 'x',
      });
      await put1('notification', name, {
        id: id(`n${name}`),
        account_id: id(name),
        kind: 'assigned',
        record_kind: 'case',
        record_id: id('cann'),
        at: '2026-01-01',
      });
      await put1('notification_way', name, { account_id: id(name), kind: 'assigned', way: 'off' });
      await put1('grid_preference', name, { account_id: id(name), grid: 'case-reports', columns: '{}' });
      for (const shared_with_org of [null, org_id])
        await put1('analytics_preset', `${name} ${shared_with_org ? 'shared' : 'own'}`, {
          id: id(`p${name}${shared_with_org ? 1 : 0}`),
          account_id: id(name),
          screen: 'testing',
          name,
          shared_with_org,
          filters: '{}',
        });
    }
    await put1('role_opening', 'reader', { screen: 'testing', role_id: id('role'), preset_id: id('pT1') });
    await put('session', t, {
      id: id('session'),
      audience: 'staff',
      account_id: id('T'),
      refresh_hash: Buffer.from('x'),
      expires_at: '2100-01-01',
    });
    await put('sign_in_challenge', t, {
      id: id('challenge'),
      audience: 'staff',
      subject: Buffer.from('x'),
      named: Buffer.from('x'),
      account_id: id('T'),
      method: 'EMAIL',
      sent: true,
      expires_at: '2100-01-01',
    });
    await put('backup_made', t, { id: id('backup'), at: '2026-01-01', bytes: 1, encrypted: true, rows: 1 });
    await put('totp_authenticator', t, { account_id: id('T'), seed: id('seed'), last_step: 1 });
    await put('passkey', t, {
      id: id('passkey'),
      account_id: id('T'),
      credential_id: t,
      public_key: Buffer.from('x'),
      counter: 0,
      synced: false,
      name: 'x',
    });
    await put('contact_change', t, {
      id: id('contact'),
      account_id: id('T'),
      kind: 'PHONE',
      value: '+18135550100',
      present_by: 'EMAIL',
      expires_at: '2100-01-01',
    });
    await put('account_recovery', t, {
      id: id('recovery'),
      name: 'x',
      email: `new@${t}`,
      reason: 'x',
      language_code: 'en',
      network: '192.0.2.1',
      account_id: id('T'),
      state: 'open',
      expires_at: '2100-01-01',
    });
    await put('recovery_approval', t, {
      tenant_id,
      recovery_id: id('recovery'),
      account_id: id('O1'),
      org_type: 'T',
      org_id: tenant_id,
      verified_by: 'call',
      verification: 'x',
    });
    // Ann signs in as a patient.
    await put('account', `${t} ann`, {
      id: id('patient'),
      username: `ann@${t}`,
      phone: '+18135550101',
      first_name: 'ann',
      last_name: t,
      patient_tenant_id: tenant_id,
      patient_id: id('ann'),
    });
    await put('account_state', `${t} ann`, { account_id: id('patient'), last_sign_in_at: new Date() });
    await put1('held_result_rule', '', {
      disease_family: 'syphilis',
      result_category: 'positive',
      held: true,
    });
    await put('recovery_code', t, { account_id: id('T'), hash: Buffer.from(t) });
    await put('sign_in_failure', t, { subject: Buffer.from('x'), id: id('failure'), at: '2026-01-01' });

    // A person of the first organisation in the north, a person of the second in the south, each with all records; a
    // restricted case of the first; and a person there with only restricted records.
    const people = [
      { name: 'ann', org: 'o1', facility: t === 't1' ? 'f1' : 'told', county: north },
      { name: 'bob', org: 'o2', facility: 'f2', county: south },
    ] as const;
    for (const [n, { name, org, facility: place, county }] of people.entries()) {
      const where = { organization_id: id(org), facility_id: id(place), county_fips: county };
      await put1('patient', name, {
        id: id(name),
        last_name: name,
        county_fips: county,
        organization_ids: [id(org)],
        facility_ids: [id(place)],
        disease_families: n === 0 ? ['sti', 'hiv'] : ['sti'],
      });
      await put1('patient_identifier', name, { patient_id: id(name), kind: 'MR', value: name });
      await put1('patient_block', name, { patient_id: id(name), key: name });
      await put1('search_key', `${name} patient`, { record_kind: 'patient', key: name, record_id: id(name) });
      await put1('search_key', `${name} case`, { record_kind: 'case', key: name, record_id: id(`c${name}`) });
      await put1('patient_history', name, {
        record_id: id(name),
        version: 2,
        changes: { city: { from: null, to: 'Tampa' } },
      });
      await put1('patient_consent', name, {
        id: id(`y${name}`),
        patient_id: id(name),
        kind: 'email',
        given: true,
        wording: 'x',
        language_code: 'en',
        account_id: id('T'),
        by_patient: false,
      });
      await put1('portal_invitation', name, {
        id: id(`z${name}`),
        patient_id: id(name),
        by: 'EMAIL',
        value: 'x',
        language_code: 'en',
        asked_by: id('T'),
        expires_at: '2100-01-01',
      });
      await put1('specimen', name, { id: id(`s${name}`), patient_id: id(name) });
      const vaccination = id(`v${name} given`);
      for (const state of ['given', 'entered-in-error'])
        await put1('vaccination', state === 'given' ? name : `${name} error`, {
          id: state === 'given' ? vaccination : id(`v${name} error`),
          patient_id: id(name),
          vaccine: '03',
          given_on: '2026-01-01',
          source: 'here',
          state,
          created_on: '2026-01-01',
        });
      await put1('vaccination_history', name, {
        record_id: vaccination,
        version: 2,
        version_within: 2,
        changes: { lot: { from: null, to: 'x' } },
        patient_id: id(name),
      });
      await filed(name, { patient_id: id(name) });
      await givenTask(`${name} alone`, { patient_id: id(name), record_id: null });
      // For each person, and one for a restricted family.
      for (const family of n === 0 ? [null, 'hiv'] : [null]) {
        const label = [name, family].filter(Boolean).join(' ');
        const incident = id(`j${name}${family ?? ''}`);
        const seenWith = { patient_id: id(name), disease_family: family, ...where };
        await put1('incident', label, {
          id: incident,
          number: label,
          kind: 'vaccine-adverse-event',
          received_on: '2026-01-01',
          narrative: 'x',
          created_on: '2026-01-01',
          ...seenWith,
        });
        if (!family)
          await put1('own_report', label, {
            id: incident,
            account_id: id('patient'),
            on_day: '2026-01-01',
            sent_at: '2026-01-01',
            said: '{}',
          });
        await put1('incident_history', label, {
          record_id: incident,
          version: 2,
          version_within: 2,
          changes: { reporter: { from: null, to: 'x' } },
          ...seenWith,
        });
        await put1('incident_transition', label, {
          ...moved(incident, 'received', 'in-review'),
          ...seenWith,
        });
        const visit = id(`q${name}${family ?? ''}`);
        await put1('telemedicine_visit', label, {
          id: visit,
          number: label,
          visit_type: 'other',
          task_category: 'telemedicine',
          planned_on: '2026-01-01',
          created_on: '2026-01-01',
          ...seenWith,
        });
        await put1('telemedicine_visit_history', label, {
          record_id: visit,
          version: 2,
          version_within: 2,
          changes: { language: { from: null, to: 'es' } },
          ...seenWith,
        });
        await put1('telemedicine_visit_transition', label, {
          ...moved(visit, 'proposed', 'waitlisted'),
          ...seenWith,
        });
        await put1('provider_time', label, {
          account_id: id('T'),
          step: family ? 2 : n + 10,
          visit_id: visit,
        });
        await put1('provider_availability', label, {
          account_id: id(family ? 'offered' : n === 0 ? 'T' : 'F1'),
          time_zone: 'UTC',
          languages: [],
          buffer_minutes: 0,
          lead_hours: 0,
          horizon_days: 30,
          patients: false,
          rules: '[]',
          exceptions: '[]',
        });
      }
      const kinds = n === 0 ? (['', 'hiv'] as const) : ([''] as const);
      for (const kind of kinds) {
        const disease = { condition_code: kind || 'x', disease_family: kind || 'sti' };
        const label = [name, kind].filter(Boolean).join(' ');
        await put1('result', label, {
          id: id(`r${name}${kind}`),
          patient_id: id(name),
          specimen_id: kind ? null : id(`s${name}`),
          source_key: `${name}${kind}`,
          content_hash: 'x',
          test_name: 'x',
          result_category: 'positive',
          status: 'final',
          created_on: '2026-01-01',
          ...disease,
          ...where,
        });
        await put1('case_report', label, {
          id: id(`c${name}${kind}`),
          case_id: `2026-${name}${kind}`,
          patient_id: id(name),
          disease_category: 'x',
          classification: 'confirmed',
          created_on: '2026-01-01',
          source: 'elr',
          ...disease,
          ...where,
        });
        if (!kind)
          await put1('told_result', label, {
            account_id: id('patient'),
            result_id: id(`r${name}`),
            told_at: '2026-01-01',
          });
        const case_report_id = id(`c${name}${kind}`);
        await put1('case_result', label, { case_report_id, result_id: id(`r${name}${kind}`) });
        await put1('case_event', label, { case_report_id, id: id(`e${name}${kind}`), kind: 'opened' });
        await put1('case_answers', label, { case_report_id, form: 'x', form_version: 1, answers: '{}' });
        await put1('case_answer_key', label, { case_report_id, link_id: 'x', value: 'Y' });
        await put1('case_answers_history', label, {
          case_report_id,
          version: 2,
          form_version: 1,
          changes: '{}',
        });
        await put1('case_report_history', label, {
          record_id: case_report_id,
          version: 2,
          version_within: 2,
          changes: { status: { from: 'new', to: 'closed' } },
        });
        await put1('treatment', label, {
          id: id(`t${name}${kind}`),
          case_report_id,
          patient_id: id(name),
          disease_family: 'x',
          drug: 'other',
          started_on: '2026-01-01',
          source: 'manual',
          created_on: '2026-01-01',
        });
        await put1('treatment_history', label, {
          record_id: id(`t${name}${kind}`),
          case_report_id,
          disease_family: 'x',
          version: 2,
          changes: { drug: { from: 'other', to: 'cefixime-800-once' } },
        });
        await filed(`${label} case`, { patient_id: id(name), case_report_id });
        // Written by people of the tenant, and by people of a place.
        const contact = {
          case_report_id,
          patient_id: id(name),
          disease_family: 'x',
          told_by: n === 0 ? null : id(org),
        };
        const contact_id = id(`v${name}${kind}`);
        await put1('contact', label, {
          id: contact_id,
          number: label,
          // Their persons report how they are.
          status: 'under-follow-up',
          exposure: 'touch',
          last_exposed_on: '2026-01-01',
          created_on: '2026-01-01',
          ...contact,
        });
        await put1('contact_history', label, {
          record_id: contact_id,
          version: 2,
          version_within: 2,
          changes: { risk: { from: null, to: 'high' } },
          ...contact,
        });
        await put1('contact_transition', label, {
          ...moved(contact_id, 'identified', 'under-follow-up'),
          ...contact,
        });
        const follow_up_id = id(`fu${name}${kind}`);
        await put1('case_follow_up', label, {
          id: follow_up_id,
          number: label,
          purpose: 'isolation',
          first_on: '2026-01-01',
          last_on: '2026-01-09',
          started_by_id: id('T'),
          created_on: '2026-01-01',
          ...contact,
        });
        await put1('case_follow_up_history', label, {
          record_id: follow_up_id,
          version: 2,
          version_within: 2,
          changes: { note: { from: null, to: 'x' } },
          ...contact,
        });
        await put1('case_follow_up_transition', label, {
          ...moved(follow_up_id, 'lost', 'under-follow-up'),
          ...contact,
        });
        const partner_id = id(`ps${name}${kind}`);
        await put1('partner_service', label, {
          id: partner_id,
          number: label,
          referral_basis: 'T1',
          created_on: '2026-01-01',
          ...contact,
        });
        await put1('partner_service_history', label, {
          record_id: partner_id,
          version: 2,
          version_within: 2,
          changes: { note: { from: null, to: 'x' } },
          ...contact,
        });
        await put1('partner_service_transition', label, {
          ...moved(partner_id, 'NF', 'FF'),
          ...contact,
        });
        for (const outcome of ['seen', 'answered'])
          await put1('follow_up_entry', outcome === 'seen' ? label : `${label} answered`, {
            record_kind: 'contact',
            record_id: contact_id,
            id: id(`x${name}${kind}${outcome}`),
            day: '2026-01-02',
            outcome,
            account_id: id(outcome === 'seen' ? 'T' : 'patient'),
            ...contact,
          });
        const visit = { patient_id: id(name), case_report_id, disease_family: kind || 'x', ...where };
        const visit_id = id(`y${name}${kind}`);
        await put1('field_visit', label, {
          id: visit_id,
          number: label,
          visit_type: 'interview',
          planned_for: '2026-01-02',
          created_on: '2026-01-01',
          ...visit,
        });
        await put1('field_visit_history', label, {
          record_id: visit_id,
          version: 2,
          version_within: 2,
          changes: { note: { from: null, to: 'x' } },
          ...visit,
        });
        await put1('field_visit_transition', label, { ...moved(visit_id, 'open', 'assigned'), ...visit });
        await put1('field_visit_attempt', label, {
          record_id: visit_id,
          id: id(`z${name}${kind}`),
          day: '2026-01-02',
          at_time: '09:00',
          method: 'visit',
          outcome: 'nobody',
          left_behind: 'nothing',
          account_id: id('T'),
          ...visit,
        });
        await givenTask(label, { patient_id: id(name), record_id: case_report_id });
        await put1('case_report_transition', label, {
          ...moved(case_report_id, 'new', 'assigned'),
        });
        await put1('record_clock', label, {
          id: id(`w${name}${kind}`),
          clock: 'start',
          record_kind: 'case',
          started_on: '2026-01-01',
          due_on: '2026-01-04',
          due_at: '2026-01-05T00:00:00Z',
          record_id: case_report_id,
          flow_version: 2,
          made_version: 2,
        });
      }
      await put1('import', org, {
        id: id(`i${org}`),
        file_name: org,
        state: 'done',
        organization_id: id(org),
      });
      await put1('import_upload', org, {
        import_id: id(`i${org}`),
        byte_offset: 0,
        byte_length: 1,
        bytes: Buffer.from('x'),
      });
      await put1('code_mapping', org, {
        id: id(`q${org}`),
        kind: 'test',
        sender: org,
        system: 'L',
        code: org,
      });
      await put1('import_message', org, {
        id: id(`n${org}`),
        import_id: id(`i${org}`),
        index: 0,
        line: 1,
        content_hash: Buffer.from(org),
        state: 'waiting',
        waiting_for: [id(`q${org}`)],
        disease_families: ['sti'],
      });
      await put1('import_tally', org, {
        import_id: id(`i${org}`),
        kind: 'state',
        key: 'waiting',
        families: ['sti'],
        n: 1,
      });
    }
    for (const { name } of people)
      await put1('guardian_link', name, {
        id: id(`g${name}`),
        child_id: id(name),
        guardian_id: id(name === 'ann' ? 'bob' : 'ann'),
        relation: 'parent',
        evidence: 'document',
        from_on: '2026-01-01',
        made_by: id('T'),
      });
    await put1('seeding', '', { name: 'demo', plan: '{}' });
    await put1('patient', 'cat', {
      id: id('cat'),
      last_name: 'cat',
      county_fips: north,
      organization_ids: [id('o1')],
      facility_ids: [id('f1')],
      disease_families: ['hiv'],
    });
    await put1('patient_identifier', 'cat', { patient_id: id('cat'), kind: 'MR', value: 'cat' });
    await put1('search_key', 'cat patient', { record_kind: 'patient', key: 'cat', record_id: id('cat') });
    await put1('patient_match', 'ann cat', {
      id: id('match2'),
      patient_id: id('ann'),
      candidate_id: id('cat'),
      score: 0.9,
      parts: '{}',
    });
    await put1('import', 'f1', {
      id: id('if1'),
      file_name: 'f1',
      state: 'done',
      organization_id: id('o1'),
      facility_id: id('f1'),
    });
    // From the first facility to the second, with its contents, and a found specimen about which nothing is openly
    // known.
    for (const [state, sent_on] of [
      ['draft', null],
      ['sent', '2026-01-01'],
    ] as const) {
      const shipment_id = id(`shipment ${state}`);
      const ends = {
        origin_id: id('f1'),
        origin_organization_id: id('o1'),
        destination_id: id('f2'),
        destination_organization_id: id('o2'),
        sent_on,
      };
      await put1('shipment', state, {
        id: shipment_id,
        number: state,
        temperature: 'frozen',
        created_on: '2026-01-01',
        state: sent_on ? 'receiving' : 'draft',
        ...ends,
      });
      await put1('shipment_history', state, { record_id: shipment_id, version: 2, changes: '{}', ...ends });
      await put1('shipment_transition', state, { ...moved(shipment_id, 'draft', 'packed'), ...ends });
      for (const families of [[], ['hiv']]) {
        const name = [state, ...families].join(' ');
        const item = { shipment_id, id: id(`item ${name}`), code: 'x', families, ...ends };
        await put1('shipment_specimen', name, { ...item, state: sent_on ? 'receiving' : 'draft' });
        await put1('custody_event', name, { ...item, deed: 'unexpected' });
      }
    }
    // In boxes of the first and the second facility.
    for (const [facility, tube] of [
      ['f1', 'ann'],
      ['f2', 'bob'],
    ] as const) {
      const stored = { specimen_id: id(`s${tube}`), code: 'x', facility_id: id(facility) };
      const box = { location_id: id(`room ${facility}`), row_number: 1, column_number: 1 };
      await put1('storage_place', facility, { ...stored, ...box });
      await put1('storage_move', facility, { ...stored, id: id(`move ${facility}`), deed: 'stored' });
    }
    await put1('search_key', 'ann hiv case', { record_kind: 'case', key: 'hiv', record_id: id('cannhiv') });
    await put1('code_mapping', 'hiv', {
      id: id('qhiv'),
      kind: 'test',
      sender: 'x',
      system: 'L',
      code: 'hiv',
      disease_family: 'hiv',
    });
    await put1('import_message', 'o1 hiv', {
      id: id('nhiv'),
      import_id: id('io1'),
      index: 1,
      line: 2,
      content_hash: Buffer.from('hiv'),
      state: 'taken',
      disease_families: ['hiv'],
    });
    await put1('import_tally', 'o1 hiv', {
      import_id: id('io1'),
      kind: 'state',
      key: 'taken',
      families: ['hiv'],
      n: 1,
    });
    await put1('patient_match', 'ann bob', {
      id: id('match'),
      patient_id: id('ann'),
      candidate_id: id('bob'),
      score: 0.9,
      parts: '{}',
    });
    await put1('audit_chain', '', { lane: 0 });
    await put1('audit_decoy', '', { id: id('decoy'), action: 'x', at: '2026-01-01' });
    await put1('audit_archive', '', {
      month: '2020-01-01',
      lane: 0,
      first: 1,
      last: 2,
      hash_before: Buffer.alloc(0),
      hash: Buffer.from('x'),
      file: 'x',
      digest: Buffer.from('x'),
    });
    await put1('case_counter', '', { year: 2026, last_number: 3 });
    const year = { kind: 'residents', year: 2025 };
    await put1('population', '', { ...year, id: id('people'), publisher: 'x', title: 'x', published: 2025 });
    await put1('population_count', '', {
      ...year,
      county_fips: north,
      sex: 'F',
      age_from: 0,
      people: 1,
    });
    await put1('csv_mapping', '', { signature: 'x', mapping: '{}' });
    await put1('outbox', '', { number: 1, kind: 'result', record_ids: [id('rann')] });
    await put1('change_counter', '', { last_number: 1 });
  }

  await client.end();
  await carryAll(superuserUrl);

  const reader = (
    tenant: keyof typeof tenants,
    orgType: Extract<Scope, { kind: 'org' }>['orgType'],
    name: string,
    org: string,
    hiddenFamilies: string[] = [],
  ): Scope => ({
    kind: 'org',
    tenantId: tenants[tenant],
    orgType,
    orgId: org === tenant ? tenants[tenant] : orgType === 'PHJ' ? uuid(org) : uuid(`${tenant} ${org}`),
    accountId: uuid(`${orgType === 'PHJ' ? (org === 'north' ? 't1' : 't2') : tenant} ${name}`),
    counties: orgType === 'PHJ' ? [org === 'north' ? north : south] : [],
    hiddenFamilies,
    genderIdentityShown: true,
  });
  return {
    rows,
    keyOf,
    keyColumns,
    readers: {
      service: { kind: 'service', tenantId: tenants.t1 },
      identity: { kind: 'identity' },
      system: { kind: 'system' },
      T: reader('t1', 'T', 'T', 't1'),
      A: reader('t1', 'A', 'T', 't1'),
      // Without the permission for restricted families, like all below.
      t: reader('t1', 'T', 'T', 't1', ['hiv']),
      O1: reader('t1', 'O', 'O1', 'o1', ['hiv']),
      O2: reader('t1', 'O', 'O2', 'o2', ['hiv']),
      F1: reader('t1', 'F', 'F1', 'f1', ['hiv']),
      F2: reader('t1', 'F', 'F2', 'f2', ['hiv']),
      // The northern jurisdiction in each of the tenants, and the southern one in a tenant that does not report to
      // it.
      N1: reader('t1', 'PHJ', 'PHJ', 'north', ['hiv']),
      N2: reader('t2', 'PHJ', 'PHJ', 'north', ['hiv']),
      S1: reader('t1', 'PHJ', 'PHJ', 'south', ['hiv']),
      // Ann herself, without the result of the restricted family, which is withheld.
      P: { kind: 'patient', tenantId: tenants.t1, patientId: uuid('t1 ann'), accountId: uuid('t1 patient') },
    },
  };
}
