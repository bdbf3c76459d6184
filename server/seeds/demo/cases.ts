import type { CaseStatus } from '@caseway/contract/case-reports';
import { addDays } from '@caseway/contract/date-range';
import { decide, opensCase } from '../../src/features/case-rules/decide.ts';
import { type Finding, findingOf } from '../../src/features/case-rules/findings.ts';
import { definitionOf, definitionsOf, speaksFor, versionFor } from '../../src/features/case-rules/rules.ts';
import { type DatedCase, sameCase } from '../../src/features/case-rules/same-case.ts';
import { conditionByCode, familyByCode } from '../../src/features/reference/catalog.ts';
import { day, hour } from './days.ts';
import type { Random } from './random.ts';
import type { CaseEventRow, CaseResultRow, CaseRow, PatientRow, ResultRow } from './rows.ts';
import type { DemoSize, TenantToFill } from './tenant-to-fill.ts';

interface CaseInput {
  tenant: TenantToFill;
  size: DemoSize;
  now: number;
  random: Random;
  /** Results of people with a positive one of the same family, and these people. */
  evidence: { result: ResultRow; patient: PatientRow }[];
  /** Tests without a positive, after which a provider may report a case on clinical grounds. */
  reporters: { patient: PatientRow; family: string; at: number }[];
  dayOf: (instant: number) => string;
}

/** Makes cases from results by the case rules, and adds reports from providers; numbered in order of creation. */
export function makeCases(input: CaseInput): {
  cases: CaseRow[];
  caseResults: CaseResultRow[];
  events: CaseEventRow[];
} {
  const { tenant, size, random, dayOf, now } = input;
  const iso = (instant: number) => new Date(instant).toISOString();
  const drafts: Draft[] = [];
  const known = new Map<string, Known>();
  const about = (patient: PatientRow, family: string) => {
    const key = `${patient.id} ${family}`;
    let found = known.get(key);
    if (!found) {
      found = { cases: [], findings: [], rows: new Map() };
      known.set(key, found);
    }
    return found;
  };
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
    const reached = done
      ? random.pick(['closed', 'closed', 'closed', 'complete', 'approved', 'no_follow_up'])
      : investigator === null
        ? 'new'
        : random.pick(['assigned', 'under_investigation', 'under_investigation', 'awaiting_interview']);
    const onsetKnown = random.chance(0.62);
    const id = random.uuid();
    const jurisdiction =
      patient.county_fips === null ? null : (tenant.jurisdictionOfCounty.get(patient.county_fips) ?? null);
    const status = reached === 'new' && jurisdiction !== null ? statusAtJurisdiction(id) : reached;
    const row: CaseRow = {
      tenant_id: tenant.tenantId,
      id,
      case_id: '',
      patient_id: patient.id,
      condition_code: condition,
      disease_family: known.family,
      disease_category: family.category,
      classification,
      status,
      onset_on: onsetKnown ? dayOf(collectedAt - random.logNormal(3.2, 0.6) * day) : null,
      collected_on: source === 'provider' ? null : dayOf(collectedAt),
      reported_on: reportedOn(id, source, dayOf(createdAt - random.next() * 2 * hour), dayOf(collectedAt)),
      received_on: dayOf(createdAt),
      created_on: dayOf(createdAt),
      organization_id: organizationId,
      facility_id: facilityId,
      program_id: program?.id ?? null,
      task_id: program?.investigationTaskId ?? null,
      jurisdiction_id: jurisdiction,
      county_fips: patient.county_fips,
      investigator_id: investigator,
      completed_by_id: ['complete', 'approved', 'closed'].includes(status) ? investigator : null,
      outcome: done ? random.pick(['recovered', 'recovered', 'recovered', 'unknown']) : null,
      visit_type: visitTypeOf(id),
      pregnant: patient.sex_at_birth === 'F' && random.chance(0.04) ? 'yes' : null,
      source,
      classified_by: source === 'provider' ? 'report' : 'rule',
      review_reason: null,
      explanation: null,
      created_at: iso(createdAt),
      updated_at: iso(
        Math.min(now, createdAt + (done ? random.logNormal(12, 0.7) * day : random.next() * daysOld * day)),
      ),
      closed_at: null,
    };
    if (status === 'closed') row.closed_at = row.updated_at;
    const made: Draft = { row, patient, results: [], createdAt };
    drafts.push(made);
    return made;
  };

  for (const { result, patient } of input.evidence.sort((a, b) =>
    a.result.created_at < b.result.created_at ? -1 : 1,
  )) {
    const finding = findingOf({
      id: result.id,
      family: result.disease_family,
      testLoinc: result.test_loinc,
      testName: result.test_name,
      method: result.method,
      conditionCode: result.condition_code,
      category: result.result_category,
      status: result.status,
      valueText: result.value_text,
      valueNumber: null,
      collectedOn: result.collected_on,
      reportedOn: result.reported_on,
      specimenType: null,
    });
    const { cases, findings, rows } = about(patient, finding.family);
    findings.push(finding);
    rows.set(result.id, result);
    const day = finding.day!;
    for (const definition of definitionsOf(finding.family)) {
      if (!speaksFor(definition, finding)) continue;
      const existing = sameCase(cases.map(dated), definition, day, findings)?.draft;
      if (existing) {
        existing.results.push(result);
        continue;
      }
      const event = { day, findings, earlierCases: [], onset: null, person: personOf(patient), facts: {} };
      const explanation = decide(versionFor(definition, day), event);
      if (!opensCase(explanation) || drafts.length >= size.cases) continue;
      const made = draft(
        patient,
        explanation.condition,
        explanation.classification,
        Date.parse(result.created_at),
        Date.parse(result.collected_at!),
        'elr',
        result.facility_id,
        result.organization_id,
      );
      made.results.push(result);
      cases.push(made);
    }
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
  const reclassify = (row: CaseRow, to: string) => {
    event(
      row,
      row.updated_at,
      'classification-changed',
      { from: row.classification, to },
      row.investigator_id,
    );
    row.classification = to;
    row.classified_by = 'person';
  };
  for (const made of drafts) {
    const { row, results } = made;
    const opened = row.classification;
    explainDraft(made, about(made.patient, row.disease_family));
    event(row, row.created_at, 'opened', { classification: opened, source: row.source });
    for (const result of results) {
      caseResults.push({ tenant_id: row.tenant_id, case_report_id: row.id, result_id: result.id });
      event(row, result.created_at, 'result-received', { resultId: result.id });
    }
    if (row.classification !== opened)
      event(row, results.at(-1)?.created_at ?? row.created_at, 'classification-changed', {
        from: opened,
        to: row.classification,
      });
    const decided = made.next;
    // An investigator knows the signs that a laboratory does not report.
    if (decided && row.investigator_id && row.closed_at !== null && random.chance(0.7))
      reclassify(row, decided);
    const staged = stageOf(row);
    if (staged) {
      [row.condition_code] = staged;
      row.classified_by = 'person';
      if (staged[1] !== row.classification) reclassify(row, staged[1]);
    }
    if (row.investigator_id)
      event(row, row.updated_at, 'assigned', { to: row.investigator_id }, row.investigator_id);
    if (row.status !== 'new' && row.investigator_id)
      event(row, row.updated_at, 'status-changed', { from: 'new', to: row.status }, row.investigator_id);
  }
  // Last, so that the random numbers of all other events stay the same.
  for (const { row } of drafts)
    if (row.status !== 'new' && !row.investigator_id)
      event(row, row.updated_at, 'status-changed', { from: 'new', to: row.status });
  return { cases: drafts.map((made) => made.row), caseResults, events };
}

/** What investigators find about sixteen people with syphilis: the condition, and how certain it is. */
const stages: readonly (readonly [condition: string, classification: string])[] = [
  ...Array<[string, string]>(4).fill(['syphilis-primary', 'confirmed']),
  ...Array<[string, string]>(4).fill(['syphilis-secondary', 'confirmed']),
  ...Array<[string, string]>(5).fill(['syphilis-early-latent', 'probable']),
  ['syphilis-late', 'probable'],
];

/** The stage of a person's syphilis: the laboratory does not know it, but in most cases an investigator does. */
const stageOf = (row: CaseRow) =>
  row.disease_family === 'syphilis' && row.classification === 'probable' && row.investigator_id
    ? // Not drawn at random, because another draw would make other people.
      stages[Number.parseInt(row.id[1]!, 16)]
    : undefined;

/** The cases, findings and results of a person and a family. */
interface Known {
  cases: Draft[];
  findings: Finding[];
  rows: Map<string, ResultRow>;
}

interface Draft {
  row: CaseRow;
  patient: PatientRow;
  results: ResultRow[];
  createdAt: number;
  /** The stronger classification that more facts would lead to. */
  next?: string;
}

const dayOfCase = (row: CaseRow): string => row.collected_on ?? row.onset_on ?? row.reported_on;

const dated = (draft: Draft): DatedCase & { draft: Draft } => ({
  id: draft.row.id,
  conditionCode: draft.row.condition_code,
  family: draft.row.disease_family,
  classification: draft.row.classification,
  day: dayOfCase(draft.row),
  draft,
});

const personOf = (patient: PatientRow) => ({
  birthDate: patient.birth_date,
  birthDatePrecision: patient.birth_date === null ? null : ('day' as const),
  sexAtBirth: patient.sex_at_birth,
  stateFips: patient.state_fips,
});

/** Explains each case from everything known at the end. What a provider reported stays. */
function explainDraft(draft: Draft, { cases, findings, rows }: Known): void {
  const { row, patient } = draft;
  const definition = definitionOf(row.condition_code);
  if (!definition) return;
  const day = dayOfCase(row);
  const explanation = decide(versionFor(definition, day), {
    day,
    findings,
    earlierCases: cases
      .filter((each) => each !== draft && dayOfCase(each.row) < day)
      .map((each) => ({ condition: each.row.condition_code, day: dayOfCase(each.row) })),
    onset: row.onset_on,
    person: personOf(patient),
    facts: {},
  });
  row.explanation = JSON.stringify(explanation);
  // Everything that decided it belongs to the case, including the negative confirmatory test.
  const held = explanation.classes.find(({ state }) => state === 'met');
  const lines = [...(held?.criteria ?? []), ...(explanation.against ?? [])];
  for (const id of lines.flatMap(({ results }) => results ?? [])) {
    const result = rows.get(id);
    if (result && !draft.results.includes(result)) draft.results.push(result);
  }
  if (row.classified_by !== 'rule') return;
  row.classification = explanation.classification;
  if (explanation.classification !== 'not_a_case') row.condition_code = explanation.condition;
  if (explanation.flag) row.review_reason = explanation.flag;
  if (explanation.classification === 'unknown' || explanation.classification === 'suspect')
    draft.next = explanation.next.find(
      ({ condition }) => condition === explanation.condition,
    )?.classification;
}

/** Reports by providers on clinical grounds, by the family of the test without a positive. */
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

/**
 * When it was reported: some days before it was received, laboratories mostly on the same day, providers by mail
 * within two weeks. From bytes of the case's id, so that nothing else of the demo depends on it.
 */
function reportedOn(id: string, source: string, received: string, collected: string): string {
  const byte = Number.parseInt(id.slice(-4, -2), 16);
  const days =
    source === 'provider'
      ? Math.floor(byte ** 2 / 4700)
      : byte < 150
        ? 0
        : byte < 220
          ? 1
          : byte < 245
            ? 2
            : 3 + (byte % 4);
  const reported = addDays(received, -days);
  return reported < collected ? collected : reported;
}

/** How far a case without an investigator has come with the jurisdiction of its county, from a byte of its id. */
function statusAtJurisdiction(id: string): CaseStatus {
  const byte = Number.parseInt(id.slice(-6, -4), 16);
  if (byte < 96) return 'assigned_to_jurisdiction';
  if (byte < 144) return 'accepted';
  return byte < 160 ? 'rejected_by_jurisdiction' : 'new';
}

/** Where a person was seen, from the last byte of the case's id, so that nothing else of the demo depends on it. */
function visitTypeOf(id: string): string | null {
  const byte = Number.parseInt(id.slice(-2), 16);
  if (byte < 24) return null;
  return byte < 200 ? 'clinic' : byte < 232 ? 'field' : 'telemedicine';
}
