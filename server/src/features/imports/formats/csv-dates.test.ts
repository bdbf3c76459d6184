import { describe, expect, it } from 'vitest';
import { dateFormOf, parseCsvTime } from './csv-dates.ts';

const clock = { timeZone: 'America/New_York' };
/** The value, the instant if there is one, or the fault. */
function read(text: string, options: { order?: 'dmy' | 'mdy'; birth?: boolean } = {}) {
  const result = parseCsvTime(text, { ...clock, ...options });
  if (typeof result !== 'object') return result;
  return result.time.instant === undefined
    ? result.time.value
    : `${result.time.value} ${result.time.instant.slice(0, 16)}`;
}

describe('dates as people write them', () => {
  it.each([
    ['2020-03-05', '2020-03-05'],
    ['2020/3/5', '2020-03-05'],
    ['2020.03.05', '2020-03-05'],
    ['20200305', '2020-03-05'],
    ['5-Mar-20', '2020-03-05'],
    ['05 March 2020', '2020-03-05'],
    ['5th March, 2020', '2020-03-05'],
    ['March 5, 2020', '2020-03-05'],
    ['Mar 05, 2020', '2020-03-05'],
    ['Sept. 5, 2020', '2020-09-05'],
    ['5 de marzo de 2020', '2020-03-05'],
    ['Ene 14, 2021', '2021-01-14'],
    ['13 septanm 2020', '2020-09-13'],
    ['5 jiyè 2020', '2020-07-05'],
    ['13 août 2020', '2020-08-13'],
    ['12/31/2020 24:00', '2021-01-01 2021-01-01T05:00'],
    ['31/01/2020', '2020-01-31'],
    ['1-31-2020', '2020-01-31'],
    ['31/ 12 /14', '2014-12-31'],
    ['28.2.2020', '2020-02-28'],
    ['03/03/2020', '2020-03-03'],
    ['2020', '2020'],
    ['Mar 2020', '2020-03'],
    ['3/2020', '2020-03'],
    ['2020-03', '2020-03'],
    ['43895', '2020-03-05'],
    ['43895.5', '2020-03-05 2020-03-05T17:00'],
    ['12/20/21 9:00', '2021-12-20 2021-12-20T14:00'],
    ['12/20/2021 4:00 MST', '2021-12-20 2021-12-20T11:00'],
    ['12/20/2021 9:05 pm', '2021-12-20 2021-12-21T02:05'],
    ['12/20/2021 12:30 AM', '2021-12-20 2021-12-20T05:30'],
    ['2020-10-10T17:42:31+00:00', '2020-10-10 2020-10-10T17:42'],
    ['2022-01-25 00:00:00.000', '2022-01-25 2022-01-25T05:00'],
    ['202107141914-0500', '2021-07-14 2021-07-15T00:14'],
  ])('%s is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('never guesses the order of day and month', () => {
    expect(read('03/05/2020')).toBe('order-unknown');
    expect(read('03/05/2020', { order: 'mdy' })).toBe('2020-03-05');
    expect(read('03/05/2020', { order: 'dmy' })).toBe('2020-05-03');
  });

  it('reads a date that can only be read against the order of its column, and says so', () => {
    expect(parseCsvTime('31/01/2020', { ...clock, order: 'mdy' })).toMatchObject({
      againstOrder: true,
      time: { value: '2020-01-31' },
    });
    expect(parseCsvTime('31/01/2020', { ...clock, order: 'dmy' })).not.toHaveProperty('againstOrder');
  });

  it('puts a two-digit birth year in the past', () => {
    expect(read('15-Mar-87', { birth: true })).toBe('1987-03-15');
    const coming = String((new Date().getUTCFullYear() + 1) % 100).padStart(2, '0');
    expect(read(`15-Mar-${coming}`, { birth: true })).toBe(`19${coming}-03-15`);
    expect(read(`3/15/${coming}`, { birth: true })).toBe(`19${coming}-03-15`);
  });

  it('leaves a four-digit birth year unchanged, even in the future', () => {
    const coming = new Date().getUTCFullYear() + 1;
    for (const text of [`${coming}-03-15`, `3/15/${coming}`, `15-Mar-${coming}`])
      expect(read(text, { birth: true })).toBe(`${coming}-03-15`);
  });

  it.each([
    ['30/02/2020', 'invalid'],
    ['31-Jun-2020', 'invalid'],
    ['32/01/2020', 'invalid'],
    ['13/13/2020', 'invalid'],
    ['Sep /11/Y', 'invalid'],
    ['5-Foo-2020', 'invalid'],
    ['yesterday', 'invalid'],
    ['12/20/2021 25:00', 'invalid'],
    ['12/20/2021 9:00 XYZ', 'invalid'],
    ['99/99/9999', 'unspecified'],
    ['00/00/0000', 'unspecified'],
    ['9999-99-99', 'unspecified'],
    ['1776-07-04', 'implausible'],
  ])('%s is %s', (text, fault) => {
    expect(read(text)).toBe(fault);
  });
});

describe('what a text says about the order of day and month', () => {
  it.each([
    ['31/01/2020', 'dmy'],
    ['01/31/2020', 'mdy'],
    ['03/05/2020', 'either'],
    ['03/03/2020', 'same'],
    ['2020-03-05', 'ordered'],
    ['5-Mar-20', 'ordered'],
    ['43895', 'ordered'],
    ['20200305', 'ordered'],
    ['2106-3', 'none'],
    ['2186-5', 'none'],
    ['94558-4', 'none'],
    ['hello', 'none'],
    ['12', 'none'],
    ['20201332', 'none'],
  ])('%s: %s', (text, form) => {
    expect(dateFormOf(text)).toBe(form);
  });
});
