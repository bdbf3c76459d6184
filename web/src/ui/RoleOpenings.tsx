import { labelIn } from '@caseway/contract/label';
import type { RoleOpening } from '@caseway/contract/saved-views';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { becameOld, useApi, useCall } from '../data/api.ts';
import type { NamedView, ViewDeeds } from '../data/saved-views.ts';
import { Answered } from './Answered.tsx';
import { FormDialog } from './FormDialog.tsx';

/** The roles whose people open the screen with a shared view, unless they have chosen another one. */
export default function RoleOpenings<View>({
  deeds,
  view: { id, name },
  views,
  onClose,
}: {
  deeds: ViewDeeds<View>;
  view: NamedView;
  /** All views of the screen. */
  views: readonly NamedView[];
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation();
  const { list, openings, openFor } = deeds.calls;
  const query = useApi(openings, {}, { keepPrevious: false });
  const call = useCall(openFor, { invalidates: [list, openings] });
  /** What was pressed here, by role. */
  const [pressed, setPressed] = useState<Readonly<Record<string, boolean>>>({});
  const isOn = (role: RoleOpening) => pressed[role.id] ?? role.opensWith === id;
  const nameOf = (view: string) => views.find((one) => one.id === view)?.name ?? t('gridViews.someView');
  const save = () => {
    const roles = (query.data?.roles ?? []).flatMap((role) =>
      isOn(role) === (role.opensWith === id)
        ? []
        : [{ id: role.id, before: role.opensWith, opensWith: isOn(role) ? id : null }],
    );
    if (roles.length === 0) return onClose();
    call.mutate(
      { body: { roles } },
      {
        onSuccess: () => {
          onClose();
          deeds.saysRolesSaved();
        },
        onError: () => becameOld(openings),
      },
    );
  };
  return (
    <FormDialog
      title={t('gridViews.rolesTitle', { name })}
      lead={t('gridViews.rolesText')}
      submit={t('action.save')}
      busy={call.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <Answered query={query} height={240}>
        {({ roles }) => (
          <Box
            component="fieldset"
            sx={{ border: 0, margin: 0, padding: 0, minWidth: 0, display: 'grid', gap: 0.5 }}
          >
            <Typography
              component="legend"
              variant="body2"
              sx={{ fontWeight: 550, padding: 0, marginBottom: 1.5 }}
            >
              {t('gridViews.roles')}
            </Typography>
            {roles.map((role) => (
              <FormControlLabel
                key={role.id}
                control={
                  <Checkbox
                    checked={isOn(role)}
                    onChange={(_, checked) => setPressed({ ...pressed, [role.id]: checked })}
                  />
                }
                label={
                  <>
                    {labelIn(role, i18n.language)}{' '}
                    {role.opensWith !== null && role.opensWith !== id ? (
                      <Typography component="span" variant="body2" sx={{ color: 'text.secondary' }}>
                        {t('gridViews.rolesNow', { name: nameOf(role.opensWith) })}
                      </Typography>
                    ) : null}
                  </>
                }
              />
            ))}
          </Box>
        )}
      </Answered>
      {call.error ? <Alert severity="error">{t(`error.${call.error.code}`)}</Alert> : null}
    </FormDialog>
  );
}
