import { events, streamEvent } from '@caseway/contract/events';
import { listPageSize, type MessageState } from '@caseway/contract/imports';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import {
  ChevronLeft,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  Copy,
  type LucideIcon,
} from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useEventStream } from '../../event-stream.ts';
import { useFormats } from '../../formats.ts';
import { useMay } from '../../session/permissions.ts';
import type { AppError } from '../../transport.ts';
import { Message } from '../../ui/Message.tsx';
import { useAfter } from '../../ui/useAfter.ts';

/** The screens about imports, beside each other. */
export function ImportsNavigation() {
  const { t } = useTranslation();
  const may = useMay();
  const places = [
    { to: '/imports', label: 'screen.importFiles', shown: true },
    { to: '/imports/codes', label: 'screen.importCodes', shown: true },
    { to: '/imports/pairs', label: 'screen.importPairs', shown: may('patients/merge') },
  ].filter(({ shown }) => shown);
  return (
    <Box
      component="nav"
      aria-label={t('screen.imports')}
      className="no-print"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        borderBottom: 1,
        borderColor: 'divider',
        '& a': {
          padding: '8px 12px',
          marginBottom: '-1px',
          color: 'text.secondary',
          fontWeight: 550,
          textDecoration: 'none',
          borderBottom: '2px solid transparent',
        },
        '& a:hover': { color: 'text.primary' },
        '& a[aria-current=page]': { color: 'primary.main', borderColor: 'primary.main' },
      }}
    >
      {places.map(({ to, label }) => (
        <NavLink key={to} to={to} end>
          {t(label)}
        </NavLink>
      ))}
    </Box>
  );
}

/** In place of what only some may do: which permission it needs. */
export function NeedsPermission({ permission, deed }: { permission: string; deed: string }) {
  const { t } = useTranslation('imports');
  return (
    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
      {deed} {t('access.needed', { permission: t(`common:permission.${permission}`) })}
    </Typography>
  );
}

/** What a query answers, or its skeleton, or why there is nothing and the way to try again. */
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
  /** Of the skeleton, in px. */
  height?: number;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation('imports');
  const late = useAfter(150);
  if (query.isError && !query.isFetching)
    return (
      <Message
        icon={CircleAlert}
        title={t('screen.failed')}
        actions={
          <Button variant="contained" onClick={() => void query.refetch()}>
            {t('common:action.retry')}
          </Button>
        }
      >
        <span role="alert">{t(`common:error.${query.error?.code ?? 'internal'}`)}</span>
      </Message>
    );
  if (query.data === undefined)
    return (
      <Box
        role="status"
        aria-label={t('common:state.loading')}
        sx={{ visibility: late ? 'visible' : 'hidden' }}
      >
        <Skeleton variant="rounded" height={height} />
      </Box>
    );
  return children(query.data);
}

export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{
        minWidth: 0,
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 3,
        padding: { xs: 3, sm: 4 },
        border: 1,
        borderColor: 'divider',
        borderRadius: '10px',
        backgroundColor: 'surface',
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography id={id} variant="h3" component="h2" sx={{ flex: '1 1 160px' }}>
          {title}
        </Typography>
        {actions}
      </Box>
      {children}
    </Box>
  );
}

export const stateMarks: Readonly<Record<MessageState, { icon: LucideIcon; color: string }>> = {
  taken: { icon: CircleCheck, color: 'success.main' },
  waiting: { icon: Clock, color: 'warning.main' },
  refused: { icon: CircleX, color: 'error.main' },
  duplicate: { icon: Copy, color: 'text.secondary' },
};

/** What became of a message, as a word with its mark. */
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

/** Walks through the pages of a list; shows nothing for a single page. */
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
}
const refreshMs = 700;

/**
 * Follows the imports of the organisation: every step at once, and `refresh` for what has to be read again for it, at
 * most every 700 ms and once after the last.
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

export interface Choice {
  id: string;
  label: string;
  /** A second line. */
  detail?: string;
}

/** One of many, found by words. */
export function ChoiceField({
  label,
  value,
  options,
  onChange,
  onWords,
  loading = false,
  disabled = false,
  placeholder,
}: {
  label: string;
  value: Choice | null;
  options: readonly Choice[];
  onChange: (value: Choice | null) => void;
  /** The options are looked up on the server by these words; absent: they are all there. */
  onWords?: (words: string) => void;
  loading?: boolean;
  disabled?: boolean;
  placeholder?: string;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Autocomplete
      id={id}
      size="small"
      options={[...options]}
      value={value}
      disabled={disabled}
      loading={loading}
      onChange={(_, chosen) => onChange(chosen)}
      {...(onWords
        ? {
            filterOptions: (all: Choice[]) => all,
            onInputChange: (_: unknown, words: string, reason: string) => {
              if (reason === 'input' || reason === 'clear') onWords(words);
            },
          }
        : {})}
      isOptionEqualToValue={(option, chosen) => option.id === chosen.id}
      getOptionKey={(option) => option.id}
      noOptionsText={t('filter.none')}
      loadingText={t('state.loading')}
      clearText={t('filter.clearOne')}
      slotProps={{ paper: { variant: 'outlined' } }}
      openText={t('filter.choose')}
      closeText={t('action.close')}
      renderOption={({ key, ...props }, option) => (
        <li key={key} {...props}>
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="body1">{option.label}</Typography>
            {option.detail ? (
              <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                {option.detail}
              </Typography>
            ) : null}
          </Box>
        </li>
      )}
      renderInput={({ slotProps, ...params }) => (
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          <Typography component="label" htmlFor={id} variant="body2" sx={{ fontWeight: 550 }}>
            {label}
          </Typography>
          <OutlinedInput
            {...params}
            {...slotProps.input}
            inputProps={slotProps.htmlInput}
            placeholder={placeholder ?? ''}
          />
        </Box>
      )}
    />
  );
}
