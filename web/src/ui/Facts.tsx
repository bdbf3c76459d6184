import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Names and values; names without a value are left out. `large`: for phones, with letters of any size. */
export function Facts({
  facts,
  large = false,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  large?: boolean;
}) {
  return (
    <Box
      component="dl"
      sx={{
        margin: 0,
        display: 'grid',
        gap: '6px 16px',
        ...(large
          ? { gridTemplateColumns: 'minmax(0, 1fr)', fontSize: '1rem', lineHeight: 1.5 }
          : {
              // A long name leaves room for its value.
              gridTemplateColumns: 'fit-content(45%) minmax(0, 1fr)',
              '& > div > dt': { minWidth: 104 },
              fontSize: '0.8125rem',
              lineHeight: 20 / 13,
            }),
      }}
    >
      {facts.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <Box
            key={name}
            // With large letters, the value is below its name.
            sx={large ? { display: 'flex', flexWrap: 'wrap', columnGap: 4 } : { display: 'contents' }}
          >
            <Box component="dt" sx={{ flex: '0 1 8rem', color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ flex: '1 1 9rem', minWidth: 0, margin: 0, overflowWrap: 'anywhere' }}>
              {value}
            </Box>
          </Box>
        ),
      )}
    </Box>
  );
}
