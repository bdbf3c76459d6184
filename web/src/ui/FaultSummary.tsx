import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

export interface ShownFault {
  /** The field's unique name. */
  name: string;
  label: string;
  /** The fault, in words. */
  fault: string | undefined;
}

/** Focuses an input by its id. */
export const focusOn = (id: string) => document.getElementById(id)?.focus();

/**
 * All faults of a submitted form, each a link to its field. It takes the focus, or gives it to the field if
 * there is only one. [S5.1]
 */
export function FaultSummary({
  faults,
  sent,
  focus,
}: {
  faults: readonly ShownFault[];
  /** How often the form was submitted. */
  sent: number;
  /** Focuses a field by its name. */
  focus: (name: string) => void;
}) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const many = faults.length > 1;
  const only = many ? undefined : faults[0]?.name;
  const told = useRef(0);
  useEffect(() => {
    // Once per submission, not while a fault is being corrected.
    if (told.current === sent || faults.length === 0) return;
    told.current = sent;
    if (only === undefined) box.current?.focus();
    else focus(only);
  });
  if (!many) return null;
  return (
    <Alert severity="error" ref={box} tabIndex={-1}>
      <Typography component="h2" variant="body1" sx={{ fontWeight: 650 }}>
        {t('form.summary', { count: faults.length })}
      </Typography>
      <Box component="ul" sx={{ margin: 0, paddingLeft: 5 }}>
        {faults.map(({ name, label, fault }) => (
          <li key={name}>
            <Link
              component="button"
              type="button"
              color="inherit"
              underline="always"
              onClick={() => focus(name)}
              sx={{ textAlign: 'left', minHeight: 24 }}
            >
              {label}: {fault}
            </Link>
          </li>
        ))}
      </Box>
    </Alert>
  );
}
