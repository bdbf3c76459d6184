import { useAppSelector } from './store.ts';

/** The time zone of days and ranges: the selected organization's, or before that the machine's. */
export const useTimeZone = (): string =>
  useAppSelector((state) => state.authentication.selectedTenantOrg?.timeZone) ??
  Intl.DateTimeFormat().resolvedOptions().timeZone;
