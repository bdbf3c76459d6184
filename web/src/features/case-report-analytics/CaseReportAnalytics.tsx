import { caseReportGrid } from '@caseway/contract/case-reports';
import { caseReports, tenantCaseReports } from '@caseway/contract/dashboards/case-reports';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const records = { cases: { grid: caseReportGrid, path: '/case-reports' } };

export const CaseReportAnalytics = () => <DashboardScreen of={caseReports} records={records} />;

/** The tenant's, with its own filters. */
export const TenantCaseReportAnalytics = () => <DashboardScreen of={tenantCaseReports} records={records} />;
