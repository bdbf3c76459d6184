import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ServerOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { startSession } from '../session/session.ts';
import { Message } from '../ui/Message.tsx';

/** In place of everything, when the server could not be asked who is signed in. */
export function StartFailed() {
  const { t } = useTranslation();
  return (
    <Box component="main" sx={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
      <Message
        icon={ServerOff}
        level="h1"
        title={t('start.failedTitle')}
        actions={
          <Button variant="contained" onClick={() => void startSession()}>
            {t('action.retry')}
          </Button>
        }
      >
        {t('start.failed')}
      </Message>
    </Box>
  );
}
