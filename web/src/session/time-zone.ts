import { useAppSelector } from './store.ts';

/** The time zone of days and ranges: the selected organisation's, before that the machine's. */
export const useTimeZone = (): string =>
  useAppSelector((state) => state.authentication.selectedTenantOrg?.timeZone) ??
  Intl.DateTimeFormat().resolvedOptions().timeZone;
