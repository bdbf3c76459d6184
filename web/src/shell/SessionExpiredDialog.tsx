import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { onlineManager } from '@tanstack/react-query';
import { Suspense, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../data/api.ts';
import { useKeptMark } from '../kept/mark.ts';
import { signOut } from '../session/session.ts';
import { useAppSelector } from '../session/store.ts';
import { leaveUnasked } from '../session/unsaved.ts';
import type { SignInForm } from './SessionWatch.tsx';

/**
 * Signs in again over the current screen without losing anything on it. [S8.1] The screen is covered, because
 * someone else may be in front of it.
 */
export default function SessionExpiredDialog({ form: Form }: { form: SignInForm }) {
  const { t } = useTranslation();
  const email = useAppSelector((state) => state.authentication.user?.email);
  const mark = useKeptMark();
  const online = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  );
  return (
    <Dialog
      open
      aria-labelledby="expired-title"
      maxWidth="xs"
      fullWidth
      slotProps={{ backdrop: { sx: { backdropFilter: 'blur(14px)' } } }}
    >
      <DialogTitle id="expired-title">{t('expired.title')}</DialogTitle>
      <DialogContent>
        <Typography variant="body1" sx={{ color: 'text.secondary', marginBottom: 4 }}>
          {t('expired.text')}
        </Typography>
        <Suspense fallback={null}>
          <Form
            {...(email === undefined ? {} : { username: email })}
            onSignedIn={() => void queryClient.refetchQueries({ type: 'active' })}
          />
        </Suspense>
      </DialogContent>
      <DialogActions>
        {mark && !online ? (
          // No one can sign in now. The page starts again with the device's data, which has its own PIN.
          <Button variant="outlined" href="/field-visits/kept" onClick={leaveUnasked}>
            {t('screen.keptVisits')}
          </Button>
        ) : null}
        <Button variant="text" onClick={() => void signOut()}>
          {t('user.signOut')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
