import { type FieldVisit, visitAttempts } from '@caseway/contract/field-visits';
import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { newId } from '../../record/new-id.ts';
import { readDraft, removeDraft, saveDraft } from '../../session/drafts.ts';
import { notify } from '../../session/notify.ts';
import { mayLeave, useUnsaved } from '../../session/unsaved.ts';
import { useFormats } from '../../words/formats.ts';
import { AttemptForm, attemptDraft } from './AttemptForm.tsx';
import { fieldVisits } from './visit-words.ts';

/** Records an attempt to meet the person of a visit. Attempts are only added, never changed. */
export function AddAttempt({ visit, onClose }: { visit: FieldVisit; onClose: () => void }) {
  const { t } = useTranslation('field-visits');
  const now = useFormats();
  const call = useCall(visitAttempts.add, { invalidates: fieldVisits.old });
  const before = useApi(visitAttempts.read, { params: { id: visit.id } }).data?.attempts;
  // A fixed id, so that a retry after a lost answer adds no second attempt.
  const [id] = useState(newId);
  const draftName = `field-visits/attempt/${visit.id}`;
  const [begun] = useState(() => readDraft(draftName, attemptDraft) ?? undefined);
  const [isTyped, setTyped] = useState(begun !== undefined);
  const isUnsaved = isTyped && !call.isSuccess;
  useUnsaved(isUnsaved);
  return (
    <AttemptForm
      visit={visit}
      before={before}
      now={now}
      faults={call.error?.faults}
      busy={call.isPending}
      isDone={call.isSuccess}
      begun={begun}
      onTyped={(typed) => {
        saveDraft(draftName, typed);
        setTyped(true);
      }}
      onSend={(made) =>
        call.mutate(
          { params: { id: visit.id }, body: { ...made, id } },
          {
            onSuccess: () => {
              removeDraft(draftName);
              notify('success', 'field-visits:attempt.done');
              onClose();
            },
          },
        )
      }
      onClose={() =>
        void (isUnsaved ? mayLeave('screen') : Promise.resolve(true)).then((leaves) => leaves && onClose())
      }
    >
      {call.error && call.error.faults.length === 0 ? (
        <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert>
      ) : null}
    </AttemptForm>
  );
}
