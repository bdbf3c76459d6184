import type { SeriesRow } from '@caseway/contract/analytics';
import { useTranslation } from 'react-i18next';
import { BoxChart } from '../../ui/charts/BoxChart.tsx';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { useUnitText } from '../number-text.ts';
import { type FormProps, isWithheld, useSeries } from '../shown.ts';

const points = ['p10', 'p25', 'p50', 'p75', 'p90'] as const;

/** How long something took in each group: quartiles, and the 10th and 90th percentile. */
export function BoxForm({ name, series }: FormProps<'box'>) {
  const { t } = useTranslation('analytics');
  const unitText = useUnitText();
  const own = useSeries(name, series);
  const nameOf = (row: SeriesRow) => row.label ?? own.labelOf(series.by, row.key);
  const isHidden = (row: SeriesRow) => [...points, 'n'].some((one) => isWithheld(row.values[one]));
  const spreadOf = (row: SeriesRow) => {
    const [p10, p25, median, p75, p90] = points.map((one) => row.values[one]?.value ?? null);
    return [p10, p25, median, p75, p90].some((value) => value === null || value === undefined)
      ? null
      : { p10: p10!, p25: p25!, median: median!, p75: p75!, p90: p90! };
  };
  const inUnit = (value: number) => unitText(value, series.unit);
  const wordsOf = (row: SeriesRow, isLong: boolean) => {
    const spread = spreadOf(row);
    const n = own.cell(row.values.n, 'count') ?? '0';
    const said = (one: (typeof points)[number]) => own.cell(row.values[one], series.unit, isLong);
    if (spread === null) return t('screen.n', { rows: n });
    return t(isLong ? 'screen.spreadLong' : 'screen.spread', {
      p10: said('p10'),
      median: said('p50'),
      p90: said('p90'),
      n,
    });
  };
  const excluded = own.rows.some((row) => row.values.n?.excluded);
  return (
    <ChartFrame
      {...own.frame({
        columns: [
          t(`filter.${series.by}`),
          t('statistic.n'),
          ...points.map((one) => t(`statistic.${one}`)),
          ...(excluded ? [t('screen.leftOut')] : []),
        ],
        rows: own.rows.map((row) => [
          nameOf(row),
          own.cell(row.values.n, 'count'),
          ...points.map((one) => own.cell(row.values[one], series.unit)),
          ...(excluded ? [isHidden(row) ? null : (row.values.n?.excluded ?? 0)] : []),
        ]),
      })}
    >
      <BoxChart
        label={own.label()}
        format={inUnit}
        rows={own.rows.map((row) => ({
          key: row.key,
          label: nameOf(row),
          spread: spreadOf(row),
          valueText: wordsOf(row, false),
          text: isHidden(row)
            ? t('mark.withheld', { name: nameOf(row) })
            : t('mark.values', { name: nameOf(row), values: wordsOf(row, true) }),
          suppressed: isHidden(row),
        }))}
        hrefOf={own.hrefOf}
      />
    </ChartFrame>
  );
}
