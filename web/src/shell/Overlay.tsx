import { type ReactNode, Suspense } from 'react';
import { notify } from '../session/notify.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';

/** Something opened over the screen. Where its part of the program does not load, the screen below stays as it is. */
export function Overlay({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary fallback={() => null} onError={() => notify('error', 'screen.chunk')}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
