import Box from '@mui/material/Box';
import type { FormEvent, ReactNode } from 'react';

/** A form with its fields one below the other. Its faults are shown by the fields, not by the browser. */
export function FormFrame({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      {children}
    </Box>
  );
}
