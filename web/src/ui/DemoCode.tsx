import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newestCode, useDemoMessages } from '../data/demo-messages.ts';

/** How much earlier the message may have been requested, in milliseconds. */
const earlierMs = 10_000;

/** In the demo: the code sent to an invented person, ready to use. `now`: use it as soon as it arrives. */
export default function DemoCode({
  to,
  now,
  onUse,
}: {
  to: string;
  now: boolean;
  onUse: (code: string) => void;
}) {
  const { t } = useTranslation();
  const [after] = useState(() => Date.now() - earlierMs);
  const { data } = useDemoMessages((messages) => newestCode(messages, to, after) !== null);
  const code = newestCode(data?.messages ?? [], to, after);
  const used = useRef(false);
  useEffect(() => {
    if (!now || code === null || used.current) return;
    used.current = true;
    onUse(code);
  }, [now, code, onUse]);
  if (code === null) return null;
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 2,
        padding: 3,
        border: 1,
        borderColor: 'divider',
        borderRadius: '10px',
      }}
    >
      <Typography variant="body1">{t('signIn.demoCode', { code })}</Typography>
      <Button size="small" variant="outlined" type="button" onClick={() => onUse(code)}>
        {t('signIn.demoUse')}
      </Button>
    </Box>
  );
}
