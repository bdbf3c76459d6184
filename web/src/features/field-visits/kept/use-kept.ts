import { useEffect } from 'react';
import { useTimeZone } from '../../../session/time-zone.ts';
import { type Formats, formatsFor } from '../../../words/formats.ts';
import { type KeptList, loadKept, useKeptList } from './kept-list.ts';

/** What this device keeps; read when it is first asked for. */
export function useKept(): KeptList {
  const kept = useKeptList();
  useEffect(() => void loadKept(), []);
  return kept;
}

/** Days and times where the tenant is, also while nobody knows for which one somebody acts. */
export function useKeptFormats(): Formats {
  const own = useTimeZone();
  return formatsFor(useKeptList().lease?.timeZone ?? own);
}
