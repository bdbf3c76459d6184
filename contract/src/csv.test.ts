import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

describe('a CSV cell [P20]', () => {
  it.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx'])(
    'is not a formula, even if the text begins like one: %j',
    (text) => {
      expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
    },
  );
  it('keeps a negative number a number', () => expect(csvCell(-3.5)).toBe('-3.5'));
  it('quotes commas, quotation marks and line breaks', () =>
    expect(csvCell('a "b", c')).toBe('"a ""b"", c"'));
  it('is empty for null', () => expect(csvLine(['a', null, 2])).toBe('a,,2\r\n'));
});
