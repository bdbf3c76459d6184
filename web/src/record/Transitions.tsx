import type { Value } from '@caseway/contract/expression';
import { type AnyRecord, accessOf } from '@caseway/contract/record';
import { reasonLimit } from '@caseway/contract/record-transitions';
import { type Actor, act, doableIn, type Refusal } from '@caseway/contract/workflow';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { callApi } from '../data/api.ts';
import type { AppError } from '../data/transport.ts';
import { useMay } from '../session/permissions.ts';
import { useAppSelector } from '../session/store.ts';
import { TextField, useWords } from '../ui/Form.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import { useFormats } from '../words/formats.ts';
import { FormBody } from './FormBody.tsx';
import { type FormValues, formShape, formValues } from './form-values.ts';
import { type FieldShown, RecordFields } from './RecordFields.tsx';
import { useInState } from './use-in-state.ts';
import { useRecordForm } from './use-record-form.ts';

type Stored = { id: string; version: number } & Readonly<Record<string, unknown>>;

interface Of {
  record: AnyRecord;
  stored: Stored;
  words: Required<GridWords>;
  text: (name: string, value: unknown) => string;
  none?: (name: string) => string | undefined;
  help?: (name: string) => string | undefined;
  /** Fields whose control does not follow from the declaration. */
  own?: Readonly<Record<string, (shown: FieldShown) => ReactNode>>;
  /** A transition's name as an action. */
  label: (transition: string) => string;
  /**
   * The key of the text why something is refused, by the flow's rule or the server's code, and the field it
   * is about.
   */
  refusal: (rule: string, field?: string) => string;
  /** Called with the record after a transition. */
  onDone: (saved: Stored) => void;
  /** Called with the current record after someone else has changed it. */
  onRead: (latest: Stored) => void;
}

function useActor(): Actor {
  const id = useAppSelector(({ authentication }) => authentication.user?.id ?? '');
  const { today } = useFormats();
  return { id, may: useMay(), today, now: new Date().toISOString() };
}

const stateOf = ({ workflow }: AnyRecord, stored: Stored) => stored[workflow!.of] as string;
const subjectOf = (record: AnyRecord, stored: Stored) => ({
  state: stateOf(record, stored),
  values: stored as Readonly<Record<string, Value>>,
});
const transitionOf = ({ workflow }: AnyRecord, id: string) =>
  workflow!.flow.transitions.find((one) => one.id === id)!;

/** The obstacles to a transition that no input can remove. */
function obstacles(record: AnyRecord, stored: Stored, id: string, actor: Actor): readonly Refusal[] {
  const outcome = act(record.workflow!.flow, subjectOf(record, stored), id, {}, actor, '–');
  const { asks = [] } = transitionOf(record, id);
  return outcome.done
    ? []
    : outcome.refusals.filter(({ at }) => at.length === 0 || !at.every((name) => asks.includes(name)));
}

/**
 * What can be done with a record in its current state, by its workflow: the usual next step as a button, the
 * others in a menu, each with its obstacle if there is one. Nothing for users who may do none of it. The
 * server decides.
 */
export function Transitions(of: Of) {
  const { record, stored, label, refusal } = of;
  const { t } = useTranslation();
  const actor = useActor();
  const menu = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [begun, setBegun] = useState<string | null>(null);
  const { flow } = record.workflow!;
  const state = stateOf(record, stored);
  const here = doableIn(flow, state, accessOf(record).write, actor.may).map(({ id }) => ({
    id,
    obstacle: obstacles(record, stored, id, actor)[0],
  }));
  if (here.length === 0) return null;
  const next = (flow.next?.[state] ?? []).find((id) => here.some((one) => one.id === id));
  const main = here.find(({ id, obstacle }) => id === next && obstacle === undefined);
  const others = here.filter((one) => one !== main);
  const begin = (id: string) => {
    setAnchor(null);
    setBegun(id);
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {main ? (
        <Button variant="contained" onClick={() => begin(main.id)}>
          {label(main.id)}
        </Button>
      ) : null}
      {others.length > 0 ? (
        <>
          <Button
            variant="outlined"
            aria-haspopup="menu"
            aria-expanded={anchor !== null}
            aria-controls={anchor ? menu : undefined}
            endIcon={<ChevronDown size={14} aria-hidden />}
            onClick={(event) => setAnchor(event.currentTarget)}
          >
            {t(main ? 'transition.more' : 'transition.all')}
          </Button>
          <Menu
            id={menu}
            open={anchor !== null}
            anchorEl={anchor}
            onClose={() => setAnchor(null)}
            slotProps={{ list: { 'aria-label': t('transition.all') } }}
          >
            {others.map(({ id, obstacle }) => (
              <MenuItem
                key={id}
                // The keyboard still reaches it, so that the reason can be read.
                aria-disabled={obstacle !== undefined}
                sx={obstacle ? { color: 'text.secondary' } : {}}
                onClick={() => {
                  if (!obstacle) begin(id);
                }}
              >
                <ListItemText secondary={obstacle && t(refusal(obstacle.rule, obstacle.at[0]))}>
                  {label(id)}
                </ListItemText>
              </MenuItem>
            ))}
          </Menu>
        </>
      ) : null}
      {begun === null ? null : (
        <Transition key={begun} {...of} id={begun} actor={actor} onClose={() => setBegun(null)} />
      )}
    </Box>
  );
}

const reasonForm = z.string().trim().min(1);

/** A transition's form: its fields, and the reason if needed. */
function Transition({
  record,
  stored,
  words,
  text,
  none,
  help,
  own,
  label,
  refusal,
  onDone,
  onRead,
  id,
  actor,
  onClose,
}: Of & { id: string; actor: Actor; onClose: () => void }) {
  const { t } = useTranslation();
  const { endpoints, fields, workflow } = record;
  const inState = useInState(record);
  const { of, flow } = workflow!;
  const { asks = [], reason } = transitionOf(record, id);
  const asksReason = reason !== undefined;
  const names = asksReason ? [...asks, 'reason'] : asks;
  const params = { id: stored.id };
  const versionOf = (row: Stored) => ({
    version: row.version,
    values: { ...formValues(record, row, asks), ...(asksReason && { reason: '' }) },
  });
  /** Shows a refusal at its fields, or at the state. */
  const refuse = (refusals: readonly Refusal[]) => {
    for (const { rule, at } of refusals)
      for (const name of at.length > 0 ? at : [of])
        editing.form.setError(names.includes(name) ? name : of, {
          type: rule,
          message: JSON.stringify(
            rule === 'not-in-this-state'
              ? inState(stateOf(record, current), { choice: words.choice, deed: label })
              : { key: refusal(rule, at[0]) },
          ),
        });
  };
  const [current, setCurrent] = useState(stored);
  const editing = useRecordForm<FormValues, Stored>(
    z.object({
      ...formShape(record, asks),
      ...(asksReason && { reason: reason === 'required' ? reasonForm : z.string() }),
    }) as unknown as z.ZodType<unknown, FormValues>,
    `${record.id}/${stored.id}/${id}`,
    versionOf(stored),
    {
      evenUnchanged: true,
      // In another state the user may want something else.
      again: false,
      write: async ({ reason: because, ...entered }, version) =>
        (await callApi(endpoints.transition!, {
          params: { ...params, transition: id },
          body: {
            version,
            fields: entered as Record<string, Value>,
            ...(because ? { reason: because as string } : {}),
          },
        })) as unknown as Stored,
      read: async () => {
        const latest = (await callApi(endpoints.read, { params })) as unknown as Stored;
        setCurrent(latest);
        onRead(latest);
        return versionOf(latest);
      },
      versionOf,
      mayBeSent: (typed) => {
        const entered = Object.fromEntries(asks.map((name) => [name, typed[name] || null])) as Record<
          string,
          Value
        >;
        const because = asksReason ? String(typed.reason) : undefined;
        const outcome = act(flow, subjectOf(record, current), id, entered, actor, because);
        if (!outcome.done) refuse(outcome.refusals);
        return outcome.done;
      },
      onSaved: (saved) => {
        onDone(saved);
        onClose();
      },
      onRefused: (error: AppError) =>
        refuse(error.faults.map(({ path, code }) => ({ rule: code, at: [path.replace(/^fields\./, '')] }))),
    },
  );
  const wordsOf = useWords();
  const { errors } = editing.form.formState;
  // No field of the form shows it, so show it here if it is the only one.
  const atState =
    Object.keys(errors).length === 1 ? wordsOf(errors[of]?.message as string | undefined) : null;
  return (
    <FormDialog
      title={label(id)}
      submit={label(id)}
      busy={editing.saving}
      onSubmit={() => void editing.send()()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody
        of={editing}
        labels={Object.fromEntries([
          ...asks.map((name) => [name, words.column(name)]),
          ['reason', t('transition.reason')],
          [of, words.column(of)],
        ])}
        text={text}
      >
        <RecordFields
          record={{ fields, form: asks }}
          stored={current}
          words={words}
          inPlace
          {...(none && { none })}
          {...(help && { help })}
          {...(own && { own })}
        />
        {atState ? <Alert severity="error">{atState}</Alert> : null}
        {asksReason ? (
          <TextField
            name="reason"
            label={t('transition.reason')}
            required={reason === 'required'}
            multiline
            minRows={2}
            maxRows={10}
            inputProps={{ maxLength: reasonLimit }}
          />
        ) : null}
      </FormBody>
    </FormDialog>
  );
}
