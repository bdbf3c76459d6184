import { type ComponentType, Suspense } from 'react';
import { part } from '../loading/part.tsx';
import { useAppSelector } from '../session/store.ts';
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
}: {
  screens: readonly Screen[];
  signIn: ComponentType;
  signInForm: SignInForm;
}) {
  const phase = useAppSelector((state) => state.authentication.phase);
  const user = useAppSelector((state) => state.authentication.user);
  // A person whose session has expired still has their screen: it stays mounted below the sign-in. [S8.1]
  if (user)
    return (
      <>
        <Suspense fallback={null}>
          <Shell screens={screens} signInForm={signInForm} />
        </Suspense>
        <NotificationStack />
      </>
    );
  if (phase === 'starting') return null;
  if (phase === 'failed') return <StartFailed />;
  return (
    <>
      <Suspense fallback={null}>
        <SignIn />
      </Suspense>
      <NotificationStack />
    </>
  );
}
