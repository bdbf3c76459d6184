import { markRead, type Notification } from '@caseway/contract/inbox';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Mail, MailOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useCall } from '../../data/api.ts';
import { inboxChanged } from '../../data/use-inbox.ts';
import { useFormats } from '../../words/formats.ts';
import { pathOfNotification, useNotificationText } from './notification-text.ts';

/** One notification, which opens what it is about. `onOpen`: called then. */
export function NotificationRow({ one, onOpen }: { one: Notification; onOpen?: () => void }) {
  const { t } = useTranslation('inbox');
  const formats = useFormats();
  const textOf = useNotificationText();
  const mark = useCall(markRead);
  const isUnread = one.readAt === null;
  const set = (read: boolean) => mark.mutate({ body: { ids: [one.id], read } }, { onSuccess: inboxChanged });
  const text = textOf(one);
  const label = t(isUnread ? 'row.markRead' : 'row.markUnread');
  const Icon = isUnread ? MailOpen : Mail;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 2,
        paddingY: 2.5,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box
        component="span"
        aria-hidden
        sx={{
          flex: 'none',
          width: 8,
          height: 8,
          marginTop: '6px',
          borderRadius: '999px',
          backgroundColor: isUnread ? 'primary.main' : 'transparent',
        }}
      />
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Link
          component={RouterLink}
          to={pathOfNotification(one)}
          onClick={() => {
            if (isUnread) set(true);
            onOpen?.();
          }}
          sx={{ typography: 'body1', fontWeight: isUnread ? 600 : 400 }}
        >
          {text}
        </Link>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {[isUnread ? t('row.unread') : null, one.actor, formats.instant(one.at)]
            .filter(Boolean)
            .join(' · ')}
        </Typography>
      </Box>
      <IconButton size="small" aria-label={`${label}: ${text}`} title={label} onClick={() => set(isUnread)}>
        <Icon size={16} aria-hidden />
      </IconButton>
    </Box>
  );
}

export function NotificationRows({
  label,
  of,
  onOpen,
}: {
  label: string;
  of: readonly Notification[];
  onOpen?: () => void;
}) {
  return (
    <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {of.map((one) => (
        <NotificationRow key={one.id} one={one} {...(onOpen && { onOpen })} />
      ))}
    </Box>
  );
}
