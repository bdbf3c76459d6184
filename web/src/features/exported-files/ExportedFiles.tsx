import { type ExportedFile, readFiles, retryFile } from '@caseway/contract/exported-files';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Download, FileDown, RotateCw, Trash2, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { becameOld, useCall } from '../../data/api.ts';
import { discardFile, shareOf, useFileDownload, useFiles } from '../../data/exported-files.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { framed } from '../../ui/framed.ts';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { useFormats } from '../../words/formats.ts';

/** The user's exported lists, with the actions on each file. */
export default function ExportedFiles() {
  const { t } = useTranslation('exported-files');
  const query = useFiles();
  return (
    <Page title={t('common:screen.files')} lead={t('page.lead')}>
      <Box sx={{ ...framed, paddingX: { xs: 3, sm: 4 }, paddingY: 1, maxWidth: 840 }}>
        <Answered query={query} height={240}>
          {({ files }) =>
            files.length === 0 ? (
              <Message icon={FileDown} title={t('page.none')}>
                {t('page.noneText')}
              </Message>
            ) : (
              <Box
                component="ul"
                aria-label={t('page.list')}
                sx={{ margin: 0, padding: 0, listStyle: 'none' }}
              >
                {files.map((file) => (
                  <FileRow key={file.id} file={file} />
                ))}
              </Box>
            )
          }
        </Answered>
      </Box>
    </Page>
  );
}

function FileRow({ file }: { file: ExportedFile }) {
  const { t } = useTranslation(['exported-files', 'inbox', 'common']);
  const formats = useFormats();
  const { state, at, expiresAt, failedBy } = file;
  const of = t(`inbox:list.${file.grid}`, { defaultValue: t('row.unnamed') });
  const name = `${of.charAt(0).toLocaleUpperCase()}${of.slice(1)}, ${t(`common:export.${file.format}`)}`;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'flex-start',
        justifyContent: 'space-between',
        gap: 3,
        paddingY: 3,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: '1 1 280px', minWidth: 0, display: 'grid', gap: 1 }}>
        <Typography variant="body1" component="h2" sx={{ fontWeight: 550 }}>
          {name}
        </Typography>
        {state === 'preparing' ? (
          <Progress
            label={t('state.preparing')}
            value={shareOf(file)}
            detail={t('row.progress', { done: formats.count(file.done), total: formats.count(file.total) })}
          />
        ) : (
          <Typography variant="body2">
            {[
              t(`state.${state}`),
              state === 'ready'
                ? t('row.rows', { count: file.done, number: formats.count(file.done) })
                : null,
              state === 'ready' && file.size !== null ? formats.size(file.size) : null,
              state === 'ready' && expiresAt ? t('row.until', { instant: formats.instant(expiresAt) }) : null,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Typography>
        )}
        {state === 'failed' ? (
          <Typography variant="body2" sx={{ color: 'error.main' }}>
            {t(`common:error.${failedBy ?? 'internal'}`)}
          </Typography>
        ) : null}
        {state === 'expired' ? <Typography variant="body2">{t('row.expired')}</Typography> : null}
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('row.asked', { instant: formats.instant(at) })}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {state === 'ready' ? <DownloadFile file={file} name={name} /> : null}
        {state === 'failed' ? <TryAgain id={file.id} name={name} /> : null}
        <Button
          size="small"
          startIcon={state === 'preparing' ? <X size={16} aria-hidden /> : <Trash2 size={16} aria-hidden />}
          aria-label={t(state === 'preparing' ? 'row.cancelOf' : 'row.removeOf', { file: name })}
          onClick={() =>
            void discardFile(
              file.id,
              state === 'preparing' ? 'exported-files:row.cancelled' : 'exported-files:row.removed',
            )
          }
        >
          {t(state === 'preparing' ? 'row.cancel' : 'row.remove')}
        </Button>
      </Box>
    </Box>
  );
}

function DownloadFile({ file, name }: { file: ExportedFile; name: string }) {
  const { t } = useTranslation('exported-files');
  const { isRunning, start } = useFileDownload(file);
  return (
    <Button
      variant="contained"
      size="small"
      loading={isRunning}
      startIcon={<Download size={16} aria-hidden />}
      aria-label={t('row.downloadOf', { file: name })}
      onClick={() => start({ params: { file: file.id } })}
    >
      {t('row.download')}
    </Button>
  );
}

function TryAgain({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('exported-files');
  const again = useCall(retryFile);
  return (
    <Button
      variant="outlined"
      size="small"
      loading={again.isPending}
      startIcon={<RotateCw size={16} aria-hidden />}
      aria-label={t('row.againOf', { file: name })}
      onClick={() =>
        again.mutate(
          { params: { id }, body: {} },
          {
            onSuccess: () => becameOld(readFiles),
            onError: ({ code }) => notify('error', `error.${code}`),
          },
        )
      }
    >
      {t('row.again')}
    </Button>
  );
}
