import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { PlainFieldset } from '../ui/PlainFieldset.tsx';

/** A field that someone else has saved in the meantime and that is edited here. */
export interface Chosen {
  name: string;
  mine: string;
  theirs: string;
}

/** Someone else's values of the same fields: mine or theirs, field by field. */
export function ChooseValues({
  title,
  lead,
  whose: names,
  conflicts,
  values,
  label,
  text,
  onChoose,
}: {
  title: string;
  lead: string;
  whose: { mine: string; theirs: string };
  conflicts: readonly Chosen[];
  values: Readonly<Record<string, string>>;
  /** A field's label, and its values in words. */
  label: (name: string) => string;
  text: (name: string, value: string) => string;
  onChoose: (name: string, value: string) => void;
}) {
  const group = useId();
  return (
    <Alert severity="warning">
      <Typography component="h3" variant="body1" sx={{ fontWeight: 650 }}>
        {title}
      </Typography>
      <Typography variant="body2">{lead}</Typography>
      {conflicts.map(({ name: field, mine, theirs }) => (
        <PlainFieldset key={field} sx={{ marginTop: 3, gap: 1 }}>
          <Typography component="legend" variant="body2" sx={{ fontWeight: 550, padding: 0 }}>
            {label(field)}
          </Typography>
          {(
            [
              ['theirs', theirs],
              ['mine', mine],
            ] as const
          ).map(([whose, value]) => (
            <Box
              component="label"
              key={whose}
              sx={{ display: 'flex', gap: 2, alignItems: 'center', minHeight: 32 }}
            >
              <input
                type="radio"
                name={`${group}-${field}`}
                checked={values[field] === value}
                onChange={() => onChoose(field, value)}
              />
              {names[whose]}: {text(field, value)}
            </Box>
          ))}
        </PlainFieldset>
      ))}
    </Alert>
  );
}
