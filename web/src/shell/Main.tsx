import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ServerOff } from 'lucide-react';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../chunk.ts';
import { startSession } from '../session/session.ts';
import { useAppSelector } from '../session/store.ts';
import { Message } from '../ui/Message.tsx';
import { NotificationStack } from './NotificationStack.tsx';
import type { SignInForm } from './SessionWatch.tsx';
import type { Screen } from './screens.ts';

// Not needed to sign in.
const Shell = lazy(() => loadChunk('shell', () => import('./Shell.tsx')));

/**
 * The main screen: nobody sees the sign-in, a person the shell with the screen of the address. [S2.1]
 * What it shows is put together in routes.tsx; the shell itself knows no feature.
 */
export default function Main({
  screens,
  signIn: SignIn,
  signInForm,
}: {
  screens: readonly Screen[];
  signIn: ComponentType;
  signInForm: SignInForm;
}) {
  const { t } = useTranslation();
  const phase = useAppSelector((state) => state.authentication.phase);
  const user = useAppSelector((state) => state.authentication.user);
  // A person whose session has expired still has their screen: it stays mounted below the sign-in. [S8.1]
  if (user)
    return (
      <>
        <Suspense fallback={null}>
          <Shell screens={screens} signInForm={signInForm} />
        </Suspense>
        <NotificationStack />
      </>
    );
  if (phase === 'starting') return null;
  if (phase === 'failed')
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
  return (
    <>
      <Suspense fallback={null}>
        <SignIn />
      </Suspense>
      <NotificationStack />
    </>
  );
}
