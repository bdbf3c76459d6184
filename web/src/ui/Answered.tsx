import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type AppError, isOutage, isRefused } from '../data/transport.ts';
import { Message } from './Message.tsx';
import { useAfter } from './useAfter.ts';

/**
 * A query's answer, or its skeleton, or why there is nothing, with a button to retry. Shown data stays during
 * an outage, and disappears when the server refuses it.
 */
export function Answered<T>({
  query,
  height = 200,
  children,
}: {
  query: {
    data: T | undefined;
    isError: boolean;
    isFetching: boolean;
    error: AppError | null;
    refetch: () => unknown;
  };
  height?: number;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation();
  const late = useAfter(150);
  if (query.isError && (query.data === undefined || isRefused(query.error)))
    return (
      <Message
        icon={CircleAlert}
        title={t('state.failed')}
        actions={
          <Button variant="contained" loading={query.isFetching} onClick={() => void query.refetch()}>
            {t('action.retry')}
          </Button>
        }
      >
        <span role="alert">{t(`error.${query.error?.code ?? 'internal'}`)}</span>
      </Message>
    );
  if (query.data === undefined)
    return (
      <Box role="status" aria-label={t('state.loading')} sx={{ visibility: late ? 'visible' : 'hidden' }}>
        <Skeleton variant="rounded" height={height} />
      </Box>
    );
  return (
    <>
      <Outdated query={query} />
      {children(query.data)}
    </>
  );
}

/** A notice above data that could not be reloaded; nothing otherwise. */
export function Outdated({
  query,
}: {
  query: { isError: boolean; isFetching: boolean; error: AppError | null; refetch: () => unknown };
}) {
  const { t } = useTranslation();
  return query.isError ? (
    <Alert
      severity="warning"
      action={
        <Button size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
          {t('action.retry')}
        </Button>
      }
    >
      {t(isOutage(query.error) ? 'state.stale' : `error.${query.error?.code ?? 'internal'}`)}
    </Alert>
  ) : null;
}
