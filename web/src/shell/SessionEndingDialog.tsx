import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { noteActivity } from '../session/activity.ts';
import { sessionExpired } from '../session/authentication.ts';
import { renewNow, signOut } from '../session/session.ts';
import type { SessionEnd } from '../session/session-end.ts';
import { useAppDispatch } from '../session/store.ts';

/**
 * Warns that the session is about to end: an unused session can be continued; one that is too old needs a new
 * sign-in.
 */
export default function SessionEndingDialog({ end: { because, at } }: { end: SessionEnd }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const [later, setLater] = useState<number | null>(null);
  const left = useSecondsUntil(at);
  // A user warned of the end by age may continue to work until then.
  if (because === 'age' && later === at) return null;
  const stay = () => {
    noteActivity();
    void renewNow();
  };
  const away = because === 'unused' ? stay : () => setLater(at);
  return (
    <Dialog
      open
      onClose={away}
      role="alertdialog"
      aria-labelledby="ending-title"
      aria-describedby="ending-text"
      maxWidth="xs"
      fullWidth
    >
      <DialogTitle id="ending-title">{t('ending.title')}</DialogTitle>
      <DialogContent id="ending-text">
        <Typography variant="body1">{t(`ending.${because}`)}</Typography>
        <Typography variant="h2" component="p" role="timer" sx={{ marginTop: 3 }}>
          {t('ending.left', { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` })}
        </Typography>
      </DialogContent>
      <DialogActions>
        {because === 'unused' ? (
          <>
            <Button variant="outlined" onClick={() => void signOut()}>
              {t('user.signOut')}
            </Button>
            <Button variant="contained" onClick={stay}>
              {t('ending.stay')}
            </Button>
          </>
        ) : (
          <>
            <Button variant="outlined" onClick={away}>
              {t('ending.later')}
            </Button>
            <Button variant="contained" onClick={() => dispatch(sessionExpired())}>
              {t('ending.again')}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((at - now) / 1000));
}
