import { useTranslation } from 'react-i18next';
import { ScreenTabs } from '../../ui/ScreenTabs.tsx';

/** The shipments, specimens waiting for one, and where specimens are stored, as tabs. */
export function ShipmentTabs() {
  const { t } = useTranslation();
  const places = [
    { to: '/sample-shipments', label: t('screen.sampleShipments') },
    { to: '/sample-shipments/unassigned', label: t('screen.unassignedSpecimens') },
    { to: '/sample-shipments/storage', label: t('screen.specimenStorage') },
  ];
  return <ScreenTabs label={t('screen.sampleShipments')} places={places} />;
}
