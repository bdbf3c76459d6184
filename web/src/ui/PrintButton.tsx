import Button from '@mui/material/Button';
import { Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** Prints the screen. */
export function PrintButton() {
  const { t } = useTranslation();
  return (
    <Button
      variant="outlined"
      startIcon={<Printer size={16} aria-hidden />}
      // A closure: the method may not be taken from its window.
      onClick={() => window.print()}
    >
      {t('action.print')}
    </Button>
  );
}
