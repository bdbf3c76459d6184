import { csvLine } from '@caseway/contract/csv';

/** What stands on a chart that leaves the screen: enough to be read alone. */
export interface ChartCaption {
  title: string;
  /** Lines under the title: unit, period, filters, as-of time, suppression. */
  lines: readonly string[];
}
export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}

/** The caption's lines, then the table. A byte order mark lets spreadsheets read accents. */
export function chartCsv(caption: ChartCaption, table: ChartTable): Blob {
  const head = [caption.title, ...caption.lines].map((line) => csvLine([line]));
  const body = [table.columns, ...table.rows].map(csvLine);
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

/** The drawn chart as an SVG document of its own, with its caption above and every colour written out. */
export function chartSvg(
  drawing: SVGSVGElement,
  caption: ChartCaption,
  background: string,
  text: string,
): { svg: string; width: number; height: number } {
  const width = drawing.width.baseVal.value;
  const head = 30 + caption.lines.length * 18;
  const height = drawing.height.baseVal.value + head + 12;
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
  const namespace = 'http://www.w3.org/2000/svg';
  const page = document.createElementNS(namespace, 'svg');
  page.setAttribute('xmlns', namespace);
  page.setAttribute('width', String(width));
  page.setAttribute('height', String(height));
  const add = (name: string, attributes: Record<string, string>, content?: string) => {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (content !== undefined) element.textContent = content;
    page.append(element);
    return element;
  };
  const family = getComputedStyle(drawing).fontFamily;
  add('rect', { width: String(width), height: String(height), fill: background });
  add(
    'text',
    { x: '8', y: '20', 'font-size': '16', 'font-weight': '650', fill: text, 'font-family': family },
    caption.title,
  );
  caption.lines.forEach((line, index) => {
    add(
      'text',
      { x: '8', y: String(40 + index * 18), 'font-size': '12', fill: text, 'font-family': family },
      line,
    );
  });
  add('g', { transform: `translate(0 ${head})` }).append(...clone.childNodes);
  return { svg: new XMLSerializer().serializeToString(page), width, height };
}

/** The chart as a PNG at twice its size. Rejects when the browser cannot draw it. */
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
