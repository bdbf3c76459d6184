import type { Column, ColumnKind } from '@caseway/contract/grid';
import { widthOf as widthOfText } from '../charts/fit-text.ts';
import { fontsArrived } from '../fonts.ts';

/** Limits of a column's width when it is changed by hand, in px. */
export const minimumWidth = 72;
export const maximumWidth = 1600;

/** The default width of a column in px, if the grid declares none. */
const declaredByKind: Readonly<Record<ColumnKind, number>> = {
  text: 180,
  number: 110,
  date: 130,
  choice: 160,
};
/** A column's width before anything is known about its contents. */
export const declaredWidth = (column: Column): number =>
  column.width ?? (column.kind === 'date' && column.withTime ? 180 : declaredByKind[column.kind]);

/** Left plus right padding of a cell's text, in px. */
export const cellPadding = 20;
/** A sort mark with its gap, in px. */
const sortMark = 18;
/** The number next to it, if the list is sorted by several columns, in px. */
const sortNumber = 10;
/** A column's menu button next to its label, on screens without hover, in px. */
export const menuRoom = 22;
/** Fonts differ from the canvas measurement by a few percent. */
const slack = 1.04;

/**
 * The widths of labels, by font and label, because measuring on a canvas is slow and every render measures
 * headers.
 */
const knownHeaders = new Map<string, number>();

/**
 * A header's width, with its label on one or two lines. `sorts`: the number of sort columns, if this is one.
 * `touch`: its menu is always visible, next to the label.
 */
export function headerWidth(label: string, font: string, sorts: number, touch = false): number {
  const key = `${fontsArrived()} ${font} ${label}`;
  const known = knownHeaders.get(key) ?? twoLines(label, font);
  knownHeaders.set(key, known);
  const mark = sorts === 0 ? 0 : sorts === 1 ? sortMark : sortMark + sortNumber;
  return known + cellPadding + mark + (touch ? menuRoom : 0);
}

function twoLines(label: string, font: string): number {
  const words = label.split(' ');
  const breaks = words.map((_, at) =>
    Math.max(widthOfText(words.slice(0, at).join(' '), font), widthOfText(words.slice(at).join(' '), font)),
  );
  return Math.ceil(Math.min(...breaks) * slack);
}

/** What one column needs when the frame is divided. */
export interface ColumnNeed {
  field: string;
  column: Column;
  /** The width its header needs. */
  header: number;
  /** The width its contents need; 0 if it has none, undefined while unknown. */
  contents: number | undefined;
  /** The width four of five of them need; by default as for all of them. */
  usual?: number | undefined;
  /** The width the user has chosen; it does not change. */
  own: number | undefined;
}

/** The width of a text column without contents. */
const emptyWidth = 112;
/** A long text must not take the others' room: its share is computed from at most this width. */
const longest = 360;
/**
 * A column of long texts, such as lists, is cut to this width; it also has this width if the frame must
 * scroll anyway.
 */
const comfortable = 240;
/** Whether a cut value could be mistaken for another. */
const isRigid = ({ kind, whole, as }: Column) =>
  kind === 'number' || kind === 'date' || whole === true || as === 'phone';

/**
 * The width of each column in a frame, in px. A column is as wide as its header and contents need. Extra room
 * goes to texts and choices. If there is too little, the widest of them are cut first, as long as four of
 * five of their texts stay whole or the column is comfortably wide. If even that is not enough, the frame
 * scrolls and only very long texts are cut. Widths chosen by the user do not change.
 */
export function fitColumns(needs: readonly ColumnNeed[], frame: number): Record<string, number> {
  // On a phone, every column leaves part of another one visible.
  const most = frame > 0 ? Math.max(160, Math.min(longest, Math.floor(frame * 0.6))) : longest;
  const columns = needs.map(({ field, column, header, contents, usual, own }) => {
    const needed =
      contents === undefined
        ? declaredWidth(column)
        : contents === 0
          ? Math.min(declaredWidth(column), emptyWidth)
          : contents + cellPadding;
    const width = own ?? Math.max(minimumWidth, header, needed);
    const flexible = own === undefined && !isRigid(column);
    // In an empty list there is nothing to cut but headers.
    const mostly =
      contents === undefined ? 0 : Math.min(needed, usual === undefined ? needed : usual + cellPadding);
    const least = Math.max(minimumWidth, header, Math.ceil(Math.min(mostly, most, comfortable)));
    return { field, width, own, flexible, least: flexible ? Math.min(width, least) : width };
  });
  const sum = (of: (column: (typeof columns)[number]) => number) =>
    columns.reduce((total, column) => total + of(column), 0);
  const widths = (of: (column: (typeof columns)[number]) => number) =>
    Object.fromEntries(columns.map((column) => [column.field, of(column)]));
  const wanted = sum(({ width }) => width);
  if (frame <= 0 || columns.length === 0) return widths(({ width }) => width);

  if (wanted <= frame) {
    const growing = columns.some(({ flexible }) => flexible)
      ? columns.filter(({ flexible }) => flexible)
      : columns.filter(({ own }) => own === undefined);
    const base = growing.reduce((total, { width }) => total + width, 0);
    const grown = widths(({ width }) => width);
    const room = frame - wanted;
    let left = room;
    for (const [index, { field, width }] of growing.entries()) {
      const share = index === growing.length - 1 ? left : Math.floor((room * width) / base);
      grown[field]! += share;
      left -= share;
    }
    return grown;
  }

  const level = (height: number) => (column: (typeof columns)[number]) =>
    Math.min(column.width, Math.max(column.least, Math.floor(height)));
  if (sum(({ least }) => least) > frame)
    return widths((column) => level(Math.min(comfortable, most))(column));
  // The widest are cut to a common width at which all fill the frame.
  let [low, high] = [0, Math.max(...columns.map(({ width }) => width))];
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (sum(level(middle)) > frame) high = middle;
    else low = middle;
  }
  const cut = widths(level(low));
  // The remainder of rounding goes to the first cut column.
  const first = columns.find(({ field, width }) => cut[field]! < width);
  if (first) cut[first.field]! += frame - Object.values(cut).reduce((total, width) => total + width, 0);
  return cut;
}
