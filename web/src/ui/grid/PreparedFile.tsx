import type { ExportedFile } from '@caseway/contract/exported-files';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { Download, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { discardFile, shareOf, useFileDownload, useFiles } from '../../data/exported-files.ts';
import { useFormats } from '../../words/formats.ts';
import { takesFocus } from '../use-focus-taken.ts';

/** A background export of the list, in place of the button that started it; `children`: that button. */
export function PreparedFile({
  id,
  onClose,
  children,
}: {
  id: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { data } = useFiles();
  // Expired files appear only in the list of all files.
  const file = data?.files.find((one) => one.id === id && one.state !== 'expired');
  return file ? <FileState file={file} onClose={onClose} /> : children;
}

function FileState({ file, onClose }: { file: ExportedFile; onClose: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const share = shareOf(file);
  const row = { display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' } as const;
  if (file.state === 'preparing')
    return (
      <Box sx={row}>
        <CircularProgress size={14} color="inherit" aria-hidden />
        <Typography variant="body2">
          {share === null
            ? t('export.waiting')
            : t('export.preparing', { percent: formats.wholeShare(share) })}
        </Typography>
        <Button
          size="small"
          {...takesFocus}
          onClick={() => {
            onClose();
            void discardFile(file.id);
          }}
        >
          {t('export.stop')}
        </Button>
      </Box>
    );
  return (
    <Box sx={row}>
      <Typography variant="body2" role="status">
        {t(file.state === 'ready' ? 'export.isReady' : 'export.didFail')}
      </Typography>
      {file.state === 'ready' ? <Save file={file} /> : null}
      <IconButton size="small" aria-label={t('export.close')} title={t('export.close')} onClick={onClose}>
        <X size={16} aria-hidden />
      </IconButton>
    </Box>
  );
}

function Save({ file }: { file: ExportedFile }) {
  const { t } = useTranslation();
  const { isRunning, start } = useFileDownload(file);
  return (
    <Button
      variant="outlined"
      size="small"
      loading={isRunning}
      {...takesFocus}
      startIcon={<Download size={16} aria-hidden />}
      onClick={() => start({ params: { file: file.id } })}
    >
      {t('export.download')}
    </Button>
  );
}
