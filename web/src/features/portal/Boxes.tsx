import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { useFormField } from '../../ui/Form.tsx';

interface Option {
  value: string;
  label: string;
}

/** A fieldset without a frame. */
export const bare = { border: 0, margin: 0, padding: 0, minWidth: 0 } as const;

function Group({
  legend,
  fault,
  id,
  children,
}: {
  legend: string;
  fault?: string;
  id: string;
  children: ReactNode;
}) {
  return (
    <Box component="fieldset" aria-describedby={fault ? `${id}-fault` : undefined} sx={bare}>
      <Typography id={`${id}-legend`} component="legend" variant="body2" sx={{ padding: 0, fontWeight: 550 }}>
        {legend}
      </Typography>
      {children}
      {fault ? (
        <Typography id={`${id}-fault`} variant="body2" sx={{ color: 'error.main' }}>
          {fault}
        </Typography>
      ) : null}
    </Box>
  );
}

/** A field in the surrounding form: any of these, each with a checkbox as large as a finger. */
export function Boxes({ name, label, options }: { name: string; label: string; options: readonly Option[] }) {
  const { id, ref, field, fault } = useFormField(name);
  const chosen = field.value as string[];
  return (
    <Group legend={label} id={id} {...(fault && { fault })}>
      <Box
        sx={{
          display: 'grid',
          columnGap: 3,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(13rem, 100%), 1fr))',
        }}
      >
        {options.map(({ value, label }, place) => (
          <FormControlLabel
            key={value}
            label={label}
            sx={{ minHeight: 44 }}
            control={
              <Checkbox
                checked={chosen.includes(value)}
                onBlur={field.onBlur}
                onChange={({ target }) =>
                  field.onChange(
                    target.checked ? [...chosen, value] : chosen.filter((other) => other !== value),
                  )
                }
                slotProps={{ input: place === 0 ? { ref } : {} }}
              />
            }
          />
        ))}
      </Box>
    </Group>
  );
}

/** A field in the surrounding form: one of these. */
export function Radios({
  name,
  label,
  options,
}: {
  name: string;
  label: string;
  options: readonly Option[];
}) {
  const { id, ref, field, fault } = useFormField(name);
  const legend = useId();
  return (
    <Group legend={label} id={legend} {...(fault && { fault })}>
      <RadioGroup
        id={id}
        aria-labelledby={`${legend}-legend`}
        value={field.value}
        onBlur={field.onBlur}
        onChange={({ target }) => field.onChange(target.value)}
      >
        {options.map(({ value, label }, place) => (
          <FormControlLabel
            key={value}
            value={value}
            label={label}
            sx={{ minHeight: 44 }}
            control={<Radio slotProps={{ input: place === 0 ? { ref } : {} }} />}
          />
        ))}
      </RadioGroup>
    </Group>
  );
}
