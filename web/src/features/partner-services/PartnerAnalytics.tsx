import { partnerServices } from '@caseway/contract/dashboards/partner-services';
import { partnerGrid } from '@caseway/contract/partner-services';
import { DashboardScreen } from '../../dashboard/DashboardScreen.tsx';

const list = { grid: partnerGrid, path: '/partner-services' };
const records = { records: list, cases: list };

/** The measures of partner services, as the CDC's reports define them. */
export default function PartnerAnalytics() {
  return <DashboardScreen of={partnerServices} records={records} />;
}
