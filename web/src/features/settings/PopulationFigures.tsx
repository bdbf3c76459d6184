import type { PopulationYear } from '@caseway/contract/population';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../words/formats.ts';

/** How many people in how many counties, and how they are broken down. */
export function Figures({ of }: { of: Pick<PopulationYear, 'people' | 'counties' | 'bySex' | 'ages'> }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  return [
    formats.count(of.people),
    t('population.counties', { count: of.counties, number: formats.count(of.counties) }),
    t(of.bySex ? 'population.bySex' : 'population.notBySex'),
    of.ages > 1 ? t('population.byAge', { count: of.ages }) : t('population.notByAge'),
  ].join(' · ');
}
