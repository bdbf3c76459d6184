import { linkToGrid } from '@caseway/contract/search-params';
import { ownWork, workTaskRecord } from '@caseway/contract/work-tasks';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useApi } from '../../data/api.ts';
import { useMay } from '../../session/permissions.ts';

/** Others give tasks too, and no event says so. */
const askAgainMs = 60_000;

/** What waits for the reader, for the home screen: a link to their tasks. Nothing where none waits. */
export default function OwnWork() {
  const { t } = useTranslation();
  const enabled = useMay()(workTaskRecord.access.read);
  const { data: own, refetch } = useApi(ownWork, {}, { enabled });
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(() => void refetch(), askAgainMs);
    return () => clearInterval(timer);
  }, [enabled, refetch]);
  if (!enabled || !own || own.open === 0) return null;
  return (
    <Alert
      severity={own.overdue > 0 ? 'warning' : 'info'}
      action={
        <Button
          component={Link}
          to={linkToGrid(workTaskRecord.grid, '/work-tasks', {})}
          color="inherit"
          size="small"
        >
          {t('home.tasksShow')}
        </Button>
      }
    >
      {[
        t('home.tasks', { count: own.open }),
        own.overdue > 0 ? t('home.tasksOverdue', { count: own.overdue }) : null,
        own.dueToday > 0 ? t('home.tasksToday', { count: own.dueToday }) : null,
      ]
        .filter(Boolean)
        .join(' ')}
    </Alert>
  );
}
