import { readOwnRecord } from '@caseway/contract/portal';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import GlobalStyles from '@mui/material/GlobalStyles';
import Typography from '@mui/material/Typography';
import { FlaskConical, LogOut, type LucideIcon, ScanEye, UserRound } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Route, Routes, useLocation, useNavigate } from 'react-router';
import { useApi } from '../../data/api.ts';
import { signOut } from '../../session/session.ts';
import { useAppSelector } from '../../session/store.ts';
import { LanguageMenu } from '../../shell/LanguageMenu.tsx';
import { NotificationStack } from '../../shell/NotificationStack.tsx';
import { OfflineBanner } from '../../shell/OfflineBanner.tsx';
import { StartFailed } from '../../shell/StartFailed.tsx';
import { Mark } from '../../ui/Brand.tsx';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { adoptAccountLanguage } from '../../words/i18n.ts';
import { WordsGate } from '../../words/WordsGate.tsx';
import { Details } from './Details.tsx';
import { PatientSignIn } from './PatientSignIn.tsx';
import { RecordAccess } from './RecordAccess.tsx';
import { ResultList, ResultView } from './Results.tsx';
import { nameOf, ShownBefore } from './Screen.tsx';

/**
 * Letters for reading at arm's length, and no button smaller than a finger, including dialogs. The portal is a separate
 * page: no staff screen is ever in the same one.
 */
const forPhones = {
  'body, body .MuiTypography-body1, body .MuiTypography-body2, body .MuiTypography-caption, body .MuiButton-root, body .MuiInputBase-root, body .MuiAlert-root, body details':
    { fontSize: '1rem', lineHeight: 1.5 },
  'body .MuiButton-root, body .MuiIconButton-root, body .MuiOutlinedInput-root, body .MuiMenuItem-root': {
    minHeight: 44,
    minWidth: 44,
  },
  // Text wider than the phone, above all in large letters, wraps to the next line.
  'body .MuiButton-root': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
  'body label:has(> input[type="radio"])': { minHeight: 44, minWidth: 56, fontSize: '1rem' },
  'body .MuiNativeSelect-select': { minHeight: 44, boxSizing: 'border-box' },
  'body summary, body main p > a': { display: 'inline-block', paddingTop: '10px', paddingBottom: '10px' },
  // Buttons are useless on paper.
  '@media print': {
    'body button, body .MuiButton-root, body fieldset': { display: 'none !important' },
  },
};

/** The patient's portal: made for a phone, separate from everything that staff see. */
export default function Portal() {
  return (
    <Suspense fallback={null}>
      <GlobalStyles styles={forPhones} />
      <WordsGate screen="portal">
        <Inside />
      </WordsGate>
      <NotificationStack />
    </Suspense>
  );
}

function Inside() {
  const phase = useAppSelector((state) => state.authentication.phase);
  const patient = useAppSelector((state) => state.authentication.patient);
  const ended = useAppSelector((state) => state.authentication.ended);
  const shownBefore = useRef(false);
  // Nothing of a record stays on the screen after the session has ended.
  const isIn = patient !== null && ended !== 'refused';
  const asks = phase === 'ready' && !isIn;
  useEffect(() => {
    if (asks) shownBefore.current = true;
  }, [asks]);
  if (phase === 'starting') return null;
  if (phase === 'failed') return <StartFailed />;
  return (
    <ShownBefore value={shownBefore}>
      {isIn ? <SignedIn /> : <PatientSignIn expired={ended === 'refused'} />}
    </ShownBefore>
  );
}

const places = [
  { to: '/portal', also: '/portal/results', label: 'nav.results', icon: FlaskConical },
  { to: '/portal/me', label: 'nav.profile', icon: UserRound },
  { to: '/portal/access', label: 'nav.access', icon: ScanEye },
] as const satisfies readonly { to: string; also?: string; label: string; icon: LucideIcon }[];

function SignedIn() {
  const { t } = useTranslation('portal');
  const { pathname } = useLocation();
  const own = useApi(readOwnRecord).data;
  const name = own && nameOf(own);
  const language = own?.languageCode;
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
          {/* Families share a phone: the name of the person is always visible. */}
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
        <Box
          component="nav"
          aria-label={t('nav.label')}
          sx={{
            maxWidth: 760,
            margin: '0 auto',
            paddingX: { xs: 1, sm: 4 },
            display: 'grid',
            // In large letters they are under each other.
            gridTemplateColumns: {
              xs: 'repeat(auto-fit, minmax(min(6rem, 100%), 1fr))',
              sm: 'repeat(3, max-content)',
            },
          }}
        >
          {places.map(({ to, label, icon: Icon, ...place }) => (
            <Box
              key={to}
              component={Link}
              to={to}
              aria-current={
                pathname === to || ('also' in place && pathname.startsWith(place.also)) ? 'page' : undefined
              }
              sx={{
                display: 'flex',
                flexDirection: { xs: 'column', sm: 'row' },
                alignItems: 'center',
                gap: { xs: 1, sm: 2 },
                padding: { xs: '10px 4px', sm: '10px 12px' },
                textAlign: 'center',
                textDecoration: 'none',
                fontWeight: 550,
                fontSize: '1rem',
                lineHeight: 1.25,
                color: 'text.secondary',
                // Only the current tab has a line: in forced colours a transparent one would be drawn too.
                paddingBottom: '13px',
                '&[aria-current="page"]': {
                  color: 'primary.main',
                  paddingBottom: '10px',
                  borderBottom: 3,
                  borderColor: 'primary.main',
                },
              }}
            >
              <Icon size={18} aria-hidden />
              {t(label)}
            </Box>
          ))}
        </Box>
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
        <Routes>
          {portalScreens.map(({ path, element }) => (
            <Route key={path} path={path} element={element} />
          ))}
          <Route path="*" element={<ToResults />} />
        </Routes>
      </Box>
    </Box>
  );
}

/** Every screen of a patient who has signed in. */
export const portalScreens = [
  { path: '/portal', element: <ResultList /> },
  { path: '/portal/results/:id', element: <ResultView /> },
  { path: '/portal/me', element: <Details /> },
  { path: '/portal/access', element: <RecordAccess /> },
] as const;

/** A person who has signed in, or follows an old link, sees the results. */
function ToResults() {
  const navigate = useNavigate();
  useEffect(() => void navigate('/portal', { replace: true }), [navigate]);
  return null;
}
