import { caseReportGrid } from '@caseway/contract/case-reports';
import { caseReports, tenantCaseReports } from '@caseway/contract/dashboards/case-reports';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const records = { cases: { grid: caseReportGrid, path: '/case-reports' } };

/** Case-report analytics. */
export const CaseReportAnalytics = () => <DashboardScreen of={caseReports} records={records} />;

/** The same of the tenant, with its own filters. */
export const TenantCaseReportAnalytics = () => <DashboardScreen of={tenantCaseReports} records={records} />;
