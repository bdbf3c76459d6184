import { labelIn } from '@caseway/contract/label';
import { grantableOn, type SubjectKind } from '@caseway/contract/permission';
import { type Role, readRoles } from '@caseway/contract/roles';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useApi } from '../../data/api.ts';
import { Permitted } from '../../data/Permitted.tsx';
import { Answered } from '../../ui/Answered.tsx';
import { framed } from '../../ui/framed.ts';
import { Page } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { permissionsFor, stateOf } from './grants.ts';
import { GrantMark, RolesNavigation } from './parts.tsx';

/** Every role of the tenant against every permission, for one kind of organization at a time. */
export default function Roles() {
  const { t } = useTranslation('roles');
  const query = useApi(readRoles);
  const [chosen, setChosen] = useState<SubjectKind | null>(null);
  return (
    <Page
      title={t('common:screen.roles')}
      lead={t('screen.lead')}
      actions={
        <Permitted permission="roles/write" label={t('list.make')}>
          <Button
            variant="contained"
            component={RouterLink}
            to="/admin/roles/new"
            startIcon={<Plus size={16} aria-hidden />}
          >
            {t('list.make')}
          </Button>
        </Permitted>
      }
    >
      <RolesNavigation />
      <Answered query={query} height={480}>
        {({ roles, kinds }) => {
          const kind = chosen !== null && kinds.includes(chosen) ? chosen : kinds[0]!;
          return (
            <>
              {kinds.length > 1 ? (
                <Box sx={{ maxWidth: 640 }}>
                  <Segments
                    label={t('list.kind')}
                    value={kind}
                    options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
                    onChange={setChosen}
                  />
                </Box>
              ) : null}
              <Matrix roles={roles} kind={kind} />
              <Legend />
            </>
          );
        }}
      </Answered>
    </Page>
  );
}

function Matrix({ roles, kind }: { roles: readonly Role[]; kind: SubjectKind }) {
  const { t, i18n } = useTranslation('roles');
  const byId = new Map(roles.map((role) => [role.id, role]));
  const label = (id: string | null) => {
    const role = id === null ? undefined : byId.get(id);
    return role ? labelIn(role, i18n.language) : '';
  };
  const rows = permissionsFor([kind]).filter((permission) => grantableOn(permission).includes(kind));
  const cell = { padding: '6px 10px', borderBottom: 1, borderColor: 'divider', textAlign: 'center' } as const;
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={t('list.matrix')}
      sx={{
        overflow: 'auto',
        maxHeight: 'calc(100dvh - 260px)',
        minHeight: 320,
        ...framed,
      }}
    >
      <Box
        component="table"
        sx={{ borderCollapse: 'separate', borderSpacing: 0, fontSize: '0.8125rem', minWidth: '100%' }}
      >
        <thead>
          <tr>
            <Box
              component="th"
              scope="col"
              sx={{
                ...cell,
                textAlign: 'left',
                position: 'sticky',
                top: 0,
                left: 0,
                zIndex: 3,
                backgroundColor: 'raised',
                minWidth: 220,
              }}
            >
              {t('list.permission')}
            </Box>
            {roles.map((role) => (
              <Box
                component="th"
                scope="col"
                key={role.id}
                sx={{
                  ...cell,
                  position: 'sticky',
                  top: 0,
                  zIndex: 2,
                  backgroundColor: 'raised',
                  minWidth: 116,
                  verticalAlign: 'bottom',
                  fontWeight: 550,
                }}
              >
                <Link component={RouterLink} to={`/admin/roles/${role.id}`} underline="hover">
                  {labelIn(role, i18n.language)}
                </Link>
                <Typography
                  variant="caption"
                  component="div"
                  sx={{ color: 'text.secondary', fontWeight: 400 }}
                >
                  {t('list.holders', { count: role.holders })}
                </Typography>
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((permission) => (
            <tr key={permission}>
              <Box
                component="th"
                scope="row"
                sx={{
                  ...cell,
                  textAlign: 'left',
                  position: 'sticky',
                  left: 0,
                  zIndex: 1,
                  backgroundColor: 'surface',
                  fontWeight: 400,
                }}
              >
                {t(`common:permission.${permission}`)}
              </Box>
              {roles.map((role) => {
                const state = stateOf(byId, role, kind, permission);
                const key = state.effect ?? 'none';
                return (
                  <Box component="td" key={role.id} sx={cell}>
                    <GrantMark
                      state={state}
                      label={
                        state.from === null
                          ? t(`state.${key}`)
                          : t(`inherited.${key}`, { role: label(state.from) })
                      }
                    />
                  </Box>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}

function Legend() {
  const { t } = useTranslation('roles');
  const signs = [
    { state: { effect: 'allow', own: 'allow', from: null }, label: t('state.allow') },
    { state: { effect: 'allow', own: null, from: 'x' }, label: t('legend.inherited') },
    { state: { effect: 'deny', own: 'deny', from: null }, label: t('legend.deny') },
    { state: { effect: null, own: null, from: null }, label: t('state.none') },
  ] as const;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '6px 24px' }} aria-hidden>
      {signs.map(({ state, label }) => (
        <Typography
          key={label}
          variant="caption"
          sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, color: 'text.secondary' }}
        >
          <GrantMark state={state} label={label} />
          {label}
        </Typography>
      ))}
    </Box>
  );
}
