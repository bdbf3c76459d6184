import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';

/** One screen of the portal under its heading, in letters that are read at arm's length. */
export function Screen({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    // What is looked at stands in no title: others see a phone's list of windows.
    document.title = 'Caseway';
  }, []);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
      <Box>
        <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        {lead ? (
          <Typography sx={{ color: 'text.secondary', marginTop: 1, fontSize: '1rem', lineHeight: '24px' }}>
            {lead}
          </Typography>
        ) : null}
      </Box>
      {children}
    </Box>
  );
}
