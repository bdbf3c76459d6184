import { type AnyRecord, conditionFaults } from '@caseway/contract/record';
import { type ReactNode, useState } from 'react';
import { callApi, useCall } from '../data/api.ts';
import { type FaultValues, showFaults } from '../ui/Form.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import { FormBody } from './FormBody.tsx';
import { asStored, type FormValues, formSchema, formValues, onlyAsked } from './form-values.ts';
import { newId } from './new-id.ts';
import { keepAnswer } from './offer-undo.ts';
import { useRecordForm } from './use-record-form.ts';

/** A record as its endpoints return it. */
export type AnyAnswer = { id: string; version: number; active: boolean } & Record<string, unknown>;
export const answered = (answer: unknown) => answer as AnyAnswer;

/** The previous values of the changed fields. */
const seenOf = ({ fields }: AnyRecord, base: FormValues, changes: object) => ({
  seen: Object.fromEntries(Object.keys(changes).map((name) => [name, asStored(fields[name]!, base[name])])),
});

/**
 * The form of a new or existing record, in a dialog or in a cell of a list: what it sends, with the version and the
 * values it is based on, and how it shows what is refused.
 */
export function useEditedRecord({
  record,
  stored,
  preset = {},
  only,
  old,
  faultKey,
  faultValues,
  onSaved,
}: {
  record: AnyRecord;
  /** Null for a new record. */
  stored: AnyAnswer | null;
  /** Values of a new record that the user does not enter. */
  preset?: Readonly<Record<string, string>>;
  /** The one field that is edited. */
  only?: string;
  /** What a change makes stale. */
  old: readonly { path: string }[];
  /** The key of a refusal's text by code, if it has its own. */
  faultKey?: ((code: string) => string) | undefined;
  faultValues?: FaultValues;
  /** `undo`: undoes the change; null for a new record. */
  onSaved: (saved: AnyAnswer, undo: (() => Promise<unknown>) | null) => void;
}) {
  const { endpoints } = record;
  const make = useCall(endpoints.make, { invalidates: old });
  const change = useCall(endpoints.change, { invalidates: old });
  // A fixed id, so that a retry after a lost answer creates no second record.
  const [ownId] = useState(newId);
  const params = { id: stored ? stored.id : ownId };
  const versionOf = (of: AnyAnswer) => ({ version: of.version, values: formValues(record, of) });
  const begun = stored === null ? { ...formValues(record, null), ...preset } : formValues(record, stored);
  const draft = stored?.id ?? ['new', ...Object.values(preset)].join('/');
  const editing = useRecordForm<FormValues, AnyAnswer>(
    formSchema(record, only === undefined ? undefined : [only], begun),
    [record.id, draft, ...(only === undefined ? [] : [only])].join('/'),
    { version: stored?.version ?? 0, values: begun },
    {
      mayBeSent: (typed, changed) => {
        const isNew = stored === null;
        const lacking = conditionFaults(record.fields, typed, isNew ? Object.keys(typed) : changed).filter(
          ({ code }) => code === 'required',
        );
        showFaults(
          editing.form,
          lacking.map(({ field, code }) => ({ path: field, code })),
          faultKey,
        );
        return lacking.length === 0;
      },
      write: async (parsed, version, base) => {
        const changes = onlyAsked(record.fields, parsed, editing.form.getValues());
        return answered(
          await (stored === null
            ? make.mutateAsync({ body: { ...changes, id: ownId } as never })
            : change.mutateAsync({
                params,
                body: {
                  ...changes,
                  version,
                  ...(record.ofPatients && seenOf(record, base, changes)),
                } as never,
              })),
        );
      },
      read: async () => versionOf(answered(await callApi(endpoints.read, { params }))),
      versionOf,
      ...(faultKey && {
        onRefused: (error) => showFaults(editing.form, error.faults, faultKey, faultValues),
      }),
      onSaved: (saved) => {
        keepAnswer(record, saved);
        onSaved(
          saved,
          stored && (() => callApi(endpoints.undo, { params, body: { version: saved.version } })),
        );
      },
    },
    stored === null,
  );
  return editing;
}

/**
 * A dialog that creates or changes a record. It keeps a draft until it is sent or discarded. Someone else's
 * changes are shown field by field, so nothing overwrites them unseen.
 */
export function EditRecord({
  title,
  submit,
  wide = false,
  words,
  text,
  onClose,
  children,
  ...edited
}: Omit<Parameters<typeof useEditedRecord>[0], 'only' | 'faultValues'> & {
  title: string;
  submit: string;
  wide?: boolean;
  words: Required<GridWords>;
  text: (name: string, value: unknown) => string;
  onClose: () => void;
  children: ReactNode;
}) {
  const editing = useEditedRecord(edited);
  const names = Object.keys(editing.base.values);
  return (
    <FormDialog
      title={title}
      submit={submit}
      busy={editing.saving}
      wide={wide}
      onSubmit={() => void editing.send(onClose)()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody
        of={editing}
        labels={Object.fromEntries(names.map((name) => [name, words.column(name)]))}
        text={text}
      >
        {children}
      </FormBody>
    </FormDialog>
  );
}
