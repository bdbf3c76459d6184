import { caseRuleFor, conditionByCode, familyByCode } from '../../src/features/reference/catalog.ts';
import { day, hour } from './days.ts';
import type { Random } from './random.ts';
import type { CaseEventRow, CaseResultRow, CaseRow, PatientRow, ResultRow } from './rows.ts';
import type { DemoSize, TenantToFill } from './tenant-to-fill.ts';

interface CaseInput {
  tenant: TenantToFill;
  size: DemoSize;
  now: number;
  random: Random;
  /** Positive results and whose they are. */
  positives: { result: ResultRow; patient: PatientRow }[];
  /** Tests without a positive, after which a provider may report a case on clinical grounds. */
  reporters: { patient: PatientRow; family: string; at: number }[];
  dayOf: (instant: number) => string;
}

/** Cases from positives by the rule table, filled up with reports from providers; numbered in order of creation. */
export function makeCases(input: CaseInput): {
  cases: CaseRow[];
  caseResults: CaseResultRow[];
  events: CaseEventRow[];
} {
  const { tenant, size, random, dayOf, now } = input;
  const iso = (instant: number) => new Date(instant).toISOString();
  const drafts: { row: CaseRow; results: ResultRow[]; createdAt: number }[] = [];
  const open = new Map<string, { row: CaseRow; results: ResultRow[]; createdAt: number }>();
  const programOf = new Map(
    tenant.programs.flatMap((program) => program.families.map((family) => [family, program] as const)),
  );

  const draft = (
    patient: PatientRow,
    condition: string,
    classification: string,
    createdAt: number,
    collectedAt: number,
    source: string,
    facilityId: string | null,
    organizationId: string | null,
  ) => {
    const known = conditionByCode(condition)!;
    const family = familyByCode(known.family)!;
    const program = programOf.get(known.family);
    const daysOld = (now - createdAt) / day;
    const done = random.chance(Math.min(0.97, daysOld / 75));
    const investigator =
      tenant.investigators.length > 0 && (done || random.chance(Math.min(0.9, daysOld / 6)))
        ? random.pick(tenant.investigators)
        : null;
    const status = done
      ? random.pick(['closed', 'closed', 'closed', 'complete', 'approved', 'no_follow_up'])
      : investigator === null
        ? 'new'
        : random.pick(['assigned', 'under_investigation', 'under_investigation', 'awaiting_interview']);
    const onsetKnown = random.chance(0.62);
    const row: CaseRow = {
      tenant_id: tenant.tenantId,
      id: random.uuid(),
      case_id: '',
      patient_id: patient.id,
      condition_code: condition,
      disease_family: known.family,
      disease_category: family.category,
      classification,
      status,
      onset_on: onsetKnown ? dayOf(collectedAt - random.logNormal(3.2, 0.6) * day) : null,
      collected_on: source === 'provider' ? null : dayOf(collectedAt),
      reported_on: dayOf(createdAt - random.next() * 2 * hour),
      received_on: dayOf(createdAt),
      created_on: dayOf(createdAt),
      organization_id: organizationId,
      facility_id: facilityId,
      program_id: program?.id ?? null,
      task_id: program?.investigationTaskId ?? null,
      jurisdiction_id:
        patient.county_fips === null ? null : (tenant.jurisdictionOfCounty.get(patient.county_fips) ?? null),
      county_fips: patient.county_fips,
      investigator_id: investigator,
      outcome: done ? random.pick(['recovered', 'recovered', 'recovered', 'unknown']) : null,
      pregnant: patient.sex_at_birth === 'F' && random.chance(0.04) ? 'yes' : null,
      source,
      created_at: iso(createdAt),
      updated_at: iso(
        Math.min(now, createdAt + (done ? random.logNormal(12, 0.7) * day : random.next() * daysOld * day)),
      ),
      closed_at: null,
    };
    if (status === 'closed') row.closed_at = row.updated_at;
    const made = { row, results: [] as ResultRow[], createdAt };
    drafts.push(made);
    return made;
  };

  for (const { result, patient } of input.positives.sort((a, b) =>
    a.result.created_at < b.result.created_at ? -1 : 1,
  )) {
    const rule = caseRuleFor(
      result.condition_code ?? result.disease_family,
      result.method,
      result.result_category,
    );
    if (!rule) continue;
    const key = `${patient.id}:${rule.condition.code}`;
    const existing = open.get(key);
    const reReportDays = rule.condition.reReportDays;
    const createdAt = Date.parse(result.created_at);
    if (existing && (reReportDays === null || createdAt - existing.createdAt <= reReportDays * day)) {
      existing.results.push(result);
      continue;
    }
    if (drafts.length >= size.cases) continue;
    const made = draft(
      patient,
      rule.condition.code,
      rule.classification,
      createdAt,
      Date.parse(result.collected_at!),
      'elr',
      result.facility_id,
      result.organization_id,
    );
    made.results.push(result);
    open.set(key, made);
  }

  for (let index = 0; drafts.length < size.cases && input.reporters.length > 0; index++) {
    const report = input.reporters[index % input.reporters.length]!;
    const condition = providerReported[report.family];
    if (!condition) {
      if (index > input.reporters.length * 40) break;
      continue;
    }
    const createdAt = report.at + random.logNormal(30, 0.8) * hour;
    if (createdAt > now) continue;
    const lawful = conditionByCode(condition)!.classifications.filter(
      (each) => each === 'suspect' || each === 'probable',
    );
    if (lawful.length === 0) continue;
    draft(
      report.patient,
      condition,
      random.pick(lawful),
      createdAt,
      report.at,
      'provider',
      report.patient.facility_ids[0] ?? null,
      report.patient.organization_ids[0] ?? null,
    );
  }

  drafts.sort((a, b) => a.createdAt - b.createdAt || (a.row.id < b.row.id ? -1 : 1));
  const caseResults: CaseResultRow[] = [];
  const events: CaseEventRow[] = [];
  const event = (row: CaseRow, at: string, kind: string, detail: object, account: string | null = null) =>
    events.push({
      tenant_id: row.tenant_id,
      id: random.uuid(),
      case_report_id: row.id,
      at,
      account_id: account,
      kind,
      detail: JSON.stringify(detail),
    });
  for (const { row, results } of drafts) {
    event(row, row.created_at, 'opened', { classification: row.classification, source: row.source });
    for (const result of results) {
      caseResults.push({ tenant_id: row.tenant_id, case_report_id: row.id, result_id: result.id });
      event(row, result.created_at, 'result-received', { resultId: result.id });
    }
    if (row.investigator_id)
      event(row, row.updated_at, 'assigned', { to: row.investigator_id }, row.investigator_id);
    if (row.status !== 'new')
      event(row, row.updated_at, 'status-changed', { from: 'new', to: row.status }, row.investigator_id);
  }
  return { cases: drafts.map((made) => made.row), caseResults, events };
}

/** What providers report on clinical grounds, by the family of the test that came back without a positive. */
const providerReported: Readonly<Record<string, string>> = {
  salmonellosis: 'salmonellosis',
  shigellosis: 'shigellosis',
  pertussis: 'pertussis',
  dengue: 'dengue',
  coronavirus: 'covid-19',
  syphilis: 'syphilis-unknown-stage',
  gonorrhea: 'gonorrhea',
  chlamydia: 'chlamydia',
};
