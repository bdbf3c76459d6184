import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

/** Fields that are disabled together, without any styling. */
export function PlainFieldset({
  disabled = false,
  sx,
  children,
}: {
  disabled?: boolean;
  sx?: SxProps<Theme>;
  children: ReactNode;
}) {
  return (
    <Box
      component="fieldset"
      disabled={disabled}
      sx={[
        {
          border: 0,
          margin: 0,
          padding: 0,
          minWidth: 0,
          display: 'grid',
          gap: 4,
          gridTemplateColumns: 'minmax(0, 1fr)',
        },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    >
      {children}
    </Box>
  );
}
