import type { Grid } from '@caseway/contract/grid';
import type { GridControl } from '../../view/grid-view.ts';
import { Segments } from '../Segments.tsx';

/** The views of a list that has some, all in sight. Other filters stay when another one is chosen. */
export function ViewTabs({
  grid: { views },
  state,
  label,
  words,
}: {
  grid: Grid;
  state: Pick<GridControl, 'view' | 'setFilters'>;
  label: string;
  words: (code: string) => string;
}) {
  if (!views) return null;
  const { filters } = state.view;
  return (
    <Segments
      hideLabel
      label={label}
      value={filters[views.of]?.[0] ?? views.codes[0]}
      options={views.codes.map((code) => ({ value: code, label: words(code) }))}
      onChange={(code) => state.setFilters({ ...filters, [views.of]: [code] })}
    />
  );
}
