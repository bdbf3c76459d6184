import { testing } from '@caseway/contract/dashboards/testing';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const records = { results: { grid: testingRecords, path: '/analytics/testing/records' } };

export default function TestingAnalytics() {
  return <DashboardScreen of={testing} records={records} />;
}
