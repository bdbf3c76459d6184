import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';

export interface PortalPlace {
  to: string;
  /** What the addresses of its other screens begin with. */
  also?: string;
  label: string;
  icon: LucideIcon;
}

/** So many have room in one row of a phone; with more, the last of the row opens the others. */
const inRow = 4;

/** The places of the portal. On a phone those that have no room are behind a button, besides the one that is open. */
export function PortalNav({ places }: { places: readonly PortalPlace[] }) {
  const { t } = useTranslation('portal');
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const isCurrent = ({ to, also }: PortalPlace) =>
    pathname === to || (also !== undefined && pathname.startsWith(also));
  const current = places.find(isCurrent);
  const fits = places.length <= inRow;
  const others = places.filter((place) => place !== current);
  const first = new Set(fits ? places : [...(current ? [current] : []), ...others].slice(0, inRow - 1));
  return (
    <Box
      component="nav"
      aria-label={t('nav.label')}
      sx={{
        maxWidth: 760,
        margin: '0 auto',
        paddingX: { xs: 1, sm: 4 },
        display: 'grid',
        // In large letters they are under each other.
        gridTemplateColumns: {
          xs: 'repeat(auto-fit, minmax(min(5rem, 100%), 1fr))',
          sm: `repeat(${places.length}, max-content)`,
        },
      }}
    >
      {places.map(({ icon: Icon, ...place }) => (
        <Box
          key={place.to}
          component={Link}
          to={place.to}
          aria-current={place.to === current?.to ? 'page' : undefined}
          sx={{
            ...tab,
            display: {
              xs: open || [...first].some(({ to }) => to === place.to) ? 'flex' : 'none',
              sm: 'flex',
            },
            // Only the current tab has a line: in forced colours a transparent one would be drawn too.
            '&[aria-current="page"]': {
              color: 'primary.main',
              paddingBottom: '10px',
              borderBottom: 3,
              borderColor: 'primary.main',
            },
          }}
        >
          <Icon size={18} aria-hidden />
          {t(place.label)}
        </Box>
      ))}
      {fits || open ? null : (
        <Button
          variant="text"
          aria-expanded={false}
          onClick={() => setOpen(true)}
          sx={{ ...tab, display: { xs: 'flex', sm: 'none' }, minWidth: 0 }}
        >
          <Ellipsis size={18} aria-hidden />
          {t('nav.more')}
        </Button>
      )}
    </Box>
  );
}

const tab = {
  flexDirection: { xs: 'column', sm: 'row' },
  alignItems: 'center',
  gap: { xs: 1, sm: 2 },
  padding: { xs: '10px 4px', sm: '10px 12px' },
  paddingBottom: '13px',
  textAlign: 'center',
  textDecoration: 'none',
  fontWeight: 550,
  fontSize: '1rem',
  lineHeight: 1.25,
  color: 'text.secondary',
} as const;
