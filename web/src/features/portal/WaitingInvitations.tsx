import { listWaitingInvitations, type WaitingInvitation } from '@caseway/contract/portal';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { MailQuestion } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useApi } from '../../data/api.ts';
import { selectFeatures, useMay } from '../../session/permissions.ts';
import { useAppSelector } from '../../session/store.ts';
import { useFormats } from '../../words/formats.ts';

/**
 * Invitations waiting for a second person, shown to users who could confirm them; nothing if there are none.
 */
export default function WaitingInvitations() {
  const { t } = useTranslation('patient-portal');
  const id = useId();
  const isOn = useAppSelector(selectFeatures).has('patients');
  const mayWrite = useMay()('patients/write');
  const query = useApi(listWaitingInvitations, {}, { enabled: mayWrite && isOn, later: true });
  const [open, setOpen] = useState(false);
  const invitations = query.data?.invitations ?? [];
  if (invitations.length === 0) return null;
  const title = t('waiting.list', { count: invitations.length });
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<MailQuestion size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {title}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} aria-labelledby={id} maxWidth="sm" fullWidth>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <Typography variant="body1" sx={{ color: 'text.secondary', marginBottom: 3 }}>
            {t('waiting.listLead')}
          </Typography>
          <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {invitations.map((invitation) => (
              <Entry key={invitation.id} invitation={invitation} />
            ))}
          </Box>
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

function Entry({ invitation }: { invitation: WaitingInvitation }) {
  const { t } = useTranslation('patient-portal');
  const formats = useFormats();
  const { firstName, lastName, caseReportId, askedBy, askedAt, own } = invitation;
  const name = [firstName, lastName].filter(Boolean).join(' ') || t('waiting.nameless');
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: 'divider', paddingY: 3 }}>
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {caseReportId === null ? (
          name
        ) : (
          <Link component={RouterLink} to={`/case-reports/${caseReportId}`}>
            {name}
          </Link>
        )}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {own
          ? t('waiting.ownListed', { at: formats.instant(askedAt) })
          : t('waiting.listed', { who: askedBy ?? t('waiting.somebody'), at: formats.instant(askedAt) })}
      </Typography>
    </Box>
  );
}
