import { useTranslation } from 'react-i18next';
import { ScreenTabs } from '../../ui/ScreenTabs.tsx';
import { placeKinds } from './kinds.ts';

/** The screens for setting up a tenant; reporting is next to the jurisdictions. */
export function PlaceTabs() {
  const { t } = useTranslation('places');
  const places = placeKinds.flatMap(({ name }) => [
    { to: `/${name}`, label: t(`kind.${name}.title`) },
    ...(name === 'jurisdictions' ? [{ to: '/reporting', label: t('reporting.title') }] : []),
  ]);
  return <ScreenTabs label={t('common:screen.places')} places={places} />;
}
