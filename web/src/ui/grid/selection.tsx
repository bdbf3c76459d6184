import type { GridQuery } from '@caseway/contract/grid';
import { type ChangeEvent, type MouseEvent, useMemo, useState } from 'react';
import { theme } from '../../theme.ts';
import { Tick } from '../CommandList.tsx';
import { selectionWidth } from './table.ts';

/** The rows of a list that are chosen, also on pages that are not shown. */
export interface GridSelection {
  size: number;
  /** Whether a row that the list shows is chosen. */
  has(id: string): boolean;
  /** Selects or unselects rows. */
  toggle(ids: readonly string[], on: boolean): void;
  clear(): void;
  /** What is exported as chosen, as in the selection of a query. */
  ids?: ReadonlySet<string>;
  all?: QuerySelection['all'];
}

/** The same, with all rows that a query finds. */
export interface QuerySelection extends GridSelection {
  /** Those that were chosen one by one; with `all`, those that are left out. */
  ids: ReadonlySet<string>;
  /** All that the list has shown by this query, on every page. */
  all: { query: GridQuery; count: number } | null;
  /** Whether all are chosen that a list with other filters has shown. */
  isElsewhere: boolean;
  chooseAll(count: number): void;
}

/** The same rows in another order, on another page, are the same question. */
const askedOf = ({ filterModel, filters, dateRangeValue, rangeField, behind }: GridQuery): string =>
  JSON.stringify([filterModel, filters, dateRangeValue, rangeField, behind]);

/** All that are chosen are those of open groups: with others open they are another question. */
const allAskedOf = (query: GridQuery): string =>
  JSON.stringify([askedOf(query), query.grouping?.by, query.grouping?.closed?.toSorted()]);

const none: ReadonlySet<string> = new Set();

/**
 * A selection in the list of a query. Rows that were chosen one by one are forgotten with another filter; all that matched a
 * filter stay chosen until the selection is cleared.
 */
export function useGridSelection(query: GridQuery): QuerySelection {
  const askedOne = askedOf(query);
  const askedAll = allAskedOf(query);
  const [chosen, setChosen] = useState<{
    asked: string;
    ids: ReadonlySet<string>;
    all: QuerySelection['all'];
  }>({ asked: askedOne, ids: none, all: null });
  const asked = chosen.all ? askedAll : askedOne;
  return useMemo(() => {
    const isHere = chosen.asked === asked;
    const { all } = chosen;
    const ids = isHere || all ? chosen.ids : none;
    return {
      ids,
      all,
      isElsewhere: all !== null && !isHere,
      size: all ? all.count - ids.size : ids.size,
      has: (id) => isHere && ids.has(id) === (all === null),
      toggle: (wanted, on) =>
        setChosen((before) => {
          const goesOn = before.asked === asked;
          const next = new Set(goesOn ? before.ids : []);
          const kept = goesOn ? before.all : null;
          for (const id of wanted)
            if (on === (kept === null)) next.add(id);
            else next.delete(id);
          return { asked: kept ? askedAll : askedOne, ids: next, all: kept };
        }),
      clear: () => setChosen({ asked: askedOne, ids: none, all: null }),
      chooseAll: (count) => setChosen({ asked: askedAll, ids: none, all: { query, count } }),
    };
  }, [chosen, asked, askedOne, askedAll, query]);
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
    // biome-ignore lint/a11y/noStaticElementInteractions: the role is that of a cell or of a header.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both have a column.
    <div
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
      style={styles[role]}
    >
      <label
        onMouseDown={(event: MouseEvent<HTMLElement>) => {
          // The cell keeps the focus, so that the keys of the grid still work.
          event.preventDefault();
          event.currentTarget.parentElement?.focus();
        }}
        style={styles.label}
      >
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={label}
          checked={checked}
          ref={(box: HTMLInputElement | null) => {
            if (box) box.indeterminate = indeterminate;
          }}
          onChange={(event: ChangeEvent<HTMLInputElement>) => onToggle(event.target.checked)}
          style={styles.box}
        />
        <Tick on={checked} partly={indeterminate} />
      </label>
    </div>
  );
}

const cell = (backgroundColor: string) =>
  ({
    position: 'sticky',
    left: 0,
    zIndex: 1,
    flex: 'none',
    width: selectionWidth,
    backgroundColor,
  }) as const;
/** Made once, because every row has them. */
const styles = {
  columnheader: cell(theme.vars.palette.raised),
  gridcell: cell('inherit'),
  label: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    width: '100%',
    height: '100%',
    cursor: 'pointer',
  },
  box: { position: 'absolute', inset: 0, width: '100%', height: '100%', margin: 0, opacity: 0 },
} as const;
