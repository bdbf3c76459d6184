import { labelIn } from '@caseway/contract/label';
import { permissions } from '@caseway/contract/permission';
import { whoCanGrant } from '@caseway/contract/roles';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { cacheMs, useApi } from './api.ts';

const isKnown = (permission: string): permission is (typeof permissions)[number] =>
  (permissions as readonly string[]).includes(permission);

/** The answer to “why can’t I?”. */
export default function WhoCanGrant({ permission }: { permission: string }) {
  const { t, i18n } = useTranslation();
  const known = isKnown(permission);
  const query = useApi(
    whoCanGrant,
    { query: { permission: known ? permission : 'general/other' } },
    { enabled: known, staleTime: cacheMs },
  );
  if (!query.data) return null;
  const { roles, people } = query.data;
  return (
    <Box sx={{ display: 'grid', gap: 1, marginTop: 2 }}>
      {roles.length > 0 ? (
        <Typography variant="body2" component="p">
          {t('access.roles', { roles: roles.map((role) => labelIn(role, i18n.language)).join(', ') })}
        </Typography>
      ) : null}
      {people.length > 0 ? (
        <Typography variant="body2" component="p">
          {t('access.ask')}{' '}
          {people.map(({ name, email }, index) => (
            <span key={email}>
              {index > 0 ? ', ' : ''}
              <Link href={`mailto:${email}`}>{name}</Link>
            </span>
          ))}
        </Typography>
      ) : null}
    </Box>
  );
}
