import type { MeasureValue } from '@caseway/contract/analytics';
import type { Unit } from '@caseway/contract/measure';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../words/formats.ts';

/** A value with its unit, short: for the end of a bar, a cell, a sentence. */
export function useUnitText(): (value: number, unit: Unit) => string {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  return (value, unit) => {
    if (unit === 'share') return formats.share(value);
    if (unit === 'hours' || unit === 'days' || unit === 'minutes')
      return t(`unit.${unit}`, { value: formats.number(value) });
    if (unit === 'rate') return formats.rate(value);
    if (unit === 'ratio') return formats.number(value, 2);
    if (unit === 'instant') return formats.instant(new Date(value));
    if (unit === 'day') return formats.day(new Date(value).toISOString().slice(0, 10));
    return formats.count(value);
  };
}

/**
 * A measure in words with its unit; null if there is no value. A withheld number is not "<11": of a larger number, too few
 * people may be in the half that is counted.
 */
export function useNumberText(): (measure: MeasureValue | undefined, unit: Unit) => string | null {
  const { t } = useTranslation(['analytics', 'charts', 'common']);
  const unitText = useUnitText();
  const formats = useFormats();
  return (measure, unit) => {
    if (!measure) return null;
    if (measure.suppressed) return t('charts:chart.withheld');
    if (measure.without) return t(`common:tile.without.${measure.without}`);
    if (measure.value === null) return null;
    const value = measure.whole ? formats.wholeShare(measure.value) : unitText(measure.value, unit);
    if (measure.unstable) return t('mark.unstable', { value });
    return measure.rough ? t('mark.rough', { value }) : value;
  };
}
