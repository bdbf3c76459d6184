import { anyRecord } from '@caseway/contract/record';
import { type OpenTask, workTaskRecord } from '@caseway/contract/work-tasks';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMay } from '../session/permissions.ts';
import { Section } from '../ui/Section.tsx';
import { useFormats } from '../words/formats.ts';
import { EditTask } from './EditTask.tsx';
import { RecordHistory } from './RecordHistory.tsx';
import { useRecordText } from './use-record-text.ts';
import { nextStates, useTaskState } from './use-task-state.ts';
import { taskTitle, useTaskWords } from './use-task-words.ts';
import { useWork, type WorkOf } from './use-work.ts';

const record = anyRecord(workTaskRecord);

/**
 * A record's tasks and who does them; users who may change it can mark them as done and add more. Nothing if
 * there are none and the reader cannot add any. `caseId`, `patientId`: the case or person that tasks are added to.
 */
export function RecordTasks({
  readOnly = false,
  caseId,
  patientId,
  ...of
}: WorkOf & { readOnly?: boolean; caseId?: string; patientId?: string }) {
  const { t } = useTranslation('work-tasks');
  const { data } = useWork(of);
  const may = useMay();
  const [edited, setEdited] = useState<OpenTask | 'new' | null>(null);
  const mayWrite = !readOnly && may(workTaskRecord.access.write);
  const mayAdd = mayWrite && (caseId !== undefined || patientId !== undefined);
  const tasks = data?.tasks ?? [];
  if (tasks.length === 0 && !(mayAdd && data)) return null;
  return (
    <Section title={t('title.tasks')}>
      {tasks.length === 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('edit.none')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
          {tasks.map((task) => (
            <Task
              key={task.id}
              {...of}
              task={task}
              namesCase={patientId !== undefined}
              mayWrite={mayWrite}
              onEdit={() => setEdited(task)}
            />
          ))}
        </Box>
      )}
      {mayAdd ? (
        <Button
          size="small"
          variant="outlined"
          startIcon={<Plus size={14} aria-hidden />}
          onClick={() => setEdited('new')}
          sx={{ justifySelf: 'start' }}
        >
          {t('edit.addTask')}
        </Button>
      ) : null}
      {edited ? (
        <EditTask
          stored={
            edited === 'new' ? null : { ...edited, active: true, state: 'open', patientId: patientId ?? null }
          }
          {...(caseId === undefined ? {} : { caseId })}
          {...(patientId === undefined ? {} : { patientId })}
          old={[of.work, workTaskRecord.endpoints.search, workTaskRecord.endpoints.history]}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </Section>
  );
}

function Task({
  work,
  task,
  namesCase,
  mayWrite,
  onEdit,
}: WorkOf & {
  task: OpenTask;
  /** Whether it says which case it is about. */
  namesCase: boolean;
  mayWrite: boolean;
  onEdit: () => void;
}) {
  const { t } = useTranslation('work-tasks');
  const formats = useFormats();
  const words = useTaskWords();
  const text = useRecordText(record, words);
  const state = useTaskState([work]);
  const {
    queue,
    id,
    name,
    teamName,
    dueOn,
    overdue,
    priority,
    note,
    repeatDays,
    recordId,
    record: number,
  } = task;
  const title = taskTitle(t, task);
  return (
    <Box component="li" sx={{ display: 'grid', gap: 1, overflowWrap: 'anywhere' }}>
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {title}
        {priority === 'high' ? ` · ${t('priority.high')}` : null}
      </Typography>
      <Typography variant="body2" sx={{ color: overdue ? 'error.main' : 'text.secondary' }}>
        {[
          [name, teamName].filter(Boolean).join(' · ') || t(`queue.${queue}`),
          dueOn && t(overdue ? 'due.overdue' : 'due.until', { day: formats.dayInWords(dueOn) }),
          repeatDays && t('due.every', { count: repeatDays }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
      {namesCase && recordId ? (
        <Typography variant="body2">
          {words.column('recordId')}{' '}
          <Box component={Link} to={`/case-reports/${recordId}`} sx={{ color: 'primary.main' }}>
            {number}
          </Box>
        </Typography>
      ) : null}
      {note ? <Typography variant="body2">{note}</Typography> : null}
      {mayWrite ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          {nextStates.open!.map((to) => (
            <Button
              key={to}
              size="small"
              variant={to === 'done' ? 'outlined' : 'text'}
              disabled={state.isPending}
              aria-label={t(`end.${to}Of`, { task: title })}
              onClick={() => state.set(task, to)}
            >
              {t(`end.${to}`)}
            </Button>
          ))}
          {state.canBeTaken(task) ? (
            <Button
              size="small"
              variant="text"
              disabled={state.isPending}
              aria-label={t('take.takeOf', { task: title })}
              onClick={() => state.take(task)}
            >
              {t('take.take')}
            </Button>
          ) : null}
          {state.canBeGivenBack(task) ? (
            <Button
              size="small"
              variant="text"
              disabled={state.isPending}
              aria-label={t('take.backOf', { task: title })}
              onClick={() => state.giveBack(task)}
            >
              {t('take.back')}
            </Button>
          ) : null}
          <Button size="small" variant="text" aria-label={t('edit.editOf', { task: title })} onClick={onEdit}>
            {t('edit.edit')}
          </Button>
        </Box>
      ) : null}
      <RecordHistory
        record={record}
        id={id}
        label={words.column}
        text={text}
        mayUndo={mayWrite}
        invalidates={state.old}
      />
    </Box>
  );
}
