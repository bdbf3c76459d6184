import { csvLine } from '@caseway/contract/csv';
import { widthOf, wrapText } from './fit-text.ts';

/** What an exported chart contains in addition, so that it can be read on its own. */
export interface ChartCaption {
  title: string;
  /** Lines under the title: unit, period, filters, as-of time, suppression. */
  lines: readonly string[];
}
/** A table cell's text, with another form for files if needed. */
export type ChartCell = string | number | null | { shown: string; stored: string };
export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly ChartCell[])[];
}

export const shownIn = (cell: ChartCell): string | number | null =>
  typeof cell === 'object' && cell !== null ? cell.shown : cell;
const storedIn = (cell: ChartCell): string | number | null =>
  typeof cell === 'object' && cell !== null ? cell.stored : cell;

/** The caption's lines, then the table. A byte-order mark lets spreadsheets read accents. */
export function chartCsv(caption: ChartCaption, table: ChartTable): Blob {
  const head = [caption.title, ...caption.lines].map((line) => csvLine([line]));
  const body = [csvLine(table.columns), ...table.rows.map((row) => csvLine(row.map(storedIn)))];
  return new Blob(['\uFEFF', ...head, '\r\n', ...body], { type: 'text/csv;charset=utf-8' });
}

const copied = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linejoin',
  'opacity',
  'font-size',
  'font-weight',
  'font-family',
  'text-anchor',
];
const namespace = 'http://www.w3.org/2000/svg';
/** Free space around everything. */
const edge = 16;

/** A copy of a drawing with every color resolved, so that it needs no style sheet. */
function copyOf(drawing: SVGSVGElement): SVGSVGElement {
  const clone = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  [clone, ...clone.querySelectorAll('*')].forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    for (const name of copied) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name, value.replace(/url\("?[^#"]*#([^")]+)"?\)/g, 'url(#$1)'));
    }
    element.removeAttribute('class');
    element.removeAttribute('style');
  });
  return clone;
}

/**
 * The drawn chart as a separate SVG document: caption, chart and legend, with all colors and the font
 * included.
 */
export function chartSvg(
  /** The element with the chart's drawing and legend. */
  body: Element,
  caption: ChartCaption,
  {
    background,
    text,
    family,
    fontFace,
  }: { background: string; text: string; family: string; fontFace: string },
): { svg: string; width: number; height: number } {
  const drawing = body.querySelector<SVGSVGElement>('svg[data-chart=drawing]');
  if (!drawing) throw new Error('there is no drawing to export');
  const [drawnWidth, drawnHeight] = [
    Number(drawing.getAttribute('width')),
    Number(drawing.getAttribute('height')),
  ];
  const width = drawnWidth + 2 * edge;
  const page = document.createElementNS(namespace, 'svg');
  const add = (name: string, attributes: Record<string, string | number>, content?: string) => {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    if (content !== undefined) element.textContent = content;
    page.append(element);
    return element;
  };
  const fontSize = (size: number, weight = 400) => ({
    'font-size': size,
    'font-weight': weight,
    'font-family': family,
    fill: text,
  });
  add('style', {}, fontFace);
  const ground = add('rect', { fill: background });

  let y = edge;
  for (const line of wrapText(caption.title, drawnWidth, `650 16px ${family}`)) {
    add('text', { x: edge, y: y + 16, ...fontSize(16, 650) }, line);
    y += 22;
  }
  for (const line of caption.lines.flatMap((each) => wrapText(each, drawnWidth, `12px ${family}`))) {
    add('text', { x: edge, y: y + 13, ...fontSize(12) }, line);
    y += 18;
  }
  y += 8;

  const copy = copyOf(drawing);
  copy.setAttribute('x', String(edge));
  copy.setAttribute('y', String(y));
  // A label at the edge of the axis may extend a little beyond the drawing.
  copy.setAttribute('overflow', 'visible');
  page.append(copy);
  y += drawnHeight + 12;

  let x = edge;
  for (const entry of body.querySelectorAll('[data-chart=legend] > li:not([data-off])')) {
    const label = entry.textContent!.trim();
    const swatch = entry.querySelector('svg');
    const size = 24 + widthOf(label, `13px ${family}`);
    if (x > edge && x + size > width - edge) {
      x = edge;
      y += 22;
    }
    if (swatch) {
      const mark = copyOf(swatch);
      mark.setAttribute('x', String(x));
      mark.setAttribute('y', String(y + 3));
      page.append(mark);
    }
    add('text', { x: x + 22, y: y + 14, ...fontSize(13) }, label);
    x += size + 18;
  }
  if (x > edge) y += 22;

  const height = Math.ceil(y + edge);
  for (const element of [page, ground]) {
    element.setAttribute('width', String(width));
    element.setAttribute('height', String(height));
  }
  page.setAttribute('viewBox', `0 0 ${width} ${height}`);
  return { svg: new XMLSerializer().serializeToString(page), width, height };
}

/** The chart as a PNG at twice its size. Rejects if the browser cannot draw it. */
export async function chartPng({
  svg,
  width,
  height,
}: {
  svg: string;
  width: number;
  height: number;
}): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * 2;
    canvas.height = height * 2;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('the chart could not be drawn as a picture');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
