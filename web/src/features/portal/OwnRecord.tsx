import { readOwnRecord } from '@caseway/contract/portal';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { FlaskConical, HeartPulse, LogOut, ScanEye, Syringe, UserRound, Video } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Route, Routes, useLocation, useNavigate } from 'react-router';
import { useApi } from '../../data/api.ts';
import { part, useAhead } from '../../loading/part.tsx';
import { signOut } from '../../session/session.ts';
import { LanguageMenu } from '../../shell/LanguageMenu.tsx';
import { OfflineBanner } from '../../shell/OfflineBanner.tsx';
import { Mark } from '../../ui/Brand.tsx';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { adoptAccountLanguage } from '../../words/i18n.ts';
import { Details } from './Details.tsx';
import { PortalNav, type PortalPlace } from './PortalNav.tsx';
import { RecordAccess } from './RecordAccess.tsx';
import { ResultList, ResultView } from './Results.tsx';
import { nameOf } from './Screen.tsx';
import { Visits } from './Visits.tsx';

/* Everything except results loads after they have been shown for a moment. */
const loadBooking = async () => ({ default: (await import('./BookOwnVisit.tsx')).BookOwnVisit });
const loadMoving = async () => ({ default: (await import('./BookOwnVisit.tsx')).MoveOwnVisit });
const loadWaitingRoom = async () => ({ default: (await import('./OwnWaitingRoom.tsx')).OwnWaitingRoom });
const loadFollowUp = async () => ({ default: (await import('./OwnFollowUp.tsx')).OwnFollowUp });
const loadVaccinations = async () => ({ default: (await import('./OwnVaccinations.tsx')).OwnVaccinations });
const loadReactions = async () => ({ default: (await import('./OwnReactions.tsx')).OwnReactions });
const OwnReactions = part('own-reactions', loadReactions);
const OwnVaccinations = part('own-vaccinations', loadVaccinations);
const OwnFollowUp = part('own-follow-up', loadFollowUp);
const BookOwnVisit = part('book-own-visit', loadBooking);
const MoveOwnVisit = part('move-own-visit', loadMoving);
const OwnWaitingRoom = part('own-waiting-room', loadWaitingRoom);

const places = [
  { to: '/portal', also: '/portal/results', label: 'nav.results', icon: FlaskConical },
  { to: '/portal/follow-up', label: 'nav.followUp', icon: HeartPulse },
  { to: '/portal/vaccinations', also: '/portal/vaccinations/', label: 'nav.vaccinations', icon: Syringe },
  { to: '/portal/visits', also: '/portal/visits/', label: 'nav.visits', icon: Video },
  { to: '/portal/me', label: 'nav.profile', icon: UserRound },
  { to: '/portal/access', label: 'nav.access', icon: ScanEye },
] as const satisfies readonly PortalPlace[];

/** Screens that only some patients have. */
const onlyWith = {
  '/portal/follow-up': 'followUp',
  '/portal/vaccinations': 'vaccinations',
  '/portal/visits': 'visits',
} as const;

/** What a signed-in patient sees: the frame of the portal, with the address's screen. */
export default function OwnRecord() {
  const { t } = useTranslation('portal');
  const { pathname } = useLocation();
  useAhead(loadBooking);
  useAhead(loadMoving);
  useAhead(loadWaitingRoom);
  useAhead(loadFollowUp);
  useAhead(loadVaccinations);
  useAhead(loadReactions);
  const own = useApi(readOwnRecord).data;
  const name = own && nameOf(own);
  const language = own?.languageCode;
  const shown = places.filter(({ to }) => !(to in onlyWith) || own?.[onlyWith[to as keyof typeof onlyWith]]);
  // A browser without a chosen language uses the patient's.
  useEffect(() => {
    if (language !== undefined) void adoptAccountLanguage(language, 'en');
  }, [language]);
  return (
    <Box sx={{ minHeight: '100dvh', display: 'flex', flexDirection: 'column', backgroundColor: 'canvas' }}>
      <SkipLink to="portal-main" />
      <OfflineBanner />
      <Box
        component="header"
        className="no-print"
        sx={{ borderBottom: 1, borderColor: 'divider', backgroundColor: 'surface' }}
      >
        <Box
          sx={{
            maxWidth: 760,
            margin: '0 auto',
            paddingX: { xs: 3, sm: 5 },
            minHeight: 56,
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 2,
          }}
        >
          <Mark size={26} />
          {/* Families share a phone, so the person's name is always visible. */}
          <Typography
            component="span"
            sx={{ flex: '1 1 8rem', minWidth: 0, fontWeight: 650, overflowWrap: 'anywhere' }}
          >
            {name ? t('frame.name', { name }) : t('frame.title')}
          </Typography>
          <LanguageMenu />
          <Button
            variant="text"
            aria-label={t('nav.signOut')}
            onClick={() => void signOut()}
            sx={{ color: 'text.secondary', minWidth: 0, gap: 1.5 }}
          >
            <LogOut size={18} aria-hidden />
            <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
              {t('nav.signOut')}
            </Box>
          </Button>
        </Box>
        <PortalNav key={pathname} places={shown} />
      </Box>
      <Box
        component="main"
        id="portal-main"
        tabIndex={-1}
        sx={{
          flex: 1,
          width: '100%',
          '&:focus': { outline: 'none' },
          maxWidth: 760,
          margin: '0 auto',
          padding: { xs: 3, sm: 5 },
          fontSize: '1rem',
        }}
      >
        <Suspense fallback={null}>
          <Routes>
            {portalScreens.map(({ path, element }) => (
              <Route key={path} path={path} element={element} />
            ))}
            <Route path="*" element={<ToResults />} />
          </Routes>
        </Suspense>
      </Box>
    </Box>
  );
}

/** Every screen of a signed-in patient. */
export const portalScreens = [
  { path: '/portal', element: <ResultList /> },
  { path: '/portal/results/:id', element: <ResultView /> },
  { path: '/portal/follow-up', element: <OwnFollowUp /> },
  { path: '/portal/vaccinations', element: <OwnVaccinations /> },
  { path: '/portal/vaccinations/reaction', element: <OwnReactions /> },
  { path: '/portal/visits', element: <Visits /> },
  { path: '/portal/visits/book', element: <BookOwnVisit /> },
  { path: '/portal/visits/:id', element: <MoveOwnVisit /> },
  { path: '/portal/visits/:id/waiting', element: <OwnWaitingRoom /> },
  { path: '/portal/me', element: <Details /> },
  { path: '/portal/access', element: <RecordAccess /> },
] as const;

/** A patient who has signed in, or follows an old link, sees the results. */
function ToResults() {
  const navigate = useNavigate();
  useEffect(() => void navigate('/portal', { replace: true }), [navigate]);
  return null;
}
