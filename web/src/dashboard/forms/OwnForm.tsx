import { useTranslation } from 'react-i18next';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { type FormProps, useSeries } from '../shown.ts';

/** A server feature's own counts, as a table. */
export function OwnForm({ name, series }: FormProps<'own'>) {
  const { t } = useTranslation(['analytics', 'common']);
  const own = useSeries(name, series);
  return (
    <ChartFrame
      {...own.frame(own.tableOf(own.title, ({ label }) => label ?? t('common:label.unknown.other')))}
    />
  );
}
