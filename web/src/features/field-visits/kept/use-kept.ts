import { useEffect } from 'react';
import { useTimeZone } from '../../../session/time-zone.ts';
import { type Formats, formatsFor } from '../../../words/formats.ts';
import { type KeptList, loadKept, useKeptList } from './kept-list.ts';

/** The data on this device; read on first use. */
export function useKept(): KeptList {
  const kept = useKeptList();
  useEffect(() => void loadKept(), []);
  return kept;
}

/** Formats in the tenant's time zone, even while no organization is known. */
export function useKeptFormats(): Formats {
  const own = useTimeZone();
  return formatsFor(useKeptList().lease?.timeZone ?? own);
}
