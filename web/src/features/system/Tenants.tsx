import { labelIn } from '@caseway/contract/label';
import { states } from '@caseway/contract/reference';
import { listTenants, reactivateTenant, suspendTenant, type TenantRow } from '@caseway/contract/system';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { CircleCheck, CirclePause, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi, useCall } from '../../data/api.ts';
import { FormBody } from '../../record/FormBody.tsx';
import { useKeptForm } from '../../record/use-kept-form.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TextField } from '../../ui/Form.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Page } from '../../ui/Page.tsx';
import { useFormats } from '../../words/formats.ts';
import { languageNames, languageOf } from '../../words/i18n.ts';
import { NewTenantForm } from './NewTenantForm.tsx';
import { Refused, Scrolling } from './parts.tsx';

type Asking = { deed: 'make' } | { deed: 'suspend' | 'reactivate'; tenant: TenantRow };

/** Every tenant of the system: who administers it, and whether people can work in it. */
export default function Tenants() {
  const { t } = useTranslation('system');
  const query = useApi(listTenants, {});
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  return (
    <Page
      title={t('common:screen.tenants')}
      lead={t('tenants.lead')}
      actions={
        <Button
          variant="contained"
          startIcon={<Plus size={16} aria-hidden />}
          onClick={() => setAsking({ deed: 'make' })}
        >
          {t('tenants.make')}
        </Button>
      }
    >
      <Answered query={query} height={360}>
        {({ tenants }) => <TenantTable tenants={tenants} onAsk={setAsking} />}
      </Answered>
      {asking?.deed === 'make' ? <NewTenantForm onClose={close} /> : null}
      {asking?.deed === 'suspend' ? <Suspend tenant={asking.tenant} onClose={close} /> : null}
      {asking?.deed === 'reactivate' ? <Reactivate tenant={asking.tenant} onClose={close} /> : null}
    </Page>
  );
}

function TenantTable({ tenants, onAsk }: { tenants: readonly TenantRow[]; onAsk: (asking: Asking) => void }) {
  const { t, i18n } = useTranslation('system');
  const formats = useFormats();
  const known = useApi(states, {}, { staleTime: cacheMs });
  const stateName = (fips: string | null) => {
    const state = known.data?.states.find(({ code }) => code === fips);
    return state ? labelIn(state, i18n.language) : '';
  };
  return (
    <Scrolling label={t('common:screen.tenants')}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {(['name', 'kind', 'state', 'languages', 'users', 'administrators', 'access'] as const).map(
              (column) => (
                <TableCell key={column}>{t(`column.${column}`)}</TableCell>
              ),
            )}
            <TableCell>
              <Box component="span" sx={{ position: 'absolute', clipPath: 'inset(50%)' }}>
                {t('column.deeds')}
              </Box>
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {tenants.map((tenant) => (
            <TableRow key={tenant.id} sx={{ verticalAlign: 'top' }}>
              <TableCell component="th" scope="row">
                <Typography variant="body1" sx={{ fontWeight: 550 }}>
                  {tenant.name}
                </Typography>
                <Typography variant="mono" component="div" sx={{ color: 'text.secondary' }}>
                  {tenant.slug}
                </Typography>
              </TableCell>
              <TableCell>{t(`common:experience.${tenant.experience}`)}</TableCell>
              <TableCell>{stateName(tenant.stateFips)}</TableCell>
              <TableCell>
                {tenant.languages
                  .map((tag) => languageOf(tag))
                  .flatMap((one) => (one ? [languageNames[one]] : []))
                  .join(', ')}
              </TableCell>
              <TableCell>{formats.count(tenant.users)}</TableCell>
              <TableCell>
                {tenant.administrators.map(({ name, email, signedIn }) => (
                  <Box key={email}>
                    {name}
                    <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                      {email}
                      {signedIn ? '' : ` · ${t('tenants.invited')}`}
                    </Typography>
                  </Box>
                ))}
              </TableCell>
              <TableCell sx={{ minWidth: 180 }}>
                <Access tenant={tenant} />
              </TableCell>
              <TableCell>
                {tenant.system ? null : (
                  <Button
                    size="small"
                    variant="outlined"
                    aria-label={`${t(tenant.suspension ? 'tenants.reactivate' : 'tenants.suspend')}: ${tenant.name}`}
                    onClick={() => onAsk({ deed: tenant.suspension ? 'reactivate' : 'suspend', tenant })}
                  >
                    {t(tenant.suspension ? 'tenants.reactivate' : 'tenants.suspend')}
                  </Button>
                )}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Scrolling>
  );
}

function Access({ tenant: { suspension } }: { tenant: TenantRow }) {
  const { t } = useTranslation('system');
  const formats = useFormats();
  const Icon = suspension ? CirclePause : CircleCheck;
  return (
    <>
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
        <Box
          component="span"
          aria-hidden
          sx={{ display: 'inline-flex', color: suspension ? 'warning.main' : 'success.main' }}
        >
          <Icon size={15} />
        </Box>
        {suspension ? t('access.suspended', { time: formats.instant(suspension.at) }) : t('access.active')}
      </Box>
      {suspension ? (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {suspension.reason}
        </Typography>
      ) : null}
    </>
  );
}

function Suspend({ tenant, onClose }: { tenant: TenantRow; onClose: () => void }) {
  const { t } = useTranslation('system');
  const call = useCall(suspendTenant, { invalidates: [listTenants] });
  const editing = useKeptForm(
    suspendTenant.body!,
    `system/suspend/${tenant.id}`,
    { reason: '' },
    call.isSuccess,
  );
  const send = editing.form.handleSubmit((body) =>
    call.mutate(
      { params: { id: tenant.id }, body },
      {
        onSuccess: () => {
          editing.forget();
          notify('success', 'system:done.suspended', { values: { tenant: tenant.name } });
          onClose();
        },
      },
    ),
  );
  return (
    <FormDialog
      title={t('suspend.title', { tenant: tenant.name })}
      lead={t('suspend.lead', { count: tenant.users })}
      submit={t('suspend.submit')}
      busy={call.isPending}
      onSubmit={() => void send()}
      onClose={() => void editing.close(onClose)}
    >
      <FormBody of={editing} labels={{ reason: t('suspend.reason') }}>
        <TextField
          name="reason"
          label={t('suspend.reason')}
          help={t('suspend.reasonHelp')}
          multiline
          minRows={2}
        />
      </FormBody>
      <Refused error={call.error} />
    </FormDialog>
  );
}

function Reactivate({ tenant, onClose }: { tenant: TenantRow; onClose: () => void }) {
  const { t } = useTranslation('system');
  const call = useCall(reactivateTenant, { invalidates: [listTenants] });
  return (
    <ConfirmDialog
      open
      title={t('reactivate.title', { tenant: tenant.name })}
      confirm={t('tenants.reactivate')}
      busy={call.isPending}
      error={call.error}
      onConfirm={() =>
        call.mutate(
          { params: { id: tenant.id } },
          {
            onSuccess: () => {
              notify('success', 'system:done.reactivated', { values: { tenant: tenant.name } });
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <Typography variant="body1">{t('reactivate.text', { count: tenant.users })}</Typography>
    </ConfirmDialog>
  );
}
