import type { RecordOf } from '@caseway/contract/record';
import type { workTaskRecord } from '@caseway/contract/work-tasks';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import {
  CalendarClock,
  Check,
  CircleSlash,
  Hand,
  type LucideIcon,
  Pencil,
  RotateCcw,
  TriangleAlert,
  Undo2,
  Users,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLabels } from '../../data/use-labels.ts';
import { nextStates, type TaskDeeds } from '../../record/use-task-state.ts';
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

/** Who has the task, or the team that it waits for. */
export function HolderCell({ row: { account, team } }: { row: TaskRow }) {
  const people = useLabels('investigators');
  const teams = useLabels('teams');
  // The width of the column is measured once there is nothing busy in it.
  if ((account !== null && people.loading) || (team !== null && teams.loading))
    return <span aria-busy="true" />;
  const name = people.of(account);
  if (team === null) return name;
  return (
    <IconMark icon={Users} color="text.secondary">
      {[name, teams.of(team)].filter(Boolean).join(' · ')}
    </IconMark>
  );
}

/** The state, and the buttons that change it and who has the task; the keys D, N, O, T and B do the same. */
export function StateCell({
  row,
  name,
  deeds,
  onEdit,
}: {
  row: TaskRow;
  /** The task's name, for the labels of the buttons. */
  name: string;
  /** Absent for users who may only read. */
  deeds: TaskDeeds | undefined;
  onEdit: (row: TaskRow) => void;
}) {
  const { t } = useTranslation('work-tasks');
  const button = (Icon: LucideIcon, title: string, label: string, onClick: () => void) => (
    <IconButton
      key={title}
      size="small"
      tabIndex={-1}
      title={title}
      aria-label={label}
      onClick={onClick}
      sx={{ width: 28, height: 28 }}
    >
      <Icon size={15} aria-hidden />
    </IconButton>
  );
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      {t(`state.${row.state}`)}
      {deeds ? (
        <>
          {deeds.canBeTaken(row)
            ? button(Hand, t('take.take'), t('take.takeOf', { task: name }), () => deeds.take(row))
            : null}
          {deeds.canBeGivenBack(row)
            ? button(Undo2, t('take.back'), t('take.backOf', { task: name }), () => deeds.giveBack(row))
            : null}
          {nextStates[row.state]?.map((state) =>
            button(icons[state], t(`end.${state}`), t(`end.${state}Of`, { task: name }), () =>
              deeds.set(row, state),
            ),
          )}
          {button(Pencil, t('edit.edit'), t('edit.editOf', { task: name }), () => onEdit(row))}
        </>
      ) : null}
    </Box>
  );
}
