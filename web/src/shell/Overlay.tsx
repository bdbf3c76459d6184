import { type ReactNode, Suspense } from 'react';
import { loadPartsAgain } from '../loading/part.tsx';
import { notify } from '../session/notify.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';

/** Something opened over the screen. If its part of the program does not load, the screen below does not change. */
export function Overlay({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary
      fallback={() => null}
      onError={() => {
        // The next time it is opened it is loaded again.
        loadPartsAgain();
        notify('error', 'screen.chunk');
      }}
    >
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
