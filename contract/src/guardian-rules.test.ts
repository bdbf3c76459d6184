import { expect, test } from 'vitest';
import { birthday, guardianBar, hiddenFromGuardian, isGuardianToday, isTooYoung } from './guardian-rules.ts';

const rules = {
  ownAccountAge: 13,
  guardianUntilAge: 16,
  guardianRights: ['results'],
  guardianFamilies: ['chlamydia'],
  guardianFamiliesUntilAge: 12,
} as const;

test('an age is reached on the birthday, and on March 1 by those born on February 29', () => {
  expect(birthday('2013-05-06', 13)).toBe('2026-05-06');
  expect(birthday('2012-02-29', 13)).toBe('2025-03-01');
  expect(birthday('2012-02-29', 16)).toBe('2028-02-29');
  expect(birthday('2013-05-06', 0)).toBe('2013-05-06');
});

test('people below the age have no account of their own; of an unknown age nothing is said', () => {
  expect(isTooYoung('2013-05-06', rules, '2026-05-05')).toBe(true);
  expect(isTooYoung('2013-05-06', rules, '2026-05-06')).toBe(false);
  expect(isTooYoung(null, rules, '2026-05-05')).toBe(false);
});

test('nobody is a guardian of a person who is old enough, or whose day of birth is not known', () => {
  expect(guardianBar('2010-05-06', rules, '2026-05-05')).toBeNull();
  expect(guardianBar('2010-05-06', rules, '2026-05-06')).toBe('too-old');
  expect(guardianBar(null, rules, '2026-05-06')).toBe('no-birth-date');
  expect(guardianBar('2026-01-01', { guardianUntilAge: 0 }, '2026-01-01')).toBe('too-old');
});

test('a guardian sees a child from the first day to the last, to the day before the birthday, or to the end', () => {
  const link = { from: '2026-01-10', until: '2026-02-01', ended: false };
  const on = (today: string, more: Partial<typeof link> | { until: null } = {}) =>
    isGuardianToday({ ...link, ...more }, '2010-05-06', rules, today);
  expect(on('2026-01-09')).toBe(false);
  expect(on('2026-01-10')).toBe(true);
  expect(on('2026-02-01')).toBe(true);
  expect(on('2026-02-02')).toBe(false);
  expect(on('2026-01-20', { ended: true })).toBe(false);
  expect(on('2026-05-05', { until: null })).toBe(true);
  expect(on('2026-05-06', { until: null })).toBe(false);
  // An end that was set by earlier rules does not outlive the birthday of the present ones.
  expect(on('2026-05-06', { until: '2028-05-05' })).toBe(false);
  expect(isGuardianToday(link, null, rules, '2026-01-20')).toBe(false);
});

test('sensitive families are hidden unless the rules list them, and then until an age', () => {
  const sensitive = ['hiv', 'chlamydia'];
  expect(hiddenFromGuardian(sensitive, '2014-05-06', rules, '2026-05-05')).toEqual(['hiv']);
  expect(hiddenFromGuardian(sensitive, '2014-05-06', rules, '2026-05-06')).toEqual(['hiv', 'chlamydia']);
  expect(
    hiddenFromGuardian(sensitive, '2014-05-06', { ...rules, guardianFamilies: [] }, '2015-01-01'),
  ).toEqual(['hiv', 'chlamydia']);
});
