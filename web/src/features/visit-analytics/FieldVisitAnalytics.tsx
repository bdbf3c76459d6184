import { fieldVisits } from '@caseway/contract/dashboards/field-visits';
import { fieldVisitGrid } from '@caseway/contract/field-visits';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const list = { grid: fieldVisitGrid, path: '/field-visits' };
const records = { visits: list, attempts: list };

/** Analytics of field visits, and of the attempts to meet people. */
export default function FieldVisitAnalytics() {
  return <DashboardScreen of={fieldVisits} records={records} />;
}
