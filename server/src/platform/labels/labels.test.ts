import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { type LabelSizeName, labelSizes } from '@caseway/contract/labels';
import { describe, expect, test } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { type Label, layOut } from './label.ts';
import { labelsPdf } from './label-pdf.ts';
import { labelsZpl } from './label-zpl.ts';

// The library would otherwise load its program from another host.
const program = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
await prepareZXingModule({
  overrides: { wasmBinary: program.buffer.slice(program.byteOffset, program.byteOffset + program.length) },
  fireImmediately: true,
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** Reads a symbol from black boxes on white, one pixel for each dot, with a border of ten. */
async function read(boxes: readonly Box[], width: number, height: number) {
  const border = 10;
  const [wide, high] = [width + 2 * border, height + 2 * border];
  const data = new Uint8ClampedArray(wide * high * 4).fill(255);
  for (const box of boxes)
    for (let y = box.y; y < box.y + box.height; y++)
      for (let x = box.x; x < box.x + box.width; x++)
        data.fill(0, ((y + border) * wide + x + border) * 4, ((y + border) * wide + x + border) * 4 + 3);
  const found = await readBarcodes(
    { data, width: wide, height: high } as Parameters<typeof readBarcodes>[0],
    {
      formats: ['Code128', 'DataMatrix'],
    },
  );
  return found.map(({ text, format }) => ({ text, format }));
}

/** The boxes of ZPL as a printer draws them. */
const boxesIn = (zpl: string): Box[] =>
  [...zpl.matchAll(/\^FO(\d+),(\d+)\^GB(\d+),(\d+),\d+\^FS/g)].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }));

/** The rectangles on the pages of a PDF, in unscaled units. */
function rectanglesIn(pdf: Buffer): Box[] {
  const bytes = pdf.toString('latin1');
  return [...bytes.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, stream]) => {
    let drawn: string;
    try {
      drawn = inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1');
    } catch {
      // Not a page: a font, or uncompressed data.
      return [];
    }
    return [...drawn.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map(([, ...four]) => {
      const [x, y, width, height] = four.map(Number) as [number, number, number, number];
      return { x, y, width, height };
    });
  });
}

const laid = (code: string, size: LabelSizeName, lines: string[] = []): Label =>
  layOut({ code, lines }, size)!;
const sizes = Object.keys(labelSizes) as LabelSizeName[];
const codes = ['SH-26-4K7QXW2', 'T-000123', '2026:A/17+4', 'a^b~c\\d_e>f'];
const pdfOf = (labels: Label[], size: LabelSizeName) =>
  labelsPdf(labels, size, { title: 'Labels', language: 'en' });

describe('a label', () => {
  test.each(sizes)('of size %s can be read, from ZPL and from PDF', async (size) => {
    for (const code of codes) {
      const label = laid(code, size, ['Serum · 2026-11-27']);
      const format = label.height >= 160 && code.length < 13 ? 'Code128' : expect.any(String);
      const inZpl = await read(boxesIn(labelsZpl([label])), label.width, label.height);
      expect(inZpl, `${code} in ZPL`).toEqual([{ text: code, format }]);
      const inPdf = await read(rectanglesIn(await pdfOf([label], size)), label.width, label.height);
      expect(inPdf, `${code} in PDF`).toEqual([{ text: code, format }]);
    }
  });

  test('has bars that every analyser reads if they fit, and a Data Matrix on a cryo tube', async () => {
    const formats = await Promise.all(
      (['tube', 'box', 'sheet', 'cryo'] as const).map(async (size) => {
        const { bars, width, height } = laid('T-000123', size);
        return (await read(bars, width, height))[0]?.format;
      }),
    );
    expect(formats).toEqual(['Code128', 'Code128', 'Code128', 'DataMatrix']);
  });

  test('has modules of at least two dots, and margins', () => {
    for (const size of sizes)
      for (const code of codes) {
        const { bars, lines, width, height } = laid(code, size, ['Serum', 'Frozen']);
        for (const bar of bars) {
          expect(Math.min(bar.width, bar.height)).toBeGreaterThanOrEqual(2);
          expect(bar.x).toBeGreaterThanOrEqual(8);
          expect(bar.x + bar.width).toBeLessThanOrEqual(width - 8);
          expect(bar.y + bar.height).toBeLessThanOrEqual(height - 4);
        }
        for (const line of lines) expect(line.y + line.height).toBeLessThanOrEqual(height - 8);
      }
  });

  test('shows its code in full and shortens the rest', () => {
    const { lines } = laid('T-000123', 'cryo', ['Nasopharyngeal swab in viral transport medium']);
    expect(lines[0]!.text).toBe('T-000123');
    expect(lines[1]!.text).toMatch(/^Nasophar.*…$/);
  });

  test('is not made if its code is too long for its size', () => {
    expect(layOut({ code: 'A'.repeat(120), lines: [] }, 'cryo')).toBeUndefined();
    expect(layOut({ code: 'A'.repeat(120), lines: [] }, 'box')).toBeDefined();
  });

  test('with a letter beyond ASCII is a Data Matrix', async () => {
    const { bars, width, height } = laid('Ñ-17', 'tube');
    expect(await read(bars, width, height)).toEqual([{ text: 'Ñ-17', format: 'DataMatrix' }]);
  });
});

describe('labels on paper', () => {
  /** Width and height of each page, in mm. */
  const pagesOf = (pdf: Buffer) =>
    [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
      [width, height].map((points) => Math.round((Number(points) * 25.4) / 7.2) / 10),
    );

  test('are each on a page of their true size', async () => {
    expect(pagesOf(await pdfOf([laid('A', 'tube'), laid('B', 'tube')], 'tube'))).toEqual([
      [50, 25],
      [50, 25],
    ]);
  });

  test('or thirty on a sheet of Letter', async () => {
    const labels = Array.from({ length: 31 }, (_, index) => laid(`T-${index}`, 'sheet'));
    expect(pagesOf(await pdfOf(labels, 'sheet'))).toEqual([
      [215.9, 279.4],
      [215.9, 279.4],
    ]);
  });
});

test('in ZPL no character of a text is read as a command', () => {
  const zpl = labelsZpl([laid('A1', 'box', ['^XZ~JA \\ end'])]);
  expect(zpl).toContain('^FH\\^FD\\5eXZ\\7eJA \\5c end^FS');
  expect(zpl.match(/\^XZ/g)).toHaveLength(1);
});
