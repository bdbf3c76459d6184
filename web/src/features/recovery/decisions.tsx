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
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type Change, callApi, queryClient, useChange } from '../../data/api.ts';
import { type AnyEndpoint, type AppError, refusalsIn } from '../../data/transport.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { useKeptForm } from '../../record/use-kept-form.ts';
import { confirmed } from '../../session/confirmation.ts';
import { notify } from '../../session/notify.ts';
import { SelectField, TextField } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';

/** A decision; a user who has not signed in recently must do so first. */
const useDecision = <E extends AnyEndpoint>(endpoint: E): Change<E> =>
  useChange<E>((input) => confirmed(callApi, endpoint, input), {
    // After a refusal too, because someone else may have decided.
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
  const editing = useKeptForm(
    approval,
    `recovery/approve/${recovery.id}`,
    { verifiedBy: 'call' as const, verification: '' },
    call.isSuccess,
  );
  const labels = { verifiedBy: t('approve.verifiedBy'), verification: t('approve.verification') };
  const send = editing.form.handleSubmit((body) =>
    call.mutate(
      { params: { id: recovery.id }, body },
      {
        onSuccess: ({ state }) => {
          editing.forget();
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
      onClose={() => void editing.close(onClose)}
    >
      <FormBody of={editing} labels={labels}>
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
      </FormBody>
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
  const editing = useKeptForm(noteForm, `recovery/decline/${recovery.id}`, { note: '' }, call.isSuccess);
  const send = editing.form.handleSubmit(({ note }) =>
    call.mutate(
      { params: { id: recovery.id }, body: { note: note || null } },
      {
        onSuccess: () => {
          editing.forget();
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
      onClose={() => void editing.close(onClose)}
    >
      <FormBody of={editing} labels={{ note: t('decline.note') }}>
        <TextField name="note" label={t('decline.note')} required={false} multiline minRows={2} />
      </FormBody>
      <Trouble error={call.error} />
    </FormDialog>
  );
}
