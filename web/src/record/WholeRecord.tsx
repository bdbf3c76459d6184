import { accessOf } from '@caseway/contract/record';
import Button from '@mui/material/Button';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Permitted } from '../data/Permitted.tsx';
import { answered } from './EditRecord.tsx';
import { foundFields } from './found-fields.tsx';
import { RecordFacts } from './RecordFacts.tsx';
import type { FormHandlers } from './RecordForm.tsx';
import { type RecordPart, RecordScreen } from './RecordScreen.tsx';
import { RecordChanges, RecordSteps } from './RecordSteps.tsx';
import { type ShownRecord, useRecordWords, useShownText } from './shown-record.ts';

/** What a screen's parts are made of. */
interface Shown<Row> {
  /** A field's value in words. */
  text: (name: keyof Row & string) => string;
  /** Fields for reading, plus `more`. */
  facts: (
    names: readonly (keyof Row & string)[],
    more?: ComponentProps<typeof RecordFacts>['more'],
  ) => ReactNode;
  /** What changed in it, and the same as a separate part. */
  changes: ReactNode;
  history: RecordPart;
}
type Frame<Row extends { id: string }> = ComponentProps<typeof RecordScreen<Row>>;
type Steps = ComponentProps<typeof RecordSteps>;

/**
 * A record's screen: its title and state, workflow steps, form and parts. Its texts are under `record`,
 * `edit`, `transition` and `fault` in the file of the same name.
 */
export function WholeRecord<Row extends { id: string; version: number }>({
  of,
  title,
  lead,
  actions,
  notes,
  edit,
  mayUndo,
  none,
  own,
  parts,
  ...found
}: Pick<Frame<Row>, 'query' | 'instead' | 'actions' | 'notes'> & {
  of: ShownRecord<Row>;
  /** Absent: `record.title`. */
  title?: Frame<Row>['title'];
  /** The lines below its title. */
  lead: (row: Row, text: Shown<Row>['text']) => readonly (string | null)[];
  edit: (row: Row, handlers: FormHandlers<unknown>) => ReactNode;
  /** Whether users who may change such records may undo the changes of this one. */
  mayUndo?: (row: Row) => boolean;
  none?: Steps['none'];
  /** Fields with their own control in a step. */
  own?: (row: Row) => Steps['own'];
  parts: (row: Row, shown: Shown<Row>) => readonly RecordPart[];
}) {
  const { record, old, called } = of;
  const { id } = record;
  const { t, i18n } = useTranslation(id);
  const words = useRecordWords(of);
  const textOf = useShownText(of);
  const [editing, setEditing] = useState(false);
  const close = () => setEditing(false);
  const changeKey = `${id}:edit.change`;
  const changeLabel = i18n.exists(changeKey)
    ? String(t(changeKey as 'fault.invalid'))
    : t('common:record.edit');
  const shownOf = (row: Row): Shown<Row> => {
    const text = textOf(row);
    const shown = { record, row: answered(row), words, text, old };
    const changes = <RecordChanges {...shown} mayUndo={mayUndo?.(row) ?? true} />;
    return {
      text: (name) => text(name, row[name]),
      facts: (names, more) => (
        <RecordFacts
          record={record}
          row={row}
          names={names}
          label={words.column}
          text={text}
          {...(more && { more })}
        />
      ),
      changes,
      history: { title: t('common:history.title'), content: changes },
    };
  };
  return (
    <RecordScreen
      {...found}
      id={id}
      title={title ?? ((row) => String(t(`${id}:record.title` as 'fault.invalid', called(row))))}
      lead={(row) => lead(row, shownOf(row).text).filter(Boolean).join(' · ')}
      actions={(row) => (
        <>
          {actions?.(row)}
          {record.workflow ? (
            <RecordSteps
              record={record}
              row={answered(row)}
              words={words}
              text={textOf(row)}
              old={old}
              own={{ ...foundFields(record), ...own?.(row) }}
              {...(none && { none })}
            />
          ) : null}
          {of.mayEdit(row) ? (
            <Permitted permission={accessOf(record).write} label={changeLabel}>
              <Button variant={record.workflow ? 'outlined' : 'contained'} onClick={() => setEditing(true)}>
                {changeLabel}
              </Button>
            </Permitted>
          ) : null}
        </>
      )}
      notes={(row) => (
        <>
          {notes?.(row)}
          {editing ? edit(row, { onSaved: close, onClose: close }) : null}
        </>
      )}
      parts={(row) => parts(row, shownOf(row))}
    />
  );
}
