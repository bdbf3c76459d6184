import { missingKey } from '@caseway/contract/analytics';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { labelsOf, useLookup } from '../../use-lookup.ts';

/** The label of a key in its dimension's look-up; a key without an entry is its own label (an assay). */
export function useLabels(): (dimension: string, key: string) => string {
  const { t } = useTranslation();
  const programTypes = useLookup('programTypes').options;
  const programs = useLookup('programs').options;
  const tasks = useLookup('tasks').options;
  const facilities = useLookup('facilities').options;
  const counties = useLookup('counties').options;
  const diseaseFamilies = useLookup('diseaseFamilies').options;
  const ageBands = useLookup('ageBands').options;
  const sex = useLookup('sex').options;
  const gender = useLookup('gender').options;
  const race = useLookup('race').options;
  const ethnicity = useLookup('ethnicity').options;
  const resultCategories = useLookup('resultCategories').options;
  return useMemo(() => {
    const lookups = {
      programTypes,
      programs,
      tasks,
      facilities,
      counties,
      diseaseFamilies,
      ageBands,
      sex,
      gender,
      race,
      ethnicity,
      resultCategories,
    };
    const index = new Map(Object.entries(lookups).map(([name, options]) => [name, labelsOf(options)]));
    return (dimension, key) =>
      key === missingKey ? t('filter.missing') : (index.get(dimension)?.get(key) ?? key);
  }, [
    t,
    programTypes,
    programs,
    tasks,
    facilities,
    counties,
    diseaseFamilies,
    ageBands,
    sex,
    gender,
    race,
    ethnicity,
    resultCategories,
  ]);
}
