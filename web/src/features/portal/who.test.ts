import { describe, expect, test } from 'vitest';
import { dayOf, readWho } from './who.ts';

describe('the name a patient types to sign in [S7.3]', () => {
  test.each([
    [' Ana@Example.org ', { email: 'Ana@Example.org' }],
    ['(813) 555-0142', { phone: '+18135550142' }],
    ['1 813 555 0142', { phone: '+18135550142' }],
    ['+509 3412 3456', { phone: '+50934123456' }],
    ['abcd-2345', { patientId: 'abcd-2345' }],
    ['ABCD 2345', { patientId: 'ABCD 2345' }],
    ['k7mp-2x9q', { patientId: 'k7mp-2x9q' }],
    ['MR 4277574', { patientId: 'MR 4277574' }],
    ['hjkmnpqr', { patientId: 'hjkmnpqr' }],
  ])('%j', (typed, who) => {
    expect(readWho(typed)).toEqual({ who });
  });

  test.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['ana@', 'email'],
    ['ana@example', 'email'],
    ['555 0177', 'areaCode'],
    ['555-0177', 'areaCode'],
    ['12345', 'phone'],
    ['813 555 01', 'phone'],
    ['marisol', 'other'],
    ['fernando', 'other'],
    ['x', 'other'],
    ['Maria Garcia', 'other'],
  ])('%j is refused: %s', (typed, fault) => {
    expect(readWho(typed)).toEqual({ fault });
  });
});

test.each([
  ['1984', '5', '6', '1984-05-06'],
  ['1984', '02', '29', '1984-02-29'],
  ['1983', '2', '29', null],
  ['84', '5', '6', null],
  ['1984', '13', '6', null],
])('the day of %s, %s, %s is %s', (year, month, day, iso) => {
  expect(dayOf(year, month, day)).toBe(iso);
});
