import { dashboards } from '@caseway/contract/dashboards/all';
import { type TreatmentRow, treatmentGrid } from '@caseway/contract/treatments';
import { recordsBehind } from '../../platform/dashboards/behind.ts';
import type { Tx } from '../../platform/db/database.ts';
import { pageColumns, sourceOver } from '../../platform/grid/fact-source.ts';
import { treatmentFact } from './treatment-fact.ts';

/** The treatments behind a number: those that were given. */
export const treatmentSource = sourceOver(treatmentGrid, treatmentFact, {
  only: 'counts',
  behind: recordsBehind(dashboards, treatmentFact),
});

/** The treatments with these ids that the reader may see, in any order. */
export const readTreatmentRows = (tx: Tx, ids: readonly string[]): Promise<TreatmentRow[]> =>
  tx.rows<TreatmentRow>(
    `select t.id, t.case_report_id as "caseRecordId", ${pageColumns(treatmentGrid, treatmentFact)}
    from treatment t join case_report k on k.tenant_id = t.tenant_id and k.id = t.case_report_id
    join patient stored on stored.tenant_id = t.tenant_id and stored.id = t.patient_id
    cross join lateral app_shown(stored, stored.told_openly, t.disease_family) p
    cross join lateral (select app_told(p.told_by) as told) told
    where t.tenant_id = $1 and t.id = any ($2::uuid[])`,
    [tx.tenantId, ids],
  );
