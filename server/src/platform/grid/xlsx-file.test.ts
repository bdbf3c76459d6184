import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filesIn, readXlsx } from '../../../test/xlsx.ts';
import { type CellKind, type CellValue, xlsxFile } from './xlsx-file.ts';

const cut = ' […]';
const fileOf = (
  kinds: readonly CellKind[],
  rows: readonly (readonly CellValue[])[],
  most?: number,
): Promise<Buffer> =>
  buffer(
    xlsxFile(
      {
        columns: kinds.map((kind, index) => ({ title: `${kind} ${index + 1}`, kind, width: 120 })),
        sheet: 'Cases & contacts',
        cut,
        ...(most !== undefined && { rows: most }),
      },
      new AbortController().signal,
      (send) => send(rows),
    ),
  );
const cellsOf = async (kinds: readonly CellKind[], rows: readonly (readonly CellValue[])[]) =>
  readXlsx(await fileOf(kinds, rows))[0]!.rows.slice(1);

describe('a file of rows for Excel', () => {
  it('[P20] has formulas, codes with zeros and signs as text, which nothing runs', async () => {
    const texts = [
      '=1+1',
      '+1 555 0100',
      '-5',
      '@SUM(A1)',
      '\t=1',
      '=HYPERLINK("http://x","y")',
      '007',
      '1e5',
      '2026-03-01',
      ' outer ',
      'two\nlines',
      '<b>&amp;"\'',
      '😀 Ayibobo é',
      '_x0041_',
      'TRUE',
    ];
    const file = await fileOf(
      ['text'],
      texts.map((text) => [text]),
    );
    const [{ rows }] = readXlsx(file) as [ReturnType<typeof readXlsx>[number]];
    expect(rows.slice(1)).toEqual(texts.map((text) => [{ text, format: '@' }]));
    const xml = [...filesIn(file).values()].map(String).join();
    expect(xml).not.toMatch(/<f[ >]/);
  });

  it('has numbers as numbers, and as text what a spreadsheet would round', async () => {
    const values: CellValue[] = [
      0,
      -5,
      0.25,
      1e21,
      '12.50',
      '12345678901234567890',
      'many',
      Number.NaN,
      null,
    ];
    const found = await cellsOf(
      ['number'],
      values.map((value) => [value]),
    );
    expect(found.map(([cell]) => cell?.number ?? cell?.text)).toEqual([
      0,
      -5,
      0.25,
      1e21,
      12.5,
      '12345678901234567890',
      'many',
      undefined,
      undefined,
    ]);
  });

  it('has days and times by their number, and as text if they have none', async () => {
    const found = await cellsOf(
      ['day', 'time'],
      [
        ['2026-03-01', '2026-03-01 23:59'],
        ['1900-03-01', '2024-02-29 00:00'],
        ['1899-12-31', '1899-12-31 10:00'],
        ['2026-02-30', 'unknown'],
        [null, ''],
      ],
    );
    // 46082 is 1 March 2026 in every spreadsheet.
    expect(found).toEqual([
      [
        { number: 46_082, format: 'yyyy\\-mm\\-dd' },
        { number: 46_082 + 1439 / 1440, format: 'yyyy\\-mm\\-dd\\ hh:mm' },
      ],
      [
        { number: 61, format: 'yyyy\\-mm\\-dd' },
        { number: 45_351, format: 'yyyy\\-mm\\-dd\\ hh:mm' },
      ],
      [
        { text: '1899-12-31', format: '@' },
        { text: '1899-12-31 10:00', format: '@' },
      ],
      [
        { text: '2026-02-30', format: '@' },
        { text: 'unknown', format: '@' },
      ],
      [],
    ]);
  });

  it('has titles that stay in view, in bold and with a filter', async () => {
    const file = await fileOf(['text', 'day'], [['a', null]]);
    const sheet = String(filesIn(file).get('xl/worksheets/sheet1.xml'));
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheet).toContain('<autoFilter ref="A1:B2"/>');
    const [{ name, rows }] = readXlsx(file) as [ReturnType<typeof readXlsx>[number]];
    expect(name).toBe('Cases & contacts');
    expect(rows[0]).toEqual([
      { text: 'text 1', format: '@', bold: true },
      { text: 'day 2', format: '@', bold: true },
    ]);
  });

  it('cuts a text at the limit of a cell and says so, with no half of a character', async () => {
    const longest = 'x'.repeat(32_767);
    const emoji = `x${'😀'.repeat(20_000)}`;
    const found = await cellsOf(['text'], [[longest], [`${longest}x`], [emoji]]);
    const texts = found.map(([cell]) => cell!.text!);
    expect(texts[0]).toBe(longest);
    expect(texts[1]).toBe(`${'x'.repeat(32_767 - cut.length)}${cut}`);
    expect(texts[2]!.length).toBeLessThanOrEqual(32_767);
    expect(texts[2]).toMatch(/^x(?:😀)+ \[…\]$/u);
  });

  it('begins another sheet when one is full', async () => {
    const file = await fileOf(
      ['number'],
      Array.from({ length: 7 }, (_, index) => [index]),
      4,
    );
    const sheets = readXlsx(file);
    expect(sheets.map(({ name }) => name)).toEqual([
      'Cases & contacts',
      'Cases & contacts 2',
      'Cases & contacts 3',
    ]);
    expect(sheets.map(({ rows }) => rows.map(([cell]) => cell!.text ?? cell!.number))).toEqual([
      ['number 1', 0, 1, 2],
      ['number 1', 3, 4, 5],
      ['number 1', 6],
    ]);
  });

  it('loses nothing but what XML cannot express', async () => {
    const unsaid = /(?![\t\n\r\x7f-\x9f])[\p{Cc}\p{Surrogate}\ufffe\uffff]/gu;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary', maxLength: 20 }),
            fc.string({ unit: fc.constantFrom(...'<>&"_x041\r\n\t =\0\ud800\ufffe😀'), maxLength: 20 }),
          ),
          { minLength: 1, maxLength: 20 },
        ),
        async (texts) => {
          const found = await cellsOf(
            ['text'],
            texts.map((text) => [text]),
          );
          expect(found.map(([cell]) => cell?.text ?? '')).toEqual(
            texts.map((text) => text.replace(/\r\n?/g, '\n').replace(unsaid, '')),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it('waits for its reader, and ends when the reader leaves', async () => {
    const gone = new AbortController();
    let sent = 0;
    const ended = Promise.withResolvers<unknown>();
    const file = xlsxFile(
      { columns: [{ title: 'A', kind: 'text', width: 100 }], sheet: 'List', cut },
      gone.signal,
      async (send) => {
        try {
          for (;;) {
            sent += 1;
            await send([[Array.from({ length: 200 }, () => Math.random().toString(36)).join('')]]);
          }
        } catch (error) {
          ended.resolve(error);
          throw error;
        }
      },
    );
    file.on('error', () => {});
    let before = -1;
    // Nobody reads: it stops once all buffers are full.
    await expect
      .poll(
        () => {
          const isStill = sent === before;
          before = sent;
          return isStill;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(sent).toBeLessThan(500);
    gone.abort();
    expect(await ended.promise).toMatchObject({ name: 'AbortError' });
    await expect.poll(() => file.destroyed).toBe(true);
  });

  it('is cut off without the list of its parts if it fails', async () => {
    const file = xlsxFile(
      { columns: [{ title: 'A', kind: 'text', width: 100 }], sheet: 'List', cut },
      new AbortController().signal,
      async (send) => {
        await send([['a']]);
        throw new Error('the database has gone');
      },
    );
    await expect(buffer(file)).rejects.toThrow('the database has gone');
  });
});
