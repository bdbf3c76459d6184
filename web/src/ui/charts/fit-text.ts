let pen: CanvasRenderingContext2D | null | undefined;

/** The width of a text in px; estimated if the browser cannot draw. */
export function widthOf(text: string, font: string): number {
  if (pen === undefined) pen = document.createElement('canvas').getContext('2d');
  if (!pen) return text.length * 7;
  pen.font = font;
  return pen.measureText(text).width;
}

/** A text cut to a width in px, with an ellipsis. */
export function fitText(text: string, width: number, font: string): string {
  if (widthOf(text, font) <= width) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const half = Math.floor((fits + tooLong) / 2);
    if (widthOf(`${text.slice(0, half).trimEnd()}…`, font) <= width) fits = half;
    else tooLong = half;
  }
  return `${text.slice(0, fits).trimEnd()}…`;
}

/** A text wrapped to a width in px, between words; a word that is too long stays whole. */
export function wrapText(text: string, width: number, font: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer, font) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
