import type { RecordOf } from '@caseway/contract/record';
import type { workTaskRecord } from '@caseway/contract/work-tasks';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { CalendarClock, Check, CircleSlash, Pencil, RotateCcw, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { nextStates } from '../../record/use-task-state.ts';
import { IconMark } from '../../ui/IconMark.tsx';
import { useFormats } from '../../words/formats.ts';

export type TaskRow = RecordOf<typeof workTaskRecord>;

/** The due date: what is late or due today says so in words and with a mark, not only by color. */
export function DueCell({ row: { dueOn, state } }: { row: TaskRow }) {
  const { t } = useTranslation('work-tasks');
  const { day, today } = useFormats();
  if (dueOn === null) return null;
  if (state !== 'open' || dueOn > today) return day(dueOn);
  const isLate = dueOn < today;
  return (
    <IconMark icon={isLate ? TriangleAlert : CalendarClock} color={isLate ? 'error.main' : 'warning.main'}>
      <Box component="span" sx={{ fontWeight: 550, ...(isLate && { color: 'error.main' }) }}>
        {isLate ? t('due.late', { day: day(dueOn) }) : t('due.today')}
      </Box>
    </IconMark>
  );
}

const icons = { done: Check, 'not-needed': CircleSlash, open: RotateCcw };

/** The state, and the buttons that change it; the keys D, N and O do the same. */
export function StateCell({
  row,
  name,
  onSet,
  onEdit,
}: {
  row: TaskRow;
  /** The task's name, for the labels of the buttons. */
  name: string;
  /** Absent for users who may only read. */
  onSet: ((row: TaskRow, state: 'done' | 'not-needed' | 'open') => void) | undefined;
  onEdit: (row: TaskRow) => void;
}) {
  const { t } = useTranslation('work-tasks');
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      {t(`state.${row.state}`)}
      {onSet
        ? nextStates[row.state]?.map((state) => {
            const Icon = icons[state];
            return (
              <IconButton
                key={state}
                size="small"
                tabIndex={-1}
                title={t(`end.${state}`)}
                aria-label={t(`end.${state}Of`, { task: name })}
                onClick={() => onSet(row, state)}
                sx={{ width: 28, height: 28 }}
              >
                <Icon size={15} aria-hidden />
              </IconButton>
            );
          })
        : null}
      {onSet ? (
        <IconButton
          size="small"
          tabIndex={-1}
          title={t('edit.edit')}
          aria-label={t('edit.editOf', { task: name })}
          onClick={() => onEdit(row)}
          sx={{ width: 28, height: 28 }}
        >
          <Pencil size={14} aria-hidden />
        </IconButton>
      ) : null}
    </Box>
  );
}
