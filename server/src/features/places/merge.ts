import { caseRecord } from '@caseway/contract/case-record';
import { fieldVisitRecord } from '@caseway/contract/field-visits';
import { incidentRecord } from '@caseway/contract/incident-reports';
import type { FacilityRecord } from '@caseway/contract/places';
import { anyRecord } from '@caseway/contract/record';
import { shipmentRecord } from '@caseway/contract/sample-shipments';
import { telemedicineRecord } from '@caseway/contract/telemedicine';
import { vaccinationRecord } from '@caseway/contract/vaccinations';
import { v7 } from 'uuid';
import type { TableName } from '../../platform/analytics/facts.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { carriedBy, type Deciding, passOn } from '../../platform/carried/carried.ts';
import { noteRestrictedPlaces } from '../../platform/carried/restricted-places.ts';
import { noteFacilities, noteSpecimens } from '../../platform/carried/seen-at.ts';
import { noteWaitingElsewhere } from '../../platform/carried/waiting-codes.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockRecords } from '../../platform/db/record-lock.ts';
import { fromTenantRow, haveTenantRow } from '../../platform/db/tenant-row.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';
import { keepingVersions } from '../../platform/records/record-versions.ts';
import { matchName } from '../../platform/text/fold.ts';
import { alwaysRestricted } from '../reference/catalog.ts';

const carried = carriedBy('case_event', 'case_report');
/** Records that are visible at their facility; rows of them carry the facility. */
const placed = [incidentRecord, telemedicineRecord, fieldVisitRecord].map((record) => anyRecord(record));
const ids = (rows: readonly { id: string }[]) => [...new Set(rows.map(({ id }) => id))];

/**
 * Moves everything of one facility to another: results, cases with an entry in their timelines, persons, uploaded
 * files, and later reports under its name or numbers. In the scope of the service.
 */
export async function mergeInto(
  tx: Tx,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  from: FacilityRecord,
  into: FacilityRecord,
): Promise<void> {
  // Waits for imports that write records of the facility that goes away.
  await lockRecords(tx, tenantId);
  const pair = [tenantId, from.id, into.id];
  const [held] = await tx.rows<{ people: boolean; locations: boolean }>(
    `select exists (select from membership where tenant_id = $1 and org_type = 'F' and org_id = $2 and ended_at is null) as people,
       exists (select from location where tenant_id = $1 and facility_id = $2) as locations`,
    [tenantId, from.id],
  );
  if (held!.people || held!.locations)
    throw new AppError('validation-failed', {
      faults: [
        held!.people
          ? faultAt('into', 'has-people', 'people act for this facility; end their access first')
          : faultAt('into', 'has-locations', 'this facility has locations'),
      ],
    });

  // As in the importer: the organisation of the facility, or else the one that the file was uploaded for.
  const owner = 'coalesce($4::uuid, organization_id)';
  const moved = [...pair, into.organization];
  const results = await tx.rows<{ id: string; patient_id: string; laboratory: string | null }>(
    `update result set facility_id = $3, organization_id = ${owner} where tenant_id = $1 and facility_id = $2
     returning id, patient_id, performing_facility_id as laboratory`,
    moved,
  );
  const performed = await tx.rows<{ id: string; patient_id: string }>(
    `update result set performing_facility_id = $3 where tenant_id = $1 and performing_facility_id = $2
     returning id, patient_id`,
    pair,
  );
  const moving = await tx.rows<{ id: string }>(
    'select id from case_report where tenant_id = $1 and facility_id = $2',
    [tenantId, from.id],
  );
  const cases = await keepingVersions(tx, caseRecord, tenantId, ids(moving), { accountId }, () =>
    tx.rows<{ id: string; patient_id: string }>(
      `update case_report set facility_id = $3, organization_id = ${owner}, version = version + 1, updated_at = now(),
       told_within = app_within_next(told_within, to_jsonb(now()))
     where tenant_id = $1 and facility_id = $2 returning id, patient_id`,
      moved,
    ),
  );
  const [{ now }] = (await tx.rows('select clock_timestamp()::text as now')) as [{ now: string }];
  await haveTenantRow(tx, tenantId);
  const detail = { fields: ['facility'], changes: { facility: { from: from.id, to: into.id } } };
  await tx.run(
    `insert into case_event (tenant_id, id, case_report_id, at, account_id, kind, detail, ${carried.columns})
     select ${fromTenantRow.id}, c.event_id, c.case_report_id, $6, $4, 'updated', $5, ${carried.values}
     from ${fromTenantRow.table} cross join unnest($2::uuid[], $3::uuid[]) as c (event_id, case_report_id) ${carried.join}
     where ${fromTenantRow.is}`,
    [tenantId, cases.map(() => v7()), cases.map(({ id }) => id), accountId, JSON.stringify(detail), now],
  );
  for (const table of [
    ...['contact', 'contact_history', 'contact_transition', 'follow_up_entry'],
    ...['case_follow_up', 'case_follow_up_history', 'case_follow_up_transition'],
    ...['partner_service', 'partner_service_history', 'partner_service_transition'],
  ])
    await tx.run(`update ${table} set told_by = $3 where tenant_id = $1 and told_by = $2`, pair);
  await tx.run(
    'update provider_availability set facility_id = $3 where tenant_id = $1 and facility_id = $2',
    pair,
  );
  await passOn(tx, tenantId, 'case_report', ids(cases));
  // In lists of places: what the one facility told, the other now told. [P23]
  const replaced = (places: string) =>
    `array(select distinct unnest(array_replace(${places}, $2::uuid, $3::uuid)))`;
  const persons = await tx.rows<{ id: string }>(
    `update patient set facility_ids = ${replaced('facility_ids')},
       told_by = case when $2 = any (told_by) then ${replaced('told_by')} else told_by end,
       organization_ids = case when $4::uuid is null or $4 = any (organization_ids) then organization_ids
         else organization_ids || $4::uuid end,
       version = version + 1, updated_at = now()
     where tenant_id = $1 and $2 = any (facility_ids) returning id`,
    moved,
  );
  const personIds = ids(persons);
  await tx.run(
    `update patient_identifier set told_by = ${replaced('told_by')}
     where tenant_id = $1 and patient_id = any ($4) and $2 = any (told_by)`,
    [...pair, personIds],
  );
  await tx.run(
    `update case_event e set detail = replace(e.detail::text, $2::text, $3::text)::jsonb from case_report c
     where c.tenant_id = $1 and c.patient_id = any ($4) and e.tenant_id = $1 and e.case_report_id = c.id
       and e.detail -> 'toldBy' ? $2::text`,
    [...pair, personIds],
  );
  // The data that undoing a merge of two persons restores.
  await tx.run(
    `update patient_match set moved = replace(moved::text, $2::text, $3::text)::jsonb
     where tenant_id = $1 and (patient_id = any ($4) or candidate_id = any ($4)) and moved::text like '%' || $2::text || '%'`,
    [...pair, personIds],
  );
  await noteRestrictedPlaces(tx, tenantId, alwaysRestricted, personIds);
  await passOn(tx, tenantId, 'patient', personIds);
  const shipped = ids(
    await tx.rows<{ id: string }>(
      'select id from shipment where tenant_id = $1 and $2 in (origin_id, destination_id)',
      [tenantId, from.id],
    ),
  );
  const end = (name: 'origin' | 'destination') =>
    `${name}_id = case when ${name}_id = $2 then $3 else ${name}_id end,
     ${name}_organization_id = case when ${name}_id = $2 then $4 else ${name}_organization_id end`;
  await keepingVersions(tx, shipmentRecord, tenantId, shipped, { accountId }, () =>
    tx.run(
      `update shipment set ${end('origin')}, ${end('destination')}, version = version + 1
       where tenant_id = $1 and $2 in (origin_id, destination_id)`,
      moved,
    ),
  );
  await passOn(tx, tenantId, 'shipment', shipped);
  await recordChange(tx, tenantId, 'shipment', shipped);
  for (const record of placed) {
    const { table } = record;
    const held = ids(
      await tx.rows<{ id: string }>(`select id from ${table} where tenant_id = $1 and facility_id = $2`, [
        tenantId,
        from.id,
      ]),
    );
    await keepingVersions(tx, record, tenantId, held, { accountId }, () =>
      tx.run(
        `update ${table} set facility_id = $3, organization_id = ${owner}, version = version + 1
         where tenant_id = $1 and facility_id = $2`,
        moved,
      ),
    );
    await passOn(tx, tenantId, table as Deciding, held);
    await recordChange(tx, tenantId, table as TableName, held);
  }
  // Vaccinations are visible with their persons.
  const vaccinated = ids(
    await tx.rows<{ id: string }>('select id from vaccination where tenant_id = $1 and facility_id = $2', [
      tenantId,
      from.id,
    ]),
  );
  await keepingVersions(tx, vaccinationRecord, tenantId, vaccinated, { accountId }, () =>
    tx.run(
      'update vaccination set facility_id = $3, version = version + 1 where tenant_id = $1 and facility_id = $2',
      pair,
    ),
  );
  await passOn(tx, tenantId, 'vaccination', vaccinated);
  const imports = await tx.rows<{ id: string }>(
    `update import set facility_id = $3, organization_id = ${owner} where tenant_id = $1 and facility_id = $2 returning id`,
    moved,
  );
  await passOn(tx, tenantId, 'import', ids(imports));
  await noteWaitingElsewhere(tx, tenantId, ids(imports));

  await tx.run('update facility_alias set facility_id = $3 where tenant_id = $1 and facility_id = $2', pair);
  await tx.run(
    `insert into facility_alias (tenant_id, id, facility_id, match_name, clia, npi, postal_code)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [tenantId, v7(), into.id, matchName(from.name), from.clia, from.npi, from.postalCode],
  );
  await tx.run('update facility set merged_into = $3 where tenant_id = $1 and merged_into = $2', pair);
  await tx.run(
    `update facility set merged_into = $3, deactivated_at = now(), version = version + 1
     where tenant_id = $1 and id = $2`,
    pair,
  );

  await noteSpecimens(tx, tenantId, ids(results));
  // Laboratories are visible where their results are.
  const laboratories = new Set(results.flatMap(({ laboratory }) => laboratory ?? []));
  await noteFacilities(tx, tenantId, [...new Set([from.id, into.id, ...laboratories])]);
  await recordChange(tx, tenantId, 'result', ids([...results, ...performed]));
  await recordChange(tx, tenantId, 'case_report', ids(cases));
  await recordChange(tx, tenantId, 'patient', personIds);
}
