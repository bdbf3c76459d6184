import { missingKey } from '@caseway/contract/analytics';
import { testingAnalytics, testingFilters } from '@caseway/contract/testing-analytics';
import { useTranslation } from 'react-i18next';
import { type Labels, useLabels } from '../../data/use-labels.ts';

/** The look-ups behind the dimensions of the series and the filters. */
const dimensions = [
  ...Object.values(testingAnalytics.series).map(({ dimension }) => dimension),
  ...Object.values(testingFilters),
  'sex',
] as const;
export type Dimension = (typeof dimensions)[number];

export interface DimensionLabels {
  of(dimension: Dimension, key: string): string;
  /** Whether the labels of these dimensions are loaded. */
  state(...wanted: readonly Dimension[]): 'ready' | 'loading' | 'failed';
}

/** The labels of the keys of every dimension. A key is never its own label. */
export function useDimensionLabels(): DimensionLabels {
  const { t } = useTranslation();
  const lookups: Readonly<Partial<Record<Dimension, Labels>>> = {
    programTypes: useLabels('programTypes'),
    programs: useLabels('programs'),
    tasks: useLabels('tasks'),
    facilities: useLabels('facilities'),
    counties: useLabels('counties'),
    diseaseFamilies: useLabels('diseaseFamilies'),
    ageBands: useLabels('ageBands'),
    sex: useLabels('sex'),
    gender: useLabels('gender'),
    race: useLabels('race'),
    ethnicity: useLabels('ethnicity'),
    resultCategories: useLabels('resultCategories'),
  };
  return {
    of: (dimension, key) =>
      key === missingKey ? t('filter.missing') : (lookups[dimension]?.of(key) ?? t('label.unknown.other')),
    state: (...wanted) =>
      wanted.some((each) => lookups[each]?.loading)
        ? 'loading'
        : wanted.some((each) => lookups[each]?.failed)
          ? 'failed'
          : 'ready',
  };
}
