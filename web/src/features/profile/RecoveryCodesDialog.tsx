import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { Copy, Download } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../data/api.ts';

/** Recovery codes, shown only once; the dialog stays until the user confirms that they have kept them. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('profile');
  const id = useId();
  const [kept, setKept] = useState(false);
  const [copied, setCopied] = useState(false);
  const text = codes.join('\n');
  return (
    <Dialog open aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{t('recovery.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4 }}>
        <Typography variant="body1">{t('recovery.keep')}</Typography>
        <Box
          component="ul"
          aria-label={t('recovery.title')}
          sx={{
            listStyle: 'none',
            margin: 0,
            padding: 4,
            display: 'grid',
            gridTemplateColumns: '1fr 1fr',
            gap: 2,
            borderRadius: '10px',
            backgroundColor: 'raised',
          }}
        >
          {codes.map((code) => (
            <Typography key={code} component="li" variant="mono">
              {code}
            </Typography>
          ))}
        </Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <Button
            variant="outlined"
            size="small"
            startIcon={<Copy size={14} aria-hidden />}
            onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
          >
            {t(copied ? 'recovery.copied' : 'recovery.copy')}
          </Button>
          <Button
            variant="outlined"
            size="small"
            startIcon={<Download size={14} aria-hidden />}
            onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), t('recovery.file'))}
          >
            {t('recovery.save')}
          </Button>
        </Box>
        <FormControlLabel
          control={<Checkbox checked={kept} onChange={(event) => setKept(event.target.checked)} />}
          label={t('recovery.isKept')}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" disabled={!kept} onClick={onClose}>
          {t('recovery.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
