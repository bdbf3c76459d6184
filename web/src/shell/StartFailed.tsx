import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ServerOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { startSession } from '../session/session.ts';
import { useAppSelector } from '../session/store.ts';
import { Message } from '../ui/Message.tsx';

/** Replaces everything if the server did not say who is signed in, or not in a known form. */
export function StartFailed() {
  const { t } = useTranslation();
  const failure = useAppSelector(({ authentication }) => authentication.failure) ?? 'unreachable';
  return (
    <Box component="main" sx={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
      <Message
        icon={ServerOff}
        level="h1"
        title={t('start.failedTitle')}
        actions={
          failure === 'misunderstood' ? (
            <Button variant="contained" onClick={() => window.location.reload()}>
              {t('action.reload')}
            </Button>
          ) : (
            <Button variant="contained" onClick={() => void startSession()}>
              {t('action.retry')}
            </Button>
          )
        }
      >
        {t(`start.${failure}`)}
      </Message>
    </Box>
  );
}
