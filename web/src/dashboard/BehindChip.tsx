import type { Dashboard } from '@caseway/contract/dashboard';
import { Suspense } from 'react';
import { part } from '../loading/part.tsx';
import type { GridControl } from '../view/grid-view.ts';

// A list that shows everything does not need the dashboards.
const BehindNumber = part('behind-number', () => import('./BehindNumber.tsx'));

/** The number whose records a list shows, as a removable condition. Nothing if it shows all. */
export function BehindChip({ state, among }: { state: GridControl; among?: readonly Dashboard[] }) {
  const { behind } = state.request;
  return behind ? (
    <Suspense fallback={null}>
      <BehindNumber behind={behind} among={among} onRemove={state.removeBehind} />
    </Suspense>
  ) : null;
}
