import { caseReportGrid } from '@caseway/contract/case-reports';
import { sti } from '@caseway/contract/dashboards/sti';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { treatmentGrid } from '@caseway/contract/treatments';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const records = {
  results: { grid: testingRecords, path: '/analytics/testing/records' },
  cases: { grid: caseReportGrid, path: '/case-reports' },
  treatments: { grid: treatmentGrid, path: '/analytics/sti/treatments' },
};

export default function StiAnalytics() {
  return <DashboardScreen of={sti} records={records} />;
}
