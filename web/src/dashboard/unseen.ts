import { useTranslation } from 'react-i18next';
import { useMay } from '../session/permissions.ts';
import { useAppSelector } from '../session/store.ts';

/**
 * Facts about a person that depend on the reporting place: organizations and facilities see only their own
 * reports.
 */
const ofPlaces: readonly string[] = ['race', 'ethnicity', 'countyFips'];

export interface Unseen {
  /** One sentence for each thing that all numbers omit for this reader. */
  ofAll: readonly string[];
  /** The same for numbers split by these columns. */
  by(columns: readonly string[]): readonly string[];
  /** Whether the reader sees only what their own places reported about a person. */
  isWithin: boolean;
}

/** What the reader may not see and might otherwise think does not exist. */
export function useUnseen(): Unseen {
  const { t } = useTranslation('analytics');
  const may = useMay();
  const isWithin = useAppSelector(({ authentication: { selectedTenantOrg } }) =>
    ['O', 'F'].includes(selectedTenantOrg?.orgType ?? ''),
  );
  return {
    ofAll: may('restricted-families/read')
      ? []
      : [t('screen.withoutRestricted', { permission: t('common:permission.restricted-families/read') })],
    by: (columns) =>
      isWithin && columns.some((column) => ofPlaces.includes(column))
        ? [t('screen.toldElsewhere', { missing: t('common:filter.missing') })]
        : [],
    isWithin,
  };
}
