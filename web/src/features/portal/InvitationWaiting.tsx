import { phoneShown } from '@caseway/contract/codes';
import {
  type CheckOfAddress,
  checksOfAddress,
  confirmInvitation,
  invitationBars,
  listWaitingInvitations,
  type PortalState,
  readPortalState,
  refuseInvitation,
} from '@caseway/contract/portal';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import type { AppError } from '../../data/transport.ts';
import { notify } from '../../session/notify.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useFormats } from '../../words/formats.ts';

type Waiting = NonNullable<PortalState['waiting']>;
const changed = [readPortalState, listWaitingInvitations];

/**
 * An invitation requested by one person and waiting for another to confirm: who, the address, and what the
 * reader can do with it.
 */
export function InvitationWaiting({
  patientId,
  waiting,
  mayWrite,
}: {
  patientId: string;
  waiting: Waiting;
  mayWrite: boolean;
}) {
  const { t } = useTranslation('patient-portal');
  const words = useRefusalWords();
  const formats = useFormats();
  const [confirming, setConfirming] = useState(false);
  const refuse = useCall(refuseInvitation, { invalidates: changed });
  const { barred, own, to } = waiting;
  return (
    <Alert severity="info" sx={{ '& .MuiAlert-message': { minWidth: 0, overflowWrap: 'anywhere' } }}>
      <AlertTitle>{t('waiting.title')}</AlertTitle>
      <Typography variant="body2">
        {t('waiting.text', {
          who: waiting.askedBy ?? t('waiting.somebody'),
          at: formats.instant(waiting.askedAt),
          to,
          until: formats.instant(waiting.expiresAt),
        })}
      </Typography>
      {mayWrite ? (
        <>
          {barred ? (
            <Typography variant="body2" sx={{ marginTop: 2, fontWeight: 550 }}>
              {t(`fault.${barred}`)}
            </Typography>
          ) : null}
          {refuse.error ? (
            <Typography variant="body2" role="alert" sx={{ marginTop: 2, color: 'error.main' }}>
              {words(refuse.error)}
            </Typography>
          ) : null}
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, marginTop: 3 }}>
            {barred ? null : (
              <Button variant="contained" size="small" onClick={() => setConfirming(true)}>
                {t('waiting.confirm')}
              </Button>
            )}
            <Button
              variant="outlined"
              size="small"
              loading={refuse.isPending}
              onClick={() =>
                refuse.mutate(
                  { params: { id: patientId, invitationId: waiting.id }, body: {} },
                  { onSuccess: () => notify('success', 'patient-portal:waiting.refused') },
                )
              }
            >
              {t(own ? 'waiting.withdraw' : 'waiting.refuse')}
            </Button>
          </Box>
        </>
      ) : null}
      {confirming ? (
        <Confirm patientId={patientId} waiting={waiting} onClose={() => setConfirming(false)} />
      ) : null}
    </Alert>
  );
}

function Confirm({
  patientId,
  waiting,
  onClose,
}: {
  patientId: string;
  waiting: Waiting;
  onClose: () => void;
}) {
  const { t } = useTranslation('patient-portal');
  const id = useId();
  const words = useRefusalWords();
  const call = useCall(confirmInvitation, { invalidates: changed });
  // Nothing is preselected, because it is a statement.
  const [checked, setChecked] = useState<CheckOfAddress | ''>('');
  const [tried, setTried] = useState(false);
  return (
    <FormDialog
      title={t('waiting.confirmTitle', { to: phoneShown(waiting.to) })}
      lead={t('waiting.confirmText')}
      submit={t('waiting.send')}
      busy={call.isPending}
      onSubmit={() => {
        setTried(true);
        if (checked !== '')
          call.mutate(
            { params: { id: patientId, invitationId: waiting.id }, body: { checked } },
            {
              onSuccess: () => {
                notify('success', 'patient-portal:access.sent');
                onClose();
              },
            },
          );
      }}
      onClose={onClose}
    >
      {call.error ? <Alert severity="error">{words(call.error)}</Alert> : null}
      <Field
        id={id}
        label={t('waiting.how')}
        required
        fault={tried && checked === '' ? t('common:fault.required') : undefined}
      >
        {({ describedBy, invalid }) => (
          <NativeSelect
            id={id}
            input={<OutlinedInput error={invalid} />}
            value={checked}
            inputProps={{ 'aria-describedby': describedBy, 'aria-invalid': invalid }}
            onChange={(event) => setChecked(event.target.value as CheckOfAddress | '')}
          >
            <option value="">{t('waiting.choose')}</option>
            {checksOfAddress.map((one) => (
              <option key={one} value={one}>
                {t(`waiting.check.${one}`)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </FormDialog>
  );
}

const faults: readonly string[] = [
  ...invitationBars,
  'no-consent',
  'not-in-record',
  'not-reachable',
  'signs-in-elsewhere',
];

/** Why an invitation was refused. */
export function useRefusalWords(): (error: AppError) => string {
  const { t } = useTranslation(['patient-portal', 'common']);
  return (error) => {
    const code = error.faults[0]?.code;
    return code !== undefined && faults.includes(code) ? t(`fault.${code}`) : t(`common:error.${error.code}`);
  };
}
