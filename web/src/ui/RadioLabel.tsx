import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

/** A radio button that looks like its label: only the label is visible, and all of it can be pressed. */
export function RadioLabel({
  name,
  value,
  on,
  onChoose,
  sx,
  children,
}: {
  /** The name of the group. */
  name: string;
  value: string;
  on: boolean;
  onChoose: () => void;
  sx: SxProps<Theme>;
  children: ReactNode;
}) {
  return (
    <Box
      component="label"
      sx={[
        { position: 'relative', cursor: 'pointer' },
        ...[sx].flat(),
        // After the label's colors, which these replace.
        {
          '@media (forced-colors: active)': on
            ? { forcedColorAdjust: 'none', color: 'HighlightText', backgroundColor: 'Highlight' }
            : {},
          '&:has(:focus-visible)': {
            outline: (theme: Theme) => `2px solid ${theme.vars!.palette.focus}`,
            outlineOffset: '2px',
          },
        },
      ]}
    >
      <Box
        component="input"
        type="radio"
        name={name}
        value={value}
        checked={on}
        onChange={onChoose}
        sx={{ position: 'absolute', inset: 0, opacity: 0, margin: 0, cursor: 'inherit' }}
      />
      {children}
    </Box>
  );
}
