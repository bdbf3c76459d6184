import { type PatientRow, patientGrid } from '@caseway/contract/patients';
import type { Tx } from '../../platform/db/database.ts';
import { pageColumns, sourceOver } from '../../platform/grid/fact-source.ts';
import type { Call } from '../../platform/http/serve.ts';
import { patientFact } from './patient-fact.ts';

/** The grid source of the patient database. */
export const patientSource = sourceOver(patientGrid, patientFact, { searchBy: { patient: 'id' } });

/**
 * The persons with these ids as the reader sees them, in any order. Of their cases and results, only those are
 * counted that the reader sees, if the reader may read such records at all. `more`: SQL of columns over `p`, the
 * person as the reader sees them, and `told`.
 */
export const readPatients = <Row extends PatientRow>(
  tx: Tx,
  ids: readonly string[],
  reader: Pick<Call, 'may'>,
  more = '',
): Promise<Row[]> =>
  tx.rows(
    `select p.id, ${pageColumns(patientGrid, patientFact)}, numbered.identifiers, ${more}
       case when $3 then (select cast(count(*) as integer) from case_report k
         where k.tenant_id = $1 and k.patient_id = p.id) end as cases,
       tested.results, tested."lastResultOn"
     from patient stored cross join lateral app_shown(stored, stored.told_openly) p
     cross join lateral (select app_told(p.told_by) as told) told
     left join lateral (select string_agg(i.kind || ' ' || i.value, ', ' order by i.kind, i.value) as identifiers
       from patient_identifier i where i.tenant_id = $1 and i.patient_id = p.id) numbered on true
     left join lateral (select cast(count(*) as integer) as results,
         max(coalesce(r.collected_on, r.reported_on, r.created_on)) as "lastResultOn"
       from result r where $4 and r.tenant_id = $1 and r.patient_id = p.id and r.superseded_by is null
       having $4) tested on true
     where stored.tenant_id = $1 and stored.id = any ($2::uuid[]) and stored.merged_into is null`,
    [tx.tenantId, ids, reader.may('case-reports/read'), reader.may('line-lists/read')],
  );
