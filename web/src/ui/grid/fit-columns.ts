import type { Column, ColumnKind } from '@caseway/contract/grid';
import { widthOf as widthOfText } from '../charts/fit-text.ts';
import { fontsArrived } from '../fonts.ts';

/** Widths in px. The limits of a column's width when it is changed by hand. */
export const minimumWidth = 72;
export const maximumWidth = 1600;

/** Width of a column in px if the grid declares none. */
const declaredByKind: Readonly<Record<ColumnKind, number>> = {
  text: 180,
  number: 110,
  date: 130,
  choice: 160,
};
/** The width of a column before anything is known about its contents. */
export const declaredWidth = (column: Column): number =>
  column.width ?? (column.kind === 'date' && column.withTime ? 180 : declaredByKind[column.kind]);

/** Left and right of a cell's text, in px. */
export const cellPadding = 20;
/** The mark of a sorted column with its gap, in px. */
const sortMark = 18;
/** The number beside it, where the list is sorted by several columns, in px. */
const sortNumber = 10;
/** The button of a column's menu next to its label, for screens without hover, in px. */
export const menuRoom = 22;
/** Fonts differ by a few hundredths from the measurement on a canvas. */
const slack = 1.04;

/**
 * The width of labels, by font and label: measuring on a canvas is slow, and headers are measured with every rendering.
 */
const knownHeaders = new Map<string, number>();

/**
 * The width of a header with its label in one or two lines. `sorts`: by how many columns the list is sorted if this is
 * one of them. `touch`: its menu is always there, next to the label.
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

/** One column as the frame is shared out among them. */
export interface ColumnNeed {
  field: string;
  column: Column;
  /** The width that its header needs. */
  header: number;
  /** The width that its contents need; 0 if it has none, undefined while unknown. */
  contents: number | undefined;
  /** The width that four of five of them need; by default the same as all of them. */
  usual?: number | undefined;
  /** The width that the person has chosen; it does not change. */
  own: number | undefined;
}

/** A text without contents keeps room for some. */
const emptyWidth = 112;
/** One long text does not take the room of all others: its share is computed from at most this width. */
const longest = 360;
/**
 * A column of long texts, such as lists, is cut to this width; it also has this width if the frame has to be scrolled
 * anyway.
 */
const comfortable = 240;
/** Whether a cut value could be mistaken for another. */
const isRigid = ({ kind, whole, as }: Column) =>
  kind === 'number' || kind === 'date' || whole === true || as === 'phone';

/**
 * The width of each column in a frame, in px. A column is as wide as its header and contents need. Where the frame has
 * more room, texts and choices share it; where it has less, the widest of them are cut first, as far as four of five of
 * their texts stay whole or the column is comfortably wide. If even that does not show all of them, the frame is
 * scrolled and only very long texts are cut. Widths that the person chose do not change.
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
    // While a list is empty there is nothing to cut but its headers.
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
  // The widest are cut to one width, chosen so that all together fill the frame.
  let [low, high] = [0, Math.max(...columns.map(({ width }) => width))];
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (sum(level(middle)) > frame) high = middle;
    else low = middle;
  }
  const cut = widths(level(low));
  // The rest from rounding goes to the first column that was cut.
  const first = columns.find(({ field, width }) => cut[field]! < width);
  if (first) cut[first.field]! += frame - Object.values(cut).reduce((total, width) => total + width, 0);
  return cut;
}
