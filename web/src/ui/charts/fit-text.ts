let pen: CanvasRenderingContext2D | null | undefined;

/** The width of a text in px; estimated where the browser cannot draw. */
function widthOf(text: string, font: string): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return text.length * 7;
  pen.font = font;
  return pen.measureText(text).width;
}

/** A text as far as it fits into a width in px, with an ellipsis where it was cut. */
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
