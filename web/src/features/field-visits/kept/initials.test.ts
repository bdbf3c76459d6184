import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test('a person in the list is shown by initials', () => {
  expect(initialsOf('Okafor, Ada')).toBe('A. O.');
  expect(initialsOf('Élie')).toBe('É.');
  expect(initialsOf('de la Cruz, José María')).toBe('J. D.');
  expect(initialsOf(null)).toBe('');
});
