import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Confirmation } from '../session/confirmation.ts';
import { useAppSelector } from '../session/store.ts';
import type { SignInForm } from './SessionWatch.tsx';

/** Asks the user to sign in again before changing what protects their account. */
export default function ConfirmIdentityDialog({
  form: Form,
  confirmation,
}: {
  form: SignInForm;
  confirmation: Confirmation;
}) {
  const { t } = useTranslation();
  const email = useAppSelector((state) => state.authentication.user?.email);
  const giveUp = () => confirmation.answer(false);
  return (
    <Dialog open onClose={giveUp} aria-labelledby="confirm-title" maxWidth="xs" fullWidth>
      <DialogTitle id="confirm-title">{t('confirmIdentity.title')}</DialogTitle>
      <DialogContent>
        <Typography variant="body1" sx={{ color: 'text.secondary', marginBottom: 4 }}>
          {t('confirmIdentity.text')}
        </Typography>
        <Suspense fallback={null}>
          <Form
            {...(email === undefined ? {} : { username: email })}
            onSignedIn={() => confirmation.answer(true)}
          />
        </Suspense>
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={giveUp}>
          {t('action.cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
