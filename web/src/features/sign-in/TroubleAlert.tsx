import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../transport.ts';
import type { Trouble } from './SignInForm.tsx';

/** What went wrong, in words. */
export function TroubleAlert({ trouble }: { trouble: Trouble | null }) {
  const { t } = useTranslation(['sign-in', 'common']);
  if (!trouble) return null;
  return <Alert severity="error">{words()}</Alert>;

  function words(): string {
    if (!(trouble instanceof AppError)) return t('passkey.notUsed');
    if (trouble.code !== 'too-many-requests' || trouble.retryAfter === undefined)
      return t(`common:error.${trouble.code}`);
    return t('common:error.wait', { count: Math.ceil(trouble.retryAfter / 60) });
  }
}
