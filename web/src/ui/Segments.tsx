import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';

/** One of a few, all in sight: radio buttons in one row. */
export function Segments<Value extends string>({
  label,
  value,
  onChange,
  options,
  hideLabel = false,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; icon?: LucideIcon }[];
  hideLabel?: boolean;
}) {
  const name = useId();
  return (
    <Box component="fieldset" sx={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Typography
        component="legend"
        variant="caption"
        sx={{
          padding: 0,
          marginBottom: 1.5,
          color: 'text.secondary',
          ...(hideLabel
            ? {
                position: 'absolute',
                clipPath: 'inset(50%)',
                width: '1px',
                height: '1px',
                overflow: 'hidden',
              }
            : {}),
        }}
      >
        {label}
      </Typography>
      <Box
        sx={{
          // All equally wide if there is room, and never narrower than their words: then they take a second row.
          display: 'flex',
          flexWrap: 'wrap',
          gap: '2px',
          padding: '2px',
          borderRadius: '8px',
          backgroundColor: 'raised',
          '@media (forced-colors: active)': { border: '1px solid ButtonText' },
        }}
      >
        {options.map((option) => {
          const Icon = option.icon;
          const on = option.value === value;
          return (
            <Box
              component="label"
              key={option.value}
              sx={{
                position: 'relative',
                flex: '1 0 0',
                minWidth: 'max-content',
                display: 'flex',
                alignItems: 'center',
                justifyContent: 'center',
                gap: 1.5,
                minHeight: 32,
                padding: '4px 8px',
                borderRadius: '6px',
                cursor: 'pointer',
                fontSize: '0.8125rem',
                color: on ? 'text.primary' : 'text.secondary',
                fontWeight: on ? 550 : 400,
                backgroundColor: on ? 'surface' : 'transparent',
                boxShadow: on ? '0 1px 2px rgb(10 20 30 / 0.12)' : 'none',
                '@media (forced-colors: active)': on
                  ? { forcedColorAdjust: 'none', color: 'HighlightText', backgroundColor: 'Highlight' }
                  : {},
                '&:has(:focus-visible)': {
                  outline: (theme) => `2px solid ${theme.vars.palette.focus}`,
                  outlineOffset: '2px',
                },
              }}
            >
              <Box
                component="input"
                type="radio"
                name={name}
                value={option.value}
                checked={on}
                onChange={() => onChange(option.value)}
                sx={{ position: 'absolute', inset: 0, opacity: 0, margin: 0, cursor: 'inherit' }}
              />
              {Icon ? <Icon size={15} aria-hidden /> : null}
              <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
                {option.label}
              </Box>
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
