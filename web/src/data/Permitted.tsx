import type { Permission } from '@caseway/contract/endpoint';
import { featuresNeeded, grantableOn, permissions, subjectKindOf } from '@caseway/contract/permission';
import Button from '@mui/material/Button';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectFeatures, useMay } from '../session/permissions.ts';
import { askWhy } from '../session/refused.ts';
import { useAppSelector } from '../session/store.ts';

/**
 * An action for people with its permission. For others it is locked; pressing it shows which permission it
 * needs and who can grant it. Nothing if no one can have the permission.
 */
export function Permitted({
  permission,
  label,
  size = 'medium',
  children,
}: {
  permission: Permission;
  /** The action's name. */
  label: string;
  size?: 'small' | 'medium';
  children: ReactNode;
}) {
  const may = useMay();
  const isGrantable = useIsGrantable(permission);
  if (may(permission)) return children;
  return isGrantable ? <Locked permission={permission} label={label} size={size} /> : null;
}

/**
 * Whether someone in the current organization could have a permission: its features are on, and it has an
 * effect there.
 */
export function useIsGrantable(permission: Permission): boolean {
  const org = useAppSelector(({ authentication }) => authentication.selectedTenantOrg);
  const features = useAppSelector(selectFeatures);
  const known = permissions.find((one) => one === permission);
  return (
    org !== null &&
    known !== undefined &&
    featuresNeeded(known).every((feature) => features.has(feature)) &&
    grantableOn(known).includes(subjectKindOf(org.orgType, org.experience))
  );
}

function Locked({
  permission,
  label,
  size,
}: {
  permission: Permission;
  label: string;
  size: 'small' | 'medium';
}) {
  const { t } = useTranslation();
  return (
    <Button
      variant="outlined"
      size={size}
      // The keyboard still reaches it, so that the reason can be read.
      aria-disabled
      aria-haspopup="dialog"
      title={t('access.needs', { permission: t(`permission.${permission}`) })}
      startIcon={<Lock size={14} aria-hidden />}
      sx={{ color: 'text.secondary', borderColor: 'divider' }}
      onClick={() => askWhy(permission)}
    >
      {label}
    </Button>
  );
}
