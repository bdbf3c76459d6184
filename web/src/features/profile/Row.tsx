import Box from '@mui/material/Box';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** One item of the account: its mark, its name, and its actions. */
export function Row({
  icon: Icon,
  actions,
  children,
}: {
  icon: LucideIcon;
  actions: ReactNode;
  children: ReactNode;
}) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        paddingY: 3,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box component="span" aria-hidden sx={{ display: 'flex', color: 'text.secondary' }}>
        <Icon size={20} strokeWidth={1.75} />
      </Box>
      <Box sx={{ flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere' }}>{children}</Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, '&:empty': { display: 'none' } }}>{actions}</Box>
    </Box>
  );
}
