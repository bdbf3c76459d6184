import { type FieldVisit, visitAttempts } from '@caseway/contract/field-visits';
import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { newId } from '../../record/new-id.ts';
import { notify } from '../../session/notify.ts';
import { useFormats } from '../../words/formats.ts';
import { AttemptForm } from './AttemptForm.tsx';
import { fieldVisits } from './visit-words.ts';

/** Notes an attempt to meet the person of a visit; it is added, and nobody changes it. */
export function AddAttempt({ visit, onClose }: { visit: FieldVisit; onClose: () => void }) {
  const { t } = useTranslation('field-visits');
  const now = useFormats();
  const call = useCall(visitAttempts.add, { invalidates: fieldVisits.old });
  const before = useApi(visitAttempts.read, { params: { id: visit.id } }).data?.attempts;
  // A request that is sent again, because its answer was lost, adds no second attempt.
  const [id] = useState(newId);
  return (
    <AttemptForm
      visit={visit}
      before={before}
      now={now}
      faults={call.error?.faults}
      busy={call.isPending}
      isDone={call.isSuccess}
      onSend={(made) =>
        call.mutate(
          { params: { id: visit.id }, body: { ...made, id } },
          {
            onSuccess: () => {
              notify('success', 'field-visits:attempt.done');
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      {call.error && call.error.faults.length === 0 ? (
        <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert>
      ) : null}
    </AttemptForm>
  );
}
