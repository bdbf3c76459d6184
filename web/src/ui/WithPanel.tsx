import Box from '@mui/material/Box';
import type { KeyboardEvent, ReactNode } from 'react';

/** A list with the open record next to it in a `SidePanel`; Escape in the list also closes it. */
export function WithPanel({
  panel,
  onClose,
  children,
}: {
  /** Null while no record is open. */
  panel: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Box
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') onClose();
      }}
      sx={{ display: 'flex', flex: 1, minHeight: 0, minWidth: 0, gap: 4 }}
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0, minHeight: 0 }}>
        {children}
      </Box>
      {panel}
    </Box>
  );
}
