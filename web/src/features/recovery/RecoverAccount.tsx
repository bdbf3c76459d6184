import { completeRecovery, requestRecovery } from '@caseway/contract/recovery';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../../data/api.ts';
import { ErrorSummary, TextField, useSchemaForm } from '../../ui/Form.tsx';
import { FormFrame } from '../../ui/FormFrame.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFormats } from '../../words/formats.ts';
import { CodeForm } from './CodeForm.tsx';

const steps = ['ask', 'code'] as const;

/**
 * For users who can no longer sign in: the request for recovery, and the code that comes once it is approved.
 */
export default function RecoverAccount() {
  const { t } = useTranslation('recovery');
  const [step, setStep] = useState<(typeof steps)[number]>('ask');
  return (
    <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Segments
        label={t('door.steps')}
        value={step}
        options={steps.map((value) => ({ value, label: t(`door.${value}`) }))}
        onChange={setStep}
      />
      {step === 'ask' ? <Ask /> : <Complete />}
    </Box>
  );
}

function Ask() {
  const { t } = useTranslation('recovery');
  const call = useCall(requestRecovery);
  const form = useSchemaForm(requestRecovery.body!, { name: '', email: '', reason: '' });
  const labels = { name: t('ask.name'), email: t('ask.email'), reason: t('ask.reason') };
  if (call.isSuccess)
    return (
      <Alert severity="success">
        <Typography variant="body1" sx={{ fontWeight: 650 }}>
          {t('ask.done')}
        </Typography>
        <Typography variant="body1" sx={{ marginTop: 1 }}>
          {t('ask.next')}
        </Typography>
      </Alert>
    );
  return (
    <FormProvider {...form}>
      <FormFrame onSubmit={() => void form.handleSubmit((body) => call.mutate({ body }))()}>
        <Typography variant="body1" sx={{ color: 'text.secondary' }}>
          {t('ask.lead')}
        </Typography>
        <ErrorSummary labels={labels} />
        {call.error ? <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert> : null}
        <TextField name="name" label={labels.name} help={t('ask.nameHelp')} autoComplete="username" />
        <TextField
          name="email"
          label={labels.email}
          help={t('ask.emailHelp')}
          type="email"
          autoComplete="email"
        />
        <TextField name="reason" label={labels.reason} help={t('ask.reasonHelp')} multiline minRows={3} />
        <Button type="submit" variant="contained" loading={call.isPending}>
          {t('ask.send')}
        </Button>
      </FormFrame>
    </FormProvider>
  );
}

function Complete() {
  const { t } = useTranslation('recovery');
  const formats = useFormats();
  const call = useCall(completeRecovery);
  if (call.data?.state === 'done')
    return (
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Alert severity="success">
          <Typography variant="body1" sx={{ fontWeight: 650 }}>
            {t('complete.done')}
          </Typography>
          <Typography variant="body1" sx={{ marginTop: 1, overflowWrap: 'anywhere' }}>
            {t('complete.next', { username: call.data.username })}
          </Typography>
        </Alert>
        <Button variant="contained" component={Link} to="/sign-in">
          {t('complete.signIn')}
        </Button>
      </Box>
    );
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Typography variant="body1" sx={{ color: 'text.secondary' }}>
        {t('complete.lead')}
      </Typography>
      {call.data?.state === 'waiting' ? (
        <Alert severity="info">{t('complete.waiting', { time: formats.instant(call.data.from) })}</Alert>
      ) : null}
      <CodeForm
        submit={t('complete.send')}
        busy={call.isPending}
        error={call.error}
        onSend={(code) => call.mutate({ body: { code } })}
      />
    </Box>
  );
}
