import Box from '@mui/material/Box';
import { Ban, Check, CornerLeftUp, Minus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ScreenTabs } from '../../ui/ScreenTabs.tsx';
import type { GrantState } from './grants.ts';

export function RolesNavigation() {
  const { t } = useTranslation('roles');
  return (
    <ScreenTabs
      label={t('common:screen.roles')}
      places={[
        { to: '/admin/roles', label: t('tab.roles') },
        { to: '/admin/roles/check', label: t('tab.check') },
      ]}
    />
  );
}

/** A role's setting as an icon; color is never the only sign. Inherited ones have an arrow. */
export function GrantMark({ state, label }: { state: GrantState; label: string }) {
  const { effect, from } = state;
  const Icon = effect === 'allow' ? Check : effect === 'deny' ? Ban : Minus;
  return (
    <Box
      component="span"
      role="img"
      aria-label={label}
      title={label}
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        color: effect === 'allow' ? 'success.main' : effect === 'deny' ? 'error.main' : 'text.tertiary',
      }}
    >
      <Icon size={16} aria-hidden strokeWidth={from === null ? 2.5 : 1.5} />
      {from === null ? null : <CornerLeftUp size={12} aria-hidden />}
    </Box>
  );
}
