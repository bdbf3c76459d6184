import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../words/formats.ts';

/** Says until when no further codes are sent. It comes by itself: forms to sign in need no other dates. */
export default function TooManyCodes({ until }: { until: string }) {
  const { t } = useTranslation();
  return <Alert severity="info">{t('signIn.limit', { time: useFormats().time(until) })}</Alert>;
}
