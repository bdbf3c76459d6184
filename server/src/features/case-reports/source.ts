import { caseReportGrid } from '@caseway/contract/case-reports';
import { sourceOver } from '../../platform/grid/fact-source.ts';
import { caseFact } from './case-fact.ts';

/** Where the rows of the grid are found. */
export const caseReportSource = sourceOver(caseReportGrid, caseFact, {
  searchBy: { case: 'id', patient: 'patient_id' },
});
