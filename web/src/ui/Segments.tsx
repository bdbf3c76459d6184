import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { RadioLabel } from './RadioLabel.tsx';

/** One of few, all visible: radio buttons in a row. */
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
          // Equally wide if there is room, and never narrower than their text: otherwise they wrap.
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
            <RadioLabel
              key={option.value}
              name={name}
              value={option.value}
              on={on}
              onChoose={() => onChange(option.value)}
              sx={{
                flex: '1 0 0',
                minWidth: 'max-content',
                display: 'flex',
                alignItems: 'center',
                justifyContent: 'center',
                gap: 1.5,
                minHeight: 32,
                padding: '4px 8px',
                borderRadius: '6px',
                fontSize: '0.8125rem',
                color: on ? 'text.primary' : 'text.secondary',
                fontWeight: on ? 550 : 400,
                backgroundColor: on ? 'surface' : 'transparent',
                boxShadow: on ? '0 1px 2px rgb(10 20 30 / 0.12)' : 'none',
              }}
            >
              {Icon ? <Icon size={15} aria-hidden /> : null}
              <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
                {option.label}
              </Box>
            </RadioLabel>
          );
        })}
      </Box>
    </Box>
  );
}
