import { type AnyRecord, accessOf } from '@caseway/contract/record';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../session/permissions.ts';
import type { GridWords } from '../ui/grid/values.tsx';
import { afterTransition } from './offer-undo.ts';
import { RecordHistory } from './RecordHistory.tsx';
import { Transitions } from './Transitions.tsx';
import { useFaultKey } from './use-fault-key.ts';
import { useFormHelp } from './use-form-help.ts';

/** A record on its screen, and how it is put in words: `transition`, `edit` and `fault` of the file named like it. */
interface Shown {
  record: AnyRecord;
  row: ComponentProps<typeof Transitions>['stored'];
  words: Required<GridWords>;
  text: (name: string, value: unknown) => string;
  /** What a change of it makes stale. */
  old: readonly { path: string }[];
}

/** How its transitions are called, as deeds. */
function useDeedWords({ id }: AnyRecord): (transition: string) => string {
  const { t } = useTranslation();
  return (transition) => String(t(`${id}:transition.${transition}` as 'fault.invalid'));
}

/** What can be done with a record in its state. */
export function RecordSteps({
  record,
  row,
  words,
  text,
  old,
  ...own
}: Shown & Pick<ComponentProps<typeof Transitions>, 'none' | 'own'>) {
  return (
    <Transitions
      record={record}
      stored={row}
      words={words}
      text={text}
      label={useDeedWords(record)}
      refusal={useFaultKey(record.id, true)}
      help={useFormHelp(record.id)}
      {...own}
      {...afterTransition(record, row.id, {
        saved: `${record.id}:edit.saved`,
        old,
      })}
    />
  );
}

/** What was changed in a record, and when. People who may change it can undo changes. */
export function RecordChanges({
  record,
  row,
  words,
  text,
  old,
  mayUndo = true,
}: Shown & { mayUndo?: boolean }) {
  const may = useMay();
  const { i18n } = useTranslation();
  const deed = useDeedWords(record);
  const faultKey = useFaultKey(record.id, true);
  return (
    <RecordHistory
      record={record}
      id={row.id}
      label={words.column}
      text={text}
      {...(record.workflow && { deed })}
      refusal={(code) => (i18n.exists(faultKey(code)) ? faultKey(code) : undefined)}
      mayUndo={mayUndo && may(accessOf(record).write)}
      invalidates={old}
    />
  );
}
