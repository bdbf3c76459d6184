import {
  cancelImport,
  downloadMessages,
  type ImportDetail,
  importEffects,
  importMessages,
  type MessageState,
  messageStates,
  readImport,
  rerunMessages,
  startImport,
  wordsAlone,
} from '@caseway/contract/imports';
import { testNameForStaff } from '@caseway/contract/label';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { ArrowLeft, Download, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useParams, useSearchParams } from 'react-router';
import { download, queryClient, useApi, useCall } from '../../data/api.ts';
import { AppError } from '../../data/transport.ts';
import { useLabels } from '../../data/use-labels.ts';
import { notify } from '../../session/notify.ts';
import { useMay } from '../../session/permissions.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Page } from '../../ui/Page.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { Section } from '../../ui/Section.tsx';
import { Tile } from '../../ui/Tile.tsx';
import { useFormats } from '../../words/formats.ts';
import { Columns } from './Columns.tsx';
import { Messages } from './Messages.tsx';
import { NeedsPermission, Place, StateMark, useImportProgress } from './parts.tsx';
import { useImportWords } from './words.ts';

const readAgain = () =>
  Promise.all(
    [readImport, importMessages].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  );

/** One import: its progress, the outcome of every message, and actions on those that need one. */
export default function ImportRecord() {
  const { id } = useParams() as { id: string };
  return <Record key={id} id={id} />;
}

function Record({ id }: { id: string }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const query = useApi(readImport, { params: { id } });
  const [heard, setHeard] = useState<{ progress: number | null; looked?: number; at: number } | null>(null);
  // Data read since then is newer, even if some events were lost in between.
  const step = heard && heard.at >= query.dataUpdatedAt ? heard : null;
  useImportProgress({
    onProgress: (event) => {
      if (event.importId === id) setHeard({ progress: event.progress, looked: event.looked, at: Date.now() });
    },
    refresh: () => void readAgain(),
  });
  const found = query.data;
  return (
    <Page
      title={found?.fileName ?? t('common:screen.import')}
      lead={
        found
          ? [
              found.format ? t(`format.${found.format}`) : null,
              found.byteSize === null ? null : t('record.size', { size: formats.size(found.byteSize) }),
              formats.instant(found.createdAt),
              found.createdByName,
              found.facilityName,
            ]
              .filter(Boolean)
              .join(' · ')
          : undefined
      }
      actions={
        <>
          <Button
            variant="outlined"
            component={RouterLink}
            to="/imports"
            startIcon={<ArrowLeft size={16} aria-hidden />}
          >
            {t('record.back')}
          </Button>
          {found ? <Deeds found={found} /> : null}
        </>
      }
    >
      <Answered query={query} height={320}>
        {(data) => <Content found={data} step={step} />}
      </Answered>
    </Page>
  );
}

/** It ran into an error, and waits for a retry. */
const isInterrupted = ({ state, error }: ImportDetail) => state === 'queued' && error !== null;
const endpoints = [readImport, importMessages];

function Deeds({ found }: { found: ImportDetail }) {
  const { t } = useTranslation('imports');
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const cancel = useCall(cancelImport, { invalidates: endpoints });
  const start = useCall(startImport, { invalidates: endpoints });
  if (!may('imports/write')) return null;
  const params = { id: found.id };
  const begins = (found.dryRun && found.state === 'done') || found.state === 'failed' || isInterrupted(found);
  return (
    <>
      {found.state === 'queued' || found.state === 'running' ? (
        <Button variant="outlined" onClick={() => setAsking(true)}>
          {t('record.cancel')}
        </Button>
      ) : null}
      {begins && found.error !== 'file-gone' ? (
        <Button
          variant="contained"
          loading={start.isPending}
          onClick={() =>
            start.mutate({ params }, { onError: ({ code }) => notify('error', `error.${code}`) })
          }
        >
          {t(
            isInterrupted(found)
              ? 'record.goOnNow'
              : found.state === 'failed'
                ? 'record.goOn'
                : 'record.store',
          )}
        </Button>
      ) : null}
      <ConfirmDialog
        open={asking}
        title={t('record.cancelTitle')}
        confirm={t('record.cancel')}
        danger
        busy={cancel.isPending}
        error={cancel.error}
        onClose={() => {
          setAsking(false);
          cancel.reset();
        }}
        onConfirm={() => cancel.mutate({ params }, { onSuccess: () => setAsking(false) })}
      >
        {t('record.cancelText')}
      </ConfirmDialog>
    </>
  );
}

function Content({
  found,
  step,
}: {
  found: ImportDetail;
  step: { progress: number | null; looked?: number } | null;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const words = useImportWords();
  const may = useMay();
  const [search, setSearch] = useSearchParams();
  const under = found.state === 'queued' || found.state === 'running';
  const { progress, looked } = step ?? found;
  const counted = {
    taken: found.taken,
    waiting: found.waiting,
    refused: found.refused,
    duplicate: found.duplicates,
  };
  const filter = (state: MessageState | null, reason: string | null = null) => {
    const next = new URLSearchParams();
    if (state) next.set('state', state);
    if (reason) next.set('reason', reason);
    setSearch(next, { preventScrollReset: true });
  };
  // If every message of a file is withheld, no count would be true.
  const nothingShown = found.messages === 0 && found.withheld > 0;
  // They change nothing, so they are shown next to the sum and not in it.
  const effects = nothingShown
    ? []
    : importEffects.filter((effect) => effect !== 'rowsNoCases' && found.effects[effect] !== undefined);
  const noCases = found.effects.rowsNoCases ?? 0;
  const empty = found.messages === 0;
  return (
    <>
      {under ? (
        <Section title={t(`importState.${isInterrupted(found) ? 'interrupted' : found.state}`)}>
          {isInterrupted(found) ? <Alert severity="warning">{t('record.postponed')}</Alert> : null}
          <Progress
            label={t(looked === undefined ? 'progress.label' : 'progress.looking')}
            value={found.state === 'queued' && !isInterrupted(found) ? null : (looked ?? progress)}
            detail={t('progress.detail', { count: found.messages, number: formats.count(found.messages) })}
          />
        </Section>
      ) : null}
      {found.state === 'failed' ? (
        <Alert severity="error">{t(`record.failed.${found.error ?? 'internal'}`)}</Alert>
      ) : null}
      {found.state === 'cancelled' ? <Alert severity="info">{t('record.cancelled')}</Alert> : null}
      {found.dryRun ? <Alert severity="info">{t('record.dryRun')}</Alert> : null}
      {found.repeats ? (
        <Alert severity="info">
          {t('record.repeats')}{' '}
          <Link component={RouterLink} to={`/imports/${found.repeats.id}`}>
            {formats.instant(found.repeats.createdAt)}
          </Link>
        </Alert>
      ) : null}
      {found.withheld > 0 ? (
        <Alert severity="info">
          {t('record.withheld', { count: found.withheld, number: formats.count(found.withheld) })}
        </Alert>
      ) : null}
      {found.mappingNeeded ? (
        may('imports/write') ? (
          <Columns importId={found.id} />
        ) : (
          <NeedsPermission permission="imports/write" deed={t('access.columns')} />
        )
      ) : null}
      {nothingShown ? null : (
        <Box>
          <Box
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
              gap: 3,
            }}
          >
            {messageStates.map((state) => (
              <Tile
                key={state}
                label={t(`tile.${state}.title`)}
                measure={{ unit: 'count' }}
                value={{ value: counted[state], numerator: null, denominator: null, suppressed: false }}
                definition={{ numerator: t(`tile.${state}.means`) }}
                to={found.dryRun ? undefined : `?state=${state}`}
              />
            ))}
          </Box>
          <Typography variant="body1" role="status" sx={{ marginTop: 3, color: 'text.secondary' }}>
            {t('record.sum', {
              count: found.messages,
              messages: formats.count(found.messages),
              taken: formats.count(found.taken),
              waiting: formats.count(found.waiting),
              refused: formats.count(found.refused),
              duplicates: formats.count(found.duplicates),
            })}{' '}
            {found.corrected > 0
              ? t('record.corrected', { count: found.corrected, number: formats.count(found.corrected) })
              : ''}{' '}
            {noCases > 0 ? t('record.noCases', { count: noCases, number: formats.count(noCases) }) : ''}
          </Typography>
        </Box>
      )}
      {effects.length > 0 ? (
        <Section title={t(found.dryRun ? 'effects.wouldTitle' : 'effects.title')}>
          {found.waiting > 0 ? (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t(found.dryRun ? 'effects.ofWaitingWould' : 'effects.ofWaiting')}
            </Typography>
          ) : null}
          <Box
            component="dl"
            sx={{
              margin: 0,
              display: 'grid',
              gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
              gap: '8px 24px',
            }}
          >
            {effects.map((effect) => (
              <Box key={effect} sx={{ display: 'flex', justifyContent: 'space-between', gap: 3 }}>
                <Typography component="dt" variant="body1" sx={{ color: 'text.secondary' }}>
                  {t(`effect.${effect}`)}
                </Typography>
                <Typography component="dd" variant="body1" sx={{ margin: 0, fontWeight: 550 }}>
                  {formats.count(found.effects[effect] ?? 0)}
                </Typography>
              </Box>
            ))}
          </Box>
          {/* A dry run has stored no pairs to review and no codes to map. */}
          {found.effects.pairsToReview && may('patients/merge') && !found.dryRun ? (
            <Link component={RouterLink} to="/imports/pairs">
              {t('effects.pairs')}
            </Link>
          ) : null}
        </Section>
      ) : null}
      {found.reasons.length > 0 ? <Reasons found={found} onFilter={filter} /> : null}
      {found.codes.rows.length > 0 ? <CodesToMap codes={found.codes} /> : null}
      {found.notes.length > 0 ? (
        <Section title={t('notes.title')}>
          <Box component="ul" sx={{ margin: 0, paddingLeft: 5, display: 'grid', gap: 1 }}>
            {found.notes.map((note, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: notes have no id and a fixed order.
              <li key={index}>
                {words.fault(note)}
                {note.line === undefined ? null : (
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    {' '}
                    {t('fault.line', { line: note.line })}
                  </Box>
                )}
              </li>
            ))}
          </Box>
        </Section>
      ) : null}
      {found.preview ? (
        <Preview preview={found.preview} />
      ) : empty ? null : (
        <Messages
          importId={found.id}
          state={(search.get('state') as MessageState | null) ?? null}
          reason={search.get('reason')}
          onFilter={filter}
        />
      )}
      {found.format === 'csv' && !found.mappingNeeded && !under && !empty && !found.dryRun ? (
        <Columns importId={found.id} decided />
      ) : null}
    </>
  );
}

function Reasons({
  found,
  onFilter,
}: {
  found: ImportDetail;
  onFilter: (state: MessageState, reason: string) => void;
}) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const words = useImportWords();
  const may = useMay();
  const rerun = useCall(rerunMessages, { invalidates: endpoints });
  const [loading, setLoading] = useState<string | null>(null);
  const runs = found.state !== 'queued' && found.state !== 'running' && !found.dryRun;
  const take = async (state: 'refused' | 'waiting', reasons?: 'true') => {
    setLoading(`${state}${reasons ?? ''}`);
    try {
      await download(
        downloadMessages,
        { params: { id: found.id }, query: { state, ...(reasons && { reasons }) } },
        `${state}-${found.fileName}${reasons ? '.csv' : ''}`,
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notify('error', `error.${error.code}`);
    } finally {
      setLoading(null);
    }
  };
  const again = (state: 'refused' | 'waiting', reason?: string) =>
    rerun.mutate(
      { params: { id: found.id }, body: { state, ...(reason === undefined ? {} : { reason }) } },
      {
        onSuccess: ({ queued }) =>
          notify('info', 'imports:rerun.queued', {
            values: { count: queued, number: formats.count(queued) },
          }),
        onError: ({ code }) => notify('error', `error.${code}`),
      },
    );
  /** Buttons that download the refused and waiting messages, or the list of their reasons. */
  const downloads = (reasons?: 'true') =>
    (['refused', 'waiting'] as const).map((state) =>
      found[state] > 0 ? (
        <Button
          key={state}
          size="small"
          variant="outlined"
          startIcon={<Download size={14} aria-hidden />}
          loading={loading === `${state}${reasons ?? ''}`}
          onClick={() => void take(state, reasons)}
        >
          {t(reasons ? `reasonsFile.download.${state}` : `reasons.download.${state}`)}
        </Button>
      ) : null,
    );
  return (
    <Section
      title={t('reasons.title')}
      actions={
        found.dryRun ? undefined : (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {downloads()}
            {found.format === 'csv' ? null : downloads('true')}
            {may('imports/write') && runs
              ? (['refused', 'waiting'] as const).map((state) =>
                  found[state] > 0 ? (
                    <Button
                      key={state}
                      size="small"
                      variant="outlined"
                      startIcon={<RotateCw size={14} aria-hidden />}
                      disabled={rerun.isPending}
                      onClick={() => again(state)}
                    >
                      {t(`reasons.again.${state}`)}
                    </Button>
                  ) : null,
                )
              : null}
          </Box>
        )
      }
    >
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {found.reasons.map(({ state, reason, n }) => (
          <Box
            component="li"
            key={`${state}:${reason}`}
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: '120px minmax(0, 1fr) auto auto' },
              alignItems: 'center',
              gap: '4px 12px',
              paddingY: 2,
              borderTop: 1,
              borderColor: 'divider',
              '&:first-of-type': { borderTop: 0 },
            }}
          >
            <StateMark state={state} />
            <Typography
              variant="body1"
              sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, gridRow: { xs: 2, sm: 'auto' } }}
            >
              {words.reason(reason)}
              {(reason === 'test-unknown' || reason === 'value-unknown') && !found.dryRun ? (
                <>
                  {' '}
                  <Link component={RouterLink} to="/imports/codes">
                    {t('reasons.codes')}
                  </Link>
                </>
              ) : null}
            </Typography>
            <Typography variant="body1" sx={{ fontWeight: 550, textAlign: 'right' }}>
              {formats.count(n)}
            </Typography>
            {found.dryRun ? null : (
              <Box sx={{ display: 'flex', gap: 1, gridColumn: { xs: '1 / -1', sm: 'auto' } }}>
                <Button
                  size="small"
                  variant="text"
                  aria-label={t('reasons.showOf', { reason: words.reason(reason) })}
                  onClick={() => onFilter(state, reason)}
                >
                  {t('reasons.show')}
                </Button>
                {may('imports/write') && runs && (state === 'refused' || state === 'waiting') ? (
                  <Button
                    size="small"
                    variant="text"
                    aria-label={t('reasons.runOf', { reason: words.reason(reason) })}
                    disabled={rerun.isPending}
                    onClick={() => again(state, reason)}
                  >
                    {t('reasons.run')}
                  </Button>
                ) : null}
              </Box>
            )}
          </Box>
        ))}
      </Box>
    </Section>
  );
}

/** The codes that the messages of a dry run would wait for. */
function CodesToMap({ codes: { rows, more } }: { codes: ImportDetail['codes'] }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  return (
    <Section title={t('preview.codes')}>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}>
        {rows.map(({ kind, sender, system, code, text, n }) => (
          <Box
            component="li"
            key={JSON.stringify([kind, sender, system, code])}
            sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px', overflowWrap: 'anywhere' }}
          >
            <Box component="span" sx={{ flex: '1 1 240px', minWidth: 0 }}>
              {text || code}
              <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                {[t(`codeKind.${kind}`), sender].filter(Boolean).join(' · ')}
                {system === wordsAlone || text === '' ? null : (
                  <>
                    {' · '}
                    <span className="mono">{[code, system].filter(Boolean).join(' · ')}</span>
                  </>
                )}
              </Typography>
            </Box>
            <span>{t('codes.waitingShort', { count: n, number: formats.count(n) })}</span>
          </Box>
        ))}
      </Box>
      {more > 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary', marginTop: 2 }}>
          {t('pairs.more', { count: more, number: formats.count(more) })}
        </Typography>
      ) : null}
    </Section>
  );
}

function Preview({ preview }: { preview: NonNullable<ImportDetail['preview']> }) {
  const { t, i18n } = useTranslation('imports');
  const words = useImportWords();
  const categories = useLabels('resultCategories');
  const conditions = useLabels('conditions');
  const faulty = preview.filter(({ results }) => results === undefined);
  const taken = preview.filter(({ results }) => results !== undefined);
  return (
    <>
      <Section title={t('preview.title')}>
        {faulty.length === 0 ? (
          <Typography variant="body1">{t('preview.none')}</Typography>
        ) : (
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
            {faulty.map(({ line, state, reason, faults }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they load together, in a fixed order.
              <li key={at}>
                <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px' }}>
                  <StateMark state={state} />
                  {line === null ? null : <span>{t('fault.line', { line })}</span>}
                  <span>{reason ? words.reason(reason) : null}</span>
                </Box>
                {faults.map((fault) => (
                  <Typography
                    key={`${fault.place}:${fault.code}`}
                    variant="body2"
                    sx={{ color: 'text.secondary' }}
                  >
                    <Place of={fault} />
                    {words.fault(fault)}
                  </Typography>
                ))}
              </li>
            ))}
          </Box>
        )}
      </Section>
      {taken.length > 0 ? (
        <Section title={t('preview.taken')}>
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}>
            {taken.map(({ line, results = [] }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they load together, in a fixed order.
              <Box component="li" key={at} sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px' }}>
                {line === null ? null : (
                  <Box component="span" sx={{ color: 'text.secondary', minWidth: 88 }}>
                    {t('fault.line', { line })}
                  </Box>
                )}
                <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, flex: '1 1 240px' }}>
                  {results.map(({ testName, testNameI18N, category, conditionCode }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the results of one message have a fixed order.
                    <li key={index}>
                      {t(conditionCode === null ? 'preview.result' : 'preview.resultOf', {
                        test: testNameForStaff({ testName, testNameI18N }, i18n.language),
                        result: categories.of(category),
                        condition: conditionCode === null ? '' : conditions.of(conditionCode),
                      })}
                    </li>
                  ))}
                </Box>
              </Box>
            ))}
          </Box>
        </Section>
      ) : null}
    </>
  );
}
