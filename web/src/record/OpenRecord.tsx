import Button from '@mui/material/Button';
import { Link } from 'react-router';

/** Leads from a part of a record's screen to another record. */
export function OpenRecord({ to, label }: { to: string; label: string }) {
  return (
    <Button
      component={Link}
      to={to}
      variant="outlined"
      size="small"
      sx={{ justifySelf: 'start', marginTop: 3 }}
    >
      {label}
    </Button>
  );
}
