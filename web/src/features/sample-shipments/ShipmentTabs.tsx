import { useTranslation } from 'react-i18next';
import { ScreenTabs } from '../../ui/ScreenTabs.tsx';

/** The shipments, and specimens waiting for one, as tabs. */
export function ShipmentTabs() {
  const { t } = useTranslation();
  const places = [
    { to: '/sample-shipments', label: t('screen.sampleShipments') },
    { to: '/sample-shipments/unassigned', label: t('screen.unassignedSpecimens') },
  ];
  return <ScreenTabs label={t('screen.sampleShipments')} places={places} />;
}
