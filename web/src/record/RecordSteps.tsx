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

/** A record on its screen, with its texts: `transition`, `edit` and `fault` of the file of the same name. */
interface Shown {
  record: AnyRecord;
  row: ComponentProps<typeof Transitions>['stored'];
  words: Required<GridWords>;
  text: (name: string, value: unknown) => string;
  /** What a change makes stale. */
  old: readonly { path: string }[];
}

/** The names of its transitions as actions. */
function useDeedWords({ id }: AnyRecord): (transition: string) => string {
  const { t } = useTranslation();
  return (transition) => String(t(`${id}:transition.${transition}` as 'fault.invalid'));
}

/** The actions on a record in its current state. */
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

/** What changed in a record, and when. Users who may change it can undo changes. */
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
