import Box from '@mui/material/Box';
import { CloudUpload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useKeptMark } from '../../../kept/mark.ts';
import { useAppSelector } from '../../../session/store.ts';
import { StatusLine } from '../../../ui/StatusLine.tsx';
import { useFormats } from '../../../words/formats.ts';
import { useKept } from './use-kept.ts';

/** Says above every screen how much is unsent, and when the next try is. */
export default function KeptBar() {
  const { t } = useTranslation('field-visits');
  const { time } = useFormats();
  const { phase, nextAt, sending } = useKept();
  const mark = useKeptMark();
  const account = useAppSelector(({ authentication }) => authentication.user?.id);
  if (!mark || mark.account !== account || mark.unsent === 0) return null;
  const next = () => {
    if (mark.asks > 0) return t('kept.asks', { count: mark.asks });
    if (phase === 'locked') return t('kept.needsPin');
    if (sending) return t('kept.sending');
    return nextAt !== null && t('kept.next', { time: time(new Date(nextAt)) });
  };
  return (
    <StatusLine icon={CloudUpload} sx={{ flexWrap: 'wrap' }}>
      <span>{[t('kept.notSent', { count: mark.unsent }), next()].filter(Boolean).join(' · ')}</span>
      <Box component={Link} to="/field-visits/kept" sx={{ color: 'primary.main' }}>
        {t('kept.show')}
      </Box>
    </StatusLine>
  );
}
