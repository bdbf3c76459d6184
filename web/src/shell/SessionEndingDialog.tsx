import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { renewNow, signOut } from '../session/session.ts';

export default function SessionEndingDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} aria-labelledby="ending-title" maxWidth="xs" fullWidth>
      <DialogTitle id="ending-title">{t('ending.title')}</DialogTitle>
      <DialogContent>
        <Typography variant="body1">{t('ending.text')}</Typography>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={() => void signOut()}>
          {t('user.signOut')}
        </Button>
        <Button
          variant="contained"
          onClick={() => {
            onClose();
            void renewNow();
          }}
        >
          {t('ending.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
