import { type BulkAction, type BulkRefusal, bulkLimit } from '@caseway/contract/bulk';
import { namedLimit } from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { CircleCheck, ListChecks, TriangleAlert, X } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { becameOld, useCall } from '../data/api.ts';
import { part, useAhead } from '../loading/part.tsx';
import { notify } from '../session/notify.ts';
import type { QuerySelection } from '../ui/grid/selection.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import { Progress } from '../ui/Progress.tsx';
import { useFormats } from '../words/formats.ts';
import { newId } from './new-id.ts';
import { type BulkRecord, decided, useDeeds, useLastBulk } from './use-bulk.ts';

const loadDialog = () => import('./BulkDialog.tsx');
const BulkDialog = part('bulk-dialog', loadDialog);
const BulkRefusals = part('bulk-refusals', () => import('./BulkRefusals.tsx'));

/** The texts for a record's fields, codes and refusals. */
export interface BulkWords extends Required<GridWords> {
  /** The text for no value of a field. */
  none: (field: string) => string;
  /** Why a record stays unchanged. */
  fault: (refusal: Pick<BulkRefusal, 'code' | 'field' | 'state'>) => string;
  /** A transition's name. */
  deed: (transition: string) => string;
  address: (id: string, name: string) => string;
}

/**
 * Below a record's list: the selection and its bulk actions, and the last bulk change, which can be undone.
 */
export function BulkBar({
  record,
  selection,
  rowCount = 0,
  words,
  changing,
  onChanging,
}: {
  record: BulkRecord;
  selection: QuerySelection;
  /** Whether the dialog is open; a key in the list also opens it. */
  changing: boolean;
  onChanging: (changing: boolean) => void;
  /** Matching rows on all pages. */
  rowCount: number | undefined;
  words: BulkWords;
}) {
  const { t } = useTranslation();
  const { last, dismiss } = useLastBulk(record);
  // Only one change runs at a time.
  const isBlocked = last?.state === 'running' || isTooMany(selection);
  const isPointless = changing && isBlocked;
  useEffect(() => {
    if (isPointless) onChanging(false);
  }, [isPointless, onChanging]);
  if (selection.size === 0 && last === null) return null;
  return (
    <Box
      role="region"
      aria-label={t('bulk.label')}
      className="no-print"
      sx={{ borderTop: 1, borderColor: 'divider', backgroundColor: 'raised' }}
    >
      {last === null || selection.size > 0 ? null : (
        <LastAction record={record} action={last} words={words} onDismiss={dismiss} />
      )}
      {selection.size === 0 ? null : (
        <Selected
          selection={selection}
          rowCount={rowCount}
          isBlocked={isBlocked}
          onChange={() => onChanging(true)}
        />
      )}
      {changing && !isBlocked && selection.size > 0 ? (
        <Suspense fallback={null}>
          <BulkDialog
            record={record}
            selection={selection}
            words={words}
            onClose={() => onChanging(false)}
            onBegun={() => {
              onChanging(false);
              selection.clear();
              becameOld(record.endpoints.lastBulk);
            }}
          />
        </Suspense>
      ) : null}
    </Box>
  );
}

/** More than one action allows: of all matching, or of individually selected ones. */
const isOverLimit = ({ size, all }: QuerySelection): boolean => size > (all ? bulkLimit : namedLimit);
/** The same, or too many excluded from all matching. */
const isTooMany = (selection: QuerySelection): boolean =>
  isOverLimit(selection) || (selection.all !== null && selection.ids.size > namedLimit);

const line = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 8px',
  minHeight: 48,
  paddingX: 3,
  paddingY: 1,
} as const;

/** How many are selected, and the actions for them. */
function Selected({
  selection,
  rowCount,
  isBlocked,
  onChange,
}: {
  selection: QuerySelection;
  rowCount: number;
  isBlocked: boolean;
  onChange: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { size, all, isElsewhere } = selection;
  useAhead(loadDialog);
  return (
    <Box sx={line}>
      <Typography variant="body2" role="status" sx={{ fontWeight: 650, marginRight: 1 }}>
        {t('bulk.chosen', { count: size, number: formats.count(size) })}
      </Typography>
      {isElsewhere ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('bulk.elsewhere')}
        </Typography>
      ) : null}
      {!all && rowCount > size ? (
        <Button size="small" variant="text" onClick={() => selection.chooseAll(rowCount)}>
          {t('bulk.selectAll', { count: rowCount, number: formats.count(rowCount) })}
        </Button>
      ) : null}
      {isOverLimit(selection) ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {all
            ? t('bulk.tooMany', { limit: formats.count(bulkLimit) })
            : t('bulk.oneByOne', { limit: formats.count(namedLimit) })}
        </Typography>
      ) : null}
      <Box sx={{ flex: 1 }} />
      <Button
        size="small"
        variant="outlined"
        startIcon={<ListChecks size={14} aria-hidden />}
        disabled={isBlocked}
        onClick={onChange}
      >
        {t('bulk.change')}
      </Button>
      <IconButton size="small" aria-label={t('bulk.clear')} onClick={selection.clear}>
        <X size={16} />
      </IconButton>
    </Box>
  );
}

/** The last change's progress, or its result: unchanged records with reasons, and its undo. */
function LastAction({
  record,
  action,
  words,
  onDismiss,
}: {
  record: BulkRecord;
  action: BulkAction;
  words: BulkWords;
  onDismiss: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [asksWhy, setAsksWhy] = useState(false);
  const { mayUndo } = useDeeds(record);
  const undo = useCall(record.endpoints.undoBulk, { invalidates: [record.endpoints.lastBulk] });
  const { total, changed, refused, state, undoes, stoppedBy } = action;
  const of = { count: total, number: formats.count(total) };
  if (state === 'running')
    return (
      <Box sx={{ ...line, '& > *': { flex: 1 } }}>
        <Progress
          label={t(undoes === null ? 'bulk.running' : 'bulk.undoing')}
          value={decided(action) / total}
          detail={`${t('bulk.progress', { ...of, done: formats.count(decided(action)) })} ${t('bulk.canLeave')}`}
        />
      </Box>
    );
  const isWhole = state === 'done' && refused === 0;
  const Mark = isWhole ? CircleCheck : TriangleAlert;
  return (
    <Box sx={line}>
      <Typography variant="body2" role="status" sx={{ flex: '1 1 12rem', display: 'flex', gap: 2 }}>
        <Box
          component="span"
          aria-hidden
          sx={{ display: 'flex', paddingTop: '2px', color: isWhole ? 'success.main' : 'warning.main' }}
        >
          <Mark size={16} />
        </Box>
        <span>
          {t(undoes === null ? 'bulk.done' : 'bulk.undone', { ...of, changed: formats.count(changed) })}{' '}
          {stoppedBy === null ? null : <Stopped by={stoppedBy} />}
        </span>
      </Typography>
      {refused > 0 ? (
        <Button size="small" variant="text" onClick={() => setAsksWhy(true)}>
          {t('bulk.why', { count: refused, number: formats.count(refused) })}
        </Button>
      ) : null}
      {changed > 0 && undoes === null && mayUndo ? (
        <Button
          size="small"
          variant="text"
          disabled={undo.isPending}
          onClick={() =>
            undo.mutate(
              { params: { action: action.id }, body: { id: newId() } },
              { onError: ({ code }) => notify('error', `error.${code}`) },
            )
          }
        >
          {t('bulk.undo')}
        </Button>
      ) : null}
      <IconButton size="small" aria-label={t('action.close')} onClick={onDismiss}>
        <X size={16} />
      </IconButton>
      {asksWhy ? (
        <Suspense fallback={null}>
          <BulkRefusals record={record} action={action} words={words} onClose={() => setAsksWhy(false)} />
        </Suspense>
      ) : null}
    </Box>
  );
}

function Stopped({ by }: { by: string }) {
  const { t } = useTranslation();
  switch (by) {
    case 'session-expired':
    case 'second-factor-needed':
    case 'feature-off':
    case 'tenant-suspended':
    case 'internal':
      return t(`bulk.stopped.${by}`);
    default:
      return t('bulk.stopped.forbidden');
  }
}
