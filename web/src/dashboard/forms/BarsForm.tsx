import type { SeriesRow } from '@caseway/contract/analytics';
import { useTranslation } from 'react-i18next';
import { BarChart } from '../../ui/charts/BarChart.tsx';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { type FormProps, isWithheld, useSeries, useShown } from '../shown.ts';

/** A column's values, largest first, each with its first measure as a bar and the second in words. */
export function BarsForm({ name, series }: FormProps<'bars'>) {
  const { t } = useTranslation('analytics');
  const { of } = useShown();
  const own = useSeries(name, series);
  const isClassed = of.classes?.by === series.by;
  const [, second] = own.measures;
  const nameOf = (row: SeriesRow) =>
    row.rest ? t('screen.others') : (row.label ?? own.labelOf(series.by, row.key));
  const valueText = (row: SeriesRow) => {
    const value = own.cell(row.values[own.first], own.unitOf(own.first)) ?? '0';
    // For a bar that is itself a class, its share of that class says nothing.
    const beside =
      second === undefined || isClassed ? null : own.cell(row.values[second], own.unitOf(second));
    return beside === null || isWithheld(row.values[second!])
      ? value
      : t('screen.bar', { value, title: own.titleOf(second!), second: beside });
  };
  return (
    <ChartFrame {...own.frame(own.tableOf(t(`filter.${series.by}`), nameOf))}>
      <BarChart
        label={own.label()}
        bars={own.ranked(nameOf).map((row) => ({
          key: row.key,
          label: nameOf(row),
          value: row.values[own.first]?.value ?? null,
          valueText: valueText(row),
          text: own.sentence(nameOf(row), row),
          suppressed: isWithheld(row.values[own.first]),
          isRest: row.rest ?? false,
          ...(isClassed ? { paint: own.paintOfCode(row.key) } : {}),
        }))}
        hrefOf={own.hrefOf}
      />
    </ChartFrame>
  );
}
