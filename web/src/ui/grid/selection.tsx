import type { GridQuery } from '@caseway/contract/grid';
import { type ChangeEvent, type MouseEvent, useMemo, useState } from 'react';
import { theme } from '../../theme.ts';
import { Tick } from '../CommandList.tsx';
import { selectionWidth } from './table.ts';

/** The selected rows of a list, including those on other pages. */
export interface GridSelection {
  size: number;
  /** Whether a visible row is selected. */
  has(id: string): boolean;
  /** Selects or unselects rows. */
  toggle(ids: readonly string[], on: boolean): void;
  clear(): void;
  /** The selection for exports, as in a query's selection. */
  ids?: ReadonlySet<string>;
  all?: QuerySelection['all'];
}

/** The same, plus all rows a query finds. */
export interface QuerySelection extends GridSelection {
  /** Individually selected rows; with `all`, the excluded ones. */
  ids: ReadonlySet<string>;
  /** All rows of this query, on every page. */
  all: { query: GridQuery; count: number } | null;
  /** Whether `all` belongs to a list with other filters. */
  isElsewhere: boolean;
  chooseAll(count: number): void;
}

/** Another order or page of the same rows is the same question. */
const askedOf = ({ filterModel, filters, dateRangeValue, rangeField, behind }: GridQuery): string =>
  JSON.stringify([filterModel, filters, dateRangeValue, rangeField, behind]);

/** Selecting all covers the rows of open groups, so other open groups make another question. */
const allAskedOf = (query: GridQuery): string =>
  JSON.stringify([askedOf(query), query.grouping?.by, query.grouping?.closed?.toSorted()]);

const none: ReadonlySet<string> = new Set();

/**
 * A selection in a query's list. Another filter forgets individually selected rows; all rows of a filter stay
 * selected until the selection is cleared.
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

/**
 * A row's or the header's first cell: whether it is selected. The cell has the focus, and Space toggles it.
 */
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
          // The cell keeps the focus, so that the grid's keys still work.
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
/** Created once, because every row has them. */
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
