import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Skeleton from '@mui/material/Skeleton';
import { Inbox, Lock, SearchX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { WhoCanGrant } from '../../data/access.tsx';
import type { AppError } from '../../data/transport.ts';
import { Message } from '../Message.tsx';
import { useAfter } from '../useAfter.ts';
import { headerHeight } from './table.ts';

/** Replaces rows: why there are none, and what to do about it. */
export function NoRows({
  error,
  narrowed,
  empty,
  retrying,
  onRetry,
  onClear,
}: {
  /** Null if the list was answered and is empty. */
  error: AppError | null;
  /** A filter, search or date range hides rows. */
  narrowed: boolean;
  empty: { title: string; text?: ReactNode; action?: ReactNode };
  retrying: boolean;
  onRetry: () => void;
  /** Absent if there is no filter to clear. */
  onClear: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  return (
    <Box
      sx={{
        position: 'absolute',
        inset: `${headerHeight}px 0 0 0`,
        backgroundColor: 'surface',
        overflow: 'auto',
      }}
    >
      {error?.status === 403 ? (
        <Message icon={Lock} title={t('grid.noAccessTitle')}>
          {error.permission === undefined
            ? t('error.forbidden')
            : t('screen.noAccess', {
                permission: t(`permission.${error.permission}`, { defaultValue: t('label.unknown.other') }),
              })}
          {error?.permission ? <WhoCanGrant permission={error.permission} /> : null}
        </Message>
      ) : error ? (
        <Message
          icon={TriangleAlert}
          title={t('grid.errorTitle')}
          actions={
            <Button variant="outlined" loading={retrying} onClick={onRetry}>
              {t('action.retry')}
            </Button>
          }
        >
          <span role="alert">{t(`error.${error.code}`)}</span>
        </Message>
      ) : narrowed ? (
        <Message
          icon={SearchX}
          title={t('grid.noMatchTitle')}
          actions={
            onClear ? (
              <Button variant="outlined" onClick={onClear}>
                {t('filter.clear')}
              </Button>
            ) : null
          }
        >
          {t('grid.noMatch')}
        </Message>
      ) : (
        <Message icon={Inbox} title={empty.title} actions={empty.action}>
          {empty.text}
        </Message>
      )}
    </Box>
  );
}

/** Says, after a short delay, that the page is about to be replaced. */
export function Late() {
  const late = useAfter(150);
  return late ? (
    <LinearProgress sx={{ position: 'absolute', top: 0, left: 0, right: 0, height: 2, zIndex: 3 }} />
  ) : null;
}

/** The outline of rows that are loading. */
export function SkeletonRows({ height }: { height: number }) {
  const late = useAfter(150);
  if (!late) return null;
  return (
    <Box aria-hidden>
      {Array.from({ length: 10 }, (_, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: ten fixed positions.
          key={index}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 6,
            height,
            paddingX: 3,
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          <Skeleton variant="rounded" width={96} height={12} />
          <Skeleton variant="rounded" width={`${28 + ((index * 7) % 20)}%`} height={12} />
          <Skeleton variant="rounded" width={120} height={12} />
        </Box>
      ))}
    </Box>
  );
}
