import Box from '@mui/material/Box';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A state as a word, with a mark that is easy to find in a list. */
export function IconMark({
  icon: Icon,
  color,
  children,
}: {
  icon: LucideIcon;
  /** A color of the theme's palette. */
  color: string;
  children: ReactNode;
}) {
  return (
    <Box
      component="span"
      sx={{ display: 'inline-flex', verticalAlign: 'middle', alignItems: 'center', gap: 1.5 }}
    >
      <Box component="span" aria-hidden sx={{ display: 'inline-flex', color }}>
        <Icon size={15} />
      </Box>
      <Box component="span" sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {children}
      </Box>
    </Box>
  );
}
