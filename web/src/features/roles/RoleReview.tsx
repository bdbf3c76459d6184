import { labelIn } from '@caseway/contract/label';
import { type Role, type RoleEffect, type RolePreview, roleRefusals } from '@caseway/contract/roles';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type AppError, refusalsIn } from '../../data/transport.ts';
import { useFormats } from '../../words/formats.ts';

/** The effects of a role's change on people, before it is saved. */
export function RoleReview({
  removes,
  name,
  roles,
  preview,
  saving,
  error,
  onConfirm,
  onClose,
}: {
  removes: boolean;
  name: string;
  roles: readonly Role[];
  preview: { data: RolePreview | undefined; isPending: boolean; error: AppError | null };
  saving: boolean;
  error: AppError | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('roles');
  const formats = useFormats();
  const id = useId();
  const { data } = preview;
  const people = (data?.effects ?? []).reduce((sum, effect) => sum + effect.people, 0);
  const failed = preview.error ?? error;
  const codes = refusalsIn(error, roleRefusals);
  return (
    <Dialog open onClose={saving ? undefined : onClose} aria-labelledby={id} maxWidth="sm" fullWidth>
      <DialogTitle id={id}>{t(removes ? 'review.removeTitle' : 'review.title', { role: name })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 3, alignContent: 'start' }}>
        {preview.isPending ? <LinearProgress aria-label={t('review.running')} /> : null}
        {data?.refusals.map(({ code, permissions }) => (
          <Alert key={code} severity="error">
            {t(`refusal.${code}`)}
            {permissions.length > 0 ? ` ${said(t, permissions)}` : null}
          </Alert>
        ))}
        {failed ? (
          <Alert severity="error">
            {codes.length > 0
              ? codes.map((code) => t(`refusal.${code}`)).join(' ')
              : t(failed.code === 'conflict' ? 'review.conflict' : `common:error.${failed.code}`)}
          </Alert>
        ) : null}
        {data ? (
          <Typography variant="body1">
            {people === 0
              ? t('review.nobody')
              : t('review.people', { count: people, number: formats.count(people) })}
          </Typography>
        ) : null}
        <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}>
          {data?.effects.map((effect) => (
            <Effect key={`${effect.kind} ${effect.roleIds.join(' ')}`} effect={effect} roles={roles} />
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose} disabled={saving}>
          {t('common:action.cancel')}
        </Button>
        <Button
          variant="contained"
          color={removes ? 'error' : 'primary'}
          loading={saving}
          disabled={!data || data.refusals.length > 0}
          onClick={onConfirm}
        >
          {t(removes ? 'review.remove' : 'review.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const said = (t: (key: string) => string, permissions: readonly string[]): string =>
  permissions.map((permission) => `“${t(`common:permission.${permission}`)}”`).join(', ');

function Effect({ effect, roles }: { effect: RoleEffect; roles: readonly Role[] }) {
  const { t, i18n } = useTranslation('roles');
  const formats = useFormats();
  const held = effect.roleIds.flatMap((roleId) => {
    const role = roles.find((one) => one.id === roleId);
    return role ? [labelIn(role, i18n.language)] : [];
  });
  const more = effect.people - effect.names.length;
  return (
    <Box component="li" sx={{ border: 1, borderColor: 'divider', borderRadius: '10px', padding: 3 }}>
      <Typography variant="body1" sx={{ fontWeight: 550 }}>
        {effect.names.join(', ')}
        {more > 0 ? ` ${t('review.more', { count: more, number: formats.count(more) })}` : null}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {[t(`kind.${effect.kind}`), ...held].join(' · ')}
      </Typography>
      {effect.gained.length > 0 ? (
        <Typography variant="body2">
          {t('review.gained')} {said(t, effect.gained)}
        </Typography>
      ) : null}
      {effect.lost.length > 0 ? (
        <Typography variant="body2">
          {t('review.lost')} {said(t, effect.lost)}
        </Typography>
      ) : null}
    </Box>
  );
}
