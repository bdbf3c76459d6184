import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allRead } from '../session/notifications.ts';
import { useAppDispatch, useAppSelector } from '../session/store.ts';
import { Overlay } from './Overlay.tsx';
import { NotificationPanel } from './panels.ts';

/** The notifications of this session, to read again. */
export function NotificationMenu() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const unread = useAppSelector((state) => state.notifications.unread);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <IconButton
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={t('notifications.open', { count: unread })}
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
      {anchor ? (
        <Overlay>
          <NotificationPanel anchor={anchor} onClose={() => setAnchor(null)} />
        </Overlay>
      ) : null}
    </>
  );
}
