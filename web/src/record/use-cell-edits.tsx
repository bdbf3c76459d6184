import type { Grid } from '@caseway/contract/grid';
import { accessOf } from '@caseway/contract/record';
import { cellFault, cellFields } from '@caseway/contract/record-cells';
import { useCallback, useMemo } from 'react';
import { queryClient } from '../data/api.ts';
import { useIsGrantable } from '../data/Permitted.tsx';
import { part, useAhead } from '../loading/part.tsx';
import { notify } from '../session/notify.ts';
import { useMay } from '../session/permissions.ts';
import { askWhy } from '../session/refused.ts';
import type { CellEdits } from '../ui/grid/cell-editing.tsx';
import type { GridWords } from '../ui/grid/values.tsx';
import type { GridState } from '../view/use-grid.ts';
import type { AnyAnswer } from './EditRecord.tsx';
import type { ShownRecord } from './shown-record.ts';
import { useFaultKey } from './use-fault-key.ts';

const loadEditor = () => import('./CellEditor.tsx');
const CellEditor = part('cell-editor', loadEditor);
const loadNothing = async () => ({ default: () => null });

/** The row with what its record has become: its fields, and the version. */
export const rowAfter = <Row extends { id: string }>(
  row: Row,
  answer: AnyAnswer,
  fields: Readonly<Record<string, unknown>>,
): Row => ({
  ...row,
  ...Object.fromEntries(
    Object.entries(answer).filter(([name]) => name in row && (name in fields || name === 'version')),
  ),
});

/**
 * How the cells of a record's list are edited, from its declaration. Rows keep their place until the list is loaded
 * again.
 */
export function useCellEdits<Row extends { id: string }>(
  shown: ShownRecord<never> | undefined,
  grid: Grid,
  state: Pick<GridState<Row>, 'setRows'>,
  words: Required<GridWords>,
): CellEdits<Row> | undefined {
  const of = shown as ShownRecord<AnyAnswer> | undefined;
  const write = of ? accessOf(of.record).write : grid.permission;
  const mayWrite = useMay()(write);
  const isGrantable = useIsGrantable(write);
  const faultKey = useFaultKey(of?.texts ?? 'common');
  useAhead(of && mayWrite ? loadEditor : loadNothing);
  const fields = useMemo(() => new Set(of ? cellFields(of.record, grid) : []), [of, grid]);
  const may = useCallback(
    (row: Row, field: string) =>
      mayWrite &&
      fields.has(field) &&
      of!.mayEdit(row as never) &&
      cellFault(of!.record, field, row as never) === null,
    [mayWrite, fields, of],
  );
  if (!of || fields.size === 0) return undefined;
  return {
    fields,
    may,
    refuse: (row, field) => {
      if (mayWrite) notify('info', faultKey(cellFault(of.record, field, row as never) ?? 'locked'));
      else if (isGrantable) askWhy(write);
    },
    editor: ({ row, field, anchor, onClose }) => (
      <CellEditor
        of={of}
        id={row.id}
        field={field}
        words={words}
        search={searchOf(grid)}
        anchor={anchor}
        onSaved={(answer) => {
          state.setRows((rows) =>
            rows.map((one) => (one.id === answer.id ? rowAfter(one, answer, of.record.fields) : one)),
          );
          // Another sort order or filter result is shown when the list is loaded again.
          void queryClient.invalidateQueries({ queryKey: [searchOf(grid)], refetchType: 'none' });
        }}
        onClose={onClose}
      />
    ),
  };
}

const searchOf = ({ id }: Grid) => `/api/web/grid/${id}/search`;
