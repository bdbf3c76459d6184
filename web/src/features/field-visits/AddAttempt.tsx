import { type FieldVisit, visitAttempts } from '@caseway/contract/field-visits';
import {
  type AttemptMade,
  attemptMade,
  leftBehind,
  nextSteps,
  outcomesBy,
  proposedStep,
  visitMethodCodes,
} from '@caseway/contract/visit-attempts';
import Alert from '@mui/material/Alert';
import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi, useCall } from '../../data/api.ts';
import { newId } from '../../record/new-id.ts';
import { Day } from '../../record/RecordFields.tsx';
import { notify } from '../../session/notify.ts';
import { useUnsaved } from '../../session/unsaved.ts';
import { ErrorSummary, SelectField, showFaults, TextField, useSchemaForm } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useFormats } from '../../words/formats.ts';
import { oldVisits, useVisitWords, whoIs } from './visit-words.ts';

const { shape } = attemptMade;
/** A choice of none is no value. */
const chosen = (schema: z.ZodType) => z.preprocess((value) => (value === '' ? null : value), schema);

interface Values {
  day: string;
  time: string;
  method: AttemptMade['method'];
  outcome: AttemptMade['outcome'];
  nextStep: string;
  left: AttemptMade['left'];
  note: string;
}
const form = z.object({
  ...shape,
  nextStep: chosen(shape.nextStep),
  note: z.preprocess((value) => String(value).trim() || null, shape.note),
}) as unknown as z.ZodType<AttemptMade, Values>;

/** The time that it is in a zone, as `14:05`. */
const timeIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(),
  );

/** Notes an attempt to meet the person of a visit; it is added, and nobody changes it. */
export function AddAttempt({ visit, onClose }: { visit: FieldVisit; onClose: () => void }) {
  const { t } = useTranslation('field-visits');
  const words = useVisitWords();
  const { today, timeZone } = useFormats();
  const call = useCall(visitAttempts.add, { invalidates: oldVisits });
  const before = useApi(visitAttempts.read, { params: { id: visit.id } }).data?.attempts;
  // A request that is sent again, because its answer was lost, adds no second attempt.
  const [attemptId] = useState(newId);
  const editing = useSchemaForm<Values>(form, {
    day: today,
    time: timeIn(timeZone),
    method: 'visit',
    outcome: 'nobody',
    nextStep: 'other-time',
    left: 'nothing',
    note: '',
  });
  useUnsaved(editing.formState.isDirty && !call.isSuccess);
  const labels = Object.fromEntries(Object.keys(shape).map((field) => [field, words.column(field)]));
  const values = editing.watch();
  const methods = visitMethodCodes.filter((method) => !(visit.noLetter && method === 'letter'));
  const steps = nextSteps.filter((step) => !(visit.noLetter && step === 'letter'));
  const options = (name: string, codes: readonly string[]) =>
    codes.map((value) => ({ value, label: words.choice(name, value) }));
  const { day, time, method, outcome, nextStep } = values;
  const { setValue } = editing;
  // A letter is sent, and nobody is at home.
  useEffect(() => {
    const [first, ...others] = outcomesBy(method);
    if (first !== outcome && !others.includes(outcome))
      setValue('outcome', method === 'phone' ? 'nobody' : 'sent');
  }, [method, outcome, setValue]);
  // What is done next is proposed, until somebody chooses something else.
  const next = proposedStep(before ?? [], { day, time, method, outcome }) ?? '';
  const [proposed, setProposed] = useState(next);
  useEffect(() => {
    if (next === proposed) return;
    if (nextStep === proposed) setValue('nextStep', next);
    setProposed(next);
  }, [next, proposed, nextStep, setValue]);
  const send = editing.handleSubmit((made) =>
    call.mutate(
      {
        params: { id: visit.id },
        body: {
          ...(made as unknown as AttemptMade),
          left: made.method === 'visit' ? made.left : 'nothing',
          id: attemptId,
        },
      },
      {
        onSuccess: () => {
          notify('success', 'field-visits:attempt.done');
          onClose();
        },
        onError: ({ faults }) => showFaults(editing, faults, (code) => `field-visits:fault.${code}`),
      },
    ),
  );
  return (
    <FormDialog
      title={t('attempt.title', { name: whoIs(visit) })}
      submit={t('attempt.add')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <FormProvider {...editing}>
        <ErrorSummary labels={labels} />
        <Day name="day" label={labels.day!} required />
        <TextField name="time" label={labels.time!} type="time" autoComplete="off" />
        <SelectField name="method" label={labels.method!} options={options('method', methods)} />
        <SelectField
          name="outcome"
          label={labels.outcome!}
          options={options('outcome', outcomesBy(method))}
        />
        <SelectField
          name="nextStep"
          label={labels.nextStep!}
          options={options('nextStep', steps)}
          empty={t('form.choose', { ns: 'common' })}
          required={false}
        />
        {visit.noLetter || method !== 'visit' ? null : (
          <SelectField name="left" label={labels.left!} options={options('left', leftBehind)} />
        )}
        <TextField
          name="note"
          label={labels.note!}
          required={false}
          multiline
          minRows={2}
          maxRows={10}
          autoComplete="off"
        />
      </FormProvider>
      {call.error && call.error.faults.length === 0 ? (
        <Alert severity="error">{t(`common:error.${call.error.code}`)}</Alert>
      ) : null}
    </FormDialog>
  );
}
