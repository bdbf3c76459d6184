import { caseReportGrid } from '@caseway/contract/case-reports';
import { hiv } from '@caseway/contract/dashboards/hiv';
import { hivTestRecords } from '@caseway/contract/testing-analytics';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const caseReports = { grid: caseReportGrid, path: '/case-reports' };
const records = {
  tests: { grid: hivTestRecords, path: '/analytics/hiv/records' },
  cases: caseReports,
  careYears: caseReports,
};

export default function HivAnalytics() {
  return <DashboardScreen of={hiv} records={records} />;
}
