import { labelIn } from '@caseway/contract/label';
import type { OrgType } from '@caseway/contract/session';
import { type GrantableRole, grantableRoles } from '@caseway/contract/users';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { type Ref, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';

/**
 * The tenant's roles for one organization: what each allows there, and which the user may not give and why. A
 * role that someone already has can always be kept.
 */
export function RoleChoice({
  orgType,
  orgId,
  value,
  kept = [],
  fault,
  inputRef,
  onChange,
}: {
  orgType: OrgType;
  orgId: string;
  value: readonly string[];
  /** The person's current roles. */
  kept?: readonly string[];
  /** The fault of the choice, in words. */
  fault?: string | undefined;
  /** The checkbox that takes the focus on a fault: the first enabled one. */
  inputRef?: Ref<HTMLInputElement>;
  onChange: (roleIds: string[]) => void;
}) {
  const { t, i18n } = useTranslation('users');
  const id = useId();
  const query = useApi(grantableRoles, { query: { orgType, orgId } }, { keepPrevious: false });
  // A role that allows nothing in this kind of organization is shown only if the person has it.
  const says = ({ id: roleId, permissions }: GrantableRole) =>
    kept.includes(roleId) || permissions.some((permission) => permission !== 'general/other');
  const isLocked = ({ id: roleId, missing }: GrantableRole) =>
    missing.length > 0 && !kept.includes(roleId) && !value.includes(roleId);
  const said = (permissions: readonly string[]) =>
    permissions.map((permission) => t(`common:permission.${permission}`)).join(', ');
  return (
    <Box
      component="fieldset"
      aria-describedby={fault === undefined ? undefined : `${id}-fault`}
      sx={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}
    >
      <Typography component="legend" variant="body2" sx={{ fontWeight: 550, padding: 0, marginBottom: 1.5 }}>
        {t('field.roles')}
      </Typography>
      <Answered query={query} height={240}>
        {({ roles }) => (
          <Box sx={{ display: 'grid', gap: 0.5 }}>
            {roles.filter(says).map((role, _, offered) => {
              const checked = value.includes(role.id);
              const allowed = role.permissions.filter((permission) => permission !== 'general/other');
              const locked = isLocked(role);
              const first = offered.find((one) => !isLocked(one)) === role;
              return (
                <Box key={role.id} sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
                  <Checkbox
                    id={`${id}-${role.id}`}
                    checked={checked}
                    disabled={locked}
                    slotProps={{
                      input: {
                        'aria-describedby': `${id}-${role.id}-says`,
                        ...(first && inputRef && { ref: inputRef }),
                      },
                    }}
                    onChange={(event) =>
                      onChange(
                        event.target.checked ? [...value, role.id] : value.filter((one) => one !== role.id),
                      )
                    }
                    sx={{ margin: '-4px 0' }}
                  />
                  <Box sx={{ minWidth: 0 }}>
                    <Typography component="label" htmlFor={`${id}-${role.id}`} variant="body1">
                      {labelIn(role, i18n.language)}
                    </Typography>
                    <Typography
                      id={`${id}-${role.id}-says`}
                      variant="caption"
                      component="p"
                      sx={{ color: 'text.secondary' }}
                    >
                      {role.missing.length > 0
                        ? t('roles.missing', { permissions: said(role.missing) })
                        : allowed.length === 0
                          ? t('roles.nothing')
                          : said(allowed)}
                    </Typography>
                  </Box>
                </Box>
              );
            })}
          </Box>
        )}
      </Answered>
      {fault === undefined ? null : (
        <Typography id={`${id}-fault`} variant="body2" sx={{ color: 'error.main', marginTop: 1.5 }}>
          {fault}
        </Typography>
      )}
    </Box>
  );
}
