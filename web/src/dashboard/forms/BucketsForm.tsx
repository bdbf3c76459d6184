import type { SeriesRow } from '@caseway/contract/analytics';
import { missingKey } from '@caseway/contract/label';
import { useTranslation } from 'react-i18next';
import { BarChart } from '../../ui/charts/BarChart.tsx';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { useFormats } from '../../words/formats.ts';
import { type FormProps, isWithheld, useSeries } from '../shown.ts';

/** A number cut into buckets: one bar each, in order. */
export function BucketsForm({ name, series }: FormProps<'buckets'>) {
  const { t } = useTranslation(['analytics', 'common']);
  const formats = useFormats();
  const own = useSeries(name, series);
  /** `0`, `1 to 3`, `31 and more`. */
  const nameOf = ({ key }: SeriesRow) => {
    if (key === missingKey) return t('common:filter.missing');
    const from = Number(key);
    const next = series.from.find((each) => each > from);
    if (next === undefined) return t('screen.from', { from: formats.count(from) });
    return next - 1 === from
      ? formats.count(from)
      : t('screen.fromTo', { from: formats.count(from), to: formats.count(next - 1) });
  };
  return (
    <ChartFrame {...own.frame(own.tableOf(own.title, nameOf))}>
      <BarChart
        label={own.label()}
        bars={own.rows.map((row) => ({
          key: row.key,
          label: nameOf(row),
          value: row.values[own.first]?.value ?? null,
          valueText: own.cell(row.values[own.first], own.unitOf(own.first)) ?? '0',
          text: own.sentence(nameOf(row), row),
          suppressed: isWithheld(row.values[own.first]),
        }))}
        hrefOf={own.hrefOf}
      />
    </ChartFrame>
  );
}
