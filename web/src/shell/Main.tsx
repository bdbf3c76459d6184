import { type ComponentType, Suspense, useRef } from 'react';
import { useKeptMark } from '../kept/mark.ts';
import { part } from '../loading/part.tsx';
import { useAppSelector } from '../session/store.ts';
import { useAfter } from '../ui/useAfter.ts';
import { NotificationStack } from './NotificationStack.tsx';
import type { SignInForm } from './SessionWatch.tsx';
import { StartFailed } from './StartFailed.tsx';
import type { Screen } from './screens.ts';

// Not needed for signing in.
export const loadShell = () => import('./Shell.tsx');
const Shell = part('shell', loadShell);

/**
 * The main screen: the sign-in if no one is signed in, otherwise the shell with the address's screen. [S2.1]
 * routes.tsx assembles its contents; the shell itself knows no feature.
 */
export default function Main({
  screens,
  signIn: SignIn,
  signInForm,
  bar,
  withoutNetwork: WithoutNetwork,
}: {
  screens: readonly Screen[];
  signIn: ComponentType;
  signInForm: SignInForm;
  /** A notice above every screen. */
  bar: ComponentType;
  /** Shown when the server is unreachable, if this device has data for offline work. */
  withoutNetwork: ComponentType;
}) {
  const phase = useAppSelector((state) => state.authentication.phase);
  const isAlone = useIsAlone();
  const user = useAppSelector((state) => state.authentication.user);
  const hasAskedToSignIn = useRef(false);
  // A user whose session has expired keeps their screen: it stays mounted below the sign-in. [S8.1]
  if (user)
    return (
      <>
        <Suspense fallback={null}>
          <Shell
            screens={screens}
            signInForm={signInForm}
            bar={bar}
            isAfterSignIn={hasAskedToSignIn.current}
          />
        </Suspense>
        <NotificationStack />
      </>
    );
  if (isAlone)
    return (
      <>
        <Suspense fallback={null}>
          <WithoutNetwork />
        </Suspense>
        <NotificationStack />
      </>
    );
  if (phase === 'starting') return null;
  if (phase === 'failed') return <StartFailed />;
  hasAskedToSignIn.current = true;
  return (
    <>
      <Suspense fallback={null}>
        <SignIn />
      </Suspense>
      <NotificationStack />
    </>
  );
}

/** How long to wait for a silent server before showing the device's offline data, in milliseconds. */
const patienceMs = 8000;

/** Whether the server is unreachable and this device has data to work with. */
function useIsAlone(): boolean {
  const { phase, failure, user } = useAppSelector((state) => state.authentication);
  const mark = useKeptMark();
  const isLate = useAfter(patienceMs);
  // Retrying the start must not take the screen away.
  const was = useRef(false);
  const isAway =
    phase === 'failed'
      ? failure !== 'misunderstood'
      : phase === 'starting'
        ? isLate || was.current
        : user === null && !navigator.onLine;
  was.current = mark !== null && user === null && isAway;
  return was.current;
}
