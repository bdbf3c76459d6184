import { type ReactNode, useCallback, useMemo } from 'react';
import { BehindChip } from '../dashboard/BehindChip.tsx';
import { DataGrid, type DataGridProps } from '../ui/grid/DataGrid.tsx';
import { declaredFilters } from '../ui/grid/declared-filters.ts';
import { GridRange } from '../ui/grid/GridRange.tsx';
import { ListFilters } from '../ui/grid/ListFilters.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import { Page } from '../ui/Page.tsx';

const mono = (value: unknown) => <span className="mono">{String(value ?? '')}</span>;
/** Numbers of records, by which people find them in files and on paper. */
const numbers = {
  number: (row: object) => mono((row as { number?: unknown }).number),
  caseId: (row: object) => mono((row as { caseId?: unknown }).caseId),
};

/** The screen of a list as its grid declares it: range, filters, the number whose records it shows, and the rows. */
export function RecordList<Row extends { id: string }>({
  title,
  path,
  words,
  actions,
  above,
  below,
  around = (list) => list,
  cells,
  ...rows
}: Omit<DataGridProps<Row>, 'label' | 'words' | 'actions'> & {
  title: string;
  /** Where its records are, each at its id; `href` where it is elsewhere. */
  path: string;
  words: Required<GridWords>;
  /** What can be done besides: buttons at the title. */
  actions?: ReactNode;
  above?: ReactNode;
  below?: ReactNode;
  /** Wraps the rows, with a panel for the one that is open. */
  around?: (list: ReactNode) => ReactNode;
}) {
  const { grid, state } = rows;
  const href = useCallback(({ id }: Row) => `${path}/${id}`, [path]);
  return (
    <Page fill title={title} actions={actions}>
      {above}
      <ListFilters
        grid={grid}
        state={state}
        filters={declaredFilters(grid, words)}
        before={<GridRange grid={grid} state={state} label={words.column} />}
      />
      <BehindChip state={state} />
      {around(
        <DataGrid
          href={href}
          {...rows}
          label={title}
          words={words}
          cells={useMemo(() => ({ ...numbers, ...cells }), [cells])}
        />,
      )}
      {below}
    </Page>
  );
}
