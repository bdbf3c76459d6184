import { caseReportGrid } from '@caseway/contract/case-reports';
import { dashboards } from '@caseway/contract/dashboards/all';
import { recordsBehind } from '../../platform/dashboards/behind.ts';
import { sourceOver } from '../../platform/grid/fact-source.ts';
import { caseFact } from './case-fact.ts';

/** Where the rows of the grid are found. */
export const caseReportSource = sourceOver(caseReportGrid, caseFact, {
  behind: recordsBehind(dashboards, caseFact),
  searchBy: { case: 'id', patient: 'patient_id' },
});
