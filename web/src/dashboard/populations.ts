import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import type { Dashboard } from '@caseway/contract/dashboard';
import { useTranslation } from 'react-i18next';

/** The sources of these measures' populations, each once; nothing if none is a rate. */
export function usePopulations(): (
  of: Dashboard,
  answer: AnalyticsAnswer,
  measures: readonly string[],
) => string[] {
  const { t } = useTranslation('analytics');
  return (of, answer, measures) => {
    const used = measures.flatMap((name) => {
      const formula = of.measures[name]?.formula;
      return formula?.form === 'rate' ? formula.population : [];
    });
    return [...new Set(used)].flatMap((population) =>
      (answer.populations?.[population] ?? []).map(({ years, published, ...source }) =>
        t(`rate.from.${population}`, { ...source, published: String(published), years: years.join(', ') }),
      ),
    );
  };
}
