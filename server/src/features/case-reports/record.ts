import { type CaseReport, caseReport } from '@caseway/contract/case-reports';
import type { CaseExplanation, CriterionLine } from '@caseway/contract/case-rules';
import { mentionedIn } from '@caseway/contract/mentions';
import type { Tx } from '../../platform/db/database.ts';
import { few } from '../../platform/db/few.ts';
import { namesOf } from '../../platform/records/mentions.ts';
import { conditionByCode } from '../reference/catalog.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import { specimenSiteLabel, specimenTypeLabel } from '../reference/specimen-labels.ts';
import { caseColumns, caseTablesWithResults, type StoredCaseRow } from './rows.ts';
import { readTaskEvents } from './task-events.ts';

type Result = CaseReport['results'][number];
type Stored<T, Instants extends keyof T> = Omit<T, Instants> & { [Name in Instants]: Date | null };

/** The parts of a case report that the grid does not have. */
interface StoredCase extends StoredCaseRow {
  version: number;
  hospitalized: string | null;
  reviewReason: string | null;
  closedAt: Date | null;
  completedBy: string | null;
  classifiedBy: CaseReport['classifiedBy'];
  explanation: CaseReport['explanation'];
  patient: CaseReport['patient'];
}

/**
 * A case with its person, results and timeline, as far as the transaction's scope sees them; null if the scope does
 * not see the case.
 */
export async function readCase(tx: Tx, id: string): Promise<CaseReport | null> {
  const [stored] = await tx.rows<StoredCase>(
    `select ${caseColumns}, c.version, c.hospitalized, c.review_reason as "reviewReason", c.closed_at as "closedAt", c.completed_by_id as "completedBy",
      c.classified_by as "classifiedBy", c.explanation,
      json_build_object(
        'id', p.id, 'lastName', p.last_name, 'firstName', p.first_name, 'middleName', p.middle_name,
        'nameSuffix', p.name_suffix, 'birthDate', p.birth_date, 'birthDatePrecision', p.birth_date_precision,
        'sex', p.sex_at_birth, 'gender', case when t.gender_identity_kept and told then p.gender_identity end,
        'race', case when told then p.race end, 'ethnicity', case when told then p.ethnicity end,
        'languageCode', case when told then p.language_code end, 'street', case when told then p.street end,
        'street2', case when told then p.street2 end, 'city', case when told then p.city end,
        'stateFips', case when told then p.state_fips end, 'postalCode', case when told then p.postal_code end,
        'county', case when told then p.county_fips end, 'phones', case when told then p.phones else '{}' end,
        'emails', case when told then p.emails else '{}' end, 'deceased', case when told then p.deceased end,
        'deceasedOn', case when told then p.deceased_on end,
        'identifiers', (select coalesce(json_agg(json_build_object('kind', i.kind, 'assigner', i.assigner, 'value', i.value)
            order by i.kind, i.value), '[]')
          from patient_identifier i where i.tenant_id = $1 and i.patient_id = p.id)) as patient
    from ${caseTablesWithResults} join tenant t on t.id = c.tenant_id
    where report.tenant_id = $1 and report.id = $2`,
    [tx.tenantId, id],
  );
  if (!stored) return null;
  return {
    ...stored,
    updatedAt: stored.updatedAt.toISOString(),
    closedAt: stored.closedAt?.toISOString() ?? null,
    explanation: stored.explanation && (await withoutHidden(tx, stored.explanation)),
    results: await readResults(tx, id),
    timeline: await readTimeline(tx, id),
    breakGlass: null,
    lawfulClassifications: lawfulFor(stored.condition),
  };
}

/** An explanation is based on all results of the person. Those that the reader may not see are left out. [P23] */
async function withoutHidden(tx: Tx, explanation: CaseExplanation): Promise<CaseExplanation> {
  const named = [
    ...explanation.classes.flatMap(({ criteria }) => criteria),
    ...explanation.next.flatMap(({ needs }) => needs),
    ...(explanation.against ?? []),
  ].flatMap(({ results }) => results ?? []);
  if (named.length === 0) return explanation;
  const rows = await tx.rows<{ id: string }>(
    `select id from result where tenant_id = $1 and id = any ($2::uuid[])`,
    [tx.tenantId, [...new Set(named)]],
  );
  const seen = new Set(rows.map(({ id }) => id));
  const shown = (lines: readonly CriterionLine[]) =>
    lines.map(({ results, ...line }) => {
      const visible = results?.filter((id) => seen.has(id)) ?? [];
      return visible.length > 0 ? { ...line, results: visible } : line;
    });
  return {
    ...explanation,
    classes: explanation.classes.map((each) => ({ ...each, criteria: shown(each.criteria) })),
    next: explanation.next.map((each) => ({ ...each, needs: shown(each.needs) })),
    ...(explanation.against ? { against: shown(explanation.against) } : {}),
  };
}

/** The classifications of a condition's case definition; all of them for an unknown condition. */
export const lawfulFor = (condition: string): CaseReport['lawfulClassifications'] =>
  conditionByCode(condition)?.classifications ?? caseReport.shape.lawfulClassifications.element.options;

type StoredResult = Stored<Result, 'collectedAt' | 'receivedAt' | 'resultedAt' | 'reportedAt'> & {
  specimen:
    | (Omit<NonNullable<Result['specimen']>, 'type' | 'site' | 'collectedAt' | 'receivedAt'> & {
        typeCode: string | null;
        typeText: string | null;
        siteText: string | null;
        collectedAt: string | null;
        receivedAt: string | null;
      })
    | null;
};

/** The results of a case, and those that they replaced. */
async function readResults(tx: Tx, id: string): Promise<Result[]> {
  const rows = await tx.rows<StoredResult>(
    `with recursive mine as (
      select r.* from case_result cr join result r on r.tenant_id = cr.tenant_id and r.id = cr.result_id
        where cr.tenant_id = $1 and cr.case_report_id = $2
      union select r.* from ${few('mine')} m join result r on r.tenant_id = $1 and r.superseded_by = m.id)
    select r.id, r.test_name as "testName", r.test_loinc as "testLoinc", r.method, r.result_category as "resultCategory",
      r.status, r.value_text as "valueText", r.value_number as "valueNumber", r.value_comparator as "valueComparator",
      r.units, r.reference_range as "referenceRange", r.abnormal_flag as "abnormalFlag", r.facility_id as "facilityId",
      r.performing_facility_id as "performingFacilityId", r.collected_at as "collectedAt",
      r.received_at as "receivedAt", r.resulted_at as "resultedAt", r.reported_at as "reportedAt",
      r.superseded_by as "supersededBy", r.notes,
      case when num_nonnulls(r.provider_name, r.provider_npi, r.provider_phone) > 0 then json_build_object(
        'name', r.provider_name, 'npi', r.provider_npi, 'phone', r.provider_phone) end as "orderingProvider",
      case when s.id is not null then json_build_object('id', s.id, 'accession', s.accession, 'typeCode', s.type_code,
        'typeText', s.type_text, 'siteText', s.site_text, 'collectedAt', s.collected_at, 'receivedAt', s.received_at) end as specimen
    from ${few('mine')} r left join specimen s on s.tenant_id = $1 and s.id = r.specimen_id
    order by coalesce(r.reported_at, r.resulted_at, r.collected_at) desc nulls last, r.created_at desc, r.id`,
    [tx.tenantId, id],
  );
  return rows.map((row) => ({
    ...row,
    testNameI18N: testNameI18N(row.testLoinc),
    collectedAt: row.collectedAt?.toISOString() ?? null,
    receivedAt: row.receivedAt?.toISOString() ?? null,
    resultedAt: row.resultedAt?.toISOString() ?? null,
    reportedAt: row.reportedAt?.toISOString() ?? null,
    specimen: row.specimen && {
      id: row.specimen.id,
      accession: row.specimen.accession,
      type: specimenTypeLabel(row.specimen.typeCode, row.specimen.typeText),
      site: specimenSiteLabel(row.specimen.siteText),
      collectedAt: inUtc(row.specimen.collectedAt),
      receivedAt: inUtc(row.specimen.receivedAt),
    },
  }));
}

/** An instant within JSON, which PostgreSQL writes with the session's offset. */
const inUtc = (instant: string | null): string | null => instant && new Date(instant).toISOString();

async function readTimeline(tx: Tx, id: string): Promise<CaseReport['timeline']> {
  const rows = await tx.rows<{
    id: string;
    at: Date;
    kind: string;
    detail: Record<string, unknown>;
    byId: string | null;
    byName: string | null;
  }>(
    `select e.id, e.at, e.kind, e.detail - 'families' as detail, e.account_id as "byId",
      nullif(concat_ws(' ', a.first_name, a.last_name), '') as "byName"
    from case_event e left join account a on a.id = e.account_id
    where e.tenant_id = $1 and e.case_report_id = $2
      -- Of a result that the reader may not see, nothing is told. [P23]
      and (e.detail ->> 'resultId' is null or exists (
        select from result r where r.tenant_id = $1 and r.id = cast(e.detail ->> 'resultId' as uuid)))
      -- Nor of another case, of a row of somebody else's list, or of what another place has told.
      and (e.detail ->> 'caseId' is null or exists (
        select from case_report o where o.tenant_id = $1 and o.id = cast(e.detail ->> 'caseId' as uuid)))
      and (e.detail ->> 'messageId' is null or exists (
        select from import_message m where m.tenant_id = $1 and m.id = cast(e.detail ->> 'messageId' as uuid)))
      and (e.detail -> 'toldBy' is null or app_told(array(
        select cast(told.id as uuid) from jsonb_array_elements_text(e.detail -> 'toldBy') as told (id))))
    order by e.at desc, e.id desc`,
    [tx.tenantId, id],
  );
  // The text of somebody else's list mentions nobody.
  const mentionedBy = ({ kind, detail }: Pick<(typeof rows)[number], 'kind' | 'detail'>) =>
    kind === 'note' && detail.source === undefined ? mentionedIn(String(detail.text)) : [];
  const names = await namesOf(tx, [...new Set(rows.flatMap(mentionedBy))]);
  const tasks = await readTaskEvents(tx, id);
  // The rows are in their order already, by more than milliseconds.
  const all = [...rows, ...tasks].sort((a, b) => b.at.getTime() - a.at.getTime());
  return all.map(({ at, byId, byName, ...event }) => {
    const mentioned = mentionedBy(event).flatMap((id) => {
      const name = names.get(id);
      return name === undefined ? [] : [[id, name] as const];
    });
    return {
      ...event,
      detail:
        mentioned.length > 0 ? { ...event.detail, mentioned: Object.fromEntries(mentioned) } : event.detail,
      at: at.toISOString(),
      by: byId === null ? null : { id: byId, name: byName ?? '' },
    };
  });
}
