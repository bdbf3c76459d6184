import { type ComponentProps, Suspense } from 'react';
import { part } from '../loading/part.tsx';

const Loaded = part('who-can-grant', () => import('./WhoCanGrant.tsx'));

/**
 * Which roles give a permission here, and who can grant it. Shows nothing until that is known, so it loads on
 * demand.
 */
export const WhoCanGrant = (props: ComponentProps<typeof Loaded>) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);
