import { tenantRefusals } from '@caseway/contract/system';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../transport.ts';

/** A wide table, which scrolls by itself and can be scrolled with the keyboard. */
export function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      role="region"
      aria-label={label}
      tabIndex={0}
      sx={{
        position: 'relative',
        overflowX: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: '10px',
        backgroundColor: 'surface',
      }}
    >
      {children}
    </Box>
  );
}

type TenantRefusal = (typeof tenantRefusals)[number];
const isRefusal = (code: string): code is TenantRefusal =>
  (tenantRefusals as readonly string[]).includes(code);

/** Why a change of a tenant was refused, in words. */
export function Refused({ error }: { error: AppError | null }) {
  const { t } = useTranslation('system');
  if (error === null) return null;
  const codes = error.faults.map(({ code }) => code).filter(isRefusal);
  return (
    <Alert severity="error">
      {codes.length > 0
        ? codes.map((code) => t(`refusal.${code}`)).join(' ')
        : t(`common:error.${error.code}`)}
    </Alert>
  );
}
