import { labelIn } from '@caseway/contract/label';
import { type KnownPermission, permissions } from '@caseway/contract/permission';
import { checkAccess, findUsers, readRoles } from '@caseway/contract/roles';
import { readUser } from '@caseway/contract/users';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { z } from 'zod';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { type Choice, ChoiceField } from '../../ui/ChoiceField.tsx';
import { Page } from '../../ui/Page.tsx';
import { Section } from '../../ui/Section.tsx';
import { RolesNavigation } from './parts.tsx';

/** “Can this user do that here, and by which line?” */
export default function CheckAccess() {
  const { t } = useTranslation('roles');
  const id = useId();
  const [params, setParams] = useSearchParams();
  const given = z.uuid().safeParse(params.get('user')).data ?? null;
  const [person, setPerson] = useState<Choice | null>(null);
  const [permission, setPermission] = useState<KnownPermission>('case-reports/read');
  // The person in a link is shown by name once loaded.
  const linked = useApi(
    readUser,
    { params: { id: given ?? '' } },
    { enabled: given !== null && person === null },
  );
  const user = linked.data;
  useEffect(() => {
    if (given === null || person !== null || !user) return;
    const place = user.memberships.find((membership) => membership.id === given);
    setPerson({
      id: given,
      label: [`${user.firstName} ${user.lastName}`, place?.orgName].filter(Boolean).join(', '),
    });
  }, [given, person, user]);
  return (
    <Page title={t('check.title')} lead={t('check.lead')}>
      <RolesNavigation />
      <Section title={t('check.question')}>
        <Box
          sx={{
            display: 'grid',
            gap: 4,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
          }}
        >
          <PersonField
            value={person}
            onChange={(chosen) => {
              setPerson(chosen);
              setParams(chosen ? { user: chosen.id } : {}, { replace: true });
            }}
          />
          <Box sx={{ display: 'grid', gap: 1.5, alignContent: 'start' }}>
            <Typography component="label" htmlFor={id} variant="body2" sx={{ fontWeight: 550 }}>
              {t('check.permission')}
            </Typography>
            <NativeSelect
              value={permission}
              input={<OutlinedInput fullWidth />}
              inputProps={{ id }}
              onChange={(event) => setPermission(event.target.value as KnownPermission)}
            >
              {permissions.map((one) => (
                <option key={one} value={one}>
                  {t(`common:permission.${one}`)}
                </option>
              ))}
            </NativeSelect>
          </Box>
        </Box>
        {person ? <Verdict membershipId={person.id} permission={permission} /> : null}
      </Section>
    </Page>
  );
}

function PersonField({
  value,
  onChange,
}: {
  value: Choice | null;
  onChange: (value: Choice | null) => void;
}) {
  const { t } = useTranslation('roles');
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words.trim()), 250);
    return () => clearTimeout(timer);
  }, [words]);
  const query = useApi(findUsers, { body: { words: asked.slice(0, 200) || '-' } }, { enabled: asked !== '' });
  const options = (asked === '' ? [] : (query.data?.users ?? [])).map(
    ({ id, name, email, orgType, orgName }) => ({
      id,
      label: [name, orgName].filter(Boolean).join(', '),
      detail: [email, t(`common:org.type.${orgType}`)].join(' · '),
    }),
  );
  return (
    <ChoiceField
      label={t('check.user')}
      placeholder={t('check.userHelp')}
      value={value}
      options={value && !options.some(({ id }) => id === value.id) ? [value, ...options] : options}
      loading={query.isFetching}
      onWords={setWords}
      onChange={onChange}
    />
  );
}

function Verdict({ membershipId, permission }: { membershipId: string; permission: KnownPermission }) {
  const { t, i18n } = useTranslation('roles');
  const query = useApi(checkAccess, { body: { membershipId, permission } }, { keepPrevious: false });
  const roles = useApi(readRoles).data?.roles ?? [];
  const label = (id: string) => {
    const role = roles.find((one) => one.id === id);
    return role ? labelIn(role, i18n.language) : '';
  };
  return (
    <Answered query={query} height={120}>
      {({ allowed, ended, featureOff, lines }) => (
        <Box role="status" sx={{ display: 'grid', gap: 3 }}>
          <Alert severity={allowed ? 'success' : 'warning'}>
            {allowed
              ? t('check.yes')
              : ended
                ? t('check.ended')
                : featureOff
                  ? t('check.featureOff')
                  : lines.some(({ effect }) => effect === 'deny')
                    ? t('check.denied')
                    : t('check.no')}
          </Alert>
          {lines.length > 0 ? (
            <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}>
              {lines.map(({ line, effect, roleIds }) => (
                <Box component="li" key={line}>
                  <Typography variant="body1">
                    {t(`state.${effect}`)}: {roleIds.map(label).filter(Boolean).join(' → ')}
                  </Typography>
                  <Typography
                    variant="mono"
                    component="p"
                    sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
                  >
                    {line}
                  </Typography>
                </Box>
              ))}
            </Box>
          ) : null}
        </Box>
      )}
    </Answered>
  );
}
