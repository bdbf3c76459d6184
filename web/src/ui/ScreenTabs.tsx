import Box from '@mui/material/Box';
import { NavLink } from 'react-router';
import { BelowHeading } from './Page.tsx';

/** Screens that belong together, as tabs; above the views of a single list. */
export function ScreenTabs({
  label,
  places,
}: {
  label: string;
  places: readonly { to: string; label: string }[];
}) {
  return (
    <BelowHeading>
      <Box
        component="nav"
        aria-label={label}
        className="no-print"
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1,
          borderBottom: 1,
          borderColor: 'divider',
          '& a': {
            padding: '8px 12px',
            marginBottom: '-1px',
            color: 'text.secondary',
            fontWeight: 550,
            textDecoration: 'none',
            borderBottom: '2px solid transparent',
          },
          '& a:hover': { color: 'text.primary' },
          '& a[aria-current=page]': { color: 'primary.main', borderColor: 'primary.main' },
        }}
      >
        {places.map((place) => (
          <NavLink key={place.to} to={place.to} end>
            {place.label}
          </NavLink>
        ))}
      </Box>
    </BelowHeading>
  );
}
