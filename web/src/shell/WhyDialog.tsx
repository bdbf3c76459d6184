import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { WhoCanGrant } from '../data/access.tsx';

/** Why something was refused: the permission it needs, and who can grant it. */
export default function WhyDialog({ permission, onClose }: { permission: string; onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{t('access.title')}</DialogTitle>
      <DialogContent>
        {t('access.needs', {
          permission: t(`permission.${permission}`, { defaultValue: t('label.unknown.other') }),
        })}
        <WhoCanGrant permission={permission} />
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          {t('action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
