import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** Begins an export of a list, and gives it up while it runs. */
export function ExportButton({
  isRunning,
  size = 'medium',
  disabled,
  onStart,
  onCancel,
}: {
  isRunning: boolean;
  size?: 'small' | 'medium';
  disabled: boolean;
  onStart: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  return isRunning ? (
    <Button
      variant="outlined"
      size={size}
      startIcon={<CircularProgress size={14} color="inherit" aria-hidden />}
      onClick={onCancel}
    >
      {t('export.cancel')}
    </Button>
  ) : (
    <Button
      variant="outlined"
      size={size}
      startIcon={<Download size={16} aria-hidden />}
      disabled={disabled}
      onClick={onStart}
    >
      {t('export.start')}
    </Button>
  );
}
