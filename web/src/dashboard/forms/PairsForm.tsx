import type { SeriesRow } from '@caseway/contract/analytics';
import { useTranslation } from 'react-i18next';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { IntervalChart } from '../../ui/charts/IntervalChart.tsx';
import { useFormats } from '../../words/formats.ts';
import { type FormProps, isWithheld, useSeries } from '../shown.ts';

/**
 * Pairs reported together more often than expected: the PRR of each pair with its interval, over strata if
 * there are any. It is a ratio among reports, never a risk.
 */
export function PairsForm({ name, series }: FormProps<'pairs'>) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const own = useSeries(name, series);
  const isStratified = series.strata.length > 0;
  const ratioOf = ({ values }: SeriesRow) => values[isStratified ? 'adjusted' : 'prr'];
  const keyOf = (row: SeriesRow) => `${row.key}\n${row.key2}`;
  const nameOf = (row: SeriesRow) =>
    t('screen.pairOf', {
      left: own.labelOf(series.left, row.key),
      right: own.labelOf(series.right, row.key2!),
    });
  const isHidden = (row: SeriesRow) => isWithheld(ratioOf(row)) || isWithheld(row.values[own.first]);
  const intervalOf = (row: SeriesRow) => {
    const { value = null, interval } = ratioOf(row) ?? {};
    return value === null || interval === undefined ? null : { value, ...interval };
  };
  const number = (value: number) => formats.number(value, value < 10 ? 2 : 1);
  const wordsOf = (row: SeriesRow) => {
    const interval = intervalOf(row);
    const together = t('screen.together', { count: row.values[own.first]?.value ?? row.pair?.both ?? 0 });
    const ratio = interval && number(interval.value);
    return interval
      ? `${ratioOf(row)?.rough ? t('mark.rough', { value: ratio }) : ratio} (${number(interval.low)}–${number(interval.high)}), ${together}`
      : `${t('screen.noOthers')}, ${together}`;
  };
  const limit = (row: SeriesRow, end: 'low' | 'high') => {
    const interval = isHidden(row) ? null : intervalOf(row);
    return interval && formats.number(interval[end], 2);
  };
  const ordered = own.rows.toSorted(
    (a, b) =>
      Number(isHidden(a)) - Number(isHidden(b)) ||
      (intervalOf(b)?.low ?? -1) - (intervalOf(a)?.low ?? -1) ||
      (keyOf(a) < keyOf(b) ? -1 : 1),
  );
  const { hrefOf } = own;
  return (
    <ChartFrame
      {...own.frame({
        columns: [
          t(`filter.${series.left}`),
          t(`filter.${series.right}`),
          own.titleOf(own.first),
          t('statistic.prr'),
          ...(isStratified ? [t('statistic.adjusted')] : []),
          t('statistic.low'),
          t('statistic.high'),
        ],
        rows: ordered.map((row) => [
          own.labelOf(series.left, row.key),
          own.labelOf(series.right, row.key2!),
          own.cell(row.values[own.first], 'count'),
          own.cell(row.values.prr, 'ratio'),
          ...(isStratified ? [own.cell(row.values.adjusted, 'ratio')] : []),
          limit(row, 'low'),
          limit(row, 'high'),
        ]),
      })}
    >
      <IntervalChart
        label={own.label()}
        format={number}
        rows={ordered.map((row) => ({
          key: keyOf(row),
          label: nameOf(row),
          interval: intervalOf(row),
          valueText: wordsOf(row),
          text: isHidden(row)
            ? t('mark.withheld', { name: nameOf(row) })
            : t('mark.values', { name: nameOf(row), values: wordsOf(row) }),
          suppressed: isHidden(row),
        }))}
        hrefOf={
          hrefOf &&
          (({ key }) => {
            const [left, right] = key.split('\n');
            return hrefOf({ key: left!, key2: right });
          })
        }
      />
    </ChartFrame>
  );
}
