import type { Classification } from '@caseway/contract/case-reports';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/**
 * How much of the disc is filled: the more certain, the fuller. Never shown by colour alone; the word is next to it.
 */
const discs: Readonly<Record<Classification, ReactNode>> = {
  confirmed: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  probable: (
    <>
      <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1a5 5 0 0 0 0 10z" fill="currentColor" />
    </>
  ),
  suspect: <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  not_a_case: <path d="M1.5 6h9" stroke="currentColor" strokeWidth="1.5" />,
  unknown: (
    <circle
      cx="6"
      cy="6"
      r="4.25"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="2 2"
    />
  ),
};

/** A classification with its disc. */
export function CaseMark({ kind, children }: { kind: Classification; children: ReactNode }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
      <Box
        component="svg"
        viewBox="0 0 12 12"
        aria-hidden
        sx={{
          width: 12,
          height: 12,
          flex: 'none',
          color: kind === 'not_a_case' || kind === 'unknown' ? 'text.tertiary' : 'primary.main',
        }}
      >
        {discs[kind]}
      </Box>
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {children}
      </Box>
    </Box>
  );
}
