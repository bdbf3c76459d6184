import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Asker, code, fact, id } from '@caseway/contract/fact';
import { fieldVisitTypes } from '@caseway/contract/field-visits';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { carryAll } from '../test/carried.ts';
import { asSuperuser, createTestDatabase } from '../test/database.ts';
import {
  makeCaseReport,
  makeFacility,
  makeFieldVisit,
  makeIncident,
  makeJurisdiction,
  makePartnerService,
  makePatient,
  makeResult,
  makeShipment,
  makeTelemedicineVisit,
  makeTenant,
  makeTransition,
  makeTreatment,
  makeVisitAttempt,
  makeWorkTask,
} from '../test/factories.ts';
import { sqlTexts } from '../test/sql-texts.ts';
import { facts } from './facts.ts';
import { careYearFact } from './features/case-reports/care-year-fact.ts';
import { caseFact } from './features/case-reports/case-fact.ts';
import { hivTestFact } from './features/hiv-analytics/hiv-test-fact.ts';
import { resultFact } from './features/results/result-fact.ts';
import { shipmentFact } from './features/sample-shipments/shipment-fact.ts';
import { treatmentFact } from './features/treatments/treatment-fact.ts';
import { startAnalytics } from './platform/analytics/engine.ts';
import { type StoredFact, snake, storedFact, type TableName, viewOf } from './platform/analytics/facts.ts';
import { recordChange } from './platform/analytics/outbox.ts';
import type { Reading } from './platform/analytics/readings.ts';
import { copiedFacts, storedFacts } from './platform/analytics/stored-facts.ts';
import { statementFor } from './platform/analytics/visible-facts.ts';
import { migrationsFolder } from './platform/db/migrate.ts';
import { createLog } from './platform/log/log.ts';
import type { Scope } from './platform/scope.ts';

/* What every fact guarantees, whatever it is about. */

const { database, superuserUrl } = await createTestDatabase({ poolSize: 6 });
const superuser = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const { id: tenantId } = await makeTenant(database);
const service: Scope = { kind: 'service', tenantId };
const jurisdiction = await makeJurisdiction(database, {
  managed_by_tenant_id: tenantId,
  counties: ['12001'],
});
const [organization, facility] = [randomUUID(), randomUUID()];
const other = await makeFacility(database, { tenant_id: tenantId });
const sqlTenant = `cast('${tenantId}' as uuid)`;

// Every combination of values with variants for readers, and texts that folding changes.
for (let n = 0; n < 48; n++) {
  const at = { organization_id: n % 3 ? organization : null, facility_id: n % 5 ? facility : null };
  const county_fips = n % 7 ? ['12001', '13121'][n % 2] : null;
  const { id: patient_id } = await makePatient(database, {
    tenant_id: tenantId,
    last_name: `Ünal-${n}`,
    first_name: n % 4 ? 'ÉLODIE' : null,
    city: n % 4 ? 'São Tomé' : '',
    middle_name: n % 4 ? 'Ó' : null,
    street: '1 Río Ávila',
    postal_code: 'É1 2AB',
    phones: ['Ext. 12'],
    emails: ['Élodie@example.org'],
    birth_date: n % 9 ? `19${50 + n}-03-05` : null,
    gender_identity: n % 2 ? 'non-binary' : null,
    race: n % 3 ? '2106-3' : 'UNK',
    ethnicity: n % 4 ? '2135-2' : 'UNK',
    county_fips,
    organization_ids: n % 4 ? [organization] : [],
    facility_ids: n % 3 ? [facility] : [],
    told_by: n % 6 === 0 ? [randomUUID()] : n % 6 === 1 ? [organization] : null,
    told_openly:
      n % 8 < 3
        ? JSON.stringify({
            last_name: 'Ömer',
            first_name: 'Öffen',
            birth_date: n % 2 ? '1980-05-05' : null,
            sex_at_birth: n % 8 ? 'M' : 'U',
            gender_identity: 'female',
            race: '1002-5',
            ethnicity: n % 2 ? '2135-2' : null,
            city: 'Açores',
            middle_name: 'Ö',
            street: '2 Río',
            postal_code: 'Ö1',
            county_fips: '12001',
            phones: ['EXT 9'],
            emails: ['Ö@example.org'],
            keys: ['omer'],
          })
        : null,
  });
  const { id: result_id } = await makeResult(database, {
    tenant_id: tenantId,
    patient_id,
    ...at,
    county_fips,
    county_borrowed: n % 4 === 1,
    test_name: `Ångström ${n}`,
    assay: n % 3 ? ' ROCHE cobas® É ' : null,
    specimen_site: n % 3 ? 'Œsophagus' : null,
    accession: `ÀC-${n}`,
    provider_name: 'Dr. ZOË',
    provider_npi: n % 2 ? '1234567893' : null,
    notes: n % 2 ? `NOTÉ ${n}` : null,
    method: [null, 'quantity', 'resistance', 'routine'][n % 4],
    disease_family: n % 5 ? ['sti', 'hiv'][n % 2] : null,
    condition_code: n % 3 ? 'chlamydia' : null,
    result_category: ['positive', 'pending', 'quantitative', 'negative', 'invalid'][n % 5],
    status: n % 11 ? 'final' : 'withdrawn',
    age_years: n % 10 ? [-1, 0, 1, 4, 5, 34, 35, 44, 45, 84, 85, 110][n % 12] : null,
    received_at: ['2026-03-02T14:00:00Z', '2026-03-02T16:59:59Z', '2026-03-03T15:00:00Z', null][n % 4],
    resulted_at: n % 6 ? `2026-03-0${3 + (n % 5)}T15:30:30Z` : null,
    superseded_by: n % 12 === 5 ? randomUUID() : null,
  });
  const made = await makeCaseReport(database, {
    tenant_id: tenantId,
    patient_id,
    ...at,
    county_fips,
    disease_family: ['sti', 'hiv'][n % 2],
    collected_on: '2025-03-01',
    external_id: n % 2 ? `ËXT ${n}` : null,
    outcome: n % 3 ? 'ill' : null,
    told_within:
      n % 5 < 2
        ? JSON.stringify({
            onset_on: '2026-01-02',
            collected_on: null,
            reported_on: '2026-01-03',
            updated_at: '2026-01-04T00:00:00Z',
            external_id: 'ÄNDERS',
            visit_type: 'field',
            county_fips: '12001',
            outcome: null,
            pregnant: 'yes',
            jurisdiction_id: n % 2 ? randomUUID() : null,
            version: 1,
          })
        : null,
  });
  const { id: case_report_id } = made;
  await makeTreatment(database, made, {
    drug: n % 2 ? 'other' : 'doxycycline-7-days',
    other_drug: n % 2 ? 'ÉRYTHROMYCINE' : null,
    told_by: n % 3 ? null : [facility],
  });
  await makeWorkTask(database, made, { state: n % 3 ? 'open' : 'done', due_on: n % 4 ? '2026-03-09' : null });
  await makeTransition(database, made, { counts: n % 4 !== 0, days: n % 5 });
  await makeShipment(database, {
    tenant_id: tenantId,
    ...{ origin_id: facility, destination_id: other.id, origin_organization_id: organization },
    sent_on: n % 3 ? '2026-03-08' : null,
  });
  await makeIncident(database, {
    tenant_id: tenantId,
    ...at,
    patient_id: n % 4 ? patient_id : null,
    disease_family: n % 5 ? null : 'hiv',
    kind: n % 6 ? 'vaccine-adverse-event' : 'other-incident',
    // A report without a vaccine has no part.
    vaccines: JSON.stringify(n % 6 ? [{ vaccine: 'mmr', dose: '1' }, { vaccine: 'mmr' }].slice(n % 2) : []),
    reactions: n % 3 ? ['fever', 'hives'].slice(n % 2) : [],
  });
  const visit = await makeFieldVisit(database, {
    tenant_id: tenantId,
    ...at,
    patient_id,
    case_report_id: n % 2 ? case_report_id : null,
    visit_type: fieldVisitTypes[n % 7]!,
    done_on: n % 3 ? '2026-03-09' : null,
    due_on: n % 4 ? '2026-03-08' : null,
  });
  await makeVisitAttempt(database, visit, {
    day: '2026-03-08',
    at_time: ['09:00', '14:00', '18:00'][n % 3]!,
    method: ['visit', 'text'][n % 2]!,
    outcome: ['done', 'sent', 'nobody'][n % 3]!,
  });
  await makeTelemedicineVisit(database, {
    tenant_id: tenantId,
    ...at,
    patient_id,
    case_report_id: n % 2 ? case_report_id : null,
    starts_at: n % 3 ? '2026-03-09T15:00:00Z' : null,
    arrived_at: n % 4 ? '2026-03-09T14:50:00Z' : null,
    joined_at: n % 5 ? '2026-03-09T15:05:30Z' : null,
    ended_at: n % 6 ? '2026-03-09T15:30:00Z' : null,
    start_hour: n % 3 ? '11' : null,
  });
  const ofCase = { tenant_id: tenantId, case_report_id, disease_family: ['sti', 'hiv'][n % 2]! };
  const index = await makePartnerService(database, {
    ...ofCase,
    patient_id,
    told_by: n % 4 < 2 ? facility : organization,
    interview_assigned_on: n % 3 ? '2026-03-07' : null,
    interview_status: n % 4 ? 'I' : null,
    interviewed_on: n % 5 ? '2026-03-09' : null,
  });
  await makePartnerService(database, {
    ...ofCase,
    index_id: index.id,
    told_by: n % 4 < 2 ? facility : organization,
    referral_basis: ['P1', 'S1', 'C1'][n % 3]!,
    named_how: 'original',
    disposition: ['C', 'E', 'H', 'Q', null][n % 5]!,
  });
  await database.withScope(service, (tx) =>
    tx.run('insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3)', [
      tenantId,
      case_report_id,
      result_id,
    ]),
  );
}
await carryAll(superuserUrl);

const org = (orgType: 'T' | 'O' | 'F' | 'PHJ', orgId: string, hiddenFamilies: string[] = []): Scope => ({
  kind: 'org',
  tenantId,
  orgType,
  orgId,
  accountId: randomUUID(),
  counties: orgType === 'PHJ' ? ['12001'] : [],
  hiddenFamilies,
  genderIdentityShown: hiddenFamilies.length === 0,
});
const readers: Scope[] = [
  service,
  ...[[], ['hiv']].flatMap((hidden) => [
    org('T', tenantId, hidden),
    org('O', organization, hidden),
    org('F', facility, hidden),
    org('PHJ', jurisdiction.id, hidden),
  ]),
];

describe('a view is printed from the declaration of its fact', () => {
  it('as it is stored for review (else run npm run db:types)', async () => {
    for (const one of facts)
      expect(await readFile(join(migrationsFolder, 'views', `${one.table}.sql`), 'utf8')).toBe(viewOf(one));
  });
});

describe.each(facts.map((one) => [one.table, one] as const))('%s', (table, one) => {
  it('has exactly one row for each row of its base', async () => {
    const { base, joins, where = 'true' } = one.sql;
    // A fact may have a row for each row of its base and each number of a series, or entry of a list.
    const isSeries = (join: string) =>
      /^cross join (generate_series|unnest|jsonb_array_elements)\(/.test(join);
    const isOuter = (join: string) => join.startsWith('left join ');
    const series = joins.filter((join) => isSeries(join) || isOuter(join)).join(' ');
    /** What a join can name: the base, and earlier joins. */
    const before = [base.as];
    const [counted] = await database.withScope(service, (tx) =>
      tx.rows(`select (select count(*)::int from ${table}) as n, (select count(distinct id)::int from ${table}) as different,
        (select count(*)::int from ${base.table} ${base.as} ${series} where ${where}) as base`),
    );
    // Each of the 48 persons has a row, but only some were tested for HIV.
    expect(counted!.n).toBeGreaterThan(one === hivTestFact ? 8 : 40);
    expect(counted).toMatchObject({ n: counted!.base, different: counted!.base });
    // Whatever the rows: a join finds at most one row if it names a whole key, and at least one if a foreign key
    // does.
    for (const text of joins.filter((join) => !isSeries(join))) {
      const [, outer, joined, as, on] = /^(left )?join (\w+) (\w+) on (.*)$/s.exec(text)!;
      const [key] = await superuser<{ columns: string[] }>(
        `select array_agg(a.attname::text) as columns from pg_index i
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
         where i.indrelid = $1::regclass and i.indisprimary`,
        [joined],
      );
      for (const column of key!.columns)
        expect(on).toMatch(new RegExp(`\\b${as}\\.${column} = (?:${before.join('|')})\\.`));
      before.push(as!);
      if (outer) continue;
      const links = key!.columns.map(
        (column) => new RegExp(`\\b${as}\\.${column} = ${base.as}\\.(\\w+)`).exec(on!)![1]!,
      );
      const [linked] = await superuser<{ is: boolean }>(
        `select exists (select from pg_constraint k where k.contype = 'f' and k.conrelid = $1::regclass
           and k.confrelid = $2::regclass and (select array_agg(a.attname::text order by a.attname) from pg_attribute a
             where a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attnotnull)
             = (select array_agg(c order by c) from unnest($3::text[]) c)) as is`,
        [base.table, joined, links],
      );
      expect(linked!.is, `${base.table} always has its ${joined}`).toBe(true);
    }
  });

  it('declares every table that it reads, and no other', async () => {
    expect(Object.keys(one.sql.changedBy).sort()).toEqual(await tablesRead(one));
  });

  it('has its texts folded', async () => {
    const texts = Object.entries(one.shape.columns).flatMap(([name, { kind }]) =>
      kind === 'text' ? [one.comparedBy[name]!] : [],
    );
    const stored = one.columns.filter(({ name }) =>
      texts.some((text) => name === text || name === `open_${text}` || name === `within_${text}`),
    );
    expect(stored.length).toBeGreaterThanOrEqual(texts.length);
    const from = storedFacts(one, () => sqlTenant, stored.map(({ name }) => name).join());
    for (const { name } of stored) {
      const [counted] = await database.withScope(service, (tx) =>
        tx.rows<{ n: number; unfolded: number }>(
          `select count(${name})::int as n, count(*) filter (where ${name} <> app_fold(${name}))::int as unfolded
           from ${from} where ${table}.tenant_id = ${sqlTenant}`,
        ),
      );
      expect(counted!.n, `no row at the top of this file has a ${name}`).toBeGreaterThan(0);
      expect(counted!.unfolded, name).toBe(0);
    }
  });
});

/**
 * The tables that a fact is made from: those that its view depends on, and those in the plan of what a replica
 * copies.
 */
async function tablesRead(one: StoredFact): Promise<string[]> {
  const inView = await superuser<{ name: string }>(
    `select distinct d.refobjid::regclass::text as name from pg_depend d join pg_rewrite r on r.oid = d.objid
     where d.classid = 'pg_rewrite'::regclass and r.ev_class = $1::regclass and d.refclassid = 'pg_class'::regclass
       and d.refobjid <> r.ev_class`,
    [one.table],
  );
  const planned = await database.withScope(service, (tx) =>
    tx.rows<{ 'QUERY PLAN': unknown }>(`explain (format json) ${copiedFacts(one, sqlTenant, 'true')}`),
  );
  const inPlan = [...JSON.stringify(planned).matchAll(/"Relation Name":\s*"(\w+)"/g)].map(
    ([, name]) => name!,
  );
  return [...new Set([...inView.map(({ name }) => name), ...inPlan])].sort();
}

describe('[P31] a question names only columns that it may read in some way', () => {
  const readable = (one: StoredFact, by: Asker) =>
    one.columns.flatMap(({ name, for: askers }) => (askers.includes(by) ? [name] : [])).sort();

  it('numbers: codes and flags, and besides them only these days, numbers and texts, and nothing about one person', () => {
    const [ofResults, ofCases, ofTreatments] = [resultFact, caseFact, treatmentFact].map((one) => {
      const plain = Object.entries(one.shape.columns).flatMap(([name, { kind }]) =>
        kind === 'code' || kind === 'flag' ? [snake(name)] : [],
      );
      return readable(one, 'numbers').filter((name) => !plain.includes(name));
    });
    expect(ofResults).toEqual(
      `age_years assay assay_key collected_on created_on half patient_number person_place received_on reported_on
      resulted_on tenths_collected_to_received tenths_collected_to_resulted tenths_received_to_resulted`.split(
        /\s+/,
      ),
    );
    expect(ofCases).toEqual(
      `age_years collected_on created_on days_onset_to_reported days_reported_to_received days_to_care days_to_treatment
      half onset_on patient_number person_place received_on reported_on`.split(/\s+/),
    );
    expect(ofTreatments).toEqual(
      `created_on days_to_retest ended_on half patient_number person_place retest_due_on started_on`.split(
        /\s+/,
      ),
    );
  });

  it('the half that protected numbers are made from: no one names it, and no list has it [P17]', async () => {
    for (const one of facts) {
      expect(Object.keys(one.shape.columns), one.table).not.toContain('half');
      expect(Object.values(one.comparedBy), one.table).not.toContain('half');
      expect(readable(one, 'list'), one.table).not.toContain('half');
      // Rows that are not about persons are only counted for readers of exact numbers.
      if (one.shape.counting)
        expect(readable(one, 'numbers').includes('half'), one.table).toBe(one.shape.counting.person);
    }
    // Drawn with the record, and read by the views of facts. No other statement names the column.
    const naming = (await sqlTexts())
      .filter(({ text }) => /\bhalf\b/.test(text))
      .map(({ at }) => at.split(':')[0]);
    expect([...new Set(naming)]).toEqual([]);
  });

  it('lists: neither what decides who sees a row, nor what other readers see', () => {
    for (const one of facts) {
      const listed = readable(one, 'list');
      expect(listed).toContain('id');
      expect(
        listed.filter((name) =>
          /^(open|within|told)_|_told_by$|_ids$|_borrowed$|._notes_key$|^(organization|facility|county)_(days|hiv)/.test(
            name,
          ),
        ),
      ).toEqual([]);
    }
  });

  /**
   * Readers who may not see HIV see no row of these, and nobody in the county of the jurisdiction has it. No
   * jurisdiction sees a shipment.
   */
  const isUnseen = (one: StoredFact, reader: Scope) =>
    reader.kind === 'org' &&
    (([hivTestFact, careYearFact].includes(one) &&
      (reader.hiddenFamilies.includes('hiv') || reader.orgType === 'PHJ')) ||
      (one === shipmentFact && reader.orgType === 'PHJ'));

  it.each(['duckdb', 'postgres'] as const)(
    'and the others are absent on %s, for any reader',
    async (engine) => {
      const folder = await mkdtemp(join(tmpdir(), 'caseway-facts-'));
      const analytics = await startAnalytics({ database, facts, log: createLog('silent'), folder, engine });
      try {
        if (engine === 'duckdb') await analytics.caughtUp(tenantId);
        for (const asks of ['list', 'numbers'] as const) {
          const asking: Reading<{ table: string }, string[]> = {
            name: 'test/columns',
            asks,
            args: z.object({ table: z.string() }),
            run: async (ask, { table }) => {
              // Columns that a question does not name are absent.
              const named = facts.find((one) => one.table === table)!.columns.map(({ name }) => name);
              const rows = await ask({ select: `select * from ${table} limit 1 -- ${named.join()}` });
              return Object.keys(rows[0] ?? {});
            },
          };
          for (const reader of readers.filter(({ kind }) => kind === 'org'))
            for (const one of facts) {
              const there = await analytics.answer({ scopes: [reader], freshness: 'any' }, asking, one);
              expect(there.sort()).toEqual(
                isUnseen(one, reader) ? [] : [...readable(one, asks), 'tenant_id'].sort(),
              );
            }
        }
      } finally {
        await analytics.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});

describe('a replica follows', () => {
  const tested = fact('tested', { id, specimenType: code('specimenTypes') });
  /** An invented fact, which reads what no other does. */
  const testedFact = storedFact(tested, {
    base: { table: 'result', as: 'r' },
    joins: ['left join specimen s on s.tenant_id = r.tenant_id and s.id = r.specimen_id'],
    columns: { id: 'r.id', specimenType: 's.type_code' },
    own: {
      organization_id: { sql: 'r.organization_id', as: 'code' },
      facility_id: { sql: 'r.facility_id', as: 'code' },
      county_fips: { sql: 'r.county_fips', as: 'code' },
      disease_family: { sql: 'r.disease_family', as: 'code' },
      specimen_id: { sql: 'r.specimen_id', as: 'code' },
      created_on: { sql: 'r.created_on', as: 'day' },
    },
    visible: {
      family: 'disease_family',
      organization: 'organization_id',
      facility: 'facility_id',
      county: 'county_fips',
    },
    changedBy: { result: { by: 'id' }, specimen: { by: 'specimen_id' } },
    orderedBy: 'created_on',
  });

  /** A change of a row of each table, and the announced record. */
  const changes: Partial<Record<TableName, { told: TableName; text: string; next?: string }>> = {
    result: {
      told: 'result',
      text: `update result set notes = 'Changed', county_fips = '12086', method = null, result_category = 'negative',
        collected_on = '2026-07-01' where id = $2`,
      // A viral load is no retest.
      next: `update result set test_loinc = '25836-8' where id = $2`,
    },
    patient: {
      told: 'patient',
      text: `update patient set race = '2028-9', county_fips = '12087' where id = $2`,
    },
    case_report: {
      told: 'case_report',
      text: `update case_report set outcome = 'died', condition_code = 'changed', county_fips = '12086',
        told_within = coalesce(told_within, '{}') || '{"county_fips": "12099"}' where id = $2`,
    },
    program: {
      told: 'program',
      text: `update program set program_type_id = (select id from program_type where tenant_id = $1 and label = 'Other')
        where tenant_id = $1 and id = $2`,
    },
    task: { told: 'task', text: `update task set task_category = 'treatment' where id = $2` },
    specimen: { told: 'specimen', text: `update specimen set type_code = 'changed' where id = $2` },
    case_answer_key: {
      told: 'case_report',
      text: `insert into case_answer_key (tenant_id, case_report_id, link_id, value, disease_family)
        values ($1, $2, 'titer', '5', 'syphilis')`,
    },
    treatment: {
      told: 'treatment',
      text: `update treatment set started_on = started_on - 10, drug = 'cefixime-800-once' where id = $2`,
    },
    incident: {
      told: 'incident',
      text: `update incident set stage = 'final', reactions = '{fever,seizure}' where id = $2`,
    },
    field_visit: {
      told: 'field_visit',
      text: `update field_visit set status = 'done', done_on = '2026-03-10' where id = $2`,
    },
    field_visit_attempt: {
      told: 'field_visit',
      text: `update field_visit_attempt set day = '2026-03-07', outcome = 'refused', method = 'visit' where record_id = $2`,
    },
    telemedicine_visit: {
      told: 'telemedicine_visit',
      text: `update telemedicine_visit set status = 'no-show', start_hour = '08' where id = $2`,
    },
    partner_service: {
      told: 'partner_service',
      text: `update partner_service set interview_status = 'R', interviewed_on = null, referral_basis = 'T2' where id = $2`,
    },
    case_report_transition: {
      told: 'case_report',
      text: `update case_report_transition set counts = not counts where record_id = $2`,
    },
    work_task: { told: 'work_task', text: `update work_task set state = 'not-needed' where id = $2` },
    shipment: {
      told: 'shipment',
      text: `update shipment set state = 'lost', sent_on = '2026-03-09' where id = $2`,
    },
    case_result: { told: 'case_report', text: 'delete from case_result where case_report_id = $2' },
    case_event: {
      told: 'case_report',
      text: `insert into case_event (tenant_id, id, case_report_id, kind, detail)
        values ($1, gen_random_uuid(), $2, 'note', '{"text": "Listed", "source": "csv"}')`,
    },
    search_key: {
      told: 'patient',
      text: `insert into search_key (tenant_id, record_kind, record_id, key) values ($1, 'patient', $2, 'added')`,
    },
  };

  it('a change in every table that a fact reads, also of a fact that the platform does not know [P5]', async () => {
    await superuser(`${viewOf(testedFact)}; grant select on ${testedFact.table} to public`);
    const all = [...facts, testedFact];
    const [record] = await database.withScope(service, (tx) =>
      tx.rows<Record<TableName, string>>(
        `select i.id as incident, l.result_id as result, l.case_report_id as case_report, r.patient_id as patient,
           (select v.id from field_visit v where v.tenant_id = r.tenant_id and v.patient_id = r.patient_id) as field_visit,
           (select v.id from telemedicine_visit v where v.tenant_id = r.tenant_id and v.patient_id = r.patient_id) as telemedicine_visit,
           (select s.id from partner_service s where s.tenant_id = l.tenant_id and s.case_report_id = l.case_report_id
             and s.index_id is null) as partner_service,
           (select t.id from treatment t where t.tenant_id = l.tenant_id and t.case_report_id = l.case_report_id) as treatment,
           (select k.id from work_task k where k.tenant_id = l.tenant_id and k.record_id = l.case_report_id) as work_task,
           (select s.id from shipment s where s.tenant_id = l.tenant_id limit 1) as shipment
         from case_result l
         join result r on r.tenant_id = l.tenant_id and r.id = l.result_id
         join incident i on i.tenant_id = r.tenant_id and i.patient_id = r.patient_id and i.vaccines <> '[]'
         where l.tenant_id = $1 and r.superseded_by is null and r.notes is not null and r.disease_family = 'hiv' and r.status = 'final'
           and exists (select from case_report c where c.tenant_id = l.tenant_id and c.id = l.case_report_id
             and c.disease_family = 'hiv') limit 1`,
        [tenantId],
      ),
    );
    const ids: Record<string, string> = {
      ...record!,
      specimen: randomUUID(),
      program: randomUUID(),
      task: randomUUID(),
    };
    await database.withScope(service, async (tx) => {
      const [type, other] = [randomUUID(), randomUUID()];
      for (const [id, label] of [
        [type, 'Type'],
        [other, 'Other'],
      ])
        await tx.run('insert into program_type (tenant_id, id, label) values ($1, $2, $3)', [
          tenantId,
          id,
          label,
        ]);
      await tx.run(
        `insert into program (tenant_id, id, program_type_id, label) values ($1, $2, $3, 'Program')`,
        [tenantId, ids.program, type],
      );
      await tx.run(
        `insert into task (tenant_id, id, program_id, task_category, label) values ($1, $2, $3, 'testing', 'Task')`,
        [tenantId, ids.task, ids.program],
      );
      await tx.run('update case_report set program_id = $3, task_id = $4 where tenant_id = $1 and id = $2', [
        tenantId,
        ids.case_report,
        ids.program,
        ids.task,
      ]);
      await tx.run(
        `insert into specimen (tenant_id, id, patient_id, type_code) values ($1, $2, $3, 'swab')`,
        [tenantId, ids.specimen, ids.patient],
      );
      await tx.run('update result set specimen_id = $3 where tenant_id = $1 and id = $2', [
        tenantId,
        ids.result,
        ids.specimen,
      ]);
    });
    const folder = await mkdtemp(join(tmpdir(), 'caseway-facts-'));
    const analytics = await startAnalytics({
      database,
      facts: all,
      log: createLog('fatal'),
      folder,
      engine: 'duckdb',
      sweepMs: 60_000,
    });
    try {
      await analytics.caughtUp(tenantId);
      // A replica leaves out what places see of the notes if it is all of them.
      const select = ({ table, columns }: StoredFact) =>
        `select ${columns.flatMap(({ name, numbers }) => (numbers || /._notes_key$/.test(name) ? [] : [name])).join(', ')}
         from ${table} order by id`;
      const inReplica = async (one: StoredFact) =>
        (await analytics.query({ scopes: [service], freshness: 'any', select: select(one) })).rows;
      const tables = new Set<string>();
      for (const one of all) for (const table of await tablesRead(one)) tables.add(table);
      // When a fact reads another table, add a change here.
      expect(Object.keys(changes).sort()).toEqual([...tables].sort());
      for (const [table, { told, text, next }] of Object.entries(changes)) {
        const before = new Map<StoredFact, unknown>();
        for (const one of all) before.set(one, await inReplica(one));
        const shows = new Set<StoredFact>();
        for (const statement of [text, ...(next ? [next] : [])]) {
          await database.withScope(service, async (tx) => {
            // Each statement names the tenant.
            await tx.run(statement.includes('$1') ? statement : `${statement} and tenant_id = $1`, [
              tenantId,
              ids[told],
            ]);
            await recordChange(tx, tenantId, told, [ids[told]!]);
          });
          await analytics.caughtUp(tenantId);
          for (const one of all) {
            const held = await inReplica(one);
            const asked = statementFor(all, service, { select: select(one) }, 'postgres');
            const stored = await database.withScope(service, (tx) => tx.rows(asked.text, asked.params));
            expect(held, `${one.table} after a change in ${table}`).toEqual(stored);
            if (!isDeepStrictEqual(held, before.get(one))) shows.add(one);
          }
        }
        for (const one of all)
          if (table in one.sql.changedBy)
            expect(shows.has(one), `${one.table} shows the change in ${table}`).toBe(true);
      }
    } finally {
      await analytics.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

it('the platform knows no fact by name', async () => {
  const root = new URL('./platform/', import.meta.url);
  const names = new RegExp(
    `\\b(${facts.flatMap(({ table, shape }) => [table, `${shape.name}Fact`]).join('|')})\\b`,
  );
  const named: string[] = [];
  let read = 0;
  for (const name of await readdir(root, { recursive: true })) {
    if (!name.endsWith('.ts') || /\.test\.ts$|(^|\/)test-|^db\/schema\.ts$/.test(name)) continue;
    read++;
    const text = await readFile(new URL(name, root), 'utf8');
    // Nor which records the tables of a replica are about.
    const isReplica = /^(analytics|grid)\//.test(name);
    if (names.test(text) || (isReplica && /'(?:result|case_report)'|\bpatient_id\b/.test(text)))
      named.push(name);
  }
  expect(read).toBeGreaterThan(100);
  expect(named).toEqual([]);
});
