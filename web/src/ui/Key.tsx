import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** The name of the machine's command key. */
export const commandKey = (): string => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl');

/** A key as on a keyboard. */
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

/** Whether a key pressed there types text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
