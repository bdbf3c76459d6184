import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../transport.ts';
import type { Trouble } from './SignInForm.tsx';

/** What went wrong, in words. */
export function TroubleAlert({ trouble }: { trouble: Trouble | null }) {
  const { t } = useTranslation(['sign-in', 'common']);
  if (!trouble) return null;
  return (
    <Alert severity="error">
      {trouble instanceof AppError ? t(`common:error.${trouble.code}`) : t('passkey.notUsed')}
    </Alert>
  );
}
