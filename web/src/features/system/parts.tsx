import { tenantRefusals } from '@caseway/contract/system';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type AppError, refusalsIn } from '../../data/transport.ts';
import { framed } from '../../ui/framed.ts';

/** A wide table with its own scrolling, by keyboard too. */
export function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      role="region"
      aria-label={label}
      tabIndex={0}
      sx={{
        position: 'relative',
        overflowX: 'auto',
        ...framed,
      }}
    >
      {children}
    </Box>
  );
}

/** Why a change of a tenant was refused, in words. */
export function Refused({ error }: { error: AppError | null }) {
  const { t } = useTranslation('system');
  if (error === null) return null;
  const codes = refusalsIn(error, tenantRefusals);
  return (
    <Alert severity="error">
      {codes.length > 0
        ? codes.map((code) => t(`refusal.${code}`)).join(' ')
        : t(`common:error.${error.code}`)}
    </Alert>
  );
}
