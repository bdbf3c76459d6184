import { type Language, languages } from '@caseway/contract/session';
import { useAppSelector } from '../session/store.ts';
import { languageOf } from './i18n.ts';

/** The languages the tenant offers, plus those already chosen; all of them until an organization is known. */
export function useOfferedLanguages(...chosen: readonly (string | undefined)[]): Language[] {
  const org = useAppSelector((state) => state.authentication.selectedTenantOrg);
  const { tenantLanguages } = useAppSelector((state) => state.authentication.languageSupport);
  const kept = chosen.map(languageOf);
  return languages.filter((one) => org === null || tenantLanguages.includes(one) || kept.includes(one));
}
