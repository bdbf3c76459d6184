import type { Column } from '@caseway/contract/grid';
import { describe, expect, test } from 'vitest';
import { type ColumnNeed, fitColumns, headerWidth } from './fit-columns.ts';

const need = (field: string, column: Column, given: Partial<ColumnNeed> = {}): ColumnNeed => ({
  field,
  column,
  header: 80,
  contents: 100,
  own: undefined,
  ...given,
});
const text: Column = { kind: 'text', width: 200 };
const date: Column = { kind: 'date', width: 120 };
const sum = (widths: Record<string, number>) => Object.values(widths).reduce((all, one) => all + one, 0);

describe("a list's columns in its frame", () => {
  test('take what their contents need, and texts share the rest, without leaving space', () => {
    // 120 each for the texts (100 plus padding of 20), 80 for the date: 320 of 520, so 100 more for each
    // text.
    const widths = fitColumns([need('a', text), need('b', text), need('on', date, { contents: 60 })], 520);
    expect(widths).toEqual({ a: 220, b: 220, on: 80 });
  });

  test('with less room, the widest text is cut first, and dates not at all', () => {
    // 320 + 120 + 100 = 540 in 500: the widest loses the 40, which four of five of its texts do not need.
    const widths = fitColumns(
      [
        need('long', text, { contents: 300, usual: 200 }),
        need('short', text),
        need('on', date, { contents: 80 }),
      ],
      500,
    );
    expect(widths).toEqual({ long: 280, short: 120, on: 100 });
  });

  test('four of five texts stay whole: the frame scrolls rather than cutting them', () => {
    // 320 + 120 + 100 = 540 in 440: four of five texts need 200 and the padding of 20, so 440 is just
    // enough.
    const rest = [need('short', text), need('on', date, { contents: 80 })];
    const of = (frame: number) =>
      fitColumns([need('long', text, { contents: 300, usual: 200 }), ...rest], frame);
    expect(of(440)).toEqual({ long: 220, short: 120, on: 100 });
    expect(of(439).long).toBeGreaterThanOrEqual(220);
    expect(sum(of(439))).toBeGreaterThan(439);
  });

  test('a column of long texts is cut to a comfortable width before the frame scrolls', () => {
    // 820 + 120 in 360: 240 for the long one, although all of its texts need more.
    const widths = fitColumns([need('long', text, { contents: 800 }), need('short', text)], 360);
    expect(widths).toEqual({ long: 240, short: 120 });
  });

  test('if even that is not enough, the frame scrolls and only very long texts are cut', () => {
    const many = Array.from({ length: 10 }, (_, index) =>
      need(`c${index}`, text, { contents: 276, usual: 150 }),
    );
    const widths = fitColumns(many, 1000);
    expect(new Set(Object.values(widths))).toEqual(new Set([240]));
  });

  test('a very long text is cut no more than the others need', () => {
    // 820 + 120 in 700: the short one gets what it needs, the long one the rest.
    const widths = fitColumns([need('long', text, { contents: 800, usual: 300 }), need('short', text)], 700);
    expect(widths).toEqual({ long: 580, short: 120 });
  });

  test('a record number is never cut', () => {
    // 140 for the number, 320 for the text: only the text shrinks.
    const number: Column = { kind: 'text', whole: true };
    const widths = fitColumns(
      [need('number', number, { contents: 120 }), need('a', text, { contents: 300, usual: 200 })],
      400,
    );
    expect(widths).toEqual({ number: 140, a: 260 });
  });

  test('no header is cut, however short the contents are', () => {
    const widths = fitColumns([need('a', text, { header: 190, contents: 20 }), need('b', text)], 280);
    expect(widths.a).toBe(190);
  });

  test('a width chosen by the user stays, and the others share the rest', () => {
    const widths = fitColumns([need('a', text, { own: 300 }), need('b', text), need('c', text)], 700);
    expect(widths).toEqual({ a: 300, b: 200, c: 200 });
    expect(fitColumns([need('a', text, { own: 300 }), need('b', text)], 200).a).toBe(300);
  });

  test('a column without contents is narrow, and one with unknown contents has its declared width', () => {
    const given = [need('empty', text, { contents: 0 }), need('unknown', text, { contents: undefined })];
    expect(fitColumns(given, 0)).toEqual({ empty: 112, unknown: 200 });
  });

  test('an empty list shows every header, as long as they fit in the frame', () => {
    const given = ['a', 'b', 'c'].map((field) => need(field, text, { contents: undefined }));
    // Each declares 200, and each header needs 80.
    expect(fitColumns(given, 480)).toEqual({ a: 160, b: 160, c: 160 });
  });

  test('on a phone, no column takes the whole frame', () => {
    const widths = fitColumns([need('a', text, { contents: 500 }), need('b', text, { contents: 500 })], 320);
    expect(widths.a).toBeLessThanOrEqual(192);
  });

  test.each([300, 480, 555, 700, 1001])('fill a frame of %i px exactly', (frame) => {
    const widths = fitColumns(
      [
        need('a', text, { contents: 130, usual: 100 }),
        need('b', text, { contents: 77 }),
        need('on', date, { header: 72, contents: 48 }),
      ],
      frame,
    );
    expect(sum(widths)).toBe(frame);
  });

  test('a label of several words takes two lines', () => {
    // Without a canvas a letter counts as 7 px: the longer line, «la investigación», has 16 of them; the
    // padding is 20.
    expect(headerWidth('Responsable de la investigación', 'any', 0)).toBe(Math.ceil(16 * 7 * 1.04) + 20);
    expect(headerWidth('Edad', 'any', 1)).toBe(Math.ceil(4 * 7 * 1.04) + 20 + 18);
    // With its number, if the list is sorted by other columns too.
    expect(headerWidth('Edad', 'any', 2)).toBe(Math.ceil(4 * 7 * 1.04) + 20 + 28);
    // On a touch screen the menu button is always visible, and covers no letter.
    expect(headerWidth('Edad', 'any', 0, true)).toBe(Math.ceil(4 * 7 * 1.04) + 20 + 22);
  });
});
