import type { AnyRecord } from '@caseway/contract/record';
import type { HistoryEntry } from '@caseway/contract/record-history';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../data/api.ts';
import { notify } from '../session/notify.ts';
import { useMay } from '../session/permissions.ts';
import { Answered } from '../ui/Answered.tsx';
import { useFormats } from '../words/formats.ts';
import { HistoryDisclosure } from './HistoryDisclosure.tsx';

interface Shown {
  record: { endpoints: Pick<AnyRecord['endpoints'], 'history' | 'undo'> } & Partial<
    Pick<AnyRecord, 'fields' | 'workflow'>
  >;
  id: string;
  /** A field's label. */
  label: (name: string) => string;
  /** A field's value in words; empty if none. */
  text: (name: string, value: unknown) => string;
  /** A transition's name, if there are transitions. */
  deed?: (transition: string) => string;
  /** The key of the text why an undo is refused, if the code has one. */
  refusal?: (code: string) => string | undefined;
  /** What an undo makes stale. */
  invalidates: readonly { path: string }[];
  /** Whether the reader may undo changes. */
  mayUndo?: boolean;
}

const settable = new Set<string | undefined>(['always', 'transitions']);

/** Who changed what in a record and when, on request; each change can be undone. */
export function RecordHistory(shown: Shown) {
  /** The start of each page; the first begins with the newest change. */
  const [pages, setPages] = useState<readonly (number | undefined)[]>([undefined]);
  return (
    <HistoryDisclosure>
      {pages.map((before, index) => (
        <Page
          key={before ?? 'newest'}
          {...shown}
          before={before}
          isLast={index === pages.length - 1}
          onMore={(version) => setPages([...pages, version])}
        />
      ))}
    </HistoryDisclosure>
  );
}

function Page({
  before,
  isLast,
  onMore,
  ...shown
}: Shown & { before: number | undefined; isLast: boolean; onMore: (before: number) => void }) {
  const { t } = useTranslation();
  const query = useApi(shown.record.endpoints.history, {
    params: { id: shown.id },
    query: before === undefined ? {} : { before },
  });
  return (
    <Answered query={query} height={80}>
      {({ entries, more }) => (
        <>
          {entries.length === 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('history.none')}
            </Typography>
          ) : (
            <Box
              component="ol"
              sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
              aria-label={t('history.title')}
            >
              {entries.map((entry) => (
                <Entry key={entry.version} {...shown} entry={entry} />
              ))}
            </Box>
          )}
          {more && isLast ? (
            <Button variant="text" size="small" onClick={() => onMore(entries.at(-1)?.version ?? 0)}>
              {t('history.more')}
            </Button>
          ) : null}
        </>
      )}
    </Answered>
  );
}

function Entry({
  record,
  id,
  label,
  text,
  deed,
  refusal,
  invalidates,
  mayUndo = true,
  entry,
}: Shown & { entry: HistoryEntry }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const undo = useCall(record.endpoints.undo, { invalidates });
  const may = useMay();
  const { version, at, by, changes, undoes, transition, reason } = entry;
  const done = record.workflow?.flow.transitions.find((one) => one.id === transition);
  const first = Object.values(changes).every(({ from }) => from === undefined);
  const named = (name: string) => label(name === 'active' ? 'status' : name);
  const said = (name: string, value: unknown) =>
    (name === 'active' ? text('status', value ? 'active' : 'inactive') : text(name, value)) || '–';
  const canUndo =
    mayUndo &&
    // Undoing a transition needs the permission to do it.
    (done === undefined || done.may.some(may)) &&
    !first &&
    Object.keys(changes).some(
      (name) => name === 'active' || record.fields === undefined || settable.has(record.fields[name]?.set),
    );
  const takeBack = () =>
    undo.mutate(
      { params: { id }, body: { version } },
      {
        onSuccess: ({ kept }) =>
          kept.length === 0
            ? notify('info', 'history.undone')
            : notify('info', 'history.undonePartly', { values: { fields: kept.map(named).join(', ') } }),
        onError: ({ code, faults }) => {
          const why = faults.flatMap((fault) => refusal?.(fault.code) ?? [])[0];
          notify('error', why ?? (code === 'conflict' ? 'history.changedAgain' : `error.${code}`));
        },
      },
    );
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
        <Typography variant="caption" sx={{ color: 'text.secondary', flex: '1 1 160px' }}>
          {formats.instant(at)}
          {by?.name ? ` · ${by.name}` : null}
          {undoes === null ? null : ` · ${t('history.undoes')}`}
        </Typography>
        {canUndo ? (
          <Button
            variant="text"
            size="small"
            loading={undo.isPending}
            aria-label={t('history.undoOf', { time: formats.instant(at) })}
            onClick={takeBack}
          >
            {t('history.undo')}
          </Button>
        ) : null}
      </Box>
      {transition !== null && deed ? (
        <Typography variant="body2" sx={{ fontWeight: 550 }}>
          {deed(transition)}
        </Typography>
      ) : null}
      {reason === null ? null : (
        <Typography variant="body2" sx={{ whiteSpace: 'pre-wrap' }}>
          {t('history.because', { reason })}
        </Typography>
      )}
      {first ? (
        <Typography variant="body2">{t('history.made')}</Typography>
      ) : (
        Object.entries(changes).map(([name, { from, to }]) => (
          <Typography key={name} variant="body2">
            {t('history.change', { field: named(name), from: said(name, from), to: said(name, to) })}
          </Typography>
        ))
      )}
    </Box>
  );
}
