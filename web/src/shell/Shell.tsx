import { orgKey } from '@caseway/contract/session';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import useMediaQuery from '@mui/material/useMediaQuery';
import { CircleSlash, Compass } from 'lucide-react';
import { type ComponentType, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  matchRoutes,
  Navigate,
  type RouteObject,
  Link as RouterLink,
  useLocation,
  useRoutes,
} from 'react-router';
import { loadCountries } from '../data/places.ts';
import { part } from '../loading/part.tsx';
import { selectFeatures } from '../session/permissions.ts';
import { askWhy, useAskedWhy } from '../session/refused.ts';
import { useAppSelector } from '../session/store.ts';
import { frame } from '../theme.ts';
import { isTyping } from '../ui/Key.tsx';
import { Message } from '../ui/Message.tsx';
import { SkipLink } from '../ui/SkipLink.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import { Navigation } from './Navigation.tsx';
import { OfflineBanner } from './OfflineBanner.tsx';
import { Overlay } from './Overlay.tsx';
import { fetchPanelsAhead, KeysDialog, Palette, WhyDialog } from './panels.ts';
import { useReadFromTop } from './read-from-top.ts';
import { ScreenFrame } from './ScreenFrame.tsx';
import { SessionWatch, type SignInForm } from './SessionWatch.tsx';
import { type Screen, switchedOn } from './screens.ts';
import { TopBar } from './TopBar.tsx';

/** The screen at an address. All screens are compared with it only when its path changes, not with every filter. */
function ScreenAt({ pathname, screens }: { pathname: string; screens: readonly Screen[] }) {
  const routes = useMemo(
    (): RouteObject[] => [
      ...screens.map((screen) => ({ path: screen.path, element: <ScreenFrame screen={screen} /> })),
      { path: '/sign-in', element: <Navigate to="/" replace /> },
      { path: '*', element: <NotFound /> },
    ],
    [screens],
  );
  const matching = useMemo(
    () => matchRoutes(routes, pathname)!.map(({ route }) => route),
    [routes, pathname],
  );
  return useRoutes(matching);
}

const endsInId = /\/[0-9a-f-]{36}$/;

// Phones only.
const Drawer = part('drawer', () => import('@mui/material/Drawer'));

/** Navigation and top bar around the address's screen, and the session's dialogs over it. */
export default function Shell({
  screens,
  signInForm,
  bar: Bar,
  isAfterSignIn,
}: {
  screens: readonly Screen[];
  signInForm: SignInForm;
  /** A notice above every screen. */
  bar: ComponentType;
  /** Whether the page showed the sign-in before. */
  isAfterSignIn: boolean;
}) {
  const narrow = useMediaQuery('(max-width: 899.95px)');
  const collapsed = useAppSelector((state) => state.preferences.navigationCollapsed);
  const singleKeys = useAppSelector((state) => state.preferences.singleKeys);
  const features = useAppSelector(selectFeatures);
  const available = useMemo(() => switchedOn(screens, features), [screens, features]);
  const [drawer, setDrawer] = useState(false);
  const [palette, setPalette] = useState(false);
  const [keys, setKeys] = useState(false);
  const openDrawer = useCallback(() => setDrawer(true), []);
  const openPalette = useCallback(() => setPalette(true), []);
  const openKeys = useCallback(() => setKeys(true), []);
  const why = useAskedWhy();
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();

  useEffect(() => void loadCountries(), []);
  useEffect(fetchPanelsAhead, []);

  const userId = useAppSelector(({ authentication }) => authentication.user?.id);
  const org = useAppSelector(({ authentication }) => authentication.selectedTenantOrg);
  useEffect(() => {
    // Most screens are not a record's, and load nothing for this.
    if (!userId || !org || !endsInId.test(pathname)) return;
    void import('../session/recents.ts').then(
      ({ noteVisit }) => noteVisit(userId, orgKey(org), pathname),
      // Loaded with the next screen.
      () => {},
    );
  }, [userId, org, pathname]);

  useReadFromTop(main, pathname, !isAfterSignIn);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        (event.ctrlKey || event.metaKey) &&
        !event.shiftKey &&
        !event.altKey &&
        event.key.toLowerCase() === 'k'
      ) {
        event.preventDefault();
        setPalette((open) => !open);
      } else if (event.key === '?' && singleKeys && !isTyping(event.target)) {
        event.preventDefault();
        setKeys(true);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [singleKeys]);

  return (
    <LeaveGuard>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: narrow
            ? 'minmax(0, 1fr)'
            : `${collapsed ? frame.navigationCollapsed : frame.navigation}px minmax(0, 1fr)`,
          height: '100dvh',
          '@media print': { display: 'block', height: 'auto' },
        }}
      >
        <SkipLink to="content" />
        {narrow ? (
          <Suspense fallback={null}>
            <Drawer
              open={drawer}
              onClose={() => setDrawer(false)}
              slotProps={{ paper: { sx: { width: 272 } } }}
            >
              <Navigation
                screens={available}
                pathname={pathname}
                collapsed={false}
                onGo={() => setDrawer(false)}
              />
            </Drawer>
          </Suspense>
        ) : (
          <Box className="no-print" sx={{ borderRight: 1, borderColor: 'divider', minHeight: 0 }}>
            <Navigation screens={available} pathname={pathname} collapsed={collapsed} />
          </Box>
        )}
        <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, minWidth: 0 }}>
          <TopBar narrow={narrow} onMenu={openDrawer} onSearch={openPalette} onKeys={openKeys} />
          <OfflineBanner />
          <Bar />
          <Box
            component="main"
            id="content"
            ref={main}
            tabIndex={-1}
            sx={{
              flex: 1,
              minHeight: 0,
              overflowY: 'auto',
              // Keeps the focused element from scrolling under sticky parts.
              '&:has([data-stays])': { scrollPaddingTop: '128px' },
              '&:focus-visible, & h1:focus-visible': { outline: 'none' },
              '@media print': { overflow: 'visible' },
            }}
          >
            <ScreenAt pathname={pathname} screens={available} />
          </Box>
        </Box>
        <SessionWatch form={signInForm} />
        <Overlay>
          {palette ? (
            <Palette screens={available} onClose={() => setPalette(false)} onKeys={() => setKeys(true)} />
          ) : null}
          {keys ? <KeysDialog onClose={() => setKeys(false)} /> : null}
          {why === null ? null : <WhyDialog permission={why} onClose={() => askWhy(null)} />}
        </Overlay>
      </Box>
    </LeaveGuard>
  );
}

/**
 * An unknown address, with a way back. [S2.2] A user without an organization has only the home screen, so the
 * address may be right: say what is missing.
 */
function NotFound() {
  const { t } = useTranslation();
  const nowhere = useAppSelector(({ authentication }) => authentication.selectedTenantOrg === null);
  const [suspended] = useAppSelector(({ authentication }) => authentication.suspendedTenants);
  const title = !nowhere
    ? t('screen.notFoundTitle')
    : suspended
      ? t('home.suspended', { tenant: suspended.name })
      : t('screen.noAccessTitle');
  useEffect(() => {
    document.title = `${title} · Caseway`;
  }, [title]);
  return (
    <Message
      icon={nowhere ? CircleSlash : Compass}
      level="h1"
      title={title}
      actions={
        <Button variant="contained" component={RouterLink} to="/">
          {t('screen.toHome')}
        </Button>
      }
    >
      {!nowhere ? t('screen.notFound') : (suspended?.reason ?? t('home.noOrg'))}
    </Message>
  );
}
