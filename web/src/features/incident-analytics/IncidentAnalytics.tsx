import { incidentReports } from '@caseway/contract/dashboards/incident-reports';
import { incidentGrid } from '@caseway/contract/incident-reports';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const list = { grid: incidentGrid, path: '/incident-reports' };
const records = { incidents: list, incidentReactions: list };

export default function IncidentAnalytics() {
  return <DashboardScreen of={incidentReports} records={records} />;
}
