import { anyRecord } from '@caseway/contract/record';
import { type OpenTask, workTaskRecord } from '@caseway/contract/work-tasks';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useLabels } from '../data/use-labels.ts';
import { useMay } from '../session/permissions.ts';
import { Section } from '../ui/Section.tsx';
import { useFormats } from '../words/formats.ts';
import { RecordHistory } from './RecordHistory.tsx';
import { nextStates, useTaskState } from './use-task-state.ts';
import { useWork, type WorkOf } from './use-work.ts';

/** What has to be done about a record, and by whom; who may change it says here that it is done. Nothing where nothing is. */
export function RecordTasks({ readOnly = false, ...of }: WorkOf & { readOnly?: boolean }) {
  const { t } = useTranslation('work-tasks');
  const { tasks = [] } = useWork(of).data ?? {};
  const may = useMay();
  if (tasks.length === 0) return null;
  const mayWrite = !readOnly && may(workTaskRecord.access.write);
  return (
    <Section title={t('title.tasks')}>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
        {tasks.map((task) => (
          <Task key={task.id} {...of} task={task} mayWrite={mayWrite} />
        ))}
      </Box>
    </Section>
  );
}

function Task({ work, task, mayWrite }: WorkOf & { task: OpenTask; mayWrite: boolean }) {
  const { t } = useTranslation('work-tasks');
  const formats = useFormats();
  const people = useLabels('investigators');
  const state = useTaskState([work]);
  const { id, queue, name, dueOn, overdue, priority } = task;
  const title = t(`work.${task.work}`);
  const text = (field: string, value: unknown) => {
    if (value === null) return '';
    if (field === 'dueOn') return formats.dayInWords(String(value));
    if (field === 'account') return people.of(String(value)) ?? '';
    return t(field === 'state' ? `state.${value}` : `priority.${value}`);
  };
  return (
    <Box component="li" sx={{ display: 'grid', gap: 1, overflowWrap: 'anywhere' }}>
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {title}
        {priority === 'high' ? ` · ${t('priority.high')}` : null}
      </Typography>
      <Typography variant="body2" sx={{ color: overdue ? 'error.main' : 'text.secondary' }}>
        {[
          name ?? t(`queue.${queue}`),
          dueOn && t(overdue ? 'due.overdue' : 'due.until', { day: formats.dayInWords(dueOn) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
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
        </Box>
      ) : null}
      <RecordHistory
        record={anyRecord(workTaskRecord)}
        id={id}
        label={(field) => t(`column.${field}`)}
        text={text}
        mayUndo={mayWrite}
        invalidates={state.old}
      />
    </Box>
  );
}
