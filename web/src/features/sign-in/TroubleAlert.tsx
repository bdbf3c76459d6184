import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../data/transport.ts';
import { type SignInStep, signInWords } from '../../ui/sign-in-trouble.ts';
import type { Trouble } from './SignInForm.tsx';

/** What went wrong at a step, in words. */
export function useTroubleWords(
  step: SignInStep,
  trouble: Trouble | null,
): { code: string | undefined; text: string } | null {
  const { t } = useTranslation(['sign-in', 'common']);
  if (!trouble) return null;
  return trouble instanceof AppError
    ? { code: trouble.code, text: signInWords(t, step, trouble) }
    : { code: undefined, text: t('passkey.notUsed') };
}

export function TroubleAlert({ step, trouble }: { step: SignInStep; trouble: Trouble | null }) {
  const said = useTroubleWords(step, trouble);
  return said ? <Alert severity="error">{said.text}</Alert> : null;
}
