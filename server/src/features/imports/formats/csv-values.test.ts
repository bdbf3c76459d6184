import { describe, expect, it } from 'vitest';
import {
  ageFrom,
  classificationWords,
  isMissing,
  isMissingName,
  isMissingOrUnknown,
  isMissingResult,
  numberInWords,
  outcomeWords,
  wordFrom,
  yesNoFrom,
} from './csv-values.ts';

describe('the many spellings of nothing', () => {
  it.each([
    '',
    '  ',
    '-',
    '.',
    '?',
    '\\.',
    '\\?',
    'NA',
    ' na',
    'N/A',
    'n /a',
    'n / a ',
    '#N/A',
    'nan',
    'NULL',
    'Not Avail',
    'NOt available',
    'not a number',
    'missing',
    'sin datos',
    '-99',
    '** Unknown / Not Given **',
  ])('%j is missing', (cell) => {
    expect(isMissing(cell)).toBe(true);
  });

  it.each(['0', 'no', 'Nana', 'N', '99', 'none of these'])('%j is not', (cell) => {
    expect(isMissing(cell)).toBe(false);
  });

  it('tells not known apart from nothing', () => {
    expect([isMissing('Unknown'), isMissingOrUnknown('Unknown'), isMissingOrUnknown('desconocido')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each(['', 'N/A', 'NULL', 'null', 'NaN', 'None', 'Unknown', 'desconocido'])(
    'says of the name %j that it is not known',
    (cell) => {
      expect(isMissingName(cell)).toBe(true);
    },
  );

  it.each(['Nil', 'NIL', 'Null', 'Na', 'Nan'])(
    'takes %j for a name, because people are called so',
    (cell) => {
      expect([isMissing(cell), isMissingName(cell)]).toEqual([true, false]);
    },
  );

  it('reads a dash, a star or the word none as a result', () => {
    expect(['-', 'None', '*', '', 'N/A', 'null'].map(isMissingResult)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('ages', () => {
  it.each([
    ['42', { value: 42, unit: 'a' }],
    ['0.5', { value: 0.5, unit: 'a' }],
    ['3 months', { value: 3, unit: 'mo' }],
    ['18m', { value: 18, unit: 'mo' }],
    ['6 wk', { value: 6, unit: 'wk' }],
    ['45 años', { value: 45, unit: 'a' }],
    ['twenty-eight', { value: 28, unit: 'a' }],
    ['ninety nine', { value: 99, unit: 'a' }],
    ['one hundred and two', { value: 102, unit: 'a' }],
    ['treinta y cinco', { value: 35, unit: 'a' }],
    ['two months', { value: 2, unit: 'mo' }],
    ['65+', undefined],
    ['200', undefined],
    ['old', undefined],
  ])('%j', (cell, age) => {
    expect(ageFrom(cell)).toEqual(age);
  });

  it('takes the unit from its own column', () => {
    expect(ageFrom('7', 'Months')).toEqual({ value: 7, unit: 'mo' });
    expect(ageFrom('7', '')).toEqual({ value: 7, unit: 'a' });
    expect(ageFrom('7', 'bananas')).toBeUndefined();
  });

  it.each([
    ['zero', 0],
    ['eleven', 11],
    ['seventy-five', 75],
    ['cien', 100],
    ['veintiuno', 21],
    ['one twenty', undefined],
    ['twenty eleven', undefined],
    ['', undefined],
  ])('%j in words is %s', (text, number) => {
    expect(numberInWords(text)).toBe(number);
  });
});

describe('words', () => {
  it('accepts one slip in a word, and says so', () => {
    expect(wordFrom('Confirmed', classificationWords)).toEqual({ value: 'confirmed', misspelt: false });
    expect(wordFrom('cinfirmed', classificationWords)).toEqual({ value: 'confirmed', misspelt: true });
    expect(wordFrom('susepcted', classificationWords)).toEqual({ value: 'suspect', misspelt: true });
    expect(wordFrom('rscovered', outcomeWords)).toEqual({ value: 'recovered', misspelt: true });
    expect(wordFrom('recovred', outcomeWords)).toEqual({ value: 'recovered', misspelt: true });
    expect(wordFrom('rcovred', outcomeWords)).toBeUndefined();
    expect(wordFrom('ill', outcomeWords)).toEqual({ value: 'ill', misspelt: false });
    expect(wordFrom('all', outcomeWords)).toBeUndefined();
  });

  it('reads yes, no and not known in several languages and codes', () => {
    expect(['Y', 'sí', 'TRUE', '1', '77386006'].map(yesNoFrom)).toEqual([true, true, true, true, true]);
    expect(['n', 'No', '0', '60001007'].map(yesNoFrom)).toEqual([false, false, false, false]);
    expect(['UNK', 'u', '9', 'desconocido', '261665006'].map(yesNoFrom)).toEqual(Array(5).fill('unknown'));
    expect(yesNoFrom('perhaps')).toBeUndefined();
  });
});
