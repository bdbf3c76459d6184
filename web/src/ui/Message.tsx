import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Replaces content: what happened, why, and what to do about it. */
export function Message({
  icon: Icon,
  title,
  children,
  actions,
  level = 'h2',
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** The heading's level in the page's outline. */
  level?: 'h1' | 'h2' | 'h3';
}) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'center',
        textAlign: 'center',
        gap: 2,
        padding: 6,
        minHeight: 240,
      }}
    >
      <Box
        aria-hidden
        sx={{
          display: 'grid',
          placeItems: 'center',
          width: 44,
          height: 44,
          borderRadius: '10px',
          backgroundColor: 'raised',
          color: 'text.secondary',
          marginBottom: 1,
        }}
      >
        <Icon size={22} strokeWidth={1.75} />
      </Box>
      <Typography variant="h3" component={level}>
        {title}
      </Typography>
      {children ? (
        <Typography component="div" variant="body1" sx={{ color: 'text.secondary', maxWidth: '56ch' }}>
          {children}
        </Typography>
      ) : null}
      {actions ? <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, marginTop: 2 }}>{actions}</Box> : null}
    </Box>
  );
}
