import type { SeriesForm } from '@caseway/contract/dashboard';
import type { ComponentType } from 'react';
import type { FormProps } from '../shown.ts';
import { BarsForm } from './BarsForm.tsx';
import { BoxForm } from './BoxForm.tsx';
import { BucketsForm } from './BucketsForm.tsx';
import { ContinuumForm } from './ContinuumForm.tsx';
import { EpidemicCurveForm } from './EpidemicCurveForm.tsx';
import { HeatForm } from './HeatForm.tsx';
import { MapForm } from './MapForm.tsx';
import { OwnForm } from './OwnForm.tsx';
import { PairsForm } from './PairsForm.tsx';
import { PyramidForm } from './PyramidForm.tsx';
import { TableForm } from './TableForm.tsx';
import { TrendForm } from './TrendForm.tsx';

/** The component of each form of series; a form without one does not compile. */
export const chartOf: { readonly [F in SeriesForm]: ComponentType<FormProps<F>> } = {
  trend: TrendForm,
  'epidemic-curve': EpidemicCurveForm,
  bars: BarsForm,
  map: MapForm,
  buckets: BucketsForm,
  pyramid: PyramidForm,
  heat: HeatForm,
  table: TableForm,
  box: BoxForm,
  continuum: ContinuumForm,
  pairs: PairsForm,
  own: OwnForm,
};
