import type { OrgType } from '@caseway/contract/session';
import { userGrids, userRefusals } from '@caseway/contract/users';
import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { type AppError, refusalsIn } from '../../data/transport.ts';
import { useMay } from '../../session/permissions.ts';
import { useAppSelector } from '../../session/store.ts';
import { ScreenTabs } from '../../ui/ScreenTabs.tsx';
import { pathOfType, recoveryPath } from './paths.ts';

/** What every change of a user makes stale. */
export const userSearches = Object.values(userGrids).map(({ id }) => ({
  path: `/api/web/grid/${id}/search`,
}));

/** The types of organization whose users can be administered from the current one. */
export function useAdministeredTypes(): readonly OrgType[] {
  const org = useAppSelector((state) => state.authentication.selectedTenantOrg);
  if (org === null || org.orgType === 'PHJ') return [];
  if (org.orgType === 'F') return ['F'];
  if (org.orgType === 'O') return ['O', 'F'];
  return org.experience === 'SYSTEM_ADMINISTRATION' ? ['T'] : ['T', 'O', 'F', 'PHJ'];
}

export function UsersNavigation() {
  const { t } = useTranslation('users');
  const types = useAdministeredTypes();
  const decides = useMay()('users/write');
  const places = [
    ...types.map((type) => ({ to: pathOfType[type], label: t(`tab.${type}`) })),
    ...(decides && types.length > 0 ? [{ to: recoveryPath, label: t('tab.recovery') }] : []),
  ];
  return places.length < 2 ? null : <ScreenTabs label={t('common:screen.users')} places={places} />;
}

/** The keys of refusal texts. */
export const refusalKeys = Object.fromEntries(userRefusals.map((code) => [code, `users:refusal.${code}`]));

/** Why a change was refused, in words. */
export function Refused({ error }: { error: AppError | null }) {
  const { t } = useTranslation('users');
  if (error === null) return null;
  const codes = refusalsIn(error, userRefusals);
  return (
    <Alert severity="error">
      {codes.length > 0
        ? codes.map((code) => t(`refusal.${code}`)).join(' ')
        : t(`common:error.${error.code}`)}
    </Alert>
  );
}

export const fullName = (user: { firstName: string; middleName?: string | null; lastName: string }): string =>
  [user.firstName, user.middleName, user.lastName].filter(Boolean).join(' ');
