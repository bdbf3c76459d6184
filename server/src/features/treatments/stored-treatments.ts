import { type Treatment, treatmentRecord } from '@caseway/contract/treatments';
import { recordChange } from '../../platform/analytics/outbox.ts';
import type { Tx } from '../../platform/db/database.ts';
import { givenRows, idOf, insertRows, json, type Read } from '../../platform/db/rows.ts';
import { keepingVersions } from '../../platform/records/record-versions.ts';

export type NewTreatment = Omit<Treatment, 'version'> & { toldBy: string[] | null };

/** What a later list can add to a treatment. */
export const addable = ['endedOn', 'adequacy', 'givenAt', 'provider'] as const;
type Addable = Pick<NewTreatment, (typeof addable)[number]>;

/** The values that identify a treatment that was told before, and the values that may be missing. */
export type StoredTreatment = Addable &
  Pick<NewTreatment, 'id' | 'caseRecord' | 'drug' | 'otherDrug' | 'startedOn' | 'state' | 'toldBy'>;

/** The treatments of these people. */
export const loadTreatments = (
  tenantId: string,
  patientIds: readonly string[],
  read: Read,
): Promise<StoredTreatment[]> =>
  read<StoredTreatment>(
    `select id, case_report_id as "caseRecord", drug, other_drug as "otherDrug", started_on as "startedOn",
       ended_on as "endedOn", adequacy, given_at_id as "givenAt", provider, state, told_by as "toldBy"
     from unnest($2::uuid[]) as k (patient), lateral (
       select * from treatment where tenant_id = $1 and patient_id = k.patient offset 0) as t
     order by id`,
    [tenantId, patientIds],
    idOf,
  );

/** Inserts treatments, with what decides who sees them. */
export async function insertTreatments(
  tx: Tx,
  tenantId: string,
  treatments: readonly NewTreatment[],
): Promise<void> {
  await insertRows(
    tx,
    tenantId,
    'treatment',
    {
      id: 'uuid', case_report_id: 'uuid', drug: 'text', other_drug: 'text', started_on: 'date', ended_on: 'date',
      adequacy: 'text', given_at_id: 'uuid', provider: 'text', state: 'text', source: 'text', created_on: 'date',
      told_by: 'uuid[]',
    }, // biome-ignore format: a table
    treatments.map((one) => ({
      id: one.id,
      case_report_id: one.caseRecord,
      drug: one.drug,
      other_drug: one.otherDrug,
      started_on: one.startedOn,
      ended_on: one.endedOn,
      adequacy: one.adequacy,
      given_at_id: one.givenAt,
      provider: one.provider,
      state: one.state,
      source: one.source,
      created_on: one.createdOn,
      told_by: one.toldBy,
    })),
    { carriedOf: 'case_report' },
  );
  // Their cases change too, because they show that they were treated.
  await recordChange(
    tx,
    tenantId,
    'treatment',
    treatments.map(({ id }) => id),
  );
}

/** Stores who has told these treatments, with their history. */
export async function tellTreatments(
  tx: Tx,
  tenantId: string,
  told: readonly Pick<StoredTreatment, 'id' | 'toldBy'>[],
): Promise<void> {
  if (told.length === 0) return;
  const ids = told.map(({ id }) => id);
  const tellers = json(Object.fromEntries(told.map(({ id, toldBy }) => [id, toldBy])));
  const of = (id: string) =>
    `case when jsonb_typeof($3::jsonb -> ${id}::text) = 'array'
       then array(select jsonb_array_elements_text($3::jsonb -> ${id}::text)::uuid) end`;
  await tx.send(
    `update treatment t set told_by = ${of('t.id')} where t.tenant_id = $1 and t.id = any ($2::uuid[])`,
    [tenantId, ids, tellers],
  );
  await tx.send(
    `update treatment_history h set told_by = ${of('h.record_id')}
     where h.tenant_id = $1 and h.record_id = any ($2::uuid[])`,
    [tenantId, ids, tellers],
  );
  await recordChange(tx, tenantId, 'treatment', ids);
}

/** Adds missing values to these treatments, as a version of each. What people have entered in the meantime stays. */
export async function addToTreatments(
  tx: Tx,
  tenantId: string,
  added: readonly (Addable & { id: string })[],
): Promise<void> {
  const ids = added.map(({ id }) => id);
  await keepingVersions(tx, treatmentRecord, tenantId, ids, { accountId: null }, () =>
    tx.send(
      `update treatment t set version = t.version + 1, ended_on = coalesce(t.ended_on, r.ended_on),
         adequacy = coalesce(t.adequacy, r.adequacy), given_at_id = coalesce(t.given_at_id, r.given_at_id),
         provider = coalesce(t.provider, r.provider)
       from ${givenRows('$2', { id: 'uuid', ended_on: 'date', adequacy: 'text', given_at_id: 'uuid', provider: 'text' })} as r
       where t.tenant_id = $1 and t.id = r.id`,
      [
        tenantId,
        json(
          added.map(({ id, endedOn, adequacy, givenAt, provider }) => ({
            id,
            ended_on: endedOn,
            adequacy,
            given_at_id: givenAt,
            provider,
          })),
        ),
      ],
    ),
  );
  await recordChange(tx, tenantId, 'treatment', ids);
}
