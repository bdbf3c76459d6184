import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

/** The buttons of a long form, which stay visible while it scrolls, and above messages. */
export function StickyActions({ sx, children }: { sx?: SxProps<Theme>; children: ReactNode }) {
  return (
    <Box
      sx={[
        {
          position: 'sticky',
          bottom: 'var(--cw-notifications, 0px)',
          zIndex: 2,
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 2,
          paddingY: 3,
          borderTop: 1,
          borderColor: 'divider',
          backgroundColor: 'surface',
        },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    >
      {children}
    </Box>
  );
}
