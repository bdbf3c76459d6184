import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Whether the machine calls its command key Cmd. */
export const commandKey = (): string => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl');

/** A key as it is on a keyboard. */
export function Key({ children }: { children: ReactNode }) {
  return (
    <Box
      component="kbd"
      sx={{
        fontFamily: 'inherit',
        fontSize: '0.75rem',
        lineHeight: 16 / 12,
        padding: '1px 6px',
        borderRadius: '4px',
        border: 1,
        borderColor: 'divider',
        backgroundColor: 'surface',
        color: 'text.secondary',
        whiteSpace: 'nowrap',
      }}
    >
      {children}
    </Box>
  );
}

/** Whether a key that is pressed there types text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
