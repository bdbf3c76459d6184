import { nameOfTimeZone } from '@caseway/contract/time-zone';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { DoorClosed } from 'lucide-react';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useWaiting } from '../../data/use-waiting.ts';
import { part } from '../../loading/part.tsx';
import { selectFeatures, useMay } from '../../session/permissions.ts';
import { useAppSelector } from '../../session/store.ts';
import { useTimeZone } from '../../session/time-zone.ts';
import { menuIcons } from '../../shell/menu-icons.ts';
import { maySee, type Screen, switchedOn } from '../../shell/screens.ts';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { Waiting } from './Waiting.tsx';

/** Few users need them, and they are requested after the screen. */
const FirstSteps = part('first-steps', () => import('./FirstSteps.tsx'));
const Figures = part('figures', () => import('./Figures.tsx'));

/**
 * What the user can do for the current organization. `guide`: for setting up a tenant; `notice`: personal
 * news.
 */
export function Home({
  screens,
  guide: Guide,
  notice: Notice,
}: {
  screens: readonly Screen[];
  guide: ComponentType;
  notice: ComponentType;
}) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const features = useAppSelector(selectFeatures);
  const { user, selectedTenantOrg, suspendedTenants } = useAppSelector((state) => state.authentication);
  const timeZone = useTimeZone();
  // What follows is drawn once its place is known: a card that moves away is pressed by mistake.
  const waiting = useWaiting();
  const places = switchedOn(screens, features).filter(
    (screen) => screen.menu && screen.path !== '/' && maySee(screen, may),
  );
  const importing = places.find((screen) => screen.path === '/imports');
  const settingUp =
    may('settings/write') &&
    selectedTenantOrg?.orgType === 'T' &&
    selectedTenantOrg.experience !== 'SYSTEM_ADMINISTRATION' &&
    !selectedTenantOrg.secondFactorNeeded;
  return (
    <Page
      title={t('home.title', { name: user?.firstName ?? '' })}
      lead={
        selectedTenantOrg
          ? t('home.lead', { org: selectedTenantOrg.name, timeZone: nameOfTimeZone(timeZone, i18n.language) })
          : t(suspendedTenants.length > 0 ? 'home.onlySuspended' : 'home.noOrg')
      }
    >
      {suspendedTenants.map(({ name, reason }) => (
        <Alert key={name} severity="warning">
          <AlertTitle>{t('home.suspended', { tenant: name })}</AlertTitle>
          {reason}
        </Alert>
      ))}
      <Suspense fallback={null}>
        <Notice />
      </Suspense>
      <Waiting {...waiting} />
      {!waiting.isPending && places.some(({ path }) => path.startsWith('/analytics/')) ? (
        <Suspense fallback={<Box sx={{ minHeight: 184 }} />}>
          <Figures paths={places.map(({ path }) => path)} />
        </Suspense>
      ) : null}
      {settingUp && !waiting.isPending ? (
        <Suspense fallback={null}>
          <Guide />
        </Suspense>
      ) : null}
      {waiting.isPending ? null : places.length > 0 ? (
        <Box component="section" aria-labelledby="home-places">
          <Typography variant="h3" component="h2" id="home-places" sx={{ marginBottom: 3 }}>
            {t('home.places')}
          </Typography>
          <Box
            component="ul"
            sx={{
              listStyle: 'none',
              margin: 0,
              padding: 0,
              display: 'grid',
              gap: 3,
              gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
            }}
          >
            {places.map((screen) => {
              const Icon = menuIcons[screen.menu!.icon];
              return (
                <li key={screen.path}>
                  <ButtonBase
                    component={Link}
                    to={screen.path}
                    sx={{
                      width: '100%',
                      height: '100%',
                      display: 'flex',
                      alignItems: 'flex-start',
                      justifyContent: 'flex-start',
                      textAlign: 'left',
                      gap: 3,
                      padding: 4,
                      borderRadius: '10px',
                      border: 1,
                      borderColor: 'divider',
                      backgroundColor: 'surface',
                      '&:hover': { borderColor: 'control' },
                    }}
                  >
                    <Box
                      component="span"
                      aria-hidden
                      sx={{ color: 'primary.main', display: 'flex', paddingTop: '2px' }}
                    >
                      <Icon size={20} strokeWidth={1.75} />
                    </Box>
                    <Box>
                      <Typography variant="h3" component="span" sx={{ display: 'block' }}>
                        {t(screen.label)}
                      </Typography>
                      {screen.purpose ? (
                        <Typography variant="body1" component="span" sx={{ color: 'text.secondary' }}>
                          {t(screen.purpose)}
                        </Typography>
                      ) : null}
                    </Box>
                  </ButtonBase>
                </li>
              );
            })}
          </Box>
        </Box>
      ) : selectedTenantOrg === null && suspendedTenants.length > 0 ? null : (
        <Message icon={DoorClosed} title={t('home.nothingTitle')}>
          {selectedTenantOrg ? t('home.nothing', { org: selectedTenantOrg.name }) : null}
        </Message>
      )}
      {importing && may('imports/write') && !settingUp ? (
        <Suspense fallback={null}>
          <FirstSteps screens={places} />
        </Suspense>
      ) : null}
    </Page>
  );
}
