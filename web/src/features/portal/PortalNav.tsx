import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';

export interface PortalPlace {
  to: string;
  /** The prefix of the addresses of its other screens. */
  also?: string;
  label: string;
  icon: LucideIcon;
}

/** How many fit in one row of a phone; with more, the row's last button opens the others. */
const inRow = 4;

/** The portal's places. On a phone, those that do not fit are behind a button, except the open one. */
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
        display: { xs: 'grid', sm: 'flex' },
        flexWrap: 'wrap',
        // In large letters they are below each other.
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(5rem, 100%), 1fr))',
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
            // Only the current tab has a line: forced colors would also draw a transparent one.
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
  flexDirection: 'column',
  alignItems: 'center',
  gap: 1,
  padding: { xs: '10px 4px', sm: '10px 12px' },
  paddingBottom: '13px',
  textAlign: 'center',
  textDecoration: 'none',
  fontWeight: 550,
  fontSize: '1rem',
  lineHeight: 1.25,
  color: 'text.secondary',
} as const;
