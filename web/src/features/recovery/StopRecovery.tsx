import { stopRecovery } from '@caseway/contract/recovery';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import { CodeForm } from './CodeForm.tsx';

/** For people who got a notice of a recovery they did not request. */
export default function StopRecovery() {
  const { t } = useTranslation('recovery');
  const call = useCall(stopRecovery);
  if (call.isSuccess)
    return (
      <Alert severity="success">
        <Typography variant="body1" sx={{ fontWeight: 650 }}>
          {t('stop.done')}
        </Typography>
        <Typography variant="body1" sx={{ marginTop: 1 }}>
          {t('stop.next')}
        </Typography>
      </Alert>
    );
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Typography variant="body1" sx={{ color: 'text.secondary' }}>
        {t('stop.lead')}
      </Typography>
      <CodeForm
        submit={t('stop.send')}
        busy={call.isPending}
        error={call.error}
        onSend={(code) => call.mutate({ body: { code } })}
      />
    </Box>
  );
}
