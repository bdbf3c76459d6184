import { type Profile as OwnProfile, readProfile } from '@caseway/contract/profile';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Page } from '../../ui/Page.tsx';
import { Appearance } from './Appearance.tsx';
import { NotificationWays } from './NotificationWays.tsx';
import { Offers } from './Offers.tsx';
import { Person } from './Person.tsx';
import { Sessions } from './Sessions.tsx';
import { SignInMethods } from './SignInMethods.tsx';

/** The user's own account: name and addresses, ways to sign in, sessions, and how the product looks. */
export default function Profile() {
  const { t } = useTranslation(['profile', 'common']);
  const query = useApi(readProfile, {});
  return (
    <Page title={t('common:screen.profile')} lead={t('page.lead')}>
      <Box sx={{ display: 'grid', gap: 4, maxWidth: 840, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Offers />
        <Answered query={query} height={420}>
          {(profile: OwnProfile) => (
            <>
              <Person profile={profile} />
              <SignInMethods profile={profile} />
            </>
          )}
        </Answered>
        <NotificationWays />
        <Sessions />
        <Appearance />
      </Box>
    </Page>
  );
}
