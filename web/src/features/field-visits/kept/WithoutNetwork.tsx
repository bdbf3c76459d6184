import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { WifiOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { startSession } from '../../../session/session.ts';
import { frame } from '../../../theme.ts';
import { StatusLine } from '../../../ui/StatusLine.tsx';
import { WordsGate } from '../../../words/WordsGate.tsx';
import KeptVisits from './KeptVisits.tsx';

/** Replaces the whole program when the server is unreachable: the visits taken along. */
export default function WithoutNetwork() {
  const { t } = useTranslation('field-visits');
  const [busy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    await startSession();
    setBusy(false);
  };
  return (
    <WordsGate screen="kept">
      <Box sx={{ minHeight: '100dvh', backgroundColor: 'canvas' }}>
        <Box component="header" role="status">
          <StatusLine
            icon={WifiOff}
            sx={{ flexWrap: 'wrap', minHeight: frame.topBar, backgroundColor: 'surface' }}
          >
            <Box component="span" sx={{ flex: '1 1 160px' }}>
              {t('kept.offline')}
            </Box>
            <Button size="small" variant="outlined" loading={busy} onClick={() => void again()}>
              {t('kept.connect')}
            </Button>
          </StatusLine>
        </Box>
        <Box component="main">
          <KeptVisits />
        </Box>
      </Box>
    </WordsGate>
  );
}
