import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** A labeled input: label above, help and fault below, connected for assistive technology. */
export function Field({
  label,
  help,
  fault,
  required = false,
  id,
  children,
}: {
  label: string;
  help?: ReactNode;
  fault?: string | undefined;
  required?: boolean;
  id: string;
  /** The control; it takes these as `id`, `aria-describedby`, `aria-invalid`. */
  children: (control: { id: string; describedBy: string | undefined; invalid: boolean }) => ReactNode;
}) {
  const { t } = useTranslation();
  const describedBy =
    [help ? `${id}-help` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ') || undefined;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1.5 }}>
      <Typography component="label" htmlFor={id} variant="body2" sx={{ fontWeight: 550 }}>
        {label}
        {required ? null : (
          <Box component="span" sx={{ color: 'text.tertiary', fontWeight: 400 }}>
            {' '}
            {t('form.optional')}
          </Box>
        )}
      </Typography>
      {children({ id, describedBy, invalid: fault !== undefined })}
      {help ? (
        <Typography id={`${id}-help`} variant="caption" sx={{ color: 'text.secondary' }}>
          {help}
        </Typography>
      ) : null}
      {fault ? (
        <Typography id={`${id}-fault`} variant="body2" sx={{ color: 'error.main' }}>
          {fault}
        </Typography>
      ) : null}
    </Box>
  );
}
