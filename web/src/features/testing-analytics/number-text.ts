import type { Measure, MeasureValue } from '@caseway/contract/analytics';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';

/**
 * A measure in words with its unit; null if there is no value. A withheld number is not "<11": it may be a large number
 * from which a small one could be worked out.
 */
export function useNumberText(): (measure: MeasureValue | undefined, unit: Measure['unit']) => string | null {
  const { t } = useTranslation(['testing-analytics', 'charts']);
  const formats = useFormats();
  return (measure, unit) => {
    if (!measure) return null;
    if (measure.suppressed) return t('charts:chart.withheld');
    if (measure.value === null) return null;
    if (unit === 'share') return formats.share(measure.value);
    if (unit === 'hours') return t('screen.hours', { value: formats.number(measure.value) });
    return formats.count(measure.value);
  };
}
