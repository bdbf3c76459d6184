import { type OrgType, orgTypes } from '@caseway/contract/session';
import { administeredOrgs, type MembershipFields } from '@caseway/contract/users';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api.ts';
import { type Choice, ChoiceField } from '../../ui/ChoiceField.tsx';
import { useAdministeredTypes } from './parts.tsx';
import { RoleChoice } from './RoleChoice.tsx';

/** An organisation as it is being chosen, and the roles to be held there. */
export interface ChosenMembership {
  orgType: OrgType;
  org: Choice | null;
  roleIds: string[];
}

/** The membership that was chosen; null as long as something is missing. */
export const chosen = ({ orgType, org, roleIds }: ChosenMembership): MembershipFields | null =>
  org !== null && roleIds.length > 0 ? { orgType, orgId: org.id, roleIds } : null;

/** The kind of organisation, the organisation, and the roles in it. */
export function MembershipChoice({
  value,
  onChange,
}: {
  value: ChosenMembership;
  onChange: (value: ChosenMembership) => void;
}) {
  const { t } = useTranslation('users');
  const id = useId();
  const types = useAdministeredTypes();
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words), 200);
    return () => clearTimeout(timer);
  }, [words]);
  const query = useApi(administeredOrgs, { query: { orgType: value.orgType, words: asked.slice(0, 200) } });
  const options = (query.data?.organizations ?? []).map(({ id: orgId, name }) => ({
    id: orgId,
    label: name,
  }));

  // Where there is only one, there is nothing to choose.
  const only = asked === '' && !query.isPlaceholderData && options.length === 1 ? options[0]! : null;
  useEffect(() => {
    if (only && value.org === null) onChange({ ...value, org: only });
  }, [only, value, onChange]);

  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      {types.length > 1 ? (
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          <Typography component="label" htmlFor={`${id}-type`} variant="body2" sx={{ fontWeight: 550 }}>
            {t('field.orgType')}
          </Typography>
          <NativeSelect
            value={value.orgType}
            input={<OutlinedInput fullWidth />}
            inputProps={{ id: `${id}-type` }}
            onChange={(event) => {
              setWords('');
              onChange({ orgType: event.target.value as OrgType, org: null, roleIds: [] });
            }}
          >
            {orgTypes
              .filter((type) => types.includes(type))
              .map((type) => (
                <option key={type} value={type}>
                  {t(`common:org.type.${type}`)}
                </option>
              ))}
          </NativeSelect>
        </Box>
      ) : null}
      <ChoiceField
        label={t('field.org')}
        placeholder={t('field.orgPlaceholder')}
        value={value.org}
        options={
          value.org && !options.some(({ id: orgId }) => orgId === value.org?.id)
            ? [value.org, ...options]
            : options
        }
        loading={query.isFetching}
        onWords={setWords}
        onChange={(org) => onChange({ ...value, org, roleIds: [] })}
      />
      {value.org === null ? null : (
        <RoleChoice
          orgType={value.orgType}
          orgId={value.org.id}
          value={value.roleIds}
          onChange={(roleIds) => onChange({ ...value, roleIds })}
        />
      )}
    </Box>
  );
}
