import { events, streamEvent } from '@caseway/contract/events';
import { placeOfFault } from '@caseway/contract/import-fault';
import {
  type CodeMapping,
  listPageSize,
  type MappingState,
  type MessageFault,
  type MessageState,
  wordsAlone,
} from '@caseway/contract/imports';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { ChevronLeft, ChevronRight, CircleCheck, CircleX, Clock, Copy, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { WhoCanGrant } from '../../data/access.tsx';
import { useEventStream } from '../../data/event-stream.ts';
import { useMay } from '../../session/permissions.ts';
import { ScreenTabs } from '../../ui/ScreenTabs.tsx';
import { useFormats } from '../../words/formats.ts';

/** The import screens, as tabs. */
export function ImportsNavigation() {
  const { t } = useTranslation();
  const may = useMay();
  const places = [
    { to: '/imports', label: t('screen.importFiles') },
    { to: '/imports/codes', label: t('screen.importCodes') },
    ...(may('patients/merge') ? [{ to: '/imports/pairs', label: t('screen.importPairs') }] : []),
  ];
  return <ScreenTabs label={t('screen.imports')} places={places} />;
}

/** Replaces an action that needs a permission, and names the permission. */
export function NeedsPermission({ permission, deed }: { permission: string; deed: string }) {
  const { t } = useTranslation('imports');
  return (
    <Box sx={{ color: 'text.secondary' }}>
      <Typography variant="body2">
        {deed} {t('access.needed', { permission: t(`common:permission.${permission}`) })}
      </Typography>
      <WhoCanGrant permission={permission} />
    </Box>
  );
}

export const stateMarks: Readonly<Record<MessageState, { icon: LucideIcon; color: string }>> = {
  taken: { icon: CircleCheck, color: 'success.main' },
  waiting: { icon: Clock, color: 'warning.main' },
  refused: { icon: CircleX, color: 'error.main' },
  duplicate: { icon: Copy, color: 'text.secondary' },
};

/** A message's outcome, as a word with its mark. */
export function StateMark({ state }: { state: MessageState }) {
  const { t } = useTranslation('imports');
  const { icon: Icon, color } = stateMarks[state];
  return (
    <Box
      component="span"
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, whiteSpace: 'nowrap' }}
    >
      <Box component="span" aria-hidden sx={{ display: 'inline-flex', color }}>
        <Icon size={15} />
      </Box>
      {t(`messageState.${state}`)}
    </Box>
  );
}

/**
 * The place of a fault: a message's field or a table's column; nothing for the whole file, or if the fault's
 * text names the field.
 */
export function Place({ of }: { of: Pick<MessageFault, 'place' | 'params'> }) {
  const place = placeOfFault(of);
  return place === undefined ? null : (
    <>
      <Typography variant="mono" component="span" sx={{ overflowWrap: 'anywhere' }}>
        {place}
      </Typography>{' '}
    </>
  );
}

type SentCode = Pick<CodeMapping, 'system' | 'code' | 'text'>;

/** What a sender wrote: its code, or its words without one. The key of words is ours and is never shown. */
export const writtenAs = ({ system, code, text }: SentCode): string =>
  system === wordsAlone || code === '' ? text : code;

/** A code as its sender writes it, with the sender's own words for it, if any. */
export function SenderCode(sent: SentCode) {
  const written = writtenAs(sent);
  if (written === sent.text) return written;
  return (
    <>
      <Typography variant="mono" component="span" sx={{ overflowWrap: 'anywhere' }}>
        {written}
      </Typography>{' '}
      {sent.text}
    </>
  );
}

/** Pages through a list; shows nothing for a single page. */
export function Pager({
  page,
  rowCount,
  onPage,
}: {
  /** From 0. */
  page: number;
  rowCount: number;
  onPage: (page: number) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const last = Math.max(0, Math.ceil(rowCount / listPageSize) - 1);
  if (last === 0 && page === 0) return null;
  return (
    <Box
      component="nav"
      aria-label={t('grid.pages')}
      sx={{ display: 'flex', alignItems: 'center', justifyContent: 'flex-end', flexWrap: 'wrap', gap: 1 }}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('grid.rows', {
          count: rowCount,
          from: formats.count(page * listPageSize + 1),
          to: formats.count(Math.min(rowCount, (page + 1) * listPageSize)),
          number: formats.count(rowCount),
        })}
      </Typography>
      <IconButton aria-label={t('grid.previousPage')} disabled={page === 0} onClick={() => onPage(page - 1)}>
        <ChevronLeft size={18} />
      </IconButton>
      <IconButton aria-label={t('grid.nextPage')} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <ChevronRight size={18} />
      </IconButton>
    </Box>
  );
}

export interface ImportProgress {
  importId: string;
  state: string;
  progress: number | null;
  looked?: number;
}
const refreshMs = 700;

/**
 * Follows the organization's imports: every step immediately, and `refresh` for data to reload, at most every
 * 700 ms and once after the last.
 */
export function useImportProgress({
  onProgress,
  refresh,
}: {
  onProgress?: (event: ImportProgress) => void;
  refresh: () => void;
}): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  useEventStream(events, ({ event, data }) => {
    const parsed = streamEvent.safeParse({ type: event, ...(data as object) });
    if (!parsed.success || parsed.data.type !== 'import-progress') return;
    onProgress?.(parsed.data);
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current();
    }, refreshMs);
  });
}

/** A sender's number of codes, and of the messages that wait for them: for decided codes, only if some still do. */
export function useSenderCounts(state: MappingState): (of: { codes: number; waiting: number }) => string {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  return ({ codes, waiting }) =>
    [
      t('codes.count', { count: codes, number: formats.count(codes) }),
      ...(state === 'open' || waiting > 0
        ? [t('codes.waitingOfSender', { count: waiting, number: formats.count(waiting) })]
        : []),
    ].join(' · ');
}
