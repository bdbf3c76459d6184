import type { Grid } from '@caseway/contract/grid';
import type { ColumnSettings } from '@caseway/contract/grid-columns';
import { useCallback, useMemo, useRef } from 'react';
import { useColumnSettings } from '../../data/use-preferences.ts';
import type { ViewColumns } from '../../view/grid-tabs.ts';

const declared = (grid: Grid): ColumnSettings => ({
  order: Object.keys(grid.columns),
  hidden: Object.entries(grid.columns).flatMap(([field, column]) => (column.hidden ? [field] : [])),
  pinned: [],
  widths: {},
});

/**
 * A stored arrangement under the grid's current declaration: removed columns are dropped, new ones go last.
 */
export function arrangement(grid: Grid, remembered: ColumnSettings | undefined): ColumnSettings {
  const initial = declared(grid);
  if (!remembered) return initial;
  const known = (field: string) => Object.hasOwn(grid.columns, field);
  const order = remembered.order.filter(known);
  const added = initial.order.filter((field) => !order.includes(field));
  return {
    order: [...order, ...added],
    hidden: [...remembered.hidden.filter(known), ...added.filter((field) => initial.hidden.includes(field))],
    pinned: remembered.pinned.filter(known),
    widths: Object.fromEntries(Object.entries(remembered.widths).filter(([field]) => known(field))),
  };
}

/** A grid's column arrangement, and every way to change it. */
export interface ColumnArrangement {
  settings: ColumnSettings;
  /** Visible columns from left to right, pinned ones first. */
  shown: readonly string[];
  toggle(field: string): void;
  pin(field: string): void;
  /** To the left (-1) or right (1), past visible columns of its own kind, pinned or not. */
  move(field: string, step: -1 | 1): void;
  /** Before another column. */
  moveBefore(field: string, other: string): void;
  resize(widths: Record<string, number>): void;
  reset(): void;
  /** A new view has taken the arrangement, so the list gets back the one it had when the tab was opened. */
  givenAway(): void;
}

/** The columns of the open view, or those the user has arranged for the list. */
export function useColumns(grid: Grid, tab: string, ofView: ViewColumns | undefined): ColumnArrangement {
  const [remembered, setRemembered] = useColumnSettings(grid);
  const before = useRef<{ tab: string; columns: ColumnSettings | null } | null>(null);
  const stored = ofView?.settings ?? remembered;
  const arrangeList = useCallback(
    (columns: ColumnSettings | null) => {
      if (before.current?.tab !== tab) before.current = { tab, columns: remembered ?? null };
      setRemembered(columns);
    },
    [tab, remembered, setRemembered],
  );
  const set = ofView?.arrange ?? arrangeList;
  const settings = useMemo(() => arrangement(grid, stored), [grid, stored]);
  return useMemo(() => {
    const { order, hidden, pinned } = settings;
    const shown = [
      ...order.filter((field) => pinned.includes(field)),
      ...order.filter((field) => !pinned.includes(field)),
    ].filter((field) => !hidden.includes(field));
    const without = (list: readonly string[], field: string) => list.filter((one) => one !== field);
    const moveBefore = (field: string, other: string) => {
      const rest = without(order, field);
      rest.splice(rest.indexOf(other), 0, field);
      set({ ...settings, order: rest });
    };
    return {
      settings,
      shown,
      toggle: (field) =>
        set({ ...settings, hidden: hidden.includes(field) ? without(hidden, field) : [...hidden, field] }),
      pin: (field) =>
        set({ ...settings, pinned: pinned.includes(field) ? without(pinned, field) : [...pinned, field] }),
      moveBefore,
      move: (field, step) => {
        const neighbours = shown.filter((one) => pinned.includes(one) === pinned.includes(field));
        const at = neighbours.indexOf(field);
        const other = neighbours[at + step];
        if (other === undefined) return;
        if (step < 0) moveBefore(field, other);
        else moveBefore(other, field);
      },
      resize: (widths) => set({ ...settings, widths: { ...settings.widths, ...widths } }),
      reset: () => set(null),
      givenAway: () => {
        if (before.current?.tab !== tab) return;
        setRemembered(before.current.columns);
        before.current = null;
      },
    };
  }, [settings, set, tab, setRemembered]);
}
