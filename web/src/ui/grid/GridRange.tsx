import type { Grid } from '@caseway/contract/grid';
import { rangeOf } from '@caseway/contract/search-params';
import type { GridControl } from '../../view/grid-view.ts';
import { DateRangeField } from '../DateRangeField.tsx';

/** A list's days, and the date they apply to; nothing for a list without a range. */
export function GridRange({
  grid,
  state,
  label,
}: {
  grid: Pick<Grid, 'defaultRange' | 'rangeFields' | 'views'>;
  state: GridControl;
  /** A column's title. */
  label: (field: string) => string;
}) {
  const { view } = state;
  const { defaultRange, rangeFields } = grid;
  if (!defaultRange || !rangeFields) return null;
  return (
    <DateRangeField
      allDays
      value={rangeOf(grid, view)}
      defaultRange={defaultRange}
      today={state.today}
      onChange={state.setRange}
      by={{
        value: view.rangeField ?? rangeFields[0]!,
        options: rangeFields.map((field) => ({ value: field, label: label(field) })),
        onChange: state.setRangeField,
      }}
    />
  );
}
