import type { FieldVisit } from '@caseway/contract/field-visits';
import {
  type AttemptMade,
  attemptMade,
  leftBehind,
  nextSteps,
  outcomesBy,
  proposedStep,
  type VisitAttempt,
  visitMethodCodes,
} from '@caseway/contract/visit-attempts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Day } from '../../record/RecordFields.tsx';
import { useUnsaved } from '../../session/unsaved.ts';
import { ErrorSummary, SelectField, showFaults, TextField, useSchemaForm } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useVisitWords, whoIs } from './visit-words.ts';

const { shape } = attemptMade;
/** An empty choice has no value. */
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

/** The current time in a zone, as `14:05`. */
const timeIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(),
  );

/** The typed values; a draft may have only some of them. */
export const attemptDraft = z
  .object(
    Object.fromEntries(Object.keys(shape).map((name) => [name, z.string()])) as Record<
      keyof Values,
      z.ZodString
    >,
  )
  .partial();
export type AttemptDraft = z.infer<typeof attemptDraft>;

/** The form of an attempt to meet the person of a visit. */
export function AttemptForm({
  visit,
  before,
  now,
  begun,
  faults = [],
  busy,
  isDone,
  submit,
  children,
  onTyped,
  onSend,
  onClose,
}: {
  visit: Pick<FieldVisit, 'name' | 'number' | 'noLetter'>;
  /** The attempts so far, if known. */
  before: readonly VisitAttempt[] | undefined;
  /** The day and time zone of the tenant. */
  now: { today: string; timeZone: string };
  /** The draft. */
  begun?: AttemptDraft | undefined;
  /** Why it was refused. */
  faults?: readonly { path: string; code: string }[];
  busy: boolean;
  /** It is stored, so leaving loses nothing. */
  isDone: boolean;
  submit?: string;
  /** Below the fields. */
  children?: ReactNode;
  onTyped?: (typed: AttemptDraft) => void;
  onSend: (made: AttemptMade) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('field-visits');
  const words = useVisitWords();
  const editing = useSchemaForm<Values>(form, {
    day: now.today,
    time: timeIn(now.timeZone),
    method: 'visit',
    outcome: 'nobody',
    nextStep: 'other-time',
    left: 'nothing',
    note: '',
    ...(begun as Partial<Values>),
  });
  useUnsaved(editing.formState.isDirty && !isDone && onTyped === undefined);
  const told = useRef(onTyped);
  told.current = onTyped;
  useEffect(() => {
    const following = editing.watch((typed) => told.current?.(typed as AttemptDraft));
    return () => following.unsubscribe();
  }, [editing]);
  useEffect(() => {
    if (faults.length > 0) showFaults(editing, faults, (code) => `field-visits:fault.${code}`);
  }, [faults, editing]);
  const labels = Object.fromEntries(Object.keys(shape).map((field) => [field, words.column(field)]));
  const values = editing.watch();
  const methods = visitMethodCodes.filter((method) => !(visit.noLetter && method === 'letter'));
  const steps = nextSteps.filter((step) => !(visit.noLetter && step === 'letter'));
  const options = (name: string, codes: readonly string[]) =>
    codes.map((value) => ({ value, label: words.choice(name, value) }));
  const { day, time, method, outcome, nextStep } = values;
  const { setValue } = editing;
  // The method decides the outcomes: a letter is sent, so no one can be absent.
  useEffect(() => {
    const [first, ...others] = outcomesBy(method);
    if (first !== outcome && !others.includes(outcome))
      setValue('outcome', method === 'phone' ? 'nobody' : 'sent');
  }, [method, outcome, setValue]);
  // Proposes the next step until the user chooses something else.
  const next = proposedStep(before ?? [], { day, time, method, outcome }) ?? '';
  const [proposed, setProposed] = useState(next);
  useEffect(() => {
    if (next === proposed) return;
    if (nextStep === proposed) setValue('nextStep', next);
    setProposed(next);
  }, [next, proposed, nextStep, setValue]);
  const send = editing.handleSubmit((typed) => {
    const made = typed as unknown as AttemptMade;
    onSend({ ...made, left: made.method === 'visit' ? made.left : 'nothing' });
  });
  return (
    <FormDialog
      title={t('attempt.title', { name: whoIs(visit) })}
      submit={submit ?? t('attempt.add')}
      busy={busy}
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
      {children}
    </FormDialog>
  );
}
