import Box from '@mui/material/Box';
import { type ChangeEvent, type MouseEvent, useMemo, useState } from 'react';
import { Tick } from '../CommandList.tsx';
import { selectionWidth } from './table.ts';

/** The rows of a list that are chosen, also on pages that are not shown. */
export interface GridSelection {
  ids: ReadonlySet<string>;
  /** Selects or unselects rows. */
  toggle(ids: readonly string[], on: boolean): void;
  clear(): void;
}

/** A selection that is kept as long as the query is the same: another filter starts with none. */
export function useGridSelection(asked: string): GridSelection {
  const [chosen, setChosen] = useState<{ asked: string; ids: ReadonlySet<string> }>({
    asked,
    ids: new Set(),
  });
  return useMemo(() => {
    const ids: ReadonlySet<string> = chosen.asked === asked ? chosen.ids : new Set();
    return {
      ids,
      toggle: (wanted, on) =>
        setChosen((before) => {
          const next = new Set(before.asked === asked ? before.ids : []);
          for (const id of wanted)
            if (on) next.add(id);
            else next.delete(id);
          return { asked, ids: next };
        }),
      clear: () => setChosen({ asked, ids: new Set() }),
    };
  }, [chosen, asked]);
}

/** The first cell of a row, or of the header: whether it is chosen. The cell has the focus, Space turns it. */
export function SelectionCell({
  role,
  row,
  label,
  checked,
  indeterminate = false,
  onToggle,
}: {
  role: 'gridcell' | 'columnheader';
  /** The row's place in the grid. */
  row: number;
  label: string;
  checked: boolean;
  /** Some, but not all. */
  indeterminate?: boolean;
  onToggle: (on: boolean) => void;
}) {
  return (
    <Box
      role={role}
      aria-colindex={1}
      data-row={row}
      data-column={0}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        onToggle(!checked);
      }}
      sx={{
        position: 'sticky',
        left: 0,
        zIndex: 1,
        flex: 'none',
        width: selectionWidth,
        backgroundColor: role === 'columnheader' ? 'raised' : 'inherit',
      }}
    >
      <Box
        component="label"
        onMouseDown={(event: MouseEvent<HTMLElement>) => {
          // The cell keeps the focus, so that the keys of the grid still work.
          event.preventDefault();
          event.currentTarget.parentElement?.focus();
        }}
        sx={{
          position: 'relative',
          display: 'grid',
          placeItems: 'center',
          width: '100%',
          height: '100%',
          cursor: 'pointer',
        }}
      >
        <Box
          component="input"
          type="checkbox"
          tabIndex={-1}
          aria-label={label}
          checked={checked}
          ref={(box: HTMLInputElement | null) => {
            if (box) box.indeterminate = indeterminate;
          }}
          onChange={(event: ChangeEvent<HTMLInputElement>) => onToggle(event.target.checked)}
          sx={{ position: 'absolute', inset: 0, width: '100%', height: '100%', margin: 0, opacity: 0 }}
        />
        <Tick on={checked} partly={indeterminate} />
      </Box>
    </Box>
  );
}
