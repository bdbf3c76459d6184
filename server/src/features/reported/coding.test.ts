import { describe, expect, it } from 'vitest';
import { e164Of, ethnicityOf, isEmail, phoneOf, raceOf, sexOf } from '../patients/demographics.ts';
import { codedValue, codeOf, numberOf, numericOf, systemOf, wordsOnly } from './coding.ts';

describe('codes', () => {
  it.each([
    ['LN', 'LN'],
    ['loinc', 'LN'],
    ['2.16.840.1.113883.6.1', 'LN'],
    ['SNOMED-CT', 'SCT'],
    ['I10', 'I10C'],
    ['99LAB', '99LAB'],
  ])('the system %j is %s', (sent, system) => {
    expect(systemOf(sent)).toBe(system);
  });

  it.each([
    ['43304-5', 'LN', { system: 'LN' }],
    ['43304-6', 'LN', { system: 'LN', checkDigitWrong: true }],
    ['260385009', 'SCT', { system: 'SCT' }],
    ['260415007', 'SCT', { system: 'SCT', checkDigitWrong: true }],
    ['43304-5', undefined, { inferred: 'LN' }],
    ['43304-5', 'kwpa1z', { system: 'KWPA1Z', inferred: 'LN' }],
    ['43304-6', undefined, {}],
    ['260385009', undefined, { inferred: 'SCT' }],
    ['43304-5', 'L', { system: 'L' }],
    ['43304-5', '99NORTH', { system: '99NORTH' }],
  ])('%s in %s', (code, system, expected) => {
    expect(codeOf(code, undefined, system)).toEqual({ code, ...expected });
  });

  it('shows the original text, or else the first text, or else the code', () => {
    const coded = codeOf('1', 'one', 'L');
    expect(codedValue([coded], 'eins')?.text).toBe('eins');
    expect(codedValue([codeOf('1', undefined, 'L'), codeOf('2', 'two', 'L')])?.text).toBe('two');
    expect(codedValue([codeOf('1', undefined, 'L')])?.text).toBe('1');
    expect(codedValue([undefined])).toBeUndefined();
  });
});

describe('numbers', () => {
  it.each([
    ['12', 12],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['1,250', 1250],
    ['1.5e3', 1500],
    ['12,5', 12.5],
    ['3,25', 3.25],
    ['1,2345', undefined],
    ['1,5,2', undefined],
    ['1 2', undefined],
    ['', undefined],
    ['0x10', undefined],
    ['1e999', undefined],
  ])('%j is %s', (text, number) => {
    expect(numberOf(text)).toBe(number);
  });

  it.each([
    ['<20', { comparator: '<', number: 20 }],
    ['>= 1,000', { comparator: '>=', number: 1000 }],
    ['≤5', { comparator: '<=', number: 5 }],
    ['1:64', { number: 1, separator: ':', second: 64 }],
    ['2-4', { number: 2, separator: '-', second: 4 }],
    ['>1:64', { comparator: '>', number: 1, separator: ':', second: 64 }],
    ['5 mg', undefined],
    ['negative', undefined],
  ])('%j as a numeric value', (text, numeric) => {
    expect(numericOf(text)).toEqual(numeric);
  });
});

describe('people', () => {
  it.each([
    ['M', 'M'],
    ['female', 'F'],
    ['Mujer', 'F'],
    ['otro', 'O'],
    ['UNK', 'U'],
    ['N', 'U'],
    ['zzz', undefined],
  ])('sex %j is %s', (sent, sex) => {
    expect(sexOf(sent)).toBe(sex);
  });

  it('gives races and ethnicities their CDC code by code first, then by words', () => {
    expect(raceOf({ codes: [{ code: '1002-5', text: 'native' }], text: 'native' }).cdc).toBe('1002-5');
    expect(raceOf({ codes: [{ code: '9999', text: 'White' }], text: 'White' }).cdc).toBe('2106-3');
    expect(raceOf(wordsOnly('Black or African American')).cdc).toBe('2054-5');
    expect(raceOf(wordsOnly('Asiático')).cdc).toBe('2028-9');
    expect(raceOf(wordsOnly('Klingon'))).toEqual({ raw: wordsOnly('Klingon'), cdc: undefined });
    expect(ethnicityOf({ codes: [{ code: 'NH', text: 'Not Hispanic' }], text: 'Not Hispanic' }).cdc).toBe(
      '2186-5',
    );
    expect(ethnicityOf(wordsOnly('Hispanic or Latino')).cdc).toBe('2135-2');
  });

  it.each([
    ['(970) 555-0144', undefined, '+19705550144'],
    ['9705550144', undefined, '+19705550144'],
    ['1-970-555-0144', undefined, '+19705550144'],
    ['+52 55 1234 5678', undefined, '+525512345678'],
    ['5512345678', '52', '+525512345678'],
    ['9705550144', '+1', '+19705550144'],
    ['111-1111111', undefined, undefined],
    ['555-0144', undefined, undefined],
    ['+1 970 055 0144', undefined, undefined],
    ['0612345678', '33', undefined],
    ['unknown', undefined, undefined],
  ])('phone %j with country %s is %s', (sent, country, e164) => {
    expect(e164Of(sent, country)).toBe(e164);
  });

  it('splits an extension off a phone number', () => {
    expect(phoneOf('970-555-0144 x12')).toMatchObject({
      raw: '970-555-0144 x12',
      e164: '+19705550144',
      extension: '12',
    });
  });

  it('knows an email address by its form', () => {
    expect(['a.b@example.test', 'a@b', 'a b@example.test', '@example.test'].map(isEmail)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
