import { type ImportRow, importGrid, readImport, searchImports } from '@caseway/contract/imports';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { CircleX, RotateCw, Upload, X } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { queryClient, useApi } from '../../data/api.ts';
import { inUse, useLookup } from '../../data/use-lookup.ts';
import { useMay } from '../../session/permissions.ts';
import { stillHere } from '../../session/still-here.ts';
import { useAppSelector } from '../../session/store.ts';
import { type Choice, ChoiceField } from '../../ui/ChoiceField.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { framed } from '../../ui/framed.ts';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { useFormats } from '../../words/formats.ts';
import { outcomeOf } from './outcome.ts';
import { ImportsNavigation, NeedsPermission, useImportProgress } from './parts.tsx';
import { removeUpload, retryUpload, type Upload as Sent, startUploads, useUploads } from './uploads.ts';

/** The drop zone for files, and every import so far. */
export default function Imports() {
  const { t } = useTranslation('imports');
  const may = useMay();
  const state = useGrid(importGrid);
  useImportProgress({
    refresh: () => {
      for (const { path } of [searchImports, readImport])
        void queryClient.invalidateQueries({ queryKey: [path] });
    },
  });
  const words = useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) =>
        field === 'run'
          ? t(`run.${code}`)
          : t(`${field === 'format' ? 'format' : 'importState'}.${code}`, {
              defaultValue: t('common:label.unknown.other'),
            }),
    }),
    [t],
  );
  const stateText = useStateText();
  const cells = useMemo(
    () => ({
      state: stateText,
      messages: (row: ImportRow) => <Count row={row} n={row.messages} />,
      taken: (row: ImportRow) => <Count row={row} n={row.taken} />,
      waiting: (row: ImportRow) => <Count row={row} n={row.waiting} needed="warning.main" />,
      refused: (row: ImportRow) => <Count row={row} n={row.refused} needed="error.main" />,
      duplicates: (row: ImportRow) => <Count row={row} n={row.duplicates} />,
    }),
    [stateText],
  );
  return (
    <Page title={t('common:screen.imports')} lead={t('screen.lead')}>
      <ImportsNavigation />
      {may('imports/write') ? (
        <Drop />
      ) : (
        <NeedsPermission permission="imports/write" deed={t('access.upload')} />
      )}
      <Box component="section" sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <Typography variant="h2">{t('history.title')}</Typography>
        <Box
          sx={{
            display: 'flex',
            flexDirection: 'column',
            height: 'max(420px, calc(100dvh - 220px))',
            minWidth: 0,
          }}
        >
          <DataGrid
            grid={importGrid}
            state={state}
            label={t('history.title')}
            words={words}
            searchLabel={t('history.search')}
            href={(row) => `/imports/${row.id}`}
            cells={cells}
            empty={{
              title: t('history.none'),
              text: may('imports/write') ? t('history.noneText') : t('history.noneRead'),
            }}
          />
        </Box>
      </Box>
    </Page>
  );
}

/** An import's progress, or its outcome. */
function useStateText(): (row: ImportRow) => string {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  return useCallback(
    (row) =>
      row.looked !== undefined
        ? t('importState.lookingAt', { share: formats.wholeShare(row.looked) })
        : row.progress !== null && row.state === 'running'
          ? t('importState.runningAt', { share: formats.wholeShare(row.progress) })
          : row.dryRun && row.state === 'done'
            ? t('importState.tried')
            : t(`importState.${outcomeOf(row)}`),
    [t, formats],
  );
}

/** The number of messages; if nothing of the file is shown, no number would be true. */
function Count({
  row,
  n,
  needed,
}: {
  row: ImportRow;
  n: number;
  /** The color of a nonzero number that needs attention. */
  needed?: string;
}) {
  const formats = useFormats();
  if (outcomeOf(row) === 'withheld') return '–';
  if (needed === undefined) return formats.count(n);
  return (
    <Box component="span" sx={n === 0 ? { color: 'text.tertiary' } : { color: needed, fontWeight: 650 }}>
      {formats.count(n)}
    </Box>
  );
}

function Drop() {
  const { t } = useTranslation('imports');
  const navigate = useNavigate();
  const uploads = useUploads();
  const inFacility = useAppSelector((state) => state.authentication.selectedTenantOrg?.orgType === 'F');
  const { options: facilities } = useLookup('facilities', { enabled: !inFacility });
  const [facility, setFacility] = useState<Choice | null>(null);
  const [dryRun, setDryRun] = useState(false);
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {/* Before the file field, because a file is sent as soon as it is chosen. */}
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          alignItems: 'end',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 360px) auto' },
        }}
      >
        {inFacility || facilities.length === 0 ? null : (
          <ChoiceField
            label={t('drop.facility')}
            placeholder={t('drop.facilityNone')}
            value={facility}
            options={inUse(facilities)}
            onChange={setFacility}
          />
        )}
        <FormControlLabel
          control={<Checkbox checked={dryRun} onChange={(event) => setDryRun(event.target.checked)} />}
          label={t('drop.dryRun')}
        />
      </Box>
      <FileDrop
        label={t('drop.label')}
        help={t('drop.help')}
        onFiles={(files) => {
          const isHere = stillHere();
          startUploads(files, { facilityId: facility?.id, dryRun }, (importId) => {
            // A single file opens its own screen; several are in the list.
            if (files.length === 1 && isHere()) void navigate(`/imports/${importId}`);
          });
        }}
      />
      {uploads.length > 0 ? <Uploads uploads={uploads} /> : null}
    </Box>
  );
}

/** Files being uploaded; if there are many, in a box under their total. */
function Uploads({ uploads }: { uploads: readonly Sent[] }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const sent = uploads.filter(({ state }) => state === 'sent');
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {uploads.length > 1 ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Typography variant="body2" sx={{ flex: '1 1 160px' }}>
            {t('upload.sum', { sent: formats.count(sent.length), all: formats.count(uploads.length) })}
          </Typography>
          <Button
            size="small"
            variant="text"
            disabled={sent.length === 0}
            onClick={() => {
              for (const { key } of sent) removeUpload(key);
            }}
          >
            {t('upload.clear')}
          </Button>
        </Box>
      ) : null}
      <Box
        component="ul"
        aria-label={t('upload.title')}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          maxHeight: 236,
          overflowY: 'auto',
          ...framed,
        }}
      >
        {uploads.map((upload) => (
          <UploadRow key={upload.key} upload={upload} />
        ))}
      </Box>
    </Box>
  );
}

/** The outcome of an arrived file, because the list with all imports may not be visible. */
function Outcome({ importId }: { importId: string }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const stateText = useStateText();
  const { data } = useApi(readImport, { params: { id: importId } });
  if (!data) return t('upload.sent');
  const counted = (['taken', 'waiting', 'refused', 'duplicates'] as const).filter(
    (name) => data.state === 'done' && data[name] > 0,
  );
  return [
    stateText(data),
    ...counted.map((name) => `${t(`column.${name}`)} ${formats.count(data[name])}`),
  ].join(' · ');
}

function UploadRow({ upload: { key, name, state, share, importId, error } }: { upload: Sent }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const onTheWay = state === 'waiting' || state === 'sending';
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: 1.5,
        padding: '6px 12px',
        borderTop: 1,
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        {state === 'sent' ? (
          // It has arrived; the list below has its outcome.
          <Box component="span" aria-hidden sx={{ display: 'flex', color: 'text.secondary' }}>
            <Upload size={16} />
          </Box>
        ) : state === 'failed' ? (
          <Box component="span" aria-hidden sx={{ display: 'flex', color: 'error.main' }}>
            <CircleX size={16} />
          </Box>
        ) : null}
        <Typography variant="body1" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
          {state === 'sending'
            ? t('upload.sending', { share: formats.wholeShare(share) })
            : importId === null
              ? t(`upload.${state}`)
              : null}
          {importId === null ? null : <Outcome importId={importId} />}
        </Typography>
        {importId !== null ? (
          <Button size="small" variant="outlined" component={Link} to={`/imports/${importId}`}>
            {t('upload.open')}
          </Button>
        ) : null}
        {state === 'failed' ? (
          <IconButton size="small" aria-label={t('upload.again', { name })} onClick={() => retryUpload(key)}>
            <RotateCw size={16} />
          </IconButton>
        ) : null}
        <IconButton
          size="small"
          aria-label={t(onTheWay ? 'upload.stop' : 'upload.remove', { name })}
          onClick={() => removeUpload(key)}
        >
          <X size={16} />
        </IconButton>
      </Box>
      {onTheWay ? (
        <LinearProgress aria-label={name} variant="determinate" value={Math.floor(share * 100)} />
      ) : null}
      {error ? (
        <Typography variant="body2" role="alert" sx={{ color: 'error.main' }}>
          {t(error.code === 'too-large' ? 'upload.tooLarge' : `common:error.${error.code}`)}
        </Typography>
      ) : null}
    </Box>
  );
}
