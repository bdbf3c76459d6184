import { countedUnread } from '@caseway/contract/inbox';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useInboxEvents, useUnread } from '../data/use-inbox.ts';
import { allRead } from '../session/notifications.ts';
import { useAppDispatch, useAppSelector } from '../session/store.ts';
import { countText } from '../words/i18n.ts';
import { Overlay } from './Overlay.tsx';
import { NotificationPanel } from './panels.ts';

/** The number of unread notifications; opens the inbox, with this session's notifications. */
export function NotificationMenu() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const fresh = useAppSelector((state) => state.notifications.unread);
  const unread = useUnread() ?? 0;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const number = unread < countedUnread ? countText(unread) : `${countText(countedUnread - 1)}+`;
  return (
    <>
      <IconButton
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={
          unread > 0
            ? t('notifications.unread', { number, count: unread })
            : t('notifications.open', { count: fresh })
        }
        onClick={(event) => {
          setAnchor(event.currentTarget);
          dispatch(allRead());
        }}
        sx={{ position: 'relative' }}
      >
        <Bell size={18} aria-hidden />
        {unread > 0 ? (
          <Box
            component="span"
            aria-hidden
            sx={{
              position: 'absolute',
              top: 2,
              left: '50%',
              minWidth: 16,
              padding: '0 4px',
              borderRadius: '999px',
              backgroundColor: 'primary.main',
              color: 'primary.contrastText',
              border: (theme) => `1.5px solid ${theme.vars.palette.surface}`,
              fontSize: '0.6875rem',
              lineHeight: 1.35,
              fontWeight: 650,
              fontVariantNumeric: 'tabular-nums',
            }}
          >
            {number}
          </Box>
        ) : fresh > 0 ? (
          <Box
            component="span"
            aria-hidden
            sx={{
              position: 'absolute',
              top: 7,
              right: 8,
              width: 8,
              height: 8,
              borderRadius: '999px',
              backgroundColor: 'primary.main',
              border: (theme) => `1.5px solid ${theme.vars.palette.surface}`,
            }}
          />
        ) : null}
      </IconButton>
      <Listening />
      {anchor ? (
        <Overlay>
          <NotificationPanel anchor={anchor} onClose={() => setAnchor(null)} />
        </Overlay>
      ) : null}
    </>
  );
}

/** Only with an inbox: without an organization there are no events. */
function Listening() {
  const has = useUnread() !== undefined;
  return has ? <Events /> : null;
}

function Events() {
  useInboxEvents();
  return null;
}
