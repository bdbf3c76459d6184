import { caseReportGrid } from '@caseway/contract/case-reports';
import { operations } from '@caseway/contract/dashboards/operations';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const records = {
  cases: { grid: caseReportGrid, path: '/case-reports' },
  results: { grid: testingRecords, path: '/analytics/testing/records' },
};

/** The operational overview of a tenant. */
export default function OperationsAnalytics() {
  return <DashboardScreen of={operations} records={records} />;
}
