import { readInbox } from '@caseway/contract/inbox';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { NotificationRows } from './NotificationRow.tsx';

const shown = 5;

/** The user's latest notifications, and a link to all. */
export function LatestInbox({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('inbox');
  const query = useApi(readInbox, {});
  return (
    <Box sx={{ padding: '12px 16px 8px', borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography variant="h3" component="h2" sx={{ flex: 1 }}>
          {t('common:screen.inbox')}
        </Typography>
        <Button size="small" component={Link} to="/inbox" onClick={onClose}>
          {t('page.open')}
        </Button>
      </Box>
      <Answered query={query} height={120}>
        {({ notifications }) =>
          notifications.length === 0 ? (
            <Typography variant="body1" sx={{ color: 'text.secondary', paddingY: 1 }}>
              {t('none.all')}
            </Typography>
          ) : (
            <NotificationRows
              label={t('common:screen.inbox')}
              of={notifications.slice(0, shown)}
              onOpen={onClose}
            />
          )
        }
      </Answered>
    </Box>
  );
}
