import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../words/formats.ts';

/**
 * Says until when no more codes are sent. Loaded separately, because sign-in forms need no other date
 * formats.
 */
export default function TooManyCodes({ until }: { until: string }) {
  const { t } = useTranslation();
  return <Alert severity="info">{t('signIn.limit', { time: useFormats().time(until) })}</Alert>;
}
