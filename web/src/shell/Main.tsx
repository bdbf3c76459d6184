import { type ComponentType, Suspense, useRef } from 'react';
import { useKeptMark } from '../kept/mark.ts';
import { part } from '../loading/part.tsx';
import { useAppSelector } from '../session/store.ts';
import { useAfter } from '../ui/useAfter.ts';
import { NotificationStack } from './NotificationStack.tsx';
import type { SignInForm } from './SessionWatch.tsx';
import { StartFailed } from './StartFailed.tsx';
import type { Screen } from './screens.ts';

// Not needed to sign in.
export const loadShell = () => import('./Shell.tsx');
const Shell = part('shell', loadShell);

/**
 * The main screen: the sign-in if nobody is signed in, otherwise the shell with the screen of the address. [S2.1] Its
 * contents are assembled in routes.tsx; the shell itself knows no feature.
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
  /** What is said over every screen. */
  bar: ComponentType;
  /** Shown where the server is out of reach, if this device keeps something. */
  withoutNetwork: ComponentType;
}) {
  const phase = useAppSelector((state) => state.authentication.phase);
  const isAlone = useIsAlone();
  const user = useAppSelector((state) => state.authentication.user);
  const hasAskedToSignIn = useRef(false);
  // A person whose session has expired still has their screen: it stays mounted below the sign-in. [S8.1]
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

/** So long a server that answers nothing is waited for, before what the device keeps is shown. */
const patienceMs = 8000;

/** Whether the server is out of reach, and this device keeps something to work with meanwhile. */
function useIsAlone(): boolean {
  const { phase, failure, user } = useAppSelector((state) => state.authentication);
  const mark = useKeptMark();
  const isLate = useAfter(patienceMs);
  // Another attempt to start takes nobody's screen away.
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
