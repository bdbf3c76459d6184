import { type ReactNode, Suspense } from 'react';
import { loadPartsAgain } from '../loading/part.tsx';
import { notify } from '../session/notify.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';

/**
 * Something open over the screen. If its part of the program fails to load, the screen below is unaffected.
 */
export function Overlay({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary
      fallback={() => null}
      onError={() => {
        // It is loaded again the next time it is opened.
        loadPartsAgain();
        notify('error', 'screen.chunk');
      }}
    >
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
