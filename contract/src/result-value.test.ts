import { describe, expect, test } from 'vitest';
import {
  drawnValue,
  isLessThan,
  isSameScale,
  rangePosition,
  reaches,
  resultValue,
  type StoredValue,
} from './result-value.ts';
import { unitInWords, unitOf, units } from './units.ts';

const stored = (more: Partial<StoredValue>): StoredValue => ({
  valueText: null,
  valueNumber: null,
  valueComparator: null,
  units: null,
  referenceRange: null,
  abnormalFlag: null,
  ...more,
});
const shown = (more: Partial<StoredValue>, language = 'en') => resultValue(stored(more), language).text;

describe('a value is written as the laboratory meant it', () => {
  test.each<[string, Partial<StoredValue>, string | null]>([
    ['a titer of structured numbers', { valueText: '1:8', valueNumber: 1, units: '{titer}' }, '1:8'],
    ['another titer is another', { valueText: '1:64', valueNumber: 1, units: '{titer}' }, '1:64'],
    ['a titer with blanks', { valueText: '1 : 128', valueNumber: 1 }, '1:128'],
    ['a bounded titer', { valueText: '>1:1024', valueNumber: 1, valueComparator: '>' }, '> 1:1024'],
    ['a number in the unit of titers', { valueText: '64', valueNumber: 64, units: '{titer}' }, '1:64'],
    ['a titer among words', { valueText: 'REACTIVE, 1:16' }, '1:16'],
    ['two titers among words', { valueText: '1:16, before 1:64' }, '1:16, before 1:64'],
    ['a clock among words', { valueText: 'called at 11:30' }, 'called at 11:30'],
    [
      'a bound',
      { valueText: '<20', valueNumber: 20, valueComparator: '<', units: '{copies}/mL' },
      '< 20 copies per milliliter',
    ],
    [
      'a bound with equality',
      { valueText: '>=10', units: 'm[IU]/mL' },
      '≥ 10 milli-international units per milliliter',
    ],
    [
      'a number with its decimals',
      { valueText: '2.50', valueNumber: 2.5, units: 'ug/dL' },
      '2.50 micrograms per deciliter',
    ],
    [
      'a large number',
      { valueText: '48000', valueNumber: 48000, units: '{copies}/mL' },
      '48,000 copies per milliliter',
    ],
    ['a grouped number', { valueText: '1,250,000' }, '1,250,000'],
    ['an exponent', { valueText: '1.2E5' }, '120,000'],
    ['a small exponent', { valueText: '<1.50e-3' }, '< 0.00150'],
    ['an exponent that nobody reads', { valueText: '3e12' }, '3e12'],
    ['a range', { valueText: '0-5', valueNumber: 0, units: '/[HPF]' }, '0–5 /[HPF]'],
    ['a ratio', { valueText: '1/3', valueNumber: 1 }, '1/3'],
    ['a grade', { valueText: '2+', valueNumber: 2, units: '%' }, '2+'],
    ['a percentage', { valueText: '41', units: '%' }, '41%'],
    [
      'a number kept without text',
      { valueNumber: 3.5, valueComparator: '<', units: 'ug/dL' },
      '< 3.5 micrograms per deciliter',
    ],
    ['words', { valueText: 'Detected' }, 'Detected'],
    ['words with a number kept beside them', { valueText: '12; repeat', valueNumber: 12 }, '12; repeat'],
    ['nothing', {}, null],
    ['blanks', { valueText: '  ' }, null],
    ['a unit that nobody knows', { valueText: '7', units: 'furlong' }, '7 furlong'],
    ['an annotation that nobody knows', { valueText: '7', units: '{spots_seen}' }, '7 spots seen'],
    ['a unit in another spelling', { valueText: '12', units: 'mcg/dl' }, '12 micrograms per deciliter'],
  ])('%s', (_, value, text) => {
    expect(shown(value)).toBe(text);
  });

  test('in Spanish and Creole, with their words and numbers', () => {
    const load = { valueText: '48000', units: '{copies}/mL' };
    expect(shown(load, 'es')).toBe('48,000 copias por mililitro');
    expect(shown(load, 'ht')).toBe('48\u202f000 kopi pa mililit');
    expect(shown({ valueText: '3.5', units: 'ug/dL' }, 'ht')).toBe('3,5 mikwogram pa desilit');
    expect(shown({ valueText: '12', units: 'ug/dL' }, 'en-GB')).toBe('12 micrograms per decilitre');
  });

  test("with the unit's sign if there is room", () => {
    const value = stored({ valueText: '12', units: 'ug/dL' });
    expect(resultValue(value, 'en', { sign: true }).text).toBe('12 micrograms per deciliter (µg/dL)');
  });

  test('tells numbers from words', () => {
    expect(resultValue(stored({ valueText: '1:8' }), 'en').measured).toBe(true);
    expect(resultValue(stored({ valueText: 'Reactive' }), 'en').measured).toBe(false);
  });
});

describe("high, low or within the laboratory's range", () => {
  test.each<[string, string | null, string | null, string | null, string | null]>([
    // value, unit, range, flag, position
    ['12', 'ug/dL', '< 3.5', null, 'high'],
    ['3.5', 'ug/dL', '< 3.5', null, 'high'],
    ['3.4', 'ug/dL', '<3.5', null, 'within'],
    ['250', 'm[IU]/mL', '> 10', null, 'within'],
    ['10', 'm[IU]/mL', '>=10', null, 'within'],
    ['10', 'm[IU]/mL', '>10', null, 'low'],
    ['8', 'm[IU]/mL', '≥10 mIU/mL', null, 'low'],
    ['8', 'm[IU]/mL', '≥10 g/L', null, null],
    ['4.2', 'mmol/L', '3.5-5.0', null, 'within'],
    ['3.4', 'mmol/L', '3.5 - 5.0', null, 'low'],
    ['5.1', 'mmol/L', '(3.5–5.0 mmol/L)', null, 'high'],
    ['11', '10*3/uL', '3.5-10.5 10*3/uL', null, 'high'],
    ['11', 'ug/dL', '3.5-10.5ug/dL', null, 'high'],
    ['<20', '{copies}/mL', '<20', null, 'within'],
    ['<20', '{copies}/mL', '0-50', null, 'within'],
    ['<20', 'mg/dL', '10-50', null, null],
    ['<5', 'mg/dL', '10-50', null, 'low'],
    ['>100', 'mg/dL', '10-50', null, 'high'],
    ['>=50', 'mg/dL', '10-50', null, null],
    ['1:64', '{titer}', '<1:8', null, 'high'],
    ['1:4', null, '<1:8', null, 'within'],
    ['1:8', null, '<1:8', null, 'high'],
    ['12', 'ug/dL', 'less than 3.5', null, 'high'],
    ['12', 'ug/dL', 'Negative', null, null],
    ['12', 'ug/dL', null, 'H', 'high'],
    ['12', 'ug/dL', null, 'LL', 'low'],
    ['12', 'ug/dL', null, 'N', 'within'],
    ['12', 'ug/dL', null, 'A', null],
    ['12', 'ug/dL', '< 3.5', 'N', null],
    ['12', 'ug/dL', '< 3.5', 'H', 'high'],
    ['12', 'ug/dL', null, null, null],
    ['Detected', null, 'Not detected', 'H', null],
    ['2+', null, '<1', null, null],
    ['0-5', '/uL', '0-5', null, 'within'],
    ['6-10', '/uL', '0-5', null, 'high'],
  ])('%s %s, usual %s, flag %s: %s', (valueText, unit, referenceRange, abnormalFlag, position) => {
    expect(rangePosition(stored({ valueText, units: unit, referenceRange, abnormalFlag }))).toBe(position);
  });
});

test('an amount reaches a limit, does not, or it is unknown', () => {
  const immune = (valueText: string, unit: string | null = 'm[IU]/mL') =>
    reaches(stored({ valueText, units: unit }), 10, ['m[IU]/mL', '[IU]/L']);
  expect(['250', '10', '>1000', '≥10'].map((text) => immune(text))).toEqual([true, true, true, true]);
  expect(['9.9', '<10', '<3', '0'].map((text) => immune(text))).toEqual([false, false, false, false]);
  expect(['<12', '>5', 'Reactive'].map((text) => immune(text))).toEqual([null, null, null]);
  expect(immune('12', 'IU/L')).toBe(true);
  expect(immune('12', 'g/L')).toBe(null);
  expect(immune('12', null)).toBe(null);
});

test('a plain number or a titer can be drawn, beside values of the same scale only', () => {
  const number = (more: Partial<StoredValue>) => drawnValue(stored(more))?.number;
  expect(number({ valueNumber: 2.5, units: 'mg/dL' })).toBe(2.5);
  expect(number({ valueText: '1,250' })).toBe(1250);
  expect(number({ valueText: '1:64' })).toBe(64);
  for (const valueText of ['<20', '0-5', '2+', '120/80', 'Detected'])
    expect(number({ valueText }), valueText).toBeUndefined();
  const same = (one: Partial<StoredValue>, other: Partial<StoredValue>) =>
    isSameScale(stored(one), stored(other));
  expect(same({ valueText: '5', units: 'MG/DL' }, { valueText: '6', units: 'mg/dL' })).toBe(true);
  expect(same({ valueText: '5', units: 'mg/dL' }, { valueText: '6', units: 'g/L' })).toBe(false);
  expect(same({ valueText: '5', units: 'mg/dL' }, { valueText: '6' })).toBe(false);
  expect(same({ valueText: '5' }, { valueText: '6' })).toBe(true);
  expect(same({ valueText: '1:8' }, { valueText: '16', units: 'titer' })).toBe(true);
  expect(same({ valueText: '1:8' }, { valueText: '16' })).toBe(false);
});

describe('units [S1.4]', () => {
  test('each has words in each language, and no two share a spelling', () => {
    const spellings = units.flatMap(({ code, sign, also = [] }) => [...new Set([code, sign, ...also])]);
    expect(new Set(spellings).size).toBe(spellings.length);
    for (const { label, labelI18N } of units) {
      expect(label).not.toMatch(/[[\]{}*^]/);
      expect(labelI18N?.es).toBeTruthy();
      expect(labelI18N?.ht).toBeTruthy();
    }
  });

  test('differ in capital letters if these matter', () => {
    expect(unitOf('MG/DL')?.code).toBe('mg/dL');
    expect(unitOf('nonsense')).toBeUndefined();
    expect(unitInWords('nonsense', 'es')).toBe('nonsense');
  });
});

test.each<[string, Partial<StoredValue>, boolean]>([
  ['a bound', { valueText: '<20' }, true],
  ['a bound and words', { valueText: ' ≤ 20 copies/mL' }, true],
  ['a bound kept without text', { valueNumber: 20, valueComparator: '<' }, true],
  ['another bound', { valueText: '>10000000', valueComparator: '>' }, false],
  ['not equal', { valueText: '<>20' }, false],
  ['words', { valueText: 'Indeterminate' }, false],
  ['nothing', {}, false],
])('less than can be counted: %s', (_, more, is) => {
  expect(isLessThan(stored(more))).toBe(is);
});
