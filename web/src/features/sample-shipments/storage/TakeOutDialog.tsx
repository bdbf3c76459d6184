import {
  readBox,
  type StorageBox,
  type Taken,
  type TakeOutReason,
  takeOutReasons,
  takeOutStored,
} from '@caseway/contract/storage';
import Alert from '@mui/material/Alert';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keepAnswered, useCall } from '../../../data/api.ts';
import { useFaultKey } from '../../../record/use-fault-key.ts';
import { notify } from '../../../session/notify.ts';
import { Field } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';

/** Asks why a specimen leaves its box. */
export function TakeOutDialog({
  box: { id },
  specimen: { id: specimen, code },
  old,
  onClose,
}: {
  box: StorageBox;
  specimen: NonNullable<Taken['specimen']>;
  old: readonly { path: string }[];
  onClose: () => void;
}) {
  const { t } = useTranslation('storage');
  const fieldId = useId();
  const faultKey = useFaultKey('storage');
  const takeOut = useCall(takeOutStored, { invalidates: old });
  const [reason, setReason] = useState<TakeOutReason>('for-testing');
  const [note, setNote] = useState('');
  const fault = takeOut.error?.faults[0]?.code;
  return (
    <FormDialog
      title={t('out.title', { code })}
      submit={t('place.takeOut')}
      busy={takeOut.isPending}
      onSubmit={() =>
        takeOut.mutate(
          { params: { id, specimen }, body: { reason, note: note.trim() || null } },
          {
            onSuccess: (box) => {
              keepAnswered(readBox, { params: { id } }, box);
              notify('success', 'storage:out.done', { values: { code } });
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      {takeOut.error ? (
        <Alert severity="error">
          {t((fault ? faultKey(fault) : `common:error.${takeOut.error.code}`) as 'fault.other')}
        </Alert>
      ) : null}
      <Field id={`${fieldId}-reason`} label={t('out.reason')} required>
        {() => (
          <NativeSelect
            value={reason}
            input={<OutlinedInput />}
            inputProps={{ id: `${fieldId}-reason` }}
            onChange={(event) => setReason(event.target.value as TakeOutReason)}
          >
            {takeOutReasons.map((one) => (
              <option key={one} value={one}>
                {t(`reason.${one}`)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field id={`${fieldId}-note`} label={t('out.note')}>
        {({ describedBy }) => (
          <OutlinedInput
            id={`${fieldId}-note`}
            value={note}
            multiline
            minRows={2}
            onChange={(event) => setNote(event.target.value)}
            inputProps={{ maxLength: 1000, 'aria-describedby': describedBy }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
