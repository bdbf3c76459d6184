import Button from '@mui/material/Button';
import { CloudOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Message } from '../ui/Message.tsx';
import { forgetMissed, loadWordsAgain, useLostWords } from './lost-words.ts';

/**
 * A screen or, instead of it, the message that its texts did not load. `screen`: its address, or another name
 * for it.
 */
export function WordsGate({ screen, children }: { screen: string; children: ReactNode }) {
  const { t } = useTranslation();
  const { wordless } = useLostWords();
  const [asking, setAsking] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen needs its own words.
  useEffect(() => forgetMissed, [screen]);
  if (!wordless) return children;
  const askAgain = async () => {
    setAsking(true);
    try {
      await loadWordsAgain();
    } finally {
      setAsking(false);
    }
  };
  return (
    <Message
      icon={CloudOff}
      level="h1"
      title={t('words.lostTitle')}
      actions={
        <Button variant="contained" loading={asking} onClick={() => void askAgain()}>
          {t('action.retry')}
        </Button>
      }
    >
      <span role="alert">{t('words.lost')}</span>
    </Message>
  );
}
