import { verifyAudit } from '@caseway/contract/audit';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { ShieldCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../data/api.ts';
import { useFormats } from '../../words/formats.ts';

const shownFaults = 50;

/** Checks the whole log and says whether it is unchanged. */
export function VerifyLog() {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const id = useId();
  const [open, setOpen] = useState(false);
  const verify = useCall(verifyAudit);
  const { data } = verify;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<ShieldCheck size={16} aria-hidden />}
        onClick={() => {
          setOpen(true);
          verify.mutate({});
        }}
      >
        {t('verify.start')}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} aria-labelledby={id} maxWidth="sm" fullWidth>
        <DialogTitle id={id}>{t('verify.start')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 3 }}>
          {verify.isPending ? (
            <>
              <Typography role="status">{t('verify.running')}</Typography>
              <LinearProgress aria-label={t('verify.running')} />
            </>
          ) : null}
          {verify.error ? <Alert severity="error">{t(`common:error.${verify.error.code}`)}</Alert> : null}
          {data && data.faults.length === 0 ? (
            <>
              <Alert severity="success">
                {t('verify.sound', { count: data.events, number: formats.count(data.events) })}
              </Alert>
              {data.archived > 0 ? (
                <Typography variant="body2">
                  {t('verify.archived', { count: data.archived, number: formats.count(data.archived) })}
                </Typography>
              ) : null}
              <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                {t('verify.digest', { time: formats.instant(data.checkedAt), digest: data.digest })}
              </Typography>
            </>
          ) : null}
          {data && data.faults.length > 0 ? (
            <Alert severity="error">
              {t('verify.broken', { count: data.faults.length, number: formats.count(data.faults.length) })}
              <ul>
                {data.faults.slice(0, shownFaults).map(({ kind, lane, number, eventId, at }) => (
                  <li key={`${kind} ${lane} ${number} ${eventId}`}>
                    {t(`fault.${kind}`, {
                      place: [
                        lane === null || number === null ? null : t('panel.place', { lane, number }),
                        at ? formats.instant(at) : null,
                      ]
                        .filter(Boolean)
                        .join(' · '),
                    })}
                  </li>
                ))}
              </ul>
            </Alert>
          ) : null}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={() => setOpen(false)}>
            {t('common:action.close')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
