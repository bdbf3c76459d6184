import { cellFault } from '@caseway/contract/record-cells';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useApi } from '../data/api.ts';
import { useLookup } from '../data/use-lookup.ts';
import { Answered } from '../ui/Answered.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import { type AnyAnswer, answered, useEditedRecord } from './EditRecord.tsx';
import { FormBody } from './FormBody.tsx';
import { offerUndo, refresh } from './offer-undo.ts';
import { RecordFields } from './RecordFields.tsx';
import type { ShownRecord } from './shown-record.ts';
import { useFaultKey } from './use-fault-key.ts';
import { useFormHelp } from './use-form-help.ts';
import { useRecordText } from './use-record-text.ts';

interface Cell {
  of: ShownRecord<AnyAnswer>;
  id: string;
  field: string;
  words: Required<GridWords>;
  /** The path of the list's rows, which stay as they are. */
  search: string;
  onSaved: (answer: AnyAnswer) => void;
  /** `step`: to the next (1) or previous (-1) cell, or back to this one. */
  onClose: (step: -1 | 0 | 1) => void;
}

/**
 * One field of a record's form beside its cell in a list. Enter and a click elsewhere save, Tab saves and moves
 * on, Escape gives up.
 */
export default function CellEditor({ anchor, ...cell }: Cell & { anchor: HTMLElement }) {
  const { of, id, field, words, onClose } = cell;
  const { record } = of;
  const query = useApi(record.endpoints.read, { params: { id } }, { keepPrevious: false });
  const form = useRef<HTMLFormElement>(null);
  return (
    <Popover
      open
      anchorEl={anchor}
      disableRestoreFocus
      onClose={(_, reason) => {
        if (reason === 'backdropClick' && form.current) form.current.requestSubmit();
        else onClose(0);
      }}
      anchorOrigin={{ vertical: 'top', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': words.column(field),
          sx: { padding: 3, width: Math.max(300, anchor.offsetWidth), maxWidth: '100%' },
        },
      }}
    >
      <Answered query={query} height={96}>
        {(answer) => {
          const stored = answered(answer);
          const fault = of.mayEdit(stored) ? cellFault(record, field, stored) : 'locked';
          return fault === null ? (
            <CellForm {...cell} stored={stored} form={form} />
          ) : (
            <Refused of={of} code={fault} onClose={() => onClose(0)} />
          );
        }}
      </Answered>
    </Popover>
  );
}

/** Why the record, as it is now, does not allow it. */
function Refused({ of, code, onClose }: Pick<Cell, 'of'> & { code: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert
      severity="info"
      action={
        <Button size="small" variant="text" color="inherit" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      {t(useFaultKey(of.texts)(code) as 'fault.locked')}
    </Alert>
  );
}

/** What an unreadable day is marked with, which never becomes a value. */
const unreadable = '[aria-invalid="true"][title]';

function CellForm({
  of,
  field,
  words,
  search,
  stored,
  form,
  onSaved,
  onClose,
}: Cell & { stored: AnyAnswer; form: RefObject<HTMLFormElement | null> }) {
  const { record, old, called, saved: savedKey } = of;
  const { t } = useTranslation();
  const hint = useId();
  const help = useFormHelp(of.texts);
  const text = useRecordText(record, words);
  const step = useRef<-1 | 0 | 1>(0);
  const [isUnreadable, setUnreadable] = useState(false);
  const others = old.filter(({ path }) => path !== search && path !== record.endpoints.read.path);
  const editing = useEditedRecord({
    record,
    stored,
    only: field,
    old: [],
    faultKey: useFaultKey(of.texts),
    // The other day that a day of a case collides with.
    faultValues: (fault): Record<string, string> =>
      'next' in fault ? { next: words.column(String(fault.next)) } : {},
    onSaved: (answer, undo) => {
      onSaved(answer);
      void refresh(others);
      offerUndo(savedKey, undo!, { values: called(answer), old });
      onClose(step.current);
    },
  });

  const { options } = record.fields[field]!;
  const isEntry = typeof options === 'string';
  const { loading } = useLookup(isEntry ? options : '', { enabled: isEntry });
  // Choices cannot be focused before they have loaded.
  useEffect(() => {
    if (loading) return;
    const control = form.current?.querySelector<HTMLElement>('input, select, textarea');
    control?.focus();
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.select();
  }, [loading, form]);

  const giveUp = () => {
    editing.discard();
    onClose(0);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.stopPropagation();
      giveUp();
      return;
    }
    const target = event.target as HTMLElement;
    const isControl = event.currentTarget.contains(target) && target.closest('button') === null;
    if (event.defaultPrevented || !isControl || event.altKey) return;
    const isLines = target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey;
    if (event.key === 'Tab') step.current = event.shiftKey ? -1 : 1;
    else if (event.key === 'Enter' && !isLines) step.current = 0;
    else return;
    event.preventDefault();
    // A typed day becomes a value when its field is left.
    flushSync(() => target.blur());
    event.currentTarget.requestSubmit();
    target.focus();
  };

  const names = Object.keys(editing.base.values);
  return (
    <Box
      component="form"
      ref={form}
      noValidate
      aria-describedby={hint}
      onKeyDown={onKeyDown}
      onInput={() => setUnreadable(false)}
      onSubmit={(event) => {
        event.preventDefault();
        if (editing.saving) return;
        if (form.current?.querySelector(unreadable)) {
          setUnreadable(true);
          return;
        }
        void editing.send(() => onClose(step.current))();
      }}
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <FormBody
        of={editing}
        labels={Object.fromEntries(names.map((name) => [name, words.column(name)]))}
        text={text}
      >
        <RecordFields
          record={{ fields: record.fields, form: [field] }}
          isNew={false}
          stored={stored}
          words={words}
          help={help}
          offered={of.offered(stored)}
        />
      </FormBody>
      {isUnreadable ? (
        <Typography variant="body2" role="alert" sx={{ color: 'error.main' }}>
          {t('fault.date')}
        </Typography>
      ) : null}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography id={hint} variant="caption" sx={{ flex: 1, color: 'text.secondary' }}>
          {t('grid.editKeys')}
        </Typography>
        <Button size="small" onClick={giveUp}>
          {t('action.cancel')}
        </Button>
        <Button
          type="submit"
          size="small"
          variant="contained"
          loading={editing.saving}
          onClick={() => {
            step.current = 0;
          }}
        >
          {t('action.save')}
        </Button>
      </Box>
    </Box>
  );
}
