import { caseReportGrid } from '@caseway/contract/case-reports';
import { operations } from '@caseway/contract/dashboards/operations';
import { shipmentGrid } from '@caseway/contract/sample-shipments';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const caseReports = { grid: caseReportGrid, path: '/case-reports' };
const records = {
  cases: caseReports,
  transitions: caseReports,
  workTasks: { grid: workTaskRecord.grid, path: '/work-tasks' },
  shipments: { grid: shipmentGrid, path: '/sample-shipments' },
  results: { grid: testingRecords, path: '/analytics/testing/records' },
};

/** A tenant's operational overview. */
export default function OperationsAnalytics() {
  return <DashboardScreen of={operations} records={records} />;
}
