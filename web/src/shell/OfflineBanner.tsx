import Box from '@mui/material/Box';
import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { reached } from '../data/reached.ts';
import { useAppSelector } from '../session/store.ts';
import { StatusLine } from '../ui/StatusLine.tsx';
import { useLostWords } from '../words/lost-words.ts';

/**
 * Says that the server is unreachable and requests are waiting for it, or that texts of the language did not
 * load.
 */
export function OfflineBanner() {
  const { t } = useTranslation();
  const online = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  );
  const { ended, authenticated } = useAppSelector((state) => state.authentication);
  const answered = reached.use();
  const { fallenBack } = useLostWords();
  const message = !online
    ? 'shell.offline'
    : ended === 'unreachable' || (authenticated && !answered)
      ? 'shell.unreachable'
      : fallenBack
        ? 'words.fallenBack'
        : null;
  return (
    <Box role="status" className="no-print">
      {message ? (
        <StatusLine icon={WifiOff}>
          <span>{t(message)}</span>
        </StatusLine>
      ) : null}
    </Box>
  );
}
