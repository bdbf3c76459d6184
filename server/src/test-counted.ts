import { randomUUID } from 'node:crypto';
import { caseSources, classifications } from '@caseway/contract/case-reports';
import { addDays } from '@caseway/contract/date-range';
import { fieldVisitTypes } from '@caseway/contract/field-visits';
import { dispositions, interviewStatuses } from '@caseway/contract/partner-flow';
import { telemedicineVisitTypes } from '@caseway/contract/telemedicine-flow';
import { facts as productFacts } from './facts.ts';
import {
  chance,
  lastDay,
  makeReportedTo,
  makeResults,
  type Result,
  storeResults,
  typeOfProgram,
  values,
} from './features/testing-analytics/test-facts.ts';
import { insertTreatments } from './features/treatments/stored-treatments.ts';
import { recordChange } from './platform/analytics/outbox.ts';
import { passOn } from './platform/carried/carried.ts';
import { standardAges } from './platform/dashboards/measures.ts';
import type { PopulationSet } from './platform/dashboards/population.ts';
import type { World } from './platform/dashboards/test-dashboard.ts';
import type { Database, Tx } from './platform/db/database.ts';

/* Data for the tests of dashboards: seeded random rows of every fact. */

/** In each county 9,900 people: 450 women and 450 men in each age group of the US 2000 standard. */
export const populations: readonly PopulationSet[] = [
  {
    kind: 'residents',
    year: 2025,
    publisher: 'Made up',
    title: 'People',
    published: 2025,
    counts: values.counties.flatMap((county) =>
      (['F', 'M'] as const).flatMap((sex) =>
        standardAges.map(({ from, below }) => ({ county, sex, from, below, people: 450 })),
      ),
    ),
  },
];

type Case = Record<'classification' | 'status' | 'family', string> & {
  n?: number;
  source?: string;
  outcome?: string | null;
  onset_on?: string | null;
  investigator_id?: string | null;
};

/** Stores cases, each with the places and days of a result, and returns their ids. */
export async function storeCases(
  database: Database,
  tenant_id: string,
  given: readonly { result: Result; of: Case }[],
): Promise<string[]> {
  const rows = given.map(({ result, of }, index) => ({
    tenant_id,
    id: randomUUID(),
    case_id: `2026-${String(index).padStart(7, '0')}`,
    patient_id: result.person.id,
    condition_code: of.family,
    disease_family: of.family,
    disease_category: 'std',
    classification: of.classification,
    classified_by: 'rule',
    status: of.status,
    version: 1,
    source: of.source ?? 'elr',
    outcome: of.outcome ?? null,
    investigator_id: of.investigator_id ?? null,
    organization_id: result.organization_id,
    facility_id: result.facility_id,
    program_id: result.program_id,
    task_id: result.task_id,
    county_fips: result.county_fips,
    pregnant: [null, 'yes', 'no'][(of.n ?? index) % 3]!,
    onset_on: of.onset_on ?? null,
    collected_on: result.collected_on,
    reported_on: result.reported_on,
    received_on: result.created_on,
    created_on: result.created_on,
  }));
  await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
    const columns = Object.keys(rows[0]!).join(', ');
    await tx.run(
      `insert into case_report (${columns}) select ${columns} from jsonb_populate_recordset(null::case_report, $1) returning 1`,
      [JSON.stringify(rows)],
    );
    // Some soon after the specimen, and some half a year before, so that their retest is due now.
    await insertTreatments(
      tx,
      tenant_id,
      rows.flatMap(({ id, collected_on, created_on }, index) => {
        const n = given[index]!.of.n ?? index;
        const days = n % 2 ? ((n * 7) % 45) - 6 : (n % 60) - 190;
        if (n % 4 === 0) return [];
        return [
          {
            id: randomUUID(),
            caseRecord: id,
            drug: 'doxycycline-7-days',
            otherDrug: null,
            startedOn: addDays(collected_on ?? created_on, days),
            endedOn: null,
            adequacy: null,
            givenAt: null,
            provider: null,
            state: n % 9 === 8 ? 'entered-in-error' : 'given',
            source: 'manual',
            createdOn: created_on,
            toldBy: null,
          },
        ];
      }),
    );
    await storeWork(
      tx,
      rows.map(({ id, created_on }, index) => ({ id, created_on, n: given[index]!.of.n ?? index })),
    );
    await recordChange(
      tx,
      tenant_id,
      'case_report',
      rows.map(({ id }) => id),
    );
  });
  return rows.map(({ id }) => id);
}

/** Stores tasks and transitions of cases: none for some, two of each for others. */
async function storeWork(
  tx: Tx,
  cases: readonly { id: string; created_on: string; n: number }[],
): Promise<void> {
  const some = <T>(n: number, list: readonly T[]) => list[n % list.length]!;
  const each = cases.flatMap(({ id, created_on, n }) =>
    Array.from({ length: n % 3 }, (_, part) => ({ id, created_on, n: 3 * n + part })),
  );
  const put = (table: 'work_task' | 'case_report_transition', rows: readonly object[]) =>
    tx.run(
      `insert into ${table} (${Object.keys(rows[0]!).join(', ')})
       select ${Object.keys(rows[0]!).join(', ')} from jsonb_populate_recordset(null::${table}, $1) returning 1`,
      [JSON.stringify(rows)],
    );
  await put(
    'work_task',
    each.map(({ id, created_on, n }) => ({
      ...{ tenant_id: tx.tenantId, id: randomUUID(), version: 1, record_id: id },
      ...{
        work: some(n, ['call', 'interview', 'approve']),
        state: some(n, ['open', 'done', 'withdrawn', 'open']),
      },
      ...{ queue: 'assignee', priority: 'normal', made_on: created_on, made_at: '2026-01-01T00:00:00Z' },
      due_on: n % 5 ? addDays(created_on, n % 9) : null,
    })),
  );
  await put(
    'case_report_transition',
    each.map(({ id, created_on, n }) => {
      const took = (of: number) =>
        n % 4 === of ? { days: n % 23, workdays: n % 17 } : { days: null, workdays: null };
      const [assign, start, complete, approve] = [0, 1, 2, 3].map(took);
      return {
        ...{ tenant_id: tx.tenantId, id: randomUUID(), record_id: id, version: 2, last_version: 2 },
        from_state: some(n, ['new', 'assigned', 'under_investigation', 'complete']),
        to_state: some(n, ['assigned', 'under_investigation', 'complete', 'rejected_by_investigator']),
        ...{
          counts: n % 6 !== 5,
          on_day: addDays(created_on, n % 12),
          days: n % 7 ? n % 19 : null,
          workdays: null,
        },
        ...{ days_to_assign: assign!.days, workdays_to_assign: assign!.workdays },
        ...{ days_to_start: start!.days, workdays_to_start: start!.workdays },
        ...{ days_to_complete: complete!.days, workdays_to_complete: complete!.workdays },
        ...{ days_to_approve: approve!.days, workdays_to_approve: approve!.workdays },
      };
    }),
  );
  await passOn(tx, tx.tenantId, 'case_report', 'all', ['work_task', 'case_report_transition']);
}

/** Stores shipments between the facilities, some to another organization. */
async function storeShipments(database: Database, tenant_id: string, days: readonly string[]): Promise<void> {
  const [states, { facilities, organizations }] = [
    ['draft', 'packed', 'in-transit', 'received', 'lost'],
    values,
  ];
  const rows = days.map((created_on, n) => ({
    ...{ tenant_id, id: randomUUID(), number: `SS-${n}`, version: 1, temperature: 'frozen', created_on },
    ...{ state: states[n % 5], sent_on: n % 5 > 1 ? addDays(created_on, 1) : null },
    expected_on: n % 3 ? addDays(created_on, n % 8) : null,
    origin_id: facilities[n % facilities.length],
    destination_id: facilities[(n + 1) % facilities.length],
    origin_organization_id: organizations[n % organizations.length],
    destination_organization_id: organizations[(n + 1) % organizations.length],
  }));
  await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
    tx.run(
      `insert into shipment (tenant_id, id, number, version, temperature, created_on, state, sent_on, expected_on, origin_id,
         destination_id, origin_organization_id, destination_organization_id)
       select tenant_id, id, number, version, temperature, created_on, state, sent_on, expected_on, origin_id,
         destination_id, origin_organization_id, destination_organization_id
       from jsonb_populate_recordset(null::shipment, $1) returning 1`,
      [JSON.stringify(rows)],
    ),
  );
}

/** Stores reports of incidents: after a vaccine or of another kind, some about nobody. */
async function storeIncidents(
  database: Database,
  tenant_id: string,
  given: readonly { result: Result; n: number }[],
): Promise<void> {
  const some = <T>(n: number, list: readonly T[]) => list[n % list.length]!;
  const rows = given.map(({ result, n }) => {
    const ofVaccine = n % 3 !== 0;
    const received = result.collected_on ?? result.created_on;
    return {
      tenant_id,
      id: randomUUID(),
      number: `IR-${n}`,
      kind: ofVaccine ? 'vaccine-adverse-event' : 'other-incident',
      stage: some(n, ['received', 'in-review', 'final', 'discarded', 'first']),
      ended_at: n % 5 === 2 || n % 5 === 3 ? '2026-03-01T00:00:00Z' : null,
      patient_id: n % 7 === 6 ? null : result.person.id,
      county_fips: n % 7 === 6 ? null : result.person.county_fips,
      open_county_fips: n % 7 === 6 ? null : result.person.county_fips,
      disease_families: n % 7 === 6 ? null : [],
      // All reports of the family that can be hidden come with its results.
      disease_family: n % 4 && result.disease_family !== 'hiv' ? null : result.disease_family,
      organization_id: result.organization_id,
      facility_id: result.facility_id,
      program_id: result.program_id,
      visit_type: some(n, ['clinic', null, 'field']),
      received_on: received,
      occurred_on: n % 6 ? addDays(received, (n % 5) - 3) : null,
      vaccinated_on: ofVaccine ? addDays(received, -(n % 40)) : null,
      created_on: result.created_on,
      reporter_role: some(n, ['patient', null, 'staff']),
      narrative: 'x',
      vaccines: ofVaccine
        ? [{ vaccine: some(n, ['mmr', 'influenza']), dose: some(n, ['1', null]) }, { vaccine: 'tdap' }].slice(
            0,
            (n % 2) + 1,
          )
        : [],
      reactions: ofVaccine ? ['fever', 'hives', 'fainting'].slice(n % 4) : [],
      seriousness: ofVaccine && n % 5 === 1 ? ['hospitalization'] : [],
      outcome: ofVaccine ? some(n, ['recovered', 'fatal', null, 'unknown', 'recovering']) : null,
      classification: ofVaccine ? some(n, ['related', null]) : null,
      emergency_visit: some(n, ['yes', null, 'unknown']),
      category: ofVaccine ? null : some(n, ['fall', 'device']),
      event: ofVaccine ? null : some(n, ['incident', 'near-miss']),
      harm: ofVaccine ? null : some(n, ['none', 'severe', null]),
    };
  });
  await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
    const columns = Object.keys(rows[0]!).join(', ');
    await tx.run(
      `insert into incident (${columns}) select ${columns} from jsonb_populate_recordset(null::incident, $1) returning 1`,
      [JSON.stringify(rows)],
    );
  });
}

/** Stores visits to people, each with some attempts, and visits by video. */
async function storeVisits(
  database: Database,
  tenant_id: string,
  given: readonly { result: Result; n: number }[],
): Promise<void> {
  const some = <T>(n: number, list: readonly T[]) => list[n % list.length]!;
  const visits = given.map(({ result, n }) => {
    const planned = result.collected_on ?? result.created_on;
    return {
      seen: {
        tenant_id,
        id: randomUUID(),
        patient_id: result.person.id,
        case_report_id: null,
        county_fips: result.person.county_fips,
        open_county_fips: result.person.county_fips,
        disease_families: [],
        disease_family: result.disease_family,
        organization_id: result.organization_id,
        facility_id: result.facility_id,
      },
      shared: { program_id: result.program_id, created_on: addDays(planned, -(n % 9)) },
      planned,
      n,
    };
  });
  const toPeople = visits.map(({ seen, shared, planned, n }) => ({
    ...seen,
    ...shared,
    number: `FV-${n}`,
    status: some(n, ['done', 'done', 'open', 'cancelled', 'attempted', 'assigned']),
    visit_type: some(n, fieldVisitTypes),
    planned_for: planned,
    due_on: n % 3 ? addDays(planned, (n % 7) - 2) : null,
    done_on: n % 6 < 2 ? addDays(planned, n % 20) : null,
    result:
      n % 6 < 2 ? some(n, ['cooperative', 'uncooperative', 'not-found', 'cooperative', 'unavailable']) : null,
    worker_id: some(n, [null, ...values.organizations]),
    attempt_count: n % 5,
    last_outcome: some(n, ['done', null, 'nobody']),
  }));
  const attempts = visits.flatMap(({ seen: { id: record_id, ...seen }, planned, n }) =>
    Array.from({ length: n % 4 }, (_, place) => ({
      ...seen,
      id: randomUUID(),
      record_id,
      day: addDays(planned, place * 2 - (n % 12)),
      at_time: some(n + place, ['08:30', '12:00', '16:59', '19:15']),
      method: some(n + place, ['visit', 'phone', 'text']),
      outcome: some(n * 3 + place, ['nobody', 'done', 'sent', 'refused', 'moved-unknown']),
      left_behind: 'nothing',
      added_at: '2026-03-01T00:00:00Z',
      account_id: randomUUID(),
    })),
  );
  const byVideo = visits.map(({ seen, shared, planned, n }) => {
    const at = (minutes: number) => `${planned}T15:${String(minutes).padStart(2, '0')}:00Z`;
    return {
      ...seen,
      ...shared,
      id: randomUUID(),
      number: `TV-${n}`,
      status: some(n, [
        'fulfilled',
        'no-show',
        'fulfilled',
        'cancelled',
        'booked',
        'waitlisted',
        'entered-in-error',
      ]),
      visit_type: some(n, telemedicineVisitTypes),
      task_category: some(n, taskCategories),
      planned_on: planned,
      starts_at: n % 7 === 5 ? null : at(0),
      start_hour: n % 7 === 5 ? null : some(n, ['09', '10', '15']),
      arrived_at: n % 3 ? at(n % 10) : null,
      joined_at: n % 4 ? at(n % 30) : null,
      ended_at: n % 5 ? at(30 + (n % 25)) : null,
      cancelled_at: n % 7 === 3 ? `${addDays(planned, -(n % 3))}T14:00:00Z` : null,
      cancelled_by: n % 7 === 3 ? some(n, ['patient', 'clinic']) : null,
      provider_id: some(n, [null, ...values.organizations]),
      language: some(n, ['en', 'es', null]),
      interpreter: some(n, ['yes', 'no', null]),
      connection: some(n, ['good', null, 'poor']),
    };
  });
  await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
    for (const [table, rows] of Object.entries({
      field_visit: toPeople,
      field_visit_attempt: attempts,
      telemedicine_visit: byVideo,
    })) {
      const columns = Object.keys(rows[0]!).join(', ');
      await tx.run(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1) returning 1`,
        [JSON.stringify(rows)],
      );
    }
  });
}

/** Stores partner services of cases: the record of the case, and up to three named people. */
async function storePartners(
  database: Database,
  tenant_id: string,
  cases: readonly { id: string; result: Result; family: string; n: number }[],
): Promise<void> {
  const some = <T>(n: number, list: readonly T[]) => list[n % list.length]!;
  const known = cases.filter(({ family }) => family !== world.family).map(({ result }) => result.person);
  const rows = cases.flatMap(({ id: case_report_id, result, family, n }) => {
    const [day, person] = [result.created_on, result.person];
    const { organization_id, facility_id, county_fips } = result;
    const seen = { organization_id, facility_id, county_fips, disease_family: family, version: 1 };
    const shared = { ...seen, tenant_id, case_report_id };
    const index = randomUUID();
    const assigned = n % 6 ? addDays(day, n % 4) : null;
    const interview_status = assigned && some(n, ['I', 'I', 'R', 'I', 'A', some(n, interviewStatuses)]);
    const own = {
      ...{ ...shared, id: index, number: `PS-${n}`, index_id: null, patient_id: person.id },
      ...{ disease_families: [], referral_basis: some(n, ['T1', 'T2']), created_on: day },
      ...{ stage: assigned ? 'AI' : 'NF', interviewer_id: assigned && some(n, values.organizations) },
      interview_assigned_on: assigned,
      first_interview_assigned_on: assigned && addDays(assigned, -(n % 3)),
      ...{ interview_status, reinterviewed_on: n % 5 ? null : addDays(day, 25) },
      interviewed_on: interview_status === 'I' && n % 7 ? addDays(day, (n * 5) % 19) : null,
      case_closed_on: n % 4 ? null : addDays(day, 30),
      female_partners_in_period: n % 3 ? n % 9 : null,
      male_partners_in_period: n % 4 ? null : n % 60,
      ...{ field_assigned_on: day, disposition: 'C', disposition_on: addDays(day, 1) },
    };
    const named = Array.from({ length: n % 4 }, (_, place) => {
      const m = 4 * n + place;
      const disposition = m % 5 ? some(m, dispositions) : null;
      const isKnown = family !== world.family && m % 3 === 0;
      return {
        ...{ ...shared, id: randomUUID(), number: `PS-${n}-${place}`, index_id: index },
        patient_id: isKnown ? some(m, known).id : null,
        disease_families: isKnown ? [] : null,
        referral_basis: some(m, ['P1', 'S1', 'P3', 'A2', 'C1', 'P2']),
        ...{
          created_on: addDays(day, m % 9),
          stage: 'FF',
          source_spread: some(m, [null, 'source', 'spread']),
        },
        named_how: some(m, ['original', 're-interview', 'original', 'no-interview']),
        field_assigned_on: m % 8 ? addDays(day, 2) : null,
        ...{ disposition, disposition_on: disposition && addDays(day, (m * 3) % 20) },
        closed_on: m % 10 ? null : addDays(day, 9),
      };
    });
    return [own, ...named];
  });
  const columns = [...new Set(rows.flatMap(Object.keys))].join(', ');
  await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
    tx.run(
      `insert into partner_service (${columns}) select ${columns} from jsonb_populate_recordset(null::partner_service, $1) returning 1`,
      [JSON.stringify(rows)],
    ),
  );
}

/** The programs and tasks of the whole tenant, each with its parent. */
async function storePrograms(database: Database, tenantId: string): Promise<void> {
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    for (const id of values.programTypes)
      await tx.run(`insert into program_type (tenant_id, id, label) values ($1, $2, 'Type')`, [tenantId, id]);
    for (const id of values.programs)
      await tx.run(
        `insert into program (tenant_id, id, program_type_id, label) values ($1, $2, $3, 'Program')`,
        [tenantId, id, typeOfProgram(id)],
      );
    for (const id of values.tasks)
      await tx.run(
        `insert into task (tenant_id, id, program_id, task_category, label, organization_ids)
         values ($1, $2, $3, $4, 'Task', '{}')`,
        [tenantId, id, values.programs[0], categoryOfTask(id)],
      );
  });
}
const taskCategories = ['testing', 'case-investigation'];
const categoryOfTask = (task: string) => taskCategories[values.tasks.indexOf(task) % 2]!;

/** Results of a tenant, and a case for every fourth of them. */
async function makeRows(
  database: Database,
  seed: number,
  { without }: { without?: string } = {},
): Promise<string> {
  const random = chance(seed);
  const all = makeResults(seed, { people: 90, results: 420 }).map((result, n) => {
    const [classification, status] = [random.of(classifications), random.of(['new', 'assigned', 'closed'])];
    const of: Case = { classification, status, family: result.disease_family ?? 'chlamydia', n };
    // Some days before the specimen, and sometimes after the report.
    const onset = random.maybe(0.7)
      ? addDays(result.collected_on ?? result.created_on, random.below(9) - 7)
      : null;
    of.onset_on = onset;
    of.source = random.of(caseSources);
    of.outcome = random.of([null, 'recovered', 'unknown']);
    of.investigator_id = random.of([null, ...values.organizations]);
    return { result, of, isCase: random.maybe(0.25) };
  });
  const kept = all.filter(({ result }) => without === undefined || result.disease_family !== without);
  const tenantId = await storeResults(
    database,
    kept.map(({ result }) => result),
  );
  await storePrograms(database, tenantId);
  const cases = kept.filter(({ isCase }) => isCase);
  const caseIds = await storeCases(database, tenantId, cases);
  await storePartners(
    database,
    tenantId,
    cases.map(({ result, of }, place) => ({ id: caseIds[place]!, result, family: of.family, n: of.n! })),
  );
  await storeShipments(
    database,
    tenantId,
    all.flatMap(({ result }, n) => (n % 7 === 0 ? [result.created_on] : [])),
  );
  await storeIncidents(
    database,
    tenantId,
    kept.flatMap(({ result, of }) => (of.n! % 4 === 1 ? [{ result, n: (of.n! - 1) / 4 }] : [])),
  );
  await storeVisits(
    database,
    tenantId,
    kept.flatMap(({ result, of }) => (of.n! % 2 ? [{ result, n: (of.n! - 1) / 2 }] : [])),
  );
  return tenantId;
}

export const world: World = {
  facts: productFacts.map((one) => ({
    ...one,
    sql: { ...one.sql, ...(one.shape.name === 'result' && { unit: 'patient_number' }) },
  })),
  makeRows,
  today: lastDay,
  family: 'hiv',
  organizations: values.organizations,
  facilities: values.facilities,
  makeReportedTo,
};
