import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Names and values; what has no value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Box
      component="dl"
      sx={{
        margin: 0,
        display: 'grid',
        gap: '6px 16px',
        gridTemplateColumns: 'minmax(104px, max-content) minmax(0, 1fr)',
        fontSize: '0.8125rem',
        lineHeight: 20 / 13,
      }}
    >
      {facts.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <Box key={name} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ margin: 0, overflowWrap: 'anywhere' }}>
              {value}
            </Box>
          </Box>
        ),
      )}
    </Box>
  );
}
