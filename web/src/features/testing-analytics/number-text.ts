import type { Measure, MeasureValue } from '@caseway/contract/analytics';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../formats.ts';

/**
 * A measure in words with its unit; null where there is no value. A withheld count is below the threshold; a withheld
 * share or time is only withheld, since "<11" would read as so many per cent or hours.
 */
export function useNumberText(
  threshold: number | null,
): (measure: MeasureValue | undefined, unit: Measure['unit']) => string | null {
  const { t } = useTranslation(['testing-analytics', 'charts']);
  const formats = useFormats();
  return (measure, unit) => {
    if (!measure) return null;
    if (measure.suppressed) return unit === 'count' ? `<${threshold ?? ''}` : t('charts:chart.withheld');
    if (measure.value === null) return null;
    if (unit === 'share') return formats.share(measure.value);
    if (unit === 'hours') return t('screen.hours', { value: formats.number(measure.value) });
    return formats.count(measure.value);
  };
}
