import { isDeepStrictEqual } from 'node:util';
import { caseRecord } from '@caseway/contract/case-record';
import type { CaseExplanation } from '@caseway/contract/case-rules';
import { noteFacilities } from '../../platform/carried/seen-at.ts';
import type { Tx } from '../../platform/db/database.ts';
import { json, readPlainly } from '../../platform/db/rows.ts';
import { keepingVersions } from '../../platform/records/record-versions.ts';
import type { CaseDefinition } from '../case-rules/criteria.ts';
import { opensCase } from '../case-rules/decide.ts';
import type { Finding } from '../case-rules/findings.ts';
import { explainedOf, outcomeOf } from '../case-rules/outcome.ts';
import { definitionsOf, speaksFor } from '../case-rules/rules.ts';
import { sameCase } from '../case-rules/same-case.ts';
import { openlyShown } from '../patients/open-facts.ts';
import type { PatientRecord } from '../patients/patient-record.ts';
import { loadPatients } from '../patients/stored-patients.ts';
import { loadTenantContext } from '../patients/tenant-context.ts';
import { familyOf } from '../reference/catalog.ts';
import {
  caseDay,
  dated,
  definitionFor,
  earlierCases,
  earliest,
  explain,
  fixedCondition,
  keepExplanation,
  newCase,
  takeOver,
} from './case-decision.ts';
import { type Entry, type Histories, loadHistories } from './case-history.ts';
import type { CaseEventWrite, CaseRecord, ProgramRecord } from './case-record.ts';
import { programOf } from './case-record.ts';
import { borrowCounty, tellCase } from './shared-cases.ts';
import { loadCases, loadJurisdictions, loadPrograms } from './stored-cases.ts';
import { writeCases } from './write-cases.ts';

/*
 * Decides cases again when results have moved to another person: two records were merged, or a merge was undone. The
 * rules are applied to the results as they belong together now. A person's decision stays, as after an import.
 */

/** A person with the data that the rules use. */
interface Person {
  patient: PatientRecord;
  cases: CaseRecord[];
  families: string[];
}

/** People at one moment, before or after their results moved. */
export interface People {
  persons: Person[];
  histories: Histories;
}

/** Reads the people with their cases and current results. */
export async function readPeople(tx: Tx, tenantId: string, patientIds: readonly string[]): Promise<People> {
  const patients = await loadPatients(tx, tenantId, patientIds);
  const cases = await loadCases(tenantId, patientIds, readPlainly(tx));
  const found = await tx.rows<{ patient_id: string; family: string }>(
    `select distinct patient_id, disease_family as family from result
     where tenant_id = $1 and patient_id = any ($2) and disease_family is not null order by 1, 2`,
    [tenantId, patientIds],
  );
  const persons = patients.map((patient) => {
    const own = cases.filter((each) => each.patientId === patient.id);
    const families = [
      ...found.flatMap(({ patient_id, family }) => (patient_id === patient.id ? [family] : [])),
      ...own.map(({ family }) => family),
    ];
    return { patient, cases: own, families: [...new Set(families)].sort() };
  });
  const wanted = persons.flatMap(({ patient, families }) =>
    families.map((family) => ({ patientId: patient.id, family })),
  );
  return { persons, histories: await loadHistories(tx, tenantId, wanted) };
}

/** The rules' decision about a case, for undo. */
interface Judged {
  classification: string;
  condition_code: string;
  classified_by: string;
  review_reason: string | null;
  collected_on: string | null;
  reported_on: string | null;
  explanation: CaseExplanation | null;
  /** What its own place sees instead (`told_within`), if that differs. Earlier versions left it out. */
  within?: Record<string, unknown> | null;
}
const judgedColumns = [
  'classification', 'condition_code', 'classified_by', 'review_reason', 'collected_on', 'reported_on', 'explanation',
] as const satisfies readonly Exclude<keyof Judged, 'within'>[]; // biome-ignore format: a list

/** The changes to cases, for undo. */
export interface Rejudgment {
  /** Each case before and after. */
  changed: { id: string; before: Judged; after: Judged }[];
  opened: { id: string; version: number }[];
  linked: { caseId: string; resultId: string }[];
}

async function readJudged(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, Judged & { version: number }>> {
  const rows = await tx.rows<Judged & { id: string; version: number }>(
    `select id, version, ${judgedColumns.join(', ')}, told_within - '{version,updated_at}'::text[] as within
     from case_report where tenant_id = $1 and id = any ($2)`,
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, ...judged }) => [id, judged]));
}

const withoutVersion = ({ version: _, ...judged }: Judged & { version: number }): Judged => judged;

/**
 * Applies the rules to the people as they are now. Changes only cases that the move affects: a case with the same
 * answer is left alone. `settled`: cases that are already right; `loose`: results that belonged to no case.
 */
export async function rejudge(
  tx: Tx,
  tenantId: string,
  before: People,
  now: People,
  {
    settled = new Set(),
    loose = new Set(),
  }: { settled?: ReadonlySet<string>; loose?: ReadonlySet<string> } = {},
): Promise<Rejudgment> {
  const tenant = await loadTenantContext(tx, tenantId);
  const work = new Rejudging(before, now, settled, loose, {
    today: tenant.today(),
    programs: await loadPrograms(tx, tenantId),
    jurisdictions: await loadJurisdictions(tx, tenantId),
    restrictedFamilies: tenant.restrictedFamilies,
  });
  for (const person of now.persons) work.judge(person);
  const cases = [...work.changed];
  const stored = cases.flatMap(({ id, isNew }) => (isNew ? [] : [id]));
  const earlier = await readJudged(tx, tenantId, stored);
  if (cases.length > 0)
    await writeCases(
      tx,
      tenantId,
      { cases, caseResults: work.linked, caseEvents: work.events, patients: [] },
      tenant.restrictedFamilies,
    );
  const later = await readJudged(
    tx,
    tenantId,
    cases.map(({ id }) => id),
  );
  return {
    changed: stored.map((id) => ({
      id,
      before: withoutVersion(earlier.get(id)!),
      after: withoutVersion(later.get(id)!),
    })),
    opened: cases.flatMap(({ id, isNew }) => (isNew ? [{ id, version: later.get(id)!.version }] : [])),
    linked: work.linked,
  };
}

/**
 * Undoes what the rules did after a merge, if it is unchanged: changes by a person or a later result stay. A case
 * that the merge opened is removed if nobody has touched it. Returns the cases that are restored or removed.
 */
export async function putBack(tx: Tx, tenantId: string, done: Rejudgment): Promise<Set<string>> {
  const settled = new Set<string>();
  await tx.run(
    `delete from case_result c using unnest($2::uuid[], $3::uuid[]) as l (case_id, result_id)
     where c.tenant_id = $1 and c.case_report_id = l.case_id and c.result_id = l.result_id`,
    [tenantId, done.linked.map(({ caseId }) => caseId), done.linked.map(({ resultId }) => resultId)],
  );
  const found = await readJudged(
    tx,
    tenantId,
    [...done.changed, ...done.opened].map(({ id }) => id),
  );
  for (const { id, before, after } of done.changed) {
    const { within, ...now } = withoutVersion(found.get(id)!);
    if (!isDeepStrictEqual('within' in after ? { ...now, within } : now, after)) continue;
    const values = judgedColumns.map((column) =>
      column === 'explanation' && before.explanation ? JSON.stringify(before.explanation) : before[column],
    );
    // What only its own place has seen since the merge was on the row before.
    const { collected_on, reported_on, explanation } = before;
    const put = () =>
      tx.run(
        `update case_report set ${judgedColumns.map((column, at) => `${column} = $${at + 4}`).join(', ')},
         version = version + 1, updated_at = now(), told_within = app_within_next(told_within || $3, to_jsonb(now()))
       where tenant_id = $1 and id = $2`,
        [tenantId, id, json(before.within ?? { collected_on, reported_on, explanation }), ...values],
      );
    await keepingVersions(tx, caseRecord, tenantId, [id], { accountId: null }, put);
    settled.add(id);
  }
  for (const { id, version } of done.opened) {
    if (found.get(id)!.version !== version) continue;
    const [gone] = await tx.rows<{ gone: boolean }>(
      `select not exists (select from case_result where tenant_id = $1 and case_report_id = $2)
         and not exists (select from break_glass where tenant_id = $1 and case_report_id = $2)
         and not exists (select from field_visit where tenant_id = $1 and case_report_id = $2)
         and not exists (select from contact where tenant_id = $1 and (case_report_id = $2 or became_case_id = $2)) as gone`,
      [tenantId, id],
    );
    if (!gone!.gone) continue;
    const [place] = await tx.rows<{ facility: string | null }>(
      'select facility_id as facility from case_report where tenant_id = $1 and id = $2',
      [tenantId, id],
    );
    for (const [table, column] of [
      ['search_key', 'record_id'],
      ['case_event', 'case_report_id'],
      ['case_report_history', 'record_id'],
      ['case_report', 'id'],
    ])
      await tx.run(`delete from ${table} where tenant_id = $1 and ${column} = $2`, [tenantId, id]);
    if (place!.facility) await noteFacilities(tx, tenantId, [place!.facility]);
    settled.add(id);
  }
  return settled;
}

interface Surroundings {
  today: string;
  programs: readonly ProgramRecord[];
  jurisdictions: ReadonlyMap<string, string>;
  restrictedFamilies: readonly string[];
}

class Rejudging {
  readonly #before: People;
  readonly #now: People;
  readonly #settled: ReadonlySet<string>;
  readonly #loose: ReadonlySet<string>;
  readonly #around: Surroundings;
  readonly changed = new Set<CaseRecord>();
  readonly events: CaseEventWrite[] = [];
  readonly linked: { caseId: string; resultId: string }[] = [];

  constructor(
    before: People,
    now: People,
    settled: ReadonlySet<string>,
    loose: ReadonlySet<string>,
    around: Surroundings,
  ) {
    this.#before = before;
    this.#now = now;
    this.#settled = settled;
    this.#loose = loose;
    this.#around = around;
  }

  judge(person: Person): void {
    for (const family of person.families) {
      this.#place(person, family);
      for (const record of person.cases)
        if (record.family === family && !record.isNew && !this.#settled.has(record.id))
          this.#reconsider(person, record);
      this.#findPairs(person, family);
    }
  }

  #entries({ patient }: Person, family: string, people = this.#now): Entry[] {
    return people.histories
      .entries({ patientId: patient.id, family })
      .sort((a, b) => ((a.finding.day ?? '') < (b.finding.day ?? '') ? -1 : 1));
  }

  /** The previous owners of cases and results. */
  #ownerOfCase = (id: string) =>
    this.#before.persons.find(({ cases }) => cases.some((each) => each.id === id));
  #ownerOfResult = (id: string, family: string) =>
    this.#before.persons.find((person) =>
      this.#entries(person, family, this.#before).some(({ finding }) => finding.id === id),
    );

  /** Assigns results without a case to a case of the person, or to a new one. */
  #place(person: Person, family: string): void {
    for (const entry of this.#entries(person, family)) {
      const { finding } = entry;
      const owner = this.#ownerOfResult(finding.id, family);
      if (!owner || this.#loose.has(finding.id)) continue;
      const was = this.#entries(owner, family, this.#before).find((each) => each.finding.id === finding.id)!;
      for (const definition of definitionsOf(family)) {
        if (!speaksFor(definition, finding)) continue;
        const own = person.cases.filter(({ id }) => entry.caseIds.includes(id));
        if (own.some((record) => definitionFor(record, definition) === definition)) continue;
        const day = finding.day ?? this.#around.today;
        const existing = sameCase(
          person.cases.map(dated),
          definition,
          day,
          this.#findings(person, family),
        )?.record;
        // It was in this case's history before, but belonged to no case.
        if (existing && was.caseIds.length === 0 && this.#ownerOfCase(existing.id) === owner) continue;
        if (existing) this.#link(person, existing, entry);
        else if (was.caseIds.length > 0 || !this.#opens(owner, this.#before, definition, day))
          this.#open(person, entry, definition, day);
      }
    }
  }

  #findings({ patient }: Person, family: string, people = this.#now): Finding[] {
    return people.histories.findings({ patientId: patient.id, family });
  }

  #event(record: CaseRecord, kind: string, detail: Record<string, unknown>): void {
    this.events.push({ caseId: record.id, kind, detail });
  }

  #review(record: CaseRecord, reason: string, about: Record<string, string>): void {
    record.reviewReason = reason;
    this.changed.add(record);
    this.#event(record, 'review-needed', { reason, ...about });
  }

  #explained(
    people: People,
    person: Person,
    record: CaseRecord,
    definition: CaseDefinition,
  ): CaseExplanation {
    const day = caseDay(record);
    return explain(definition, {
      day,
      findings: this.#findings(person, definition.family, people),
      earlier: earlierCases(definition, person.cases, day, record),
      onset: record.onsetOn,
      patient: person.patient,
      only: fixedCondition(record, definition),
    });
  }

  #opens(
    person: Person,
    people: People,
    definition: CaseDefinition,
    day: string,
  ): CaseExplanation | undefined {
    const explanation = explain(definition, {
      day,
      findings: this.#findings(person, definition.family, people),
      earlier: earlierCases(definition, person.cases, day),
      onset: null,
      patient: person.patient,
    });
    return opensCase(explanation) ? explanation : undefined;
  }

  #link(person: Person, record: CaseRecord, entry: Entry): void {
    const { finding } = entry;
    const of = { patientId: person.patient.id, family: record.family };
    const told = earliest(this.#now.histories.ofCase(of, record.id).map(({ collectedOn }) => collectedOn));
    this.linked.push({ caseId: record.id, resultId: finding.id });
    this.#event(record, 'result-received', { resultId: finding.id });
    this.changed.add(record);
    // As after an import: a day that a person has set stays.
    const isTold = record.collectedOn === null || record.collectedOn === told;
    tellCase(record, entry, (facts) => {
      if (facts !== record) facts.collectedOn = earliest([facts.collectedOn, finding.collectedOn]);
      else if (isTold) facts.collectedOn = earliest([told, finding.collectedOn]);
      facts.reportedOn = earliest([facts.reportedOn, finding.reportedOn]);
    });
  }

  #reconsider(person: Person, record: CaseRecord): void {
    const definition = definitionFor(record);
    const owner = this.#ownerOfCase(record.id);
    if (!definition || !owner) return;
    const old = owner.cases.find(({ id }) => id === record.id)!;
    const before = this.#explained(this.#before, owner, old, definition);
    const now = this.#explained(this.#now, person, record, definition);
    const linked = this.linked.filter(({ caseId }) => caseId === record.id);
    if (isDeepStrictEqual(before, now) && linked.length === 0) return;
    const outcome = outcomeOf({ ...record, explained: record.explained ?? explainedOf(before) }, now, {
      isPositive: linked.length > 0,
    });
    this.changed.add(record);
    this.events.push(...takeOver(record, now, outcome));
    if (outcome.settles !== undefined && record.reviewReason === outcome.settles) {
      this.#event(record, 'review-settled', {
        reason: record.reviewReason,
        patientId: person.patient.id,
      });
      record.reviewReason = null;
    }
    for (const reason of outcome.reviews) this.#review(record, reason, { patientId: person.patient.id });
    if (outcome.isNews) this.#linkNamed(person, record, now);
  }

  /** Links moved results that decided the case, such as a negative confirmatory test. */
  #linkNamed(person: Person, record: CaseRecord, { classes, against = [] }: CaseExplanation): void {
    const lines = [...classes.flatMap(({ criteria }) => criteria), ...against];
    const named = new Set(lines.flatMap(({ results = [] }) => results));
    for (const entry of this.#entries(person, record.family)) {
      const { id } = entry.finding;
      if (!named.has(id) || entry.caseIds.includes(record.id)) continue;
      if (this.linked.some(({ caseId, resultId }) => caseId === record.id && resultId === id)) continue;
      if (this.#ownerOfResult(id, record.family) === this.#ownerOfCase(record.id)) continue;
      this.linked.push({ caseId: record.id, resultId: id });
      this.#event(record, 'result-received', { resultId: id });
    }
  }

  /**
   * Finds pairs of cases of one condition within its window. They were one case for each record, and may be one for
   * the person.
   */
  #findPairs(person: Person, family: string): void {
    const same = person.cases
      .filter((record) => record.family === family && isStanding(record))
      .sort((a, b) => (caseDay(a) < caseDay(b) ? -1 : caseDay(a) > caseDay(b) ? 1 : a.id < b.id ? -1 : 1));
    same.forEach((record, at) => {
      const definition = definitionFor(record);
      const owner = this.#ownerOfCase(record.id);
      if (!definition || !owner || this.#settled.has(record.id)) return;
      const others = same.slice(0, at).filter(({ id }) => this.#ownerOfCase(id) !== owner);
      const other = sameCase(others.map(dated), definition, caseDay(record), this.#findings(person, family));
      if (other) this.#review(record, 'second-case', { caseId: other.id });
    });
  }

  #open(person: Person, entry: Entry, definition: CaseDefinition, day: string): void {
    const explanation = this.#opens(person, this.#now, definition, day);
    if (!explanation) return;
    const { finding, organizationId, facilityId } = entry;
    const { condition, classification } = explanation;
    const family = familyOf(condition)!.code;
    // As after an import: without what only restricted reports say. [P18]
    const { countyFips } = this.#around.restrictedFamilies.includes(family)
      ? person.patient
      : openlyShown(person.patient);
    const program = programOf(this.#around.programs, family, organizationId);
    const { today, jurisdictions } = this.#around;
    const record = newCase({
      patientId: person.patient.id,
      conditionCode: condition,
      classification,
      collectedOn: finding.collectedOn,
      reportedOn: finding.reportedOn,
      receivedOn: today,
      createdOn: today,
      organizationId,
      facilityId,
      programId: program?.id ?? null,
      taskId: program?.investigationTaskId ?? null,
      jurisdictionId: countyFips === null ? null : (jurisdictions.get(countyFips) ?? null),
      countyFips,
      source: 'elr',
      classifiedBy: 'rule',
    });
    keepExplanation(record, explanation);
    // If records of a person were joined, it is unknown who reported it. [P23]
    if (countyFips !== null) borrowCounty(record);
    person.cases.push(record);
    this.changed.add(record);
    this.#event(record, 'opened', { classification, source: record.source, rule: explanation.rule });
    this.linked.push({ caseId: record.id, resultId: finding.id });
    this.#event(record, 'result-received', { resultId: finding.id });
    if (explanation.flag) this.#review(record, explanation.flag, { resultId: finding.id });
  }
}

/**
 * A case that a rule has ruled out is not a second case. One that a person has ruled out may still say something
 * about the other.
 */
const isStanding = ({ classification, classifiedBy }: CaseRecord) =>
  classification !== 'not_a_case' || classifiedBy === 'person';
