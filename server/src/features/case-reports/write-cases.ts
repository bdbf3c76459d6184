import { randomUUID } from 'node:crypto';
import { caseRecord } from '@caseway/contract/case-record';
import { caseWorkRules } from '@caseway/contract/work-rules';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { carriedBy } from '../../platform/carried/carried.ts';
import { noteSeen } from '../../platform/carried/seen-at.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Columns, givenRows, insertRows, json } from '../../platform/db/rows.ts';
import { fromTenantRow, haveTenantRow } from '../../platform/db/tenant-row.ts';
import { carryOutNew } from '../../platform/records/effects.ts';
import { keepingVersions } from '../../platform/records/record-versions.ts';
import { giveByRules } from '../../platform/records/work-rules.ts';
import { writeSearchKeys } from '../patients/search-keys.ts';
import { familyByCode } from '../reference/catalog.ts';
import { keysOfCase } from './case-keys.ts';
import { takeCaseNumbers } from './case-numbers.ts';
import type { CaseRecord, CaseWrites } from './case-record.ts';
import { explainedWithin, keptWithin, storedWithin, storedWithNew } from './shared-cases.ts';

const changedColumns: Columns = {
  id: 'uuid', conditionCode: 'text', classification: 'text', onsetOn: 'date', collectedOn: 'date', reportedOn: 'date',
  outcome: 'text', pregnant: 'text', hospitalized: 'text', visitType: 'text', externalId: 'text', reviewReason: 'text',
  classifiedBy: 'text', explanation: 'jsonb', toldWithin: 'jsonb', explainedWithin: 'jsonb', toldToOwn: 'boolean',
  beside: 'jsonb', now: 'jsonb',
}; // biome-ignore format: a table

const carried = carriedBy('case_event', 'case_report');

/** Writes the cases of a batch, with their search numbers, results and history. */
export async function writeCases(
  tx: Tx,
  tenantId: string,
  {
    cases,
    caseResults,
    caseEvents,
    caseNotes = [],
    patients,
  }: Omit<CaseWrites, 'caseNotes'> & Partial<Pick<CaseWrites, 'caseNotes'>>,
  restrictedFamilies: readonly string[],
  /** Their facilities already carry where they are visible. */
  seenNoted = false,
): Promise<void> {
  const made = cases.filter(({ isNew }) => isNew);
  const numbers = await takeCaseNumbers(
    tx,
    tenantId,
    made.map(({ id, createdOn, family }) => ({
      id,
      year: createdOn.slice(0, 4),
      isRestricted: restrictedFamilies.includes(family),
    })),
  );
  await insertRows(
    tx,
    tenantId,
    'case_report',
    {
      id: 'uuid', case_id: 'text', patient_id: 'uuid', condition_code: 'text', disease_family: 'text',
      disease_category: 'text', classification: 'text', onset_on: 'date', collected_on: 'date', reported_on: 'date',
      received_on: 'date', created_on: 'date', organization_id: 'uuid', facility_id: 'uuid', program_id: 'uuid',
      task_id: 'uuid', jurisdiction_id: 'uuid', county_fips: 'text', outcome: 'text', pregnant: 'text',
      hospitalized: 'text', visit_type: 'text', source: 'text', external_id: 'text', review_reason: 'text',
      classified_by: 'text', explanation: 'jsonb', told_within: 'jsonb',
    }, // biome-ignore format: a table
    made.map((record) => ({
      id: record.id,
      case_id: numbers.get(record.id),
      patient_id: record.patientId,
      condition_code: record.conditionCode,
      disease_family: record.family,
      disease_category: familyByCode(record.family)?.category ?? '',
      classification: record.classification,
      onset_on: record.onsetOn,
      collected_on: record.collectedOn,
      reported_on: record.reportedOn,
      received_on: record.receivedOn,
      created_on: record.createdOn,
      organization_id: record.organizationId,
      facility_id: record.facilityId,
      program_id: record.programId,
      task_id: record.taskId,
      jurisdiction_id: record.jurisdictionId,
      county_fips: record.countyFips,
      outcome: record.outcome,
      pregnant: record.pregnant,
      hospitalized: record.hospitalized,
      visit_type: record.visitType,
      source: record.source,
      external_id: record.externalId,
      review_reason: record.reviewReason,
      classified_by: record.classifiedBy,
      explanation: record.explanation ?? null,
      told_within: storedWithNew(record),
    })),
    {
      select: {
        told_within: `case when c.told_within is not null
          then c.told_within || jsonb_build_object('version', 1, 'updated_at', now()) end`,
      },
    },
  );
  await carryOutNew(
    tx,
    { record: caseRecord, tenantId, accountId: null },
    made.map(({ id, createdOn }) => ({ id, on: createdOn })),
  );
  if (!seenNoted) await noteSeen(tx, tenantId, made);
  const changed = cases.filter(({ isNew }) => !isNew);
  await keepingVersions(
    tx,
    caseRecord,
    tenantId,
    changed.map(({ id }) => id),
    { accountId: null },
    async () => {
      for (const [id, number] of await changeCases(tx, tenantId, changed)) numbers.set(id, number);
    },
  );
  await insertRows(
    tx,
    tenantId,
    'case_result',
    { case_report_id: 'uuid', result_id: 'uuid' },
    caseResults.map(({ caseId, resultId }) => ({ case_report_id: caseId, result_id: resultId })),
    { conflict: 'on conflict do nothing', carriedOf: 'case_report' },
  );
  await insertRows(
    tx,
    tenantId,
    'case_event',
    { id: 'uuid', at: 'integer', case_report_id: 'uuid', kind: 'text', detail: 'jsonb' },
    // A microsecond apart, so that they stay in order.
    caseEvents.map(({ caseId, kind, detail }, place) => ({
      case_report_id: caseId,
      kind,
      detail,
      id: randomUUID(),
      at: place + 1,
    })),
    {
      select: { at: `now() + c.at * interval '1 microsecond'` },
      carriedOf: 'case_report',
    },
  );
  if (caseNotes.length > 0) {
    await haveTenantRow(tx, tenantId);
    const notes = new Map(caseNotes.map((note) => [JSON.stringify(note), note]));
    await tx.run(
      `insert into case_event (tenant_id, id, at, case_report_id, kind, detail, ${carried.columns})
       select ${fromTenantRow.id}, c.id, now() + c.at * interval '1 microsecond', c.case_report_id, 'note',
         jsonb_strip_nulls(jsonb_build_object('text', c.text, 'source', 'csv', 'toldBy', c."toldBy")), ${carried.values}
       from ${fromTenantRow.table} cross join (select r.*, "caseId" as case_report_id
         from ${givenRows('$2', { id: 'uuid', at: 'integer', caseId: 'uuid', text: 'text', toldBy: 'jsonb' })} as r) as c ${carried.join}
       where ${fromTenantRow.is} and not exists (select from case_event e where e.tenant_id = $1
         and e.case_report_id = c.case_report_id and e.kind = 'note' and e.detail ->> 'text' = c.text)`,
      [
        tenantId,
        json([...notes.values()].map((note, place) => ({ ...note, id: randomUUID(), at: 1001 + place }))),
      ],
    );
  }
  await giveByRules(
    tx,
    tenantId,
    'case_report',
    caseWorkRules,
    // A task must not reveal to the case's own place what only other places told. [P23]
    cases.map(({ id, family, classification, pregnant, within }) => ({
      id,
      account: null,
      values: { family, classification, pregnant: within ? within.pregnant : pregnant },
    })),
  );
  await writeSearchKeys(
    tx,
    tenantId,
    'case',
    cases
      .filter(({ isNew, externalId }) => isNew || externalId !== null)
      .map((record) => ({
        id: record.id,
        keys: keysOfCase({ caseId: numbers.get(record.id)!, externalId: record.externalId }),
        before: record.isNew ? ('new' as const) : undefined,
      })),
  );
  await recordChange(tx, tenantId, 'case_report', [
    ...new Set([...cases.map(({ id }) => id), ...caseNotes.map(({ caseId }) => caseId)]),
  ]);
  await recordChange(
    tx,
    tenantId,
    'patient',
    patients.map(({ id }) => id),
  );
}

/** Updates stored cases; returns their numbers by id. */
async function changeCases(
  tx: Tx,
  tenantId: string,
  changed: readonly CaseRecord[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = new Map<string, string>();
  const shared = changed.filter((record) => storedWithin(record) !== null);
  // What is stored beside a row is computed from the current row, before it changes.
  const beside = new Map(
    shared.length === 0
      ? []
      : (
          await tx.rows<{ id: string; beside: object; now: string }>(
            `select c.id, ${keptWithin} as beside, to_jsonb(now()) as now from case_report c
             where c.tenant_id = $1 and c.id = any ($2)`,
            [tenantId, shared.map(({ id }) => id)],
          )
        ).map(({ id, ...one }) => [id, one]),
  );
  for (const [group, toldWithin] of [
    [changed.filter((record) => storedWithin(record) === null), 'null'],
    [
      shared,
      `case when coalesce(r."toldToOwn", false) or (c.condition_code, c.classification, c.classified_by, c.review_reason)
           is distinct from (r."conditionCode", r.classification, r."classifiedBy", r."reviewReason")
         then app_within_next(jsonb_set(coalesce(c.told_within, r.beside) || r."toldWithin", '{explanation}',
           coalesce(r."explainedWithin", c.explanation, 'null')), r.now)
         else coalesce(c.told_within, r.beside) || r."toldWithin" end`,
    ],
  ] as const) {
    if (group.length === 0) continue;
    const rows = await tx.rows<{ id: string; case_id: string }>(
      `update case_report c set condition_code = r."conditionCode", classification = r.classification,
       onset_on = r."onsetOn", collected_on = r."collectedOn", reported_on = r."reportedOn", outcome = r.outcome,
       pregnant = r.pregnant, hospitalized = r.hospitalized, visit_type = r."visitType", external_id = r."externalId",
       review_reason = r."reviewReason", classified_by = r."classifiedBy",
       explanation = coalesce(r.explanation, c.explanation), version = c.version + 1, updated_at = now(),
       told_within = ${toldWithin}
     from ${givenRows('$2', changedColumns)} as r
     where c.tenant_id = $1 and c.id = r.id returning c.id, c.case_id`,
      [
        tenantId,
        json(
          group.map((record) => ({
            ...record,
            toldWithin: storedWithin(record),
            explainedWithin: explainedWithin(record),
            ...beside.get(record.id),
          })),
        ),
      ],
    );
    for (const { id, case_id } of rows) numbers.set(id, case_id);
  }
  return numbers;
}
