import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../session/notify.ts';
import { answered, EditRecord } from './EditRecord.tsx';
import { foundFields, isFound } from './found-fields.tsx';
import { offerUndo } from './offer-undo.ts';
import { RecordFields } from './RecordFields.tsx';
import { type ShownRecord, useRecordWords, useShownText } from './shown-record.ts';
import { useFaultKey } from './use-fault-key.ts';
import { useFormHelp } from './use-form-help.ts';

type Lines = ComponentProps<typeof RecordFields>['record']['form'];

/** What a form gets from the screen that opens it. */
export interface FormHandlers<Row> {
  onSaved: (saved: Row) => void;
  onClose: () => void;
}

/**
 * The form of a new or existing record, with the texts of `edit` in the record's file. It confirms a save and
 * offers to undo it.
 */
export function RecordForm<Row extends { id: string }>({
  of,
  stored,
  form = of.record.form,
  preset = {},
  chosen,
  add,
  submit,
  wide = true,
  above,
  offered,
  onSaved,
  onClose,
}: FormHandlers<Row> & {
  of: ShownRecord<Row>;
  /** Null for a new record. */
  stored: Row | null;
  form?: Lines;
  /** Values of a new record. A known case is not asked for. */
  preset?: Readonly<Record<string, string>>;
  /** The chosen person. */
  chosen?: { id: string; label: string } | undefined;
  /** The title for creating one. */
  add?: string;
  /** The submit button, if named differently. */
  submit?: string;
  wide?: boolean;
  /** Content above the fields. */
  above?: ReactNode;
  offered?: ComponentProps<typeof RecordFields>['offered'];
}) {
  const { record, old, called } = of;
  const { id, fields } = record;
  const { t } = useTranslation(id);
  const words = useRecordWords(of);
  const help = useFormHelp(id);
  const adding = add ?? String(t(`${id}:edit.add` as 'fault.invalid'));
  const isAsked = (name: string) =>
    name === 'patient' || !isFound(fields[name]!) || preset[name] === undefined;
  return (
    <EditRecord
      record={record}
      stored={stored && answered(stored)}
      preset={preset}
      title={stored ? String(t(`${id}:edit.changeTitle` as 'fault.invalid', called(stored))) : adding}
      submit={stored ? t('common:action.save') : (submit ?? adding)}
      wide={wide}
      words={words}
      text={useShownText(of)(stored)}
      old={old}
      faultKey={useFaultKey(id)}
      onSaved={(answer, undo) => {
        const saved = answer as unknown as Row;
        const values = called(saved);
        if (undo) offerUndo(of.saved, undo, { values, old });
        else notify('success', `${id}:edit.made`, { values });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      {above}
      <RecordFields
        record={{ fields, form: form.filter((line) => [line].flat().every(isAsked)) }}
        isNew={stored === null}
        stored={stored ?? {}}
        words={words}
        help={help}
        own={foundFields(of.record, chosen)}
        offered={offered ?? (stored ? of.offered(stored) : {})}
      />
    </EditRecord>
  );
}
