import type { BulkAction } from '@caseway/contract/bulk';
import type { Value } from '@caseway/contract/expression';
import { askedOfMany, reasonLimit } from '@caseway/contract/record-transitions';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { TriangleAlert } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi } from '../data/api.ts';
import { AppError } from '../data/transport.ts';
import { useLookup } from '../data/use-lookup.ts';
import { DayField } from '../ui/DayField.tsx';
import { Field } from '../ui/Field.tsx';
import type { QuerySelection } from '../ui/grid/selection.tsx';
import { Progress } from '../ui/Progress.tsx';
import { useFormats } from '../words/formats.ts';
import type { BulkWords } from './BulkBar.tsx';
import { RefusedRows } from './BulkRefusals.tsx';
import { newId } from './new-id.ts';
import { type BulkRecord, decided, selectionOf, useBulkAction, useDeeds } from './use-bulk.ts';

/** What to do with each record: a transition, or `setFields`; with field values and a reason. */
interface Deed {
  id: string;
  fields: Record<string, Value>;
  reason: string;
}
const setFields = 'set fields';

/** As sent; a preview does not need the reason yet. */
const sentOf = ({ id, fields, reason }: Deed, asksReason: boolean) =>
  id === setFields
    ? { change: fields }
    : { transition: { id, fields, ...(asksReason && { reason: reason.trim() || '–' }) } };

/** Chooses what to do with the selected records, previews the change, then starts it. */
export default function BulkDialog({
  record,
  selection,
  words,
  onClose,
  onBegun,
}: {
  record: BulkRecord;
  selection: QuerySelection;
  words: BulkWords;
  onClose: () => void;
  onBegun: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const { bulk } = record.endpoints;
  const { size } = selection;
  const { transitions: deeds, fields: settable } = useDeeds(record);
  const [deed, setDeed] = useState<Deed>({
    id: deeds.length === 0 ? setFields : '',
    fields: {},
    reason: '',
  });
  const [lookedAt, setLookedAt] = useState<string | null>(null);
  const [differs, setDiffers] = useState<{ counted: number; expected: number } | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [isSent, setSent] = useState(false);
  const turn = useRef(0);
  const preview = useBulkAction(record, lookedAt);
  const isLooked = preview?.state === 'done';
  const transition = deeds.find((one) => one.id === deed.id);
  const asksReason = transition?.reason !== undefined;
  const { keeps = [] } = transition ?? {};
  const isChosen = isWhole(deed);
  const lacksReason = transition?.reason === 'required' && deed.reason.trim() === '';

  /** Sends the request; ignores the answer if another choice has been made since. */
  async function send(of: Deed, how: { dryRun: true } | { dryRun: false; expected: number }) {
    turn.current += 1;
    const mine = turn.current;
    setError(null);
    setSent(true);
    try {
      const answer = await callApi(bulk, {
        body: {
          id: newId(),
          selection: selectionOf(selection),
          ...sentOf(of, deeds.find((one) => one.id === of.id)?.reason !== undefined),
          ...how,
        },
      });
      return mine === turn.current ? answer : undefined;
    } catch (caught) {
      if (!(caught instanceof AppError)) throw caught;
      if (mine === turn.current) setError(caught);
      return undefined;
    } finally {
      if (mine === turn.current) setSent(false);
    }
  }
  const look = async (of: Deed) => {
    setLookedAt(null);
    if (!isWhole(of)) return;
    const answer = await send(of, { dryRun: true });
    if (answer?.action) setLookedAt(answer.action.id);
  };
  const change = (next: Deed) => {
    setDeed(next);
    setDiffers(null);
    void look(next);
  };
  const choose = (field: string, value: Value) => {
    const { [field]: _, ...others } = deed.fields;
    change({ ...deed, fields: value === undefined ? others : { ...others, [field]: value } });
  };
  const go = async (expected: number) => {
    const answer = await send(deed, { dryRun: false, expected });
    if (!answer) return;
    if (answer.action) return onBegun();
    setDiffers({ counted: answer.counted, expected });
    await look(deed);
  };
  const asked = deed.id === setFields ? settable : transition ? askedOfMany(record, transition) : [];

  return (
    <Dialog open onClose={onClose} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{t('bulk.title', { count: size, number: formats.count(size) })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {deeds.length === 0 ? null : (
          <ChooseDeed
            deeds={deeds.map((one) => one.id)}
            canSetFields={settable.length > 0}
            value={deed.id}
            words={words}
            onChange={(next) => change({ ...deed, id: next, fields: {} })}
          />
        )}
        {asked.map((field) => (
          <OneField
            key={field}
            record={record}
            field={field}
            value={deed.fields[field]}
            words={words}
            onChange={(value) => choose(field, value)}
          />
        ))}
        {asksReason ? (
          <Reason
            value={deed.reason}
            required={transition?.reason === 'required'}
            onChange={(reason) => setDeed({ ...deed, reason })}
          />
        ) : null}
        {keeps.length > 0 ? (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('bulk.keeps', {
              states: keeps.map((state) => words.choice(record.workflow!.of, state)).join(', '),
            })}
          </Typography>
        ) : null}
        {error ? <Alert severity="error">{t(`error.${error.code}`)}</Alert> : null}
        {differs ? (
          <Alert severity="warning">
            {t('bulk.differs', {
              count: differs.counted,
              number: formats.count(differs.counted),
              expected: formats.count(differs.expected),
            })}
          </Alert>
        ) : null}
        <Box role="status" sx={{ minHeight: 44, display: 'grid', gap: 3 }}>
          {isLooked ? (
            <Preview record={record} action={preview} words={words} />
          ) : isChosen && !error ? (
            <Progress label={t('bulk.looking')} value={preview ? decided(preview) / preview.total : null} />
          ) : null}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button
          variant="contained"
          disabled={isSent || !isLooked || preview.changed === 0 || lacksReason}
          onClick={() => preview && void go(preview.total)}
        >
          {isLooked
            ? t('bulk.go', { count: preview.changed, number: formats.count(preview.changed) })
            : t('bulk.change')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Whether enough is chosen for a preview. */
const isWhole = ({ id, fields }: Deed) => (id === setFields ? Object.keys(fields).length > 0 : id !== '');

/** The choice of a transition, or of fields to set. */
function ChooseDeed({
  deeds,
  canSetFields,
  value,
  words,
  onChange,
}: {
  deeds: readonly string[];
  canSetFields: boolean;
  value: string;
  words: BulkWords;
  onChange: (id: string) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Field id={id} label={t('bulk.deed')} required>
      {() => (
        <NativeSelect
          value={value}
          onChange={({ target }) => onChange(target.value)}
          input={<OutlinedInput fullWidth />}
          inputProps={{ id }}
        >
          {value === '' ? <option value="">{t('bulk.chooseDeed')}</option> : null}
          {deeds.map((one) => (
            <option key={one} value={one}>
              {words.deed(one)}
            </option>
          ))}
          {canSetFields ? <option value={setFields}>{t('bulk.setFields')}</option> : null}
        </NativeSelect>
      )}
    </Field>
  );
}

function Reason({
  value,
  required,
  onChange,
}: {
  value: string;
  required: boolean;
  onChange: (reason: string) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Field id={id} label={t('transition.reason')} required={required}>
      {() => (
        <OutlinedInput
          id={id}
          multiline
          minRows={2}
          maxRows={10}
          value={value}
          required={required}
          onChange={({ target }) => onChange(target.value)}
          inputProps={{ maxLength: reasonLimit }}
        />
      )}
    </Field>
  );
}

const leave = 'leave';
const nothing = 'nothing';

/** The new value of a field; at first unchanged. */
function OneField({
  record: { fields },
  field,
  value,
  words,
  onChange,
}: {
  record: BulkRecord;
  field: string;
  value: Value;
  words: BulkWords;
  onChange: (value: Value) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const { options = [], needed, kind } = fields[field]!;
  const { today } = useFormats();
  const isLookup = typeof options === 'string';
  const { options: entries } = useLookup(isLookup ? options : '', { enabled: isLookup });
  const choices = isLookup
    ? entries.map((entry) => ({ code: entry.id, label: entry.label }))
    : options.map((code) => ({ code, label: words.choice(field, code) }));
  if (kind === 'day')
    return (
      <Field id={id} label={words.column(field)} help={t('bulk.leaveEmpty')} required>
        {({ describedBy }) => (
          <DayField
            id={id}
            value={(value as string | undefined) ?? null}
            today={today}
            describedBy={describedBy}
            onChange={(day) => onChange(day ?? undefined)}
          />
        )}
      </Field>
    );
  return (
    <Field id={id} label={words.column(field)} required>
      {() => (
        <NativeSelect
          value={value === undefined ? leave : value === null ? nothing : `=${String(value)}`}
          onChange={({ target }) =>
            onChange(
              target.value === leave ? undefined : target.value === nothing ? null : target.value.slice(1),
            )
          }
          input={<OutlinedInput fullWidth />}
          inputProps={{ id }}
        >
          <option value={leave}>{t('bulk.leave')}</option>
          {needed ? null : <option value={nothing}>{words.none(field)}</option>}
          {choices.map(({ code, label }) => (
            <option key={code} value={`=${code}`}>
              {label}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

/** How many would change, how many already have the values, and which stay unchanged and why. */
function Preview({ record, action, words }: { record: BulkRecord; action: BulkAction; words: BulkWords }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { total, changed, same, refused } = action;
  return (
    <>
      <Typography variant="body1">
        {t('bulk.wouldChange', {
          count: total,
          number: formats.count(total),
          changed: formats.count(changed),
        })}{' '}
        {same > 0 ? t('bulk.same', { count: same, number: formats.count(same) }) : null}
      </Typography>
      {refused > 0 ? (
        <Box>
          <Typography variant="body1" sx={{ display: 'flex', gap: 2, marginBottom: 1 }}>
            <Box
              component="span"
              aria-hidden
              sx={{ display: 'flex', paddingTop: '2px', color: 'warning.main' }}
            >
              <TriangleAlert size={16} />
            </Box>
            {t('bulk.stays', { count: refused, number: formats.count(refused) })}
          </Typography>
          <RefusedRows record={record} action={action.id} words={words} />
        </Box>
      ) : null}
    </>
  );
}
