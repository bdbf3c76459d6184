import type { MeasureValue } from '@caseway/contract/analytics';
import type { Formula, Unit } from '@caseway/contract/measure';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../words/formats.ts';

/** A value with its unit: short for an axis, a bar or a cell; with `isSaid`, in words for a sentence. */
export function useUnitText(): (value: number, unit: Unit, isSaid?: boolean) => string {
  const { t } = useTranslation(['analytics', 'common']);
  const formats = useFormats();
  return (value, unit, isSaid = false) => {
    if (unit === 'share') return formats.share(value);
    if (unit === 'hours' || unit === 'days' || unit === 'minutes')
      return isSaid
        ? // The plural follows the displayed number, so that 1.04 is singular.
          t(`common:tile.${unit}`, { number: formats.number(value), count: Math.round(value * 10) / 10 })
        : t(`unit.${unit}`, { value: formats.number(value) });
    if (unit === 'rate') return formats.rate(value);
    if (unit === 'ratio') return formats.number(value, 2);
    if (unit === 'instant') return formats.instant(new Date(value));
    if (unit === 'day') return formats.day(new Date(value).toISOString().slice(0, 10));
    return formats.count(value);
  };
}

/**
 * A measure in words with its unit; null without a value. A withheld number is not shown as "<11": even a
 * larger number can have too few people in the counted half.
 */
export function useNumberText(): (
  measure: MeasureValue | undefined,
  unit: Unit,
  isSaid?: boolean,
) => string | null {
  const { t } = useTranslation(['analytics', 'charts', 'common']);
  const unitText = useUnitText();
  const formats = useFormats();
  return (measure, unit, isSaid) => {
    if (!measure) return null;
    if (measure.suppressed) return t('charts:chart.withheld');
    if (measure.without) return t(`common:tile.without.${measure.without}`);
    if (measure.value === null) return null;
    const value = measure.whole ? formats.wholeShare(measure.value) : unitText(measure.value, unit, isSaid);
    if (measure.unstable) return t('mark.unstable', { value });
    if (!measure.rough) return value;
    // Screen readers leave out the sign.
    return isSaid ? t('mark.roughSaid', { value }) : t('mark.rough', { value });
  };
}

/** What a rate is per: `per 100,000 people and year`; undefined for other measures. */
export function usePerText(): (formula: Formula) => string | undefined {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  return (formula) =>
    formula.form === 'rate'
      ? t(`rate.per.${formula.population}`, { number: formats.count(formula.per) })
      : undefined;
}
