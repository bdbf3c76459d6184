import { type LabelSizeName, labelSizes } from '@caseway/contract/labels';
import barcodes from 'bwip-js';

/*
 * A label as rectangles and lines of text in whole dots of a 203 dpi printer. PDF and ZPL draw the same dots, so a
 * symbol is readable in both or in neither.
 */

/** The contents of a label. `lines` are for people; none of them is a name or a birth date. */
export interface LabelContent {
  code: string;
  lines: readonly string[];
}
interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** A line of text: its upper left corner and its height. */
interface Line {
  x: number;
  y: number;
  height: number;
  text: string;
}
export interface Label {
  width: number;
  height: number;
  bars: Rect[];
  lines: Line[];
}

/** Dots per millimetre at 203 dpi. */
export const dotsPerMm = 8;
const margin = 12;
/**
 * The widest and the narrowest module of a symbol, in dots: 0.25 mm is the least that such a printer draws cleanly.
 */
const [widest, narrowest] = [4, 2];
/** Blank modules around a symbol: ISO/IEC 15417 requires ten beside Code 128, ISO/IEC 16022 one around Data Matrix. */
const quiet = { linear: 10, matrix: 1 };
/** Dots. From this height on, a label has room for bars above its text. */
const leastForBars = 160;
const [largestText, smallestText] = [32, 12];
/** The width of a character relative to its height, in the font of both. */
const signWidth = 0.62;

/** Widths of bars and gaps in modules, starting with a bar. */
function barsOf(code: string): number[] {
  const [symbol] = barcodes.raw('code128', code, {});
  if (!symbol || !('sbs' in symbol)) throw new Error('Code 128 has bars');
  return symbol.sbs;
}

/** Rows of modules. */
function modulesOf(code: string): { marked: (column: number, row: number) => boolean; size: number } {
  const [symbol] = barcodes.raw('datamatrix', code, {});
  if (!symbol || !('pixs' in symbol)) throw new Error('Data Matrix has modules');
  return {
    marked: (column, row) => symbol.pixs[row * symbol.pixx + column] === 1,
    size: symbol.pixx,
  };
}

const isPlain = (code: string): boolean => /^[ -~]+$/.test(code);
const signsIn = (width: number, height: number): number => Math.floor(width / (height * signWidth));
const shortened = (text: string, signs: number): string =>
  text.length <= signs ? text : `${text.slice(0, Math.max(0, signs - 1))}…`;

/** The code for people: never cut off, but on two lines if it is long. */
function codeLines(code: string, width: number): { height: number; parts: string[] } {
  for (let height = largestText; height >= smallestText; height--)
    if (signsIn(width, height) >= code.length) return { height, parts: [code] };
  const signs = signsIn(width, smallestText);
  return {
    height: smallestText,
    parts: Array.from({ length: Math.ceil(code.length / signs) }, (_, index) =>
      code.slice(index * signs, (index + 1) * signs),
    ),
  };
}

/** The lines of a label in an area: the full code, and as many of the others as fit. */
function textIn({ code, lines }: LabelContent, { x, y, width, height }: Rect): Line[] | undefined {
  const { height: high, parts } = codeLines(code, width);
  const step = (of: number) => Math.round(of * 1.2);
  if (parts.length * step(high) > height) return undefined;
  const laid: Line[] = parts.map((text, index) => ({ x, y: y + index * step(high), height: high, text }));
  let next = y + parts.length * step(high) + 4;
  const room = Math.floor((y + height - next) / (1.2 * Math.max(1, lines.length)));
  const size = Math.max(smallestText, Math.min(24, high - 4, room));
  for (const line of lines) {
    if (next + size > y + height) break;
    laid.push({ x, y: next, height: size, text: shortened(line, signsIn(width, size)) });
    next += step(size);
  }
  return laid;
}

/** With Code 128 above the text, which every laboratory analyser reads. */
function withBars(content: LabelContent, width: number, height: number): Label | undefined {
  if (height < leastForBars || !isPlain(content.code)) return undefined;
  const widths = barsOf(content.code);
  const modules = widths.reduce((sum, one) => sum + one, 0) + 2 * quiet.linear;
  const dots = Math.min(widest, Math.floor(width / modules));
  if (dots < narrowest) return undefined;
  const high = Math.round(height * 0.42);
  const bars: Rect[] = [];
  const left = Math.floor((width - (modules - 2 * quiet.linear) * dots) / 2);
  let x = left;
  for (const [index, one] of widths.entries()) {
    if (index % 2 === 0) bars.push({ x, y: margin, width: one * dots, height: high });
    x += one * dots;
  }
  const top = margin + high + 8;
  const lines = textIn(content, {
    x: left,
    y: top,
    width: width - left - margin,
    height: height - top - margin,
  });
  return lines && { width, height, bars, lines };
}

/** With a Data Matrix at the left of the text. */
function withMatrix(content: LabelContent, width: number, height: number): Label | undefined {
  const { marked, size } = modulesOf(content.code);
  const room = Math.min(height - margin, Math.floor(width * 0.45));
  const dots = Math.min(widest + 2, Math.floor(room / (size + 2 * quiet.matrix)));
  if (dots < narrowest) return undefined;
  const side = size * dots;
  const left = Math.max(margin, quiet.matrix * dots);
  const top = Math.floor((height - side) / 2);
  const bars: Rect[] = [];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      if (!marked(column, row)) continue;
      const from = column;
      while (column + 1 < size && marked(column + 1, row)) column++;
      bars.push({
        x: left + from * dots,
        y: top + row * dots,
        width: (column - from + 1) * dots,
        height: dots,
      });
    }
  const x = left + side + Math.max(margin, quiet.matrix * dots);
  const lines = textIn(content, { x, y: margin, width: width - x - margin, height: height - 2 * margin });
  return lines && { width, height, bars, lines };
}

/** Lays out a label; undefined if its code is too long for that size. */
export function layOut(content: LabelContent, name: LabelSizeName): Label | undefined {
  const { width, height } = labelSizes[name];
  const [wide, high] = [Math.round(width * dotsPerMm), Math.round(height * dotsPerMm)];
  return withBars(content, wide, high) ?? withMatrix(content, wide, high);
}
