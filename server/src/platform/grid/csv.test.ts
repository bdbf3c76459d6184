import { csvCell, csvLine } from '@caseway/contract/csv';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workOf } from '../../../test/durations.ts';

describe('exported cells are inert in spreadsheets [P20]', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1 555 0100', "'+1 555 0100"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['\nx', `"'\nx"`],
    ['\r\n=1', `"'\r\n'=1"`],
    ['\uFF1D1+1', "'\uFF1D1+1"],
    ['\uFF0B1', "'\uFF0B1"],
    ['\uFF0D1', "'\uFF0D1"],
    ['\uFF20SUM(A1)', "'\uFF20SUM(A1)"],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    [' =1+1', `" '=1+1"`],
    ['a=b', 'a=b'],
    // With another separator, these are several cells.
    [';=1+1', ";'=1+1"],
    ['Lee;=1+1', "Lee;'=1+1"],
    [';;@SUM(A1);+1', ";;'@SUM(A1);'+1"],
    [',=1+1', `",'=1+1"`],
    ['|-1', "|'-1"],
    ['Lee\t=1+1', "Lee\t'=1+1"],
    ['Lee\r\n=1+1', `"Lee\r\n'=1+1"`],
    ['Lee; \uFF1D1', "Lee; '\uFF1D1"],
    ['Lee;"=1+1"', `"Lee;""'=1+1"""`],
    ['Lee; Ann-Marie, born 2-3', '"Lee; Ann-Marie, born 2-3"'],
    ['cough, -fever', '"cough, -fever"'],
    ["O'Hara", "O'Hara"],
    ['', ''],
  ])('%j becomes %j', (value, expected) => {
    expect(csvCell(value)).toBe(expected);
  });

  it('leaves numbers and booleans as they are', () => {
    expect(csvLine([-5, 0.5, true, null, undefined, Number.NaN])).toBe('-5,0.5,true,,,\r\n');
  });

  /** Texts in which a formula, a separator and a quotation mark are often next to each other. */
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'=+-@;,|\t\r\n" \'a1\uFF1D'), maxLength: 12 }),
  );
  const lines = fc.array(fc.array(texts, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });

  it.each([';', '\t', '|', '\n', ','])('begins no cell as a formula where %j ends one', (separator) => {
    fc.assert(
      fc.property(lines, (cells) => {
        const parts = cells.map(csvLine).join('').split(separator);
        // Quotation marks do not protect: if another character ends a cell, they are inside one.
        const begins = parts.map((part) => part.replace(separator === ',' ? /^"+/ : /^["\s]+/, ''));
        for (const begin of begins) expect(begin).not.toMatch(/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/);
      }),
    );
  });

  it('adds apostrophes and loses nothing', () => {
    const marks = /'(?=["\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n])/g;
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (cells) => {
        const [read] = parse(`x\r\n${csvLine(cells)}`, {
          relax_column_count: true,
          from: 2,
          record_delimiter: '\r\n',
          skip_empty_lines: false,
        });
        for (const [at, cell] of (read ?? ['']).entries()) {
          expect(cell).not.toMatch(/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]/);
          expect(cell.replace(marks, '')).toBe(cells[at]!.replace(marks, ''));
        }
      }),
    );
  });

  it('takes no longer for text built to be slow', async () => {
    const text = `${'\t"'.repeat(50_000)}x${'='.repeat(50_000)}`;
    expect(await workOf(() => csvCell(text))).toBeLessThan(1000);
  });
});
