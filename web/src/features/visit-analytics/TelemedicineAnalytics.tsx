import { telemedicine } from '@caseway/contract/dashboards/telemedicine';
import { telemedicineGrid } from '@caseway/contract/telemedicine';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const records = { visits: { grid: telemedicineGrid, path: '/telemedicine' } };

export default function TelemedicineAnalytics() {
  return <DashboardScreen of={telemedicine} records={records} />;
}
