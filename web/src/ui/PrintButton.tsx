import Button from '@mui/material/Button';
import { Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';

export function PrintButton() {
  const { t } = useTranslation();
  return (
    <Button
      variant="outlined"
      startIcon={<Printer size={16} aria-hidden />}
      // A closure, because the method must be called on its window.
      onClick={() => window.print()}
    >
      {t('action.print')}
    </Button>
  );
}
