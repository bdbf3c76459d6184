import {
  followUpFound,
  type followUpOf,
  followUpOutcomes,
  followUpSymptoms,
  temperatureUnits,
} from '@caseway/contract/follow-up';
import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../data/api.ts';
import { notify } from '../session/notify.ts';
import { SelectField, showFaults, TextField } from '../ui/Form.tsx';
import { ManyOfField } from '../ui/FormChoices.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Segments } from '../ui/Segments.tsx';
import { useFormats } from '../words/formats.ts';
import { FormBody } from './FormBody.tsx';
import { typedOfDay, unitSigns } from './follow-up-form.ts';
import { newId } from './new-id.ts';
import { Day } from './RecordFields.tsx';
import { useKeptForm } from './use-kept-form.ts';

const { shape } = followUpFound;
interface Values {
  day: string;
  outcome: (typeof followUpOutcomes)[number];
  symptoms: string[];
  temperature: string;
  temperatureUnit: string;
  note: string;
}
const form = z.object({
  ...shape,
  ...typedOfDay,
}) as unknown as z.ZodType<z.infer<typeof followUpFound>, Values>;

/** Records what was found on a day of a follow-up. Entries are only added, never changed. */
export function AddFollowUp({
  of,
  id,
  name,
  old,
  onClose,
}: {
  of: ReturnType<typeof followUpOf>;
  id: string;
  /** The person followed up. */
  name: string;
  /** What a new entry makes stale. */
  old: readonly { path: string }[];
  onClose: () => void;
}) {
  const { t } = useTranslation('follow-up');
  const { today } = useFormats();
  const call = useCall(of.add, { invalidates: old });
  // A fixed id, so that a retry after a lost answer adds no second entry.
  const [entryId] = useState(newId);
  const kept = useKeptForm(
    form,
    `follow-up/${of.add.path}/${id}`,
    {
      day: today,
      outcome: 'seen',
      symptoms: [],
      temperature: '',
      temperatureUnit: temperatureUnits[0],
      note: '',
    },
    call.isSuccess,
  );
  const editing = kept.form;
  const labels = Object.fromEntries(Object.keys(shape).map((field) => [field, t(`column.${field}`)]));
  const outcome = editing.watch('outcome');
  const isSeen = outcome === 'seen';
  const send = editing.handleSubmit((values) => {
    const found = values as unknown as z.infer<typeof followUpFound>;
    const temperature = isSeen ? found.temperature : null;
    call.mutate(
      {
        params: { id },
        body: {
          ...found,
          id: entryId,
          symptoms: isSeen ? found.symptoms : [],
          temperature,
          temperatureUnit: temperature === null ? null : found.temperatureUnit,
        },
      },
      {
        onSuccess: () => {
          kept.forget();
          notify('success', 'follow-up:add.done', { values: { name } });
          onClose();
        },
        onError: ({ faults }) => showFaults(editing, faults, (code) => `follow-up:fault.${code}`),
      },
    );
  });
  return (
    <FormDialog
      title={t('add.title', { name })}
      submit={t('add.submit')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={() => void kept.close(onClose)}
    >
      <FormBody of={kept} labels={labels}>
        <Day name="day" label={labels.day!} required />
        <Segments
          label={labels.outcome!}
          value={outcome}
          onChange={(value) => editing.setValue('outcome', value, { shouldDirty: true })}
          options={followUpOutcomes.map((value) => ({ value, label: t(`state.${value}`) }))}
        />
        {isSeen ? (
          <>
            <ManyOfField
              name="symptoms"
              label={labels.symptoms!}
              required={false}
              options={followUpSymptoms.map((one) => ({ id: one, label: t(`symptom.${one}`) }))}
            />
            <TextField
              name="temperature"
              label={labels.temperature!}
              required={false}
              inputMode="decimal"
              autoComplete="off"
            />
            <SelectField
              name="temperatureUnit"
              label={labels.temperatureUnit!}
              options={temperatureUnits.map((value) => ({ value, label: unitSigns[value] }))}
            />
          </>
        ) : null}
        <TextField
          name="note"
          label={labels.note!}
          required={false}
          multiline
          minRows={2}
          maxRows={10}
          autoComplete="off"
        />
      </FormBody>
      {call.error && call.error.faults.length === 0 ? (
        <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert>
      ) : null}
    </FormDialog>
  );
}
