import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useLocation } from 'react-router';
import { readRuntimeConfig } from '../../data/runtime-config.ts';
import { typedAhead, useDoorTaken } from '../../loading/door.ts';
import { LanguageMenu } from '../../shell/LanguageMenu.tsx';
import { OfflineBanner } from '../../shell/OfflineBanner.tsx';
import { Mark } from '../../ui/Brand.tsx';
import { DemoAccounts } from './DemoAccounts.tsx';
import SignInForm from './SignInForm.tsx';

/** Another action on this screen, instead of signing in. */
export interface Door {
  path: string;
  /** Key of its heading. */
  title: string;
  form: ComponentType;
}

/**
 * The staff sign-in screen. A signed-in user sees the screen of their address. `recovery`: the screen for
 * people who can no longer sign in; `demoPage`: the one with the demo's accounts and messages.
 */
export function SignIn({
  doors,
  recovery,
  demoPage,
}: {
  doors: readonly Door[];
  recovery: string;
  demoPage: string;
}) {
  const { t } = useTranslation();
  const { pathname, state } = useLocation();
  const door = doors.find(({ path }) => path === pathname);
  const title = t(door?.title ?? 'signIn.title');
  const [account, setAccount] = useState(typedAhead);
  // A demo account was clicked, here or on its page: request and enter its code at once.
  const [pressed, setPressed] = useState(0);
  const choose = (username: string) => {
    setAccount(username);
    setPressed((times) => times + 1);
  };
  const [step, setStep] = useState<'account' | 'code'>('account');
  const [{ demo, demoMessages }] = useState(readRuntimeConfig);
  useDoorTaken(setAccount);
  const chosen = demo ? (state as { account?: string } | null)?.account : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per navigation to this screen.
  useEffect(() => {
    if (chosen !== undefined) choose(chosen);
  }, [chosen]);
  useEffect(() => {
    document.title = `${title} · Caseway`;
  }, [title]);
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 5fr) minmax(0, 6fr)' },
        minHeight: '100dvh',
      }}
    >
      <Box
        sx={{
          display: { xs: 'none', md: 'flex' },
          flexDirection: 'column',
          justifyContent: 'space-between',
          padding: 12,
          backgroundColor: 'tint',
          position: 'relative',
          overflow: 'hidden',
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
          <Mark size={32} />
          <Typography
            component="span"
            sx={{ fontSize: '1.25rem', fontWeight: 650, letterSpacing: '-0.01em' }}
          >
            Caseway
          </Typography>
        </Box>
        <Box sx={{ position: 'relative' }}>
          <Typography
            component="p"
            variant="h1"
            sx={{ fontSize: '2rem', lineHeight: 1.25, maxWidth: '24ch', textWrap: 'balance' }}
          >
            {t('signIn.purpose')}
          </Typography>
        </Box>
        <Curve />
      </Box>
      <Box component="main" sx={{ display: 'flex', flexDirection: 'column', padding: { xs: 4, sm: 8 } }}>
        <OfflineBanner />
        <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center' }}>
          <Box sx={{ visibility: { xs: 'visible', md: 'hidden' }, display: 'flex' }}>
            <Mark size={28} />
          </Box>
          <LanguageMenu />
        </Box>
        <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', paddingY: 8 }}>
          <Box sx={{ width: 'min(400px, 100%)', display: 'grid', gap: 5 }}>
            <Box>
              <Typography variant="h1">{title}</Typography>
              {step === 'account' && !door ? (
                <Typography variant="body1" sx={{ color: 'text.secondary', marginTop: 1 }}>
                  {t('signIn.lead')}
                </Typography>
              ) : null}
            </Box>
            {door ? (
              <>
                <Suspense fallback={null}>
                  <door.form />
                </Suspense>
                <Typography variant="body2">
                  <Link component={RouterLink} to="/sign-in">
                    {t('signIn.back')}
                  </Link>
                </Typography>
              </>
            ) : (
              <SignInForm
                key={`${account} ${pressed}`}
                username={account}
                atOnce={pressed > 0}
                onSignedIn={() => undefined}
                onStep={setStep}
              />
            )}
            {step === 'account' && !door ? (
              <Typography variant="body2" component="div" sx={{ display: 'grid', gap: 2 }}>
                <Link component={RouterLink} to={recovery} sx={{ justifySelf: 'start' }}>
                  {t('signIn.cannot')}
                </Link>
                {/* A separate page, so that nothing of this sign-in is kept in the other. */}
                <Link href="/patient/sign-in" sx={{ justifySelf: 'start' }}>
                  {t('signIn.patients')}
                </Link>
              </Typography>
            ) : null}
            {demo && step === 'account' && !door ? (
              <DemoAccounts messages={demoMessages ? demoPage : undefined} onChoose={choose} />
            ) : null}
          </Box>
        </Box>
      </Box>
    </Box>
  );
}

/** Weekly bars of an epidemic curve, as decoration. */
function Curve() {
  const heights = [
    4, 6, 7, 11, 14, 20, 27, 38, 52, 64, 78, 88, 95, 90, 82, 70, 61, 48, 37, 30, 22, 18, 13, 9,
  ];
  return (
    <Box
      component="svg"
      viewBox="0 0 240 100"
      preserveAspectRatio="none"
      aria-hidden
      sx={{ position: 'relative', width: '100%', height: '32%', marginBottom: -12, opacity: 0.9 }}
    >
      {heights.map((height, week) => (
        <Box
          component="rect"
          // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never changes.
          key={week}
          x={week * 10 + 1}
          y={100 - height}
          width={8}
          height={height}
          sx={{
            fill: (theme) => theme.vars.palette.primary.main,
            opacity: week > heights.length - 4 ? 0.25 : 0.55,
          }}
        />
      ))}
    </Box>
  );
}
