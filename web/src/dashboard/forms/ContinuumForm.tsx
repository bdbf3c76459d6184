import { useTranslation } from 'react-i18next';
import { BarChart } from '../../ui/charts/BarChart.tsx';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { useFormats } from '../../words/formats.ts';
import { type FormProps, isWithheld, useSeries } from '../shown.ts';

/** Steps of care, each a share of the same people: a later step may be larger than the one before. */
export function ContinuumForm({ name, series }: FormProps<'continuum'>) {
  const { t } = useTranslation(['analytics', 'common']);
  const formats = useFormats();
  const own = useSeries(name, series);
  const numberOf = (step: string) => own.rows.find(({ key }) => key === step)?.values[step];
  const textOf = (step: string) => {
    const value = numberOf(step);
    const share = own.cell(value, 'share') ?? '–';
    if (!value || value.numerator === null || value.denominator === null) return share;
    const parts = t('common:tile.parts', {
      numerator: formats.count(value.numerator),
      denominator: formats.count(value.denominator),
    });
    return `${share} (${parts})`;
  };
  const steps = own.rows.length === 0 ? [] : series.steps;
  return (
    <ChartFrame
      {...own.frame({
        columns: [
          t('statistic.step'),
          t('common:tile.definition.numerator'),
          t('common:tile.definition.denominator'),
          '%',
        ],
        rows: steps.map((step) => [
          own.titleOf(step),
          numberOf(step)?.numerator ?? null,
          numberOf(step)?.denominator ?? null,
          own.cell(numberOf(step), 'share'),
        ]),
      })}
    >
      <BarChart
        label={own.label()}
        whole={1}
        bars={steps.map((step) => ({
          key: step,
          label: own.titleOf(step),
          value: numberOf(step)?.value ?? null,
          valueText: textOf(step),
          text: isWithheld(numberOf(step))
            ? t('mark.withheld', { name: own.titleOf(step) })
            : t('mark.values', { name: own.titleOf(step), values: textOf(step) }),
          suppressed: isWithheld(numberOf(step)),
        }))}
        hrefOf={own.hrefOf}
      />
    </ChartFrame>
  );
}
