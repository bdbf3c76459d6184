import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { useSingleKeys } from '../data/use-preferences.ts';
import { isTyping } from '../ui/Key.tsx';
import { type Opening, useListPlace, useOpening } from '../view/list-place.ts';

/** Whether something is open over the screen, which then gets the keys. */
const isCovered = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog], [role=menu], [role=listbox]') !== null;

/**
 * The place of the screen's record in the list it was opened from, and the way to its neighbors; nothing for
 * a record opened by its link. Back leads to the list from each of them.
 */
export function RecordPlace() {
  const from = useOpening();
  return from ? <Place from={from} /> : null;
}

function Place({ from }: { from: Opening }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { id = '' } = useParams();
  const singleKeys = useSingleKeys();
  const place = useListPlace(id, from);
  const addressOf = (other: string) => `${pathname.slice(0, pathname.lastIndexOf('/'))}/${other}`;

  useEffect(() => {
    if (!place || !singleKeys) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // A list on the screen has handled the key already.
      if (event.defaultPrevented || isTyping(event.target) || isCovered(event.target)) return;
      const key = event.key.toLowerCase();
      const to = key === 'j' ? place.next : key === 'k' ? place.previous : null;
      if (!to) return;
      event.preventDefault();
      void navigate(addressOf(to.id), { state: to.state, replace: true });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  if (!place) return null;
  const { number, count } = place;
  const steps = [
    { label: t('keys.previousRecord'), shortcut: 'K', icon: ChevronUp, to: place.previous },
    { label: t('keys.nextRecord'), shortcut: 'J', icon: ChevronDown, to: place.next },
  ];
  return (
    <Box
      component="nav"
      aria-label={t('listPlace.title')}
      className="no-print"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        width: '100%',
        maxWidth: 1440,
        margin: '0 auto',
        padding: { xs: '8px 12px 0', sm: '12px 20px 0' },
        marginBottom: { xs: 0, sm: '-8px' },
      }}
    >
      {steps.map(({ label, shortcut, icon: Icon, to }) => (
        <IconButton
          key={shortcut}
          size="small"
          aria-label={label}
          {...(singleKeys && { 'aria-keyshortcuts': shortcut, title: `${label} (${shortcut})` })}
          {...(to
            ? { component: Link, to: addressOf(to.id), state: to.state, replace: true }
            : { disabled: true })}
        >
          <Icon size={16} aria-hidden />
        </IconButton>
      ))}
      <Typography variant="body2" role="status" sx={{ color: 'text.secondary', marginLeft: 1 }}>
        {number === null ? t('listPlace.left') : t('listPlace.place', { number, count })}
      </Typography>
    </Box>
  );
}
