import Box from '@mui/material/Box';
import type { SxProps } from '@mui/material/styles';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** One line above a screen that says what is wrong or pending, with an icon. */
export function StatusLine({
  icon: Icon,
  sx = {},
  children,
}: {
  icon: LucideIcon;
  sx?: SxProps;
  children: ReactNode;
}) {
  return (
    <Box
      sx={[
        {
          display: 'flex',
          alignItems: 'center',
          gap: 2,
          padding: '8px 20px',
          fontSize: '0.875rem',
          backgroundColor: 'raised',
          borderBottom: 1,
          borderColor: 'divider',
        },
        sx as object,
      ]}
    >
      <Box component="span" aria-hidden sx={{ display: 'flex', color: 'warning.main' }}>
        <Icon size={16} />
      </Box>
      {children}
    </Box>
  );
}
