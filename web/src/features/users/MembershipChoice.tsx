import { type OrgType, orgTypes } from '@caseway/contract/session';
import { administeredOrgs, type MembershipFields, membershipFields } from '@caseway/contract/users';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi } from '../../data/api.ts';
import { useLookup } from '../../data/use-lookup.ts';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { useFormField } from '../../ui/Form.tsx';
import { useAdministeredTypes } from './parts.tsx';
import { RoleChoice } from './RoleChoice.tsx';

/** The chosen organization and roles. */
export const membershipForm = z.strictObject({
  orgType: z.enum(orgTypes),
  org: z
    .object({ id: z.string(), label: z.string() })
    .nullable()
    .refine((org) => org !== null, { params: { code: 'org-needed' } }),
  roleIds: z.array(z.string()).refine((ids) => ids.length > 0, { params: { code: 'role-needed' } }),
});
export type ChosenMembership = z.input<typeof membershipForm>;

/** The membership in a valid form. */
export const chosen = ({ orgType, org, roleIds }: ChosenMembership): MembershipFields =>
  membershipFields.parse({ orgType, orgId: org?.id, roleIds });

/** The organizations that can be chosen. */
const useOrganizations = (orgType: OrgType, words: string) =>
  useApi(administeredOrgs, { query: { orgType, words: words.slice(0, 200) } });

/**
 * The initial values and texts of a form with a new membership. `orgType`: the kind of organization, if there
 * is a choice.
 */
export function useNewMembership(orgType: OrgType) {
  const { t } = useTranslation('users');
  const types = useAdministeredTypes();
  const { options: roles } = useLookup('roles');
  const begun = types.includes(orgType) ? orgType : (types[0] ?? 'T');
  const { data } = useOrganizations(begun, '');
  // With only one, there is nothing to choose.
  const [only, another] = data?.organizations ?? [];
  const isOnly = only !== undefined && another === undefined;
  const org = isOnly ? { id: only.id, label: only.name } : null;
  return {
    labels: { orgType: t('field.orgType'), org: t('field.org'), roleIds: t('field.roles') },
    text: (name: string, value: unknown): string =>
      name === 'orgType'
        ? t(`common:org.type.${value}`)
        : Array.isArray(value)
          ? value.map((id) => roles.find((role) => role.id === id)?.label ?? '').join(', ')
          : ((value as ChosenMembership['org'])?.label ?? ''),
    stored: { version: isOnly ? 1 : 0, values: { orgType: begun, org, roleIds: [] } as ChosenMembership },
  };
}

/** The kind of organization, the organization, and the roles in it, within a form. */
export function MembershipChoice() {
  const { t } = useTranslation('users');
  const { watch, getValues, setValue, formState } = useFormContext<ChosenMembership>();
  const [orgType, org, roleIds] = watch(['orgType', 'org', 'roleIds']);
  const value = { orgType, org, roleIds };
  const orgField = useFormField('org');
  const rolesField = useFormField('roleIds');
  const { isSubmitted } = formState;
  const onChange = (next: ChosenMembership) => {
    for (const name of ['orgType', 'org', 'roleIds'] as const)
      if (next[name] !== value[name]) setValue(name, next[name], { shouldValidate: isSubmitted });
  };
  const id = useId();
  const types = useAdministeredTypes();
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words), 200);
    return () => clearTimeout(timer);
  }, [words]);
  const query = useOrganizations(value.orgType, asked);
  const options = (query.data?.organizations ?? []).map(({ id: orgId, name }) => ({
    id: orgId,
    label: name,
  }));

  // With only one, there is nothing to choose.
  const only = asked === '' && !query.isPlaceholderData && options.length === 1 ? options[0]! : null;
  useEffect(() => {
    if (only === null || org !== null) return;
    // The user may have chosen another kind since this render.
    const now = getValues();
    if (now.org === null && now.orgType === orgType) setValue('org', only, { shouldValidate: isSubmitted });
  }, [only, org, orgType, getValues, setValue, isSubmitted]);

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
        fault={orgField.fault}
        // Without an organization there are no roles to focus.
        inputRef={(input) => {
          orgField.ref(input);
          if (org === null) rolesField.ref(input);
        }}
        placeholder={t('field.orgPlaceholder')}
        value={value.org}
        options={
          value.org && !options.some(({ id: orgId }) => orgId === value.org?.id)
            ? [value.org, ...options]
            : options
        }
        loading={query.isFetching}
        onWords={setWords}
        onChange={(next) => onChange({ ...value, org: next, roleIds: [] })}
      />
      {org === null ? (
        rolesField.fault === undefined ? null : (
          <Typography variant="body2" sx={{ color: 'error.main' }}>
            {rolesField.fault}
          </Typography>
        )
      ) : (
        <RoleChoice
          orgType={orgType}
          orgId={org.id}
          value={roleIds}
          fault={rolesField.fault}
          inputRef={rolesField.ref}
          onChange={(chosenIds) => onChange({ ...value, roleIds: chosenIds })}
        />
      )}
    </Box>
  );
}
