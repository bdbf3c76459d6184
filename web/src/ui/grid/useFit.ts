import type { Grid } from '@caseway/contract/grid';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { useActingOrg } from '../../data/use-preferences.ts';
import { theme } from '../../theme.ts';
import { language } from '../../words/i18n.ts';
import { useFontsArrived } from '../fonts.ts';
import { cellPadding, fitColumns, headerWidth } from './fit-columns.ts';

/** The width a column's texts need, in px: all of them, and four of five. */
interface Contents {
  all: number;
  usual: number;
}

/**
 * The widths that the contents of lists' columns need, by list, view, organization, language and loaded
 * fonts, as long as the page is open.
 */
const known = new Map<string, Readonly<Record<string, Contents>>>();

const headerFont = `550 13px ${theme.typography.fontFamily}`;

/** The widths columns' texts need, in px, without columns whose texts have not loaded yet. */
function contentsOf(scroller: HTMLElement, fields: readonly string[]): Record<string, Contents> {
  const rows = scroller.querySelector('[role=rowgroup]');
  const there = fields.flatMap((field) => {
    const cells = [...(rows?.querySelectorAll(`[data-field="${field}"]`) ?? [])];
    // The rows of a reopened list are rendered once its height is known.
    const isThere = cells.length > 0 && !cells.some((cell) => cell.querySelector('[aria-busy=true]'));
    return isThere ? [{ field, cells }] : [];
  });
  if (there.length === 0) return {};
  const needed: Record<string, Contents> = {};
  // While measuring, every cell is as wide as its contents.
  rows!.classList.add('measured');
  for (const { field, cells } of there) {
    // An empty cell needs nothing, and does not count among the five.
    const widths = cells
      .flatMap(({ firstElementChild: text }) => (text ? [Math.ceil(text.getBoundingClientRect().width)] : []))
      .sort((a, b) => a - b);
    needed[field] = { all: widths.at(-1) ?? 0, usual: widths[Math.ceil(widths.length * 0.8) - 1] ?? 0 };
  }
  rows!.classList.remove('measured');
  return needed;
}

/**
 * The widths of visible columns. Their contents are measured once per view, on its first loaded page, and not
 * again for another page or order, so that columns do not move while someone reads.
 */
export function useFit({
  grid,
  view,
  shown,
  chosen,
  label,
  sorted,
  before,
  scroller,
  isThere,
}: {
  grid: Grid;
  /** The id of the open view, which has its own records. */
  view: string;
  /** The columns from left to right. */
  shown: readonly string[];
  /** Widths chosen by the user. */
  chosen: Readonly<Record<string, number>>;
  label: (field: string) => string;
  /** The columns whose header shows a sort mark. */
  sorted: ReadonlySet<string>;
  /** The space used to the left of the columns, in px. */
  before: number;
  scroller: RefObject<HTMLElement | null>;
  /** The rows have loaded. */
  isThere: boolean;
}): {
  widths: Readonly<Record<string, number>>;
  contentsOf: (field: string) => number;
  /** Measures what has been rendered since. */
  measure: () => void;
} {
  const org = useActingOrg();
  const fonts = useFontsArrived();
  const key = `${grid.id} ${view} ${org} ${language()} ${fonts}`;
  const [frame, setFrame] = useState(0);
  const [measured, setMeasured] = useState(() => ({ key, contents: known.get(key) ?? {} }));
  const [watched, setWatched] = useState<HTMLElement | null>(null);
  const own = measured.key === key ? measured.contents : known.get(key);
  // Until its own rows have loaded, a view has the widths of the previous one.
  const contents = own ?? measured.contents;

  const measure = () => {
    const element = scroller.current;
    if (!element || !isThere) return;
    const missing = shown.filter((field) => !Object.hasOwn(own ?? {}, field));
    const found = missing.length > 0 ? contentsOf(element, missing) : {};
    if (Object.keys(found).length === 0) return;
    const all = { ...own, ...found };
    known.set(key, all);
    setMeasured({ key, contents: all });
  };
  // Before the browser paints, so that no one sees the old widths.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === watched) return;
    setWatched(element);
    if (element) setFrame(element.clientWidth);
  });
  // The list may come after the first render, and a scroll bar can change the frame without one.
  useLayoutEffect(() => {
    if (!watched) return;
    const observer = new ResizeObserver(() => setFrame(watched.clientWidth));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [watched]);

  const touch = globalThis.matchMedia?.('(hover: none)').matches ?? false;
  const headers = shown.map((field) =>
    headerWidth(label(field), headerFont, sorted.has(field) ? sorted.size : 0, touch),
  );
  const said = JSON.stringify([shown, headers, chosen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `said` stands for values recreated in every render.
  const widths = useMemo(
    () =>
      fitColumns(
        shown.map((field, at) => ({
          field,
          column: grid.columns[field]!,
          header: headers[at]!,
          contents: contents[field]?.all,
          usual: contents[field]?.usual,
          own: chosen[field],
        })),
        frame - before,
      ),
    [grid, said, contents, frame, before],
  );
  return {
    widths,
    contentsOf: useCallback(
      (field) =>
        (scroller.current ? (contentsOf(scroller.current, [field])[field]?.all ?? 0) : 0) + cellPadding,
      [scroller],
    ),
    measure,
  };
}
