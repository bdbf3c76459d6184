import { timeZones } from '@caseway/contract/reference';
import { nameOfTimeZone } from '@caseway/contract/time-zone';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi } from './api.ts';

/** Every time zone as a choice, and one more where it is none of them. */
export function useTimeZones(current?: string): { value: string; label: string }[] {
  const { i18n } = useTranslation();
  const { data } = useApi(timeZones, undefined, { staleTime: cacheMs });
  const options = (data?.timeZones ?? []).map((zone) => ({
    value: zone.id,
    label: nameOfTimeZone(zone.id, i18n.language),
  }));
  if (current && !options.some(({ value }) => value === current))
    return [{ value: current, label: nameOfTimeZone(current, i18n.language) }, ...options];
  return options;
}
