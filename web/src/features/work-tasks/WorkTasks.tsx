import { linkToGrid } from '@caseway/contract/search-params';
import { readWaiting } from '@caseway/contract/waiting';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import Button from '@mui/material/Button';
import { Flag, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Permitted } from '../../data/Permitted.tsx';
import { answered } from '../../record/EditRecord.tsx';
import { EditTask } from '../../record/EditTask.tsx';
import { RecordList } from '../../record/RecordList.tsx';
import { shownRecord } from '../../record/shown-record.ts';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { nextStates, useTaskState } from '../../record/use-task-state.ts';
import { taskTitle, useTaskWords } from '../../record/use-task-words.ts';
import { useMay } from '../../session/permissions.ts';
import { IconMark } from '../../ui/IconMark.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { DueCell, HolderCell, StateCell, type TaskRow } from './TaskCells.tsx';

const { grid, access } = workTaskRecord;
const tasks = bulkRecord(workTaskRecord);
const shown = shownRecord<TaskRow>(workTaskRecord, { called: () => ({}), old: [readWaiting] });
const path = '/work-tasks';
/** The key that sets each state. */
const keys = { d: 'done', n: 'not-needed', o: 'open' } as const;

/** Tasks waiting for the reader, for their teams, for anyone, and for all; a row leads to its case or person. */
export default function WorkTasks() {
  const { t } = useTranslation('work-tasks');
  const words = useTaskWords();
  const mayWrite = useMay()(access.write);
  const state = useGrid(grid);
  const deeds = useTaskState();
  const { set, old } = deeds;
  const [edited, setEdited] = useState<TaskRow | 'new' | null>(null);
  const nameOf = (row: TaskRow) => `${taskTitle(t, row)}, ${row.record ?? row.patient}`;
  const many = useMany<TaskRow>(tasks, state, {
    ...words,
    nameOf,
    none: (field) => t(field === 'team' ? 'list.noTeam' : 'list.anyone'),
    // A task has no screen of its own, so this links to all tasks of its record.
    address: (_, record) =>
      linkToGrid(grid, path, {
        filters: { whose: ['all'] },
        filterModel: {
          items: [{ field: 'record', operator: 'equals', value: record }],
          logicOperator: 'and',
        },
      }),
  });
  return (
    <RecordList
      actions={
        <Permitted permission={access.write} label={t('edit.addTask')}>
          <Button
            variant="contained"
            startIcon={<Plus size={16} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            {t('edit.addTask')}
          </Button>
        </Permitted>
      }
      grid={grid}
      state={state}
      words={words}
      edits={shown}
      href={(row: TaskRow) => (row.recordId ? `/case-reports/${row.recordId}` : `/patients/${row.patientId}`)}
      opensBy="recordId"
      cells={{
        record: (row: TaskRow) => <span className="mono">{row.record}</span>,
        work: (row: TaskRow) => taskTitle(t, row),
        dueOn: (row: TaskRow) => <DueCell row={row} />,
        state: (row: TaskRow) => (
          <StateCell row={row} name={nameOf(row)} deeds={mayWrite ? deeds : undefined} onEdit={setEdited} />
        ),
        account: (row: TaskRow) => <HolderCell row={row} />,
        priority: (row: TaskRow) =>
          row.priority === 'high' ? (
            <IconMark icon={Flag} color="warning.main">
              {words.choice('priority', 'high')}
            </IconMark>
          ) : (
            words.choice('priority', row.priority)
          ),
      }}
      {...(mayWrite && {
        rowKeys: {
          e: setEdited,
          t: deeds.take,
          b: deeds.giveBack,
          ...Object.fromEntries(
            Object.entries(keys).map(([key, to]) => [
              key,
              (row: TaskRow) => {
                if (nextStates[row.state]?.includes(to)) set(row, to);
              },
            ]),
          ),
        },
      })}
      {...many}
      below={
        edited ? (
          <EditTask
            stored={edited === 'new' ? null : answered(edited)}
            old={old}
            onClose={() => setEdited(null)}
          />
        ) : null
      }
    />
  );
}
