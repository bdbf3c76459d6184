import type { GuardianRight } from '@caseway/contract/guardian-rules';
import { listOwnChildren, type OwnChild } from '@caseway/contract/guardians';
import { readOwnRecord } from '@caseway/contract/portal';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { FlaskConical, HeartPulse, LogOut, ScanEye, Syringe, UserRound, Video } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Route, Routes, useLocation, useNavigate } from 'react-router';
import { becameOld, useApi } from '../../data/api.ts';
import { part, useAhead } from '../../loading/part.tsx';
import { chooseChild, chosenChild, useChosenChild } from '../../session/child.ts';
import { signOut } from '../../session/session.ts';
import { LanguageMenu } from '../../shell/LanguageMenu.tsx';
import { OfflineBanner } from '../../shell/OfflineBanner.tsx';
import { Mark } from '../../ui/Brand.tsx';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { TenantLogo } from '../../ui/TenantLogo.tsx';
import { adoptAccountLanguage } from '../../words/i18n.ts';
import { ChooseRecord } from './ChooseRecord.tsx';
import { Details } from './Details.tsx';
import { PortalNav, type PortalPlace } from './PortalNav.tsx';
import { RecordAccess } from './RecordAccess.tsx';
import { ResultList, ResultView } from './Results.tsx';
import { nameOf } from './Screen.tsx';
import { ShownChild } from './shown-child.ts';
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

/** What a guardian has to be allowed to do to open a place about a child; the other places are only their own. */
const ofChild: Readonly<Record<string, GuardianRight>> = {
  '/portal': 'results',
  '/portal/vaccinations': 'vaccinations',
  '/portal/visits': 'visits',
};
/** The other addresses about a child. */
const alsoOfChild: Readonly<Record<string, GuardianRight>> = {
  '/portal/vaccinations/reaction': 'reactions',
};

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
  const { known, child, isWaiting, choose } = useChild();
  const person = child ?? own;
  const name = person && nameOf(person);
  const language = own?.languageCode;
  const shown = places.filter(({ to }) =>
    child ? isAllowed(child, ofChild[to]) : !(to in onlyWith) || own?.[onlyWith[to as keyof typeof onlyWith]],
  );
  const isElsewhere = child !== null && !isOfChild(child, pathname);
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
            alignItems: 'center',
            gap: 2,
          }}
        >
          {own?.logo ? (
            <TenantLogo
              address={own.logo}
              name={own.tenant}
              height={36}
              width={104}
              instead={<Mark size={26} />}
            />
          ) : (
            <Mark size={26} />
          )}
          {/* Families share a phone, so the person's name is always visible. */}
          <Typography
            component="span"
            sx={{ flex: 1, minWidth: 0, fontWeight: 650, overflowWrap: 'anywhere' }}
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
        {known.length > 0 ? <ChooseRecord childrenOfOwn={known} shown={child} onChoose={choose} /> : null}
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
        <ShownChild value={child}>
          {child ? (
            <Typography sx={{ marginBottom: 4, color: 'text.secondary' }}>
              {t('child.shown', { name: child.firstName ?? t('child.unnamed') })}
            </Typography>
          ) : null}
          {/* Nothing of one person stays on the screen of another. */}
          <Suspense key={child?.id} fallback={null}>
            {isElsewhere ? (
              <ToPlace to={shown[0]?.to} />
            ) : isWaiting ? null : (
              <Routes>
                {portalScreens.map(({ path, element }) => (
                  <Route key={path} path={path} element={element} />
                ))}
                <Route path="*" element={<ToPlace to="/portal" />} />
              </Routes>
            )}
          </Suspense>
        </ShownChild>
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

/** A patient who has signed in, or follows an old link, sees the first place. */
function ToPlace({ to }: { to: string | undefined }) {
  const navigate = useNavigate();
  useEffect(() => {
    if (to !== undefined) void navigate(to, { replace: true });
  }, [navigate, to]);
  return null;
}

const isAllowed = ({ may }: OwnChild, right: GuardianRight | undefined) =>
  right !== undefined && may.includes(right);

/** Whether an address is about the chosen child, and allowed. */
function isOfChild(child: OwnChild, pathname: string): boolean {
  if (pathname.startsWith('/portal/results/')) return isAllowed(child, 'results');
  return isAllowed(child, ofChild[pathname] ?? alsoOfChild[pathname]);
}

/**
 * The children of a guardian, and the chosen one. A child who is no longer among them is not chosen any more: until
 * the list is there, `isWaiting` keeps the screen empty.
 */
function useChild() {
  const chosen = useChosenChild();
  const navigate = useNavigate();
  const query = useApi(listOwnChildren);
  const known = query.data?.children ?? [];
  const child = known.find(({ id }) => id === chosen) ?? null;
  const isGone = chosen !== null && child === null && (query.isSuccess || query.isError);
  useEffect(() => {
    if (isGone) chooseChild(null);
  }, [isGone]);
  const { pathname } = useLocation();
  // Staff may have ended it since the last screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again at each address.
  useEffect(() => {
    if (chosenChild() !== null) becameOld(listOwnChildren);
  }, [pathname]);
  return {
    known,
    child,
    isWaiting: chosen !== null && child === null,
    choose: (id: string | null) => {
      chooseChild(id);
      void navigate('/portal');
    },
  };
}
