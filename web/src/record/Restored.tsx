import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';

/** Says that a form shows what was typed before a reload, and offers to start over. */
export function Restored({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert
      severity="info"
      action={
        <Button size="small" variant="text" color="inherit" onClick={onDiscard}>
          {t('form.anew')}
        </Button>
      }
    >
      {t('form.restored')}
    </Alert>
  );
}
