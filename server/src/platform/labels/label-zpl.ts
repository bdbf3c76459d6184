import type { Label } from './label.ts';

/** A text in which characters that a printer reads as commands are written as bytes after a backslash (`^FH\\`). */
const escaped = (text: string): string =>
  text.replace(/[\\^~]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Labels in ZPL II for 203 dpi printers. Every bar is a separate box, so that no printer chooses its width. */
export const labelsZpl = (labels: readonly Label[]): string =>
  labels
    .map(({ width, height, bars, lines }) =>
      [
        `^XA^CI28^PW${width}^LL${height}^LH0,0`,
        ...bars.map(
          (bar) => `^FO${bar.x},${bar.y}^GB${bar.width},${bar.height},${Math.min(bar.width, bar.height)}^FS`,
        ),
        ...lines.map(({ x, y, height: high, text }) => `^FO${x},${y}^A0N,${high}^FH\\^FD${escaped(text)}^FS`),
        '^XZ',
        '',
      ].join('\n'),
    )
    .join('');
