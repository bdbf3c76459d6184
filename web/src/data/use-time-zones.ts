import { timeZones } from '@caseway/contract/reference';
import { nameOfTimeZone, zonesOfState } from '@caseway/contract/time-zone';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '../session/time-zone.ts';
import type { Choice } from '../ui/ChoiceField.tsx';
import { cacheMs, useApi } from './api.ts';

/**
 * Every time zone as a choice, searchable by name or IANA name: a state's zones first, then the tenant's,
 * then the others of its country. Adds `current` if it is none of them.
 */
export function useTimeZones(current: string, state = ''): { zones: Choice[]; loading: boolean } {
  const { i18n } = useTranslation();
  const own = useTimeZone();
  const { data, isPending } = useApi(timeZones, undefined, { staleTime: cacheMs });
  const all = (data?.timeZones ?? []).map(({ id }) => id);
  const known = new Set(all);
  const first = [...zonesOfState(state), own].filter((zone) => known.has(zone));
  const unknown = current === '' || known.has(current) ? [] : [current];
  const zones = [...new Set([...unknown, ...first, ...all])].map((id) => ({
    id,
    label: nameOfTimeZone(id, i18n.language),
    detail: id,
  }));
  return { zones, loading: isPending };
}
