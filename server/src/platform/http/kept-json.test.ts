import { describe, expect, test } from 'vitest';
import { jsonOf, keepJson } from './kept-json.ts';

describe('the JSON of an answer', () => {
  test('is what JSON.stringify writes, with and without cached parts', () => {
    const list = [
      { id: 'a', name: 'Clínica "Sur"' },
      { id: 'b', name: 'Klinik\nNò' },
    ];
    const answer = {
      user: { id: 'u', at: new Date(0) },
      list,
      none: undefined,
      nothing: null,
      works: () => {},
      'a "name"': 1,
    };
    const written = JSON.stringify(answer);

    expect(jsonOf(answer)).toBe(written);
    keepJson(list);
    expect(jsonOf(answer)).toBe(written);
  });

  test('works for values that are not objects with properties', () => {
    for (const answer of [null, 'text', 3, [1, [2]], new Date(0), {}])
      expect(jsonOf(answer)).toBe(JSON.stringify(answer));
  });

  test('a cached value cannot be changed', () => {
    expect(() => (keepJson(['a']) as string[]).push('b')).toThrow(TypeError);
  });
});
