import type { Permission } from '@caseway/contract/endpoint';
import { type ComponentProps, type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { BehindChip } from '../dashboard/BehindChip.tsx';
import { Permitted } from '../data/Permitted.tsx';
import { DataGrid, type DataGridProps } from '../ui/grid/DataGrid.tsx';
import { declaredFilters } from '../ui/grid/declared-filters.ts';
import { GridRange } from '../ui/grid/GridRange.tsx';
import { ListFilters } from '../ui/grid/ListFilters.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import { Page } from '../ui/Page.tsx';
import { AddRecord } from './AddRecord.tsx';
import type { ShownRecord } from './shown-record.ts';
import { useCellEdits } from './use-cell-edits.tsx';

const mono = (value: unknown) => <span className="mono">{String(value ?? '')}</span>;
/** Record numbers, which people use in files and on paper. */
const numbers = {
  number: (row: object) => mono((row as { number?: unknown }).number),
  caseId: (row: object) => mono((row as { caseId?: unknown }).caseId),
};

/**
 * A list screen as its grid declares it: range, filters, the number whose records it shows, and rows that
 * link to their records. Its texts are under `list`, `empty` and `view` in the file of the same name.
 */
export function RecordList<Row extends { id: string }>({
  words,
  actions,
  add,
  above,
  below,
  around = (list) => list,
  cells,
  edits,
  empty,
  ...rows
}: Omit<
  DataGridProps<Row>,
  'label' | 'words' | 'actions' | 'searchLabel' | 'filters' | 'viewLabel' | 'edits' | 'empty'
> & {
  words: Required<GridWords>;
  /** More actions: buttons next to the title. */
  actions?: ReactNode;
  /** The form of a new record and its permission; absent if none can be created. */
  add?: { needs: Permission; form: ComponentProps<typeof AddRecord>['form'] } | false;
  /** The record whose fields are edited in the cells; absent if none can be. */
  edits?: ShownRecord<never>;
  /** The action if there are no rows. */
  empty?: ReactNode;
  above?: ReactNode;
  below?: ReactNode;
  /** Wraps the rows, with a panel for the open one. */
  around?: (list: ReactNode) => ReactNode;
}) {
  const { grid, state } = rows;
  const { id, views } = grid;
  const { t } = useTranslation(id);
  const viewLabel = useCallback((code: string) => t(`${id}:view.${code}` as 'fault.invalid'), [t, id]);
  const href = useCallback((row: Row) => `/${id}/${row.id}`, [id]);
  const title = t(`${id}:list.title` as 'fault.invalid');
  const addLabel = t(`${id}:edit.add` as 'fault.invalid');
  const view = views && (state.view.filters[views.of]?.[0] ?? views.codes[0]!);
  const none = view === undefined ? { title: 'title', text: 'text' } : { title: view, text: `${view}Text` };
  // Filters and range are the same on every page.
  const { onFirstPage } = state;
  const filters = useMemo(
    () => (
      <ListFilters
        grid={grid}
        state={onFirstPage}
        filters={declaredFilters(grid, words)}
        before={<GridRange grid={grid} state={onFirstPage} label={words.column} />}
      />
    ),
    [grid, onFirstPage, words],
  );
  return (
    <Page
      fill
      title={title}
      actions={
        <>
          {actions}
          {add ? (
            <Permitted permission={add.needs} label={addLabel}>
              <AddRecord label={addLabel} path={`/${id}`} form={add.form} />
            </Permitted>
          ) : null}
        </>
      }
    >
      {above}
      <BehindChip state={state} />
      {around(
        <DataGrid
          href={href}
          {...rows}
          label={title}
          words={words}
          edits={useCellEdits(edits, grid, state, words)}
          searchLabel={t(`${id}:list.search` as 'fault.invalid')}
          filters={filters}
          viewLabel={viewLabel}
          empty={{
            title: t(`${id}:empty.${none.title}` as 'fault.invalid'),
            text: t(`${id}:empty.${none.text}` as 'fault.invalid'),
            action: empty,
          }}
          cells={useMemo(() => ({ ...numbers, ...cells }), [cells])}
        />,
      )}
      {below}
    </Page>
  );
}
