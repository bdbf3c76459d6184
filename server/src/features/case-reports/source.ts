import { caseReportGrid } from '@caseway/contract/case-reports';
import { dashboards } from '@caseway/contract/dashboards/all';
import { recordsOf } from '../../platform/dashboards/behind.ts';
import { sourceOver } from '../../platform/grid/fact-source.ts';
import { careYearFact } from './care-year-fact.ts';
import { caseFact } from './case-fact.ts';
import { transitionFact } from './transition-fact.ts';

/** The grid source of the rows. */
export const caseReportSource = sourceOver(caseReportGrid, caseFact, {
  behind: recordsOf(dashboards, [
    { fact: caseFact },
    { fact: transitionFact, by: 'case_record_id' },
    { fact: careYearFact, by: 'case_report_id' },
  ]),
  searchBy: { case: 'id', patient: 'patient_id' },
});
