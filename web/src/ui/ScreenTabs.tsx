import Box from '@mui/material/Box';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useWaiting } from '../data/use-waiting.ts';
import { countText } from '../words/i18n.ts';
import { BelowHeading } from './Page.tsx';

/** Screens that belong together, as tabs with what waits there; above the views of a single list. */
export function ScreenTabs({
  label,
  places,
}: {
  label: string;
  places: readonly { to: string; label: string }[];
}) {
  const waiting = useWaiting();
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
          <Tab key={place.to} {...place} count={waiting.at(place.to)} />
        ))}
      </Box>
    </BelowHeading>
  );
}

function Tab({ to, label, count }: { to: string; label: string; count: number }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <NavLink to={to} end aria-describedby={count > 0 ? id : undefined}>
      {label}
      {count > 0 ? (
        <>
          <Box
            component="span"
            aria-hidden
            sx={{ marginLeft: 1.5, fontWeight: 400, fontVariantNumeric: 'tabular-nums' }}
          >
            {countText(count)}
          </Box>
          <span id={id} hidden>
            {t('waiting.beside', { count })}
          </span>
        </>
      ) : null}
    </NavLink>
  );
}
