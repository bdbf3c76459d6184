import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { LeaveQuestion } from '../session/unsaved.ts';

/** Asks whether to leave unsaved work, and says what happens to it. */
export default function LeaveDialog({ question }: { question: LeaveQuestion }) {
  const { t } = useTranslation();
  const id = useId();
  const { leaving, unsaved, answer } = question;
  const consequence =
    unsaved === 'upload' || unsaved === 'unsent'
      ? `leave.${unsaved}`
      : leaving === 'session'
        ? 'leave.lost'
        : 'leave.kept';
  return (
    <Dialog open onClose={() => answer(false)} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{t('leave.title')}</DialogTitle>
      <DialogContent>{t(consequence)}</DialogContent>
      <DialogActions>
        <Button
          variant="outlined"
          color={leaving === 'session' && unsaved !== 'upload' ? 'error' : 'primary'}
          onClick={() => answer(true)}
        >
          {t(leaving === 'session' ? 'user.signOut' : 'leave.go')}
        </Button>
        <Button variant="contained" autoFocus onClick={() => answer(false)}>
          {t('leave.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
