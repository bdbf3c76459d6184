import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useUnread } from '../data/use-inbox.ts';
import { LatestInbox } from '../record/inbox/LatestInbox.tsx';
import { actionLabel, runAction } from '../session/notify.ts';
import { useAppSelector } from '../session/store.ts';
import { useFormats } from '../words/formats.ts';
import { kindColours, kindIcons } from './NotificationStack.tsx';

/**
 * The latest inbox entries, and this session's notifications, newest first. What could be undone at the time can be
 * undone from here, if nobody has changed it since.
 */
export default function NotificationPanel({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) {
  const { t } = useTranslation();
  const past = useAppSelector((state) => state.notifications.past);
  const formats = useFormats();
  const hasInbox = useUnread() !== undefined;
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        paper: {
          role: 'dialog',
          sx: { width: 'min(360px, calc(100vw - 32px))' },
          'aria-label': t('notifications.title'),
        },
      }}
    >
      {hasInbox ? <LatestInbox onClose={onClose} /> : null}
      <Typography variant="h3" component="h2" sx={{ padding: '12px 16px 4px' }}>
        {t(hasInbox ? 'notifications.session' : 'notifications.title')}
      </Typography>
      {past.length === 0 ? (
        <Typography variant="body1" sx={{ color: 'text.secondary', padding: '4px 16px 16px' }}>
          {t('notifications.none')}
        </Typography>
      ) : (
        <Box
          component="ul"
          sx={{ listStyle: 'none', margin: 0, padding: '0 8px 8px', maxHeight: 360, overflow: 'auto' }}
        >
          {past.map(({ id, kind, message, values, at, action }) => {
            const Icon = kindIcons[kind];
            return (
              <Box component="li" key={id} sx={{ display: 'flex', gap: 2.5, padding: '8px' }}>
                <Box component="span" sx={{ color: kindColours[kind], display: 'flex', paddingTop: '1px' }}>
                  <Icon size={16} role="img" aria-label={t(`notifications.kind.${kind}`)} />
                </Box>
                <Box sx={{ flex: 1, minWidth: 0 }}>
                  <Typography variant="body1" sx={{ overflowWrap: 'anywhere' }}>
                    {t(message, values ?? {})}
                  </Typography>
                  <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                    {formats.time(new Date(at))}
                  </Typography>
                </Box>
                {action ? (
                  <Button
                    size="small"
                    sx={{ alignSelf: 'start' }}
                    onClick={() => {
                      runAction(action);
                      onClose();
                    }}
                  >
                    {t(actionLabel(action))}
                  </Button>
                ) : null}
              </Box>
            );
          })}
        </Box>
      )}
    </Popover>
  );
}
