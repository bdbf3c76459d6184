import { csvCell, csvLine } from '@caseway/contract/csv';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('exported cells are inert in spreadsheets [P20]', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1 555 0100', "'+1 555 0100"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['\nx', `"'\nx"`],
    ['\r\n=1', `"'\r\n=1"`],
    ['\uFF1D1+1', "'\uFF1D1+1"],
    ['\uFF0B1', "'\uFF0B1"],
    ['\uFF0D1', "'\uFF0D1"],
    ['\uFF20SUM(A1)', "'\uFF20SUM(A1)"],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['a=b', 'a=b'],
    ["O'Hara", "O'Hara"],
    ['', ''],
  ])('%j becomes %j', (value, expected) => {
    expect(csvCell(value)).toBe(expected);
  });

  it('leaves numbers and booleans as they are', () => {
    expect(csvLine([-5, 0.5, true, null, undefined, Number.NaN])).toBe('-5,0.5,true,,,\r\n');
  });

  it('never begins a cell as a formula, and loses nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 4 }),
        (cells) => {
          const [read] = parse(`x\r\n${csvLine(cells)}`, {
            relax_column_count: true,
            from: 2,
            record_delimiter: '\r\n',
            skip_empty_lines: false,
          });
          for (const [at, cell] of (read ?? ['']).entries()) {
            expect(cell).not.toMatch(/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]/);
            expect([cells[at], `'${cells[at]}`]).toContain(cell);
          }
        },
      ),
    );
  });
});
