import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { ArrowLeft, CircleAlert, FileX, type LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isRefused } from '../data/transport.ts';
import { Outdated } from '../ui/Answered.tsx';
import { Message } from '../ui/Message.tsx';
import { Page } from '../ui/Page.tsx';
import { Section } from '../ui/Section.tsx';
import { useAfter } from '../ui/useAfter.ts';
import type { RecordQuery } from './RecordPanel.tsx';

/** Part of a record's screen; `aside`: in the narrow column, which is below the wide one on a phone. */
export interface RecordPart {
  /** Absent if the part has its own heading. */
  title?: string;
  aside?: true;
  content: ReactNode;
}

/**
 * A record's screen: its name and actions, and its parts in two columns, or why there is no record. A query
 * of `undefined` means that the address names no record.
 */
export function RecordScreen<Row extends { id: string }>({
  query,
  id,
  missing,
  instead,
  title,
  lead,
  actions,
  notes,
  parts,
}: {
  query: RecordQuery<Row> | undefined;
  /** The kind's id: the address of its list, and the file with its texts. */
  id: string;
  /** The action if there is no such record. */
  missing?: ReactNode;
  /** Replaces the record. */
  instead?: { icon: LucideIcon; title: string; text: string; actions: ReactNode } | undefined;
  title: (row: Row) => string;
  lead: (row: Row) => ReactNode;
  actions?: (row: Row) => ReactNode;
  /** Notes above its parts. */
  notes?: (row: Row) => ReactNode;
  parts: (row: Row) => readonly RecordPart[];
}) {
  const { t } = useTranslation(id);
  const back = (
    <Button variant="outlined" component={Link} to={`/${id}`} startIcon={<ArrowLeft size={16} aria-hidden />}>
      {t('common:record.back')}
    </Button>
  );
  const message = (icon: LucideIcon, said: string, text: ReactNode, more: ReactNode) => (
    <Message
      icon={icon}
      level="h1"
      title={said}
      actions={
        <>
          {more}
          {back}
        </>
      }
    >
      {text}
    </Message>
  );
  if (instead) return message(instead.icon, instead.title, instead.text, instead.actions);
  if (query === undefined || query.error?.code === 'not-found')
    return message(FileX, t(`${id}:record.missing` as 'fault.invalid'), t('common:error.not-found'), missing);
  if (query.isError && (query.data === undefined || isRefused(query.error)))
    return message(
      CircleAlert,
      t(`${id}:record.failed` as 'fault.invalid'),
      <span role="alert">{t(`common:error.${query.error!.code}`)}</span>,
      <Button variant="contained" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t('common:action.retry')}
      </Button>,
    );
  if (query.data === undefined) return <RecordSkeleton />;
  const row = query.data;
  const shown = parts(row);
  const column = (aside: true | undefined) => (
    <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
      {shown
        .filter((part) => part.aside === aside)
        .map(({ title: heading, content }, index) =>
          heading === undefined ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts without a heading have a fixed order.
            <Fragment key={`part ${index}`}>{content}</Fragment>
          ) : (
            <Section key={heading} title={heading}>
              {content}
            </Section>
          ),
        )}
    </Box>
  );
  return (
    <>
      <Outdated query={query} />
      <Page
        key={row.id}
        title={title(row)}
        lead={lead(row)}
        actions={
          <>
            {actions?.(row)}
            {back}
          </>
        }
      >
        {notes?.(row)}
        <Box
          sx={{
            display: 'grid',
            gap: 4,
            alignItems: 'start',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(280px, 1fr)' },
          }}
        >
          {column(undefined)}
          {column(true)}
        </Box>
      </Page>
    </>
  );
}

function RecordSkeleton() {
  const { t } = useTranslation();
  const late = useAfter(150);
  if (!late) return null;
  return (
    <Box
      role="status"
      aria-label={t('state.loading')}
      sx={{ display: 'grid', gap: 4, padding: { xs: 3, sm: 5 } }}
    >
      <Skeleton variant="rounded" width={280} height={32} />
      <Skeleton variant="rounded" height={260} />
      <Skeleton variant="rounded" height={180} />
    </Box>
  );
}
