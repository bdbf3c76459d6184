import { type CaseStatus, caseStatuses } from '@caseway/contract/case-reports';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { CircleCheck, ListChecks, TriangleAlert, UserRoundCheck, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { AppError } from '../../data/transport.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { notify } from '../../session/notify.ts';
import { Field } from '../../ui/Field.tsx';
import type { GridSelection } from '../../ui/grid/selection.tsx';
import { Progress } from '../../ui/Progress.tsx';
import type { GridState } from '../../view/use-grid.ts';
import { useFormats } from '../../words/formats.ts';
import { type BulkDeed, type BulkOutcome, changeMany, idsOf, selectionLimit, undoMany } from './bulk.ts';
import { useCaseWords } from './case-words.ts';

type Kind = 'assign' | 'status';

/** Below the list: how many cases are chosen, the actions on them, and the last change, which can be undone. */
export function BulkBar({ state, selection }: { state: GridState<unknown>; selection: GridSelection }) {
  const { t } = useTranslation('case-reports');
  const formats = useFormats();
  const [kind, setKind] = useState<Kind | null>(null);
  const [last, setLast] = useState<BulkOutcome | null>(null);
  /** Progress of the running change; null: none. */
  const [share, setShare] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { rowCount = 0 } = state;
  const { size } = selection.ids;

  const selectAll = async () => {
    stop.current = new AbortController();
    setShare(0);
    try {
      selection.toggle(await idsOf(state.request, setShare, stop.current.signal), true);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notify('error', `error.${error.code}`);
    } finally {
      setShare(null);
    }
  };
  const undo = async (outcome: BulkOutcome) => {
    setShare(0);
    try {
      const { undone, failed } = await undoMany(outcome, setShare);
      setLast(null);
      const values = { count: undone, number: formats.count(undone) };
      if (failed.length === 0) notify('success', 'case-reports:bulk.undoneAll', { values });
      else
        notify('warning', 'case-reports:bulk.undone', {
          values: { ...values, left: formats.count(failed.length) },
        });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notify('error', `error.${error.code}`);
    } finally {
      setShare(null);
    }
  };

  if (size === 0 && last === null) return null;
  return (
    <Box
      role="region"
      aria-label={t('bulk.label')}
      className="no-print"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: '4px 8px',
        minHeight: 48,
        paddingX: 3,
        paddingY: 1,
        borderTop: 1,
        borderColor: 'divider',
        backgroundColor: 'raised',
      }}
    >
      {size > 0 ? (
        <>
          <Typography variant="body2" role="status" sx={{ fontWeight: 650, marginRight: 1 }}>
            {t('bulk.chosen', { count: size, number: formats.count(size) })}
          </Typography>
          {rowCount > size && rowCount <= selectionLimit ? (
            <Button size="small" variant="text" disabled={share !== null} onClick={() => void selectAll()}>
              {t('bulk.selectAll', { count: rowCount, number: formats.count(rowCount) })}
            </Button>
          ) : null}
          {rowCount > selectionLimit ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('bulk.tooMany', { number: formats.count(rowCount), limit: formats.count(selectionLimit) })}
            </Typography>
          ) : null}
          <Box sx={{ flex: 1 }} />
          <Button
            size="small"
            variant="outlined"
            startIcon={<UserRoundCheck size={14} aria-hidden />}
            disabled={share !== null}
            onClick={() => setKind('assign')}
          >
            {t('bulk.assign')}
          </Button>
          <Button
            size="small"
            variant="outlined"
            startIcon={<ListChecks size={14} aria-hidden />}
            disabled={share !== null}
            onClick={() => setKind('status')}
          >
            {t('bulk.status')}
          </Button>
          <IconButton size="small" aria-label={t('bulk.clear')} onClick={selection.clear}>
            <X size={16} />
          </IconButton>
        </>
      ) : last !== null ? (
        <>
          <Typography variant="body2" role="status" sx={{ flex: 1, display: 'flex', gap: 2, minWidth: 0 }}>
            <Box
              component="span"
              aria-hidden
              sx={{ display: 'flex', paddingTop: '2px', color: 'success.main' }}
            >
              <CircleCheck size={16} />
            </Box>
            {t('bulk.done', { count: last.changed, number: formats.count(last.changed) })}
          </Typography>
          {last.changed > 0 ? (
            <Button size="small" variant="text" disabled={share !== null} onClick={() => void undo(last)}>
              {t('change.undo')}
            </Button>
          ) : null}
          <IconButton size="small" aria-label={t('common:action.close')} onClick={() => setLast(null)}>
            <X size={16} />
          </IconButton>
        </>
      ) : null}
      {share === null ? null : (
        <Box sx={{ flexBasis: '100%' }}>
          <Progress label={t('bulk.running')} value={share} />
        </Box>
      )}
      {kind === null ? null : (
        <BulkDialog
          kind={kind}
          ids={[...selection.ids]}
          onClose={() => setKind(null)}
          onDone={(outcome) => {
            setLast(outcome);
            selection.clear();
            if (outcome.failed.length === 0) setKind(null);
          }}
        />
      )}
    </Box>
  );
}

const nobody = 'nobody';

/** Chooses the change to the cases, first says what it would do, then does it and reports each that failed. */
function BulkDialog({
  kind,
  ids: chosen,
  onClose,
  onDone,
}: {
  kind: Kind;
  ids: readonly string[];
  onClose: () => void;
  onDone: (outcome: BulkOutcome) => void;
}) {
  const { t } = useTranslation('case-reports');
  const formats = useFormats();
  const words = useCaseWords();
  const id = useId();
  // The selection is cleared while the outcome is still shown.
  const [ids] = useState(chosen);
  const { options: investigators } = useLookup('investigators', { enabled: kind === 'assign' });
  const [value, setValue] = useState('');
  const [preview, setPreview] = useState<{ value: string; outcome: BulkOutcome } | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const turn = useRef(0);
  const options =
    kind === 'status'
      ? caseStatuses.map((status) => ({ id: status as string, label: words.choice('status', status) }))
      : [{ id: nobody, label: t('record.nobody') }, ...investigators];
  const deedOf = (of: string): BulkDeed =>
    kind === 'status' ? { status: of as CaseStatus } : { investigator: of === nobody ? null : of };

  const attempt = async (of: string, dryRun: boolean) => {
    turn.current += 1;
    const mine = turn.current;
    setError(null);
    setShare(0);
    try {
      const found = await changeMany(ids, deedOf(of), {
        dryRun,
        onProgress: (at) => mine === turn.current && setShare(at),
      });
      if (mine !== turn.current) return;
      if (dryRun) setPreview({ value: of, outcome: found });
      else {
        setOutcome(found);
        onDone(found);
      }
    } catch (caught) {
      if (!(caught instanceof AppError)) throw caught;
      if (mine === turn.current) setError(caught);
    } finally {
      if (mine === turn.current) setShare(null);
    }
  };
  const shown = outcome ?? (preview?.value === value ? preview.outcome : null);
  const running = share !== null;

  return (
    <Dialog
      open
      onClose={running && preview ? undefined : onClose}
      aria-labelledby={id}
      maxWidth="xs"
      fullWidth
    >
      <DialogTitle id={id}>
        {t(`bulk.title.${kind}`, { count: ids.length, number: formats.count(ids.length) })}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {outcome ? null : (
          <Field
            id={`${id}-value`}
            label={words.column(kind === 'status' ? 'status' : 'investigator')}
            required
          >
            {() => (
              <NativeSelect
                value={value}
                autoFocus
                onChange={(event) => {
                  setValue(event.target.value);
                  setPreview(null);
                  if (event.target.value !== '') void attempt(event.target.value, true);
                }}
                input={<OutlinedInput fullWidth />}
                inputProps={{ id: `${id}-value` }}
              >
                <option value="">{t('common:filter.choose')}</option>
                {options.map((option) => (
                  <option key={option.id} value={option.id}>
                    {option.label}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Field>
        )}
        {error ? <Alert severity="error">{t(`common:error.${error.code}`)}</Alert> : null}
        <Box role="status" sx={{ minHeight: 44, display: 'grid', gap: 3 }}>
          {running ? (
            <Progress label={t(preview ? 'bulk.running' : 'bulk.looking')} value={share} />
          ) : shown ? (
            <Outcome outcome={shown} total={ids.length} ended={outcome !== null} />
          ) : null}
        </Box>
      </DialogContent>
      <DialogActions>
        {outcome ? (
          <Button variant="contained" onClick={onClose}>
            {t('common:action.close')}
          </Button>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose} disabled={running && preview !== null}>
              {t('common:date.cancel')}
            </Button>
            <Button
              variant="contained"
              disabled={running || !shown || shown.changed === 0}
              onClick={() => void attempt(value, false)}
            >
              {shown
                ? t('bulk.go', {
                    count: shown.changed,
                    number: formats.count(shown.changed),
                  })
                : t('bulk.goNone')}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** This many refused cases are named; the others are only counted. */
const named = 20;

/** How many change, how many already have the value, and which do not change and why. */
function Outcome({ outcome, total, ended }: { outcome: BulkOutcome; total: number; ended: boolean }) {
  const { t } = useTranslation('case-reports');
  const formats = useFormats();
  const { changed, same, failed } = outcome;
  return (
    <>
      <Typography variant="body1">
        {t(ended ? 'bulk.didChange' : 'bulk.wouldChange', {
          count: total,
          changed: formats.count(changed),
          total: formats.count(total),
        })}{' '}
        {same > 0 ? t('bulk.same', { count: same, number: formats.count(same) }) : null}
      </Typography>
      {failed.length > 0 ? (
        <Box>
          <Typography variant="body1" sx={{ display: 'flex', gap: 2 }}>
            <Box
              component="span"
              aria-hidden
              sx={{ display: 'flex', paddingTop: '2px', color: 'warning.main' }}
            >
              <TriangleAlert size={16} />
            </Box>
            {t('bulk.failed', { count: failed.length, number: formats.count(failed.length) })}
          </Typography>
          <Box
            component="ul"
            sx={{
              margin: 0,
              marginTop: 1,
              paddingLeft: 5,
              maxHeight: 180,
              overflowY: 'auto',
              fontSize: '0.8125rem',
            }}
          >
            {failed.slice(0, named).map(({ id, name, code }) => (
              <li key={id}>
                {name === null ? null : (
                  <>
                    <Link component={RouterLink} to={`/case-reports/${id}`} className="mono">
                      {name}
                    </Link>{' '}
                  </>
                )}
                {t(`fault.${code}`)}
              </li>
            ))}
            {failed.length > named ? (
              <li>
                {t('bulk.moreFailed', {
                  count: failed.length - named,
                  number: formats.count(failed.length - named),
                })}
              </li>
            ) : null}
          </Box>
        </Box>
      ) : null}
    </>
  );
}
