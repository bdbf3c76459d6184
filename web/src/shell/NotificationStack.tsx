import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import {
  dismissed,
  maximumShown,
  type Notification,
  type NotificationKind,
  shownForMs,
} from '../session/notifications.ts';
import { actionLabel, runAction } from '../session/notify.ts';
import { useAppDispatch, useAppSelector } from '../session/store.ts';

export const kindIcons = {
  success: CircleCheck,
  warning: TriangleAlert,
  info: Info,
  error: CircleAlert,
} as const;
export const kindColours: Readonly<Record<NotificationKind, string>> = {
  success: 'success.main',
  warning: 'warning.main',
  info: 'info.main',
  error: 'error.main',
};

/** A notification younger than this, in ms, belongs to the step that opens a screen. */
const ofThisStepMs = 1000;

/** The current notifications, bottom left; F8 moves the focus to them. [S9.5, S8.5] */
export function NotificationStack() {
  const { t } = useTranslation();
  const open = useAppSelector((state) => state.notifications.open);
  const shown = open.slice(0, maximumShown);
  const region = useRef<HTMLElement>(null);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const held = pointed || focused;
  const { pathname } = useLocation();
  const dispatch = useAppDispatch();
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  // A notification about one screen must not cover the next. One shown as a screen opens is about that screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another screen opens.
  useEffect(() => {
    for (const { id, at, action } of latest.current)
      if (!action && Date.now() - at > ofThisStepMs) dispatch(dismissed(id));
  }, [pathname, dispatch]);

  // A notification dismissed by its own button loses the focus without a blur event.
  useEffect(() => {
    if (!region.current?.contains(document.activeElement)) setFocused(false);
    if (open.length === 0) setPointed(false);
  }, [open]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F8') {
        event.preventDefault();
        region.current?.focus();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  // Their height at the bottom of the screen: on a phone the theme keeps it free, elsewhere a screen
  // (ui/Page.tsx) can scroll past them.
  useEffect(() => {
    const box = region.current;
    if (!box) return;
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() => {
      if (box.offsetHeight > 0) root.setProperty('--cw-notifications', `${box.offsetHeight + 32}px`);
      else root.removeProperty('--cw-notifications');
    });
    observer.observe(box);
    return () => {
      observer.disconnect();
      root.removeProperty('--cw-notifications');
    };
  }, []);

  return (
    <Box
      component="section"
      ref={region}
      tabIndex={-1}
      aria-label={t('notifications.region')}
      // Only a moving pointer holds it: one at rest when a notification appears is there for what is
      // underneath.
      onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="no-print"
      sx={{
        position: 'fixed',
        left: 16,
        bottom: 16,
        zIndex: 'snackbar',
        width: 'min(400px, calc(100vw - 32px))',
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
        borderRadius: '10px',
      }}
    >
      <Box role="status" aria-live="polite" aria-relevant="additions" sx={{ display: 'contents' }}>
        {shown.map((notification) => (
          <Toast key={notification.id} notification={notification} held={held} />
        ))}
      </Box>
    </Box>
  );
}

function Toast({ notification, held }: { notification: Notification; held: boolean }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const { id, kind, message, values, action } = notification;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dispatch(dismissed(id)), shownForMs);
    return () => clearTimeout(timer);
  }, [held, id, dispatch]);
  const Icon = kindIcons[kind];
  return (
    <Paper
      variant="outlined"
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 2.5,
        padding: '10px 8px 10px 12px',
        borderRadius: '10px',
        boxShadow: '0 8px 24px -4px rgb(10 20 30 / 0.18)',
      }}
    >
      <Box component="span" sx={{ color: kindColours[kind], display: 'flex', paddingTop: '1px' }}>
        <Icon size={18} aria-label={t(`notifications.kind.${kind}`)} role="img" />
      </Box>
      <Typography variant="body1" sx={{ flex: 1, overflowWrap: 'anywhere' }}>
        {t(message, values ?? {})}
      </Typography>
      {action ? (
        <Button
          size="small"
          variant="text"
          onClick={() => {
            runAction(action);
            dispatch(dismissed(id));
          }}
        >
          {t(actionLabel(action))}
        </Button>
      ) : null}
      <IconButton
        size="small"
        aria-label={t('notifications.dismiss')}
        onClick={() => dispatch(dismissed(id))}
        sx={{ margin: '-6px 0' }}
      >
        <X size={16} />
      </IconButton>
    </Paper>
  );
}
