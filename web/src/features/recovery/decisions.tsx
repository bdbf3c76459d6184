import { phoneShown } from '@caseway/contract/codes';
import {
  approveRecovery,
  declineRecovery,
  listRecoveries,
  type Recovery,
  recoveryRefusals,
  verifications,
} from '@caseway/contract/recovery';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type Change, callApi, queryClient, useChange } from '../../data/api.ts';
import { type AnyEndpoint, type AppError, refusalsIn } from '../../data/transport.ts';
import { confirmed } from '../../session/confirmation.ts';
import { notify } from '../../session/notify.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { ErrorSummary, SelectField, TextField, useSchemaForm } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';

/** A decision; a person who has not signed in recently is asked to do so first. */
const useDecision = <E extends AnyEndpoint>(endpoint: E): Change<E> =>
  useChange<E>((input) => confirmed(callApi, endpoint, input), {
    // Also after a refusal: someone else may have decided.
    onSettled: () => queryClient.invalidateQueries({ queryKey: [listRecoveries.path] }),
  });

function Trouble({ error }: { error: AppError | null }) {
  const { t } = useTranslation('recovery');
  if (error === null) return null;
  const [refusal] = refusalsIn(error, recoveryRefusals);
  return <Alert severity="error">{t(refusal ? `refusal.${refusal}` : `common:error.${error.code}`)}</Alert>;
}

const approval = approveRecovery.body!;

/** Records how the person was verified, and approves. */
export function Approve({ recovery, onClose }: { recovery: Recovery; onClose: () => void }) {
  const { t } = useTranslation('recovery');
  const { who, phone, newEmail, approvals, needed } = recovery;
  const call = useDecision(approveRecovery);
  const form = useSchemaForm(approval, { verifiedBy: 'call' as const, verification: '' });
  useUnsaved(form.formState.isDirty && !call.isSuccess);
  const labels = { verifiedBy: t('approve.verifiedBy'), verification: t('approve.verification') };
  const send = form.handleSubmit((body) =>
    call.mutate(
      { params: { id: recovery.id }, body },
      {
        onSuccess: ({ state }) => {
          notify('success', state === 'approved' ? 'recovery:done.approved' : 'recovery:done.approvedFirst');
          onClose();
        },
      },
    ),
  );
  return (
    <FormDialog
      title={t('approve.title', { who })}
      lead={
        phone
          ? t('approve.leadPhone', { phone: phoneShown(phone), email: newEmail })
          : t('approve.lead', { email: newEmail })
      }
      submit={t('approve.button')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <ErrorSummary labels={labels} />
        <SelectField
          name="verifiedBy"
          label={labels.verifiedBy}
          options={verifications.map((value) => ({ value, label: t(`verified.${value}`) }))}
        />
        <TextField
          name="verification"
          label={labels.verification}
          help={t('approve.verificationHelp')}
          multiline
          minRows={2}
        />
      </FormProvider>
      <Typography variant="body1" sx={{ overflowWrap: 'anywhere' }}>
        {approvals.length + 1 < needed ? t('approve.first') : t('approve.last', { who, email: newEmail })}
      </Typography>
      <Trouble error={call.error} />
    </FormDialog>
  );
}

const noteForm = z.strictObject({ note: z.string().trim().max(500) });

/** Declines, or withdraws an approval. */
export function Decline({ recovery, onClose }: { recovery: Recovery; onClose: () => void }) {
  const { t } = useTranslation('recovery');
  const call = useDecision(declineRecovery);
  const form = useSchemaForm(noteForm, { note: '' });
  useUnsaved(form.formState.isDirty && !call.isSuccess);
  const send = form.handleSubmit(({ note }) =>
    call.mutate(
      { params: { id: recovery.id }, body: { note: note || null } },
      {
        onSuccess: () => {
          notify('success', 'recovery:done.declined');
          onClose();
        },
      },
    ),
  );
  return (
    <FormDialog
      title={t('decline.title', { who: recovery.who })}
      lead={t('decline.lead')}
      submit={t('decline.button')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <TextField name="note" label={t('decline.note')} required={false} multiline minRows={2} />
      </FormProvider>
      <Trouble error={call.error} />
    </FormDialog>
  );
}
