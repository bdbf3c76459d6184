import { expect, test } from 'vitest';
import { wordsIn } from './words.ts';

const facility = (language: string, experience: string) =>
  wordsIn('case-reports', language, experience)('column.facility');

test('[S1.5] the words of the server are those of the experience, in each language', () => {
  expect(
    ['en', 'en-GB', 'es', 'es-MX', 'ht'].map((language) => [
      facility(language, 'PUBLIC_HEALTH'),
      facility(language, 'EDUCATION'),
      facility(language, 'CORRECTIONS'),
      facility(language, 'WORKPLACE'),
    ]),
  ).toEqual([
    ['Facility', 'School', 'Site', 'Worksite'],
    ['Facility', 'School', 'Site', 'Worksite'],
    ['Establecimiento', 'Escuela', 'Centro', 'Lugar de trabajo'],
    ['Establecimiento', 'Escuela', 'Centro', 'Lugar de trabajo'],
    ['Etablisman', 'Lekòl', 'Sit', 'Kote travay'],
  ]);
});

test('[S1.5] the plural form follows the experience in a key', () => {
  expect(wordsIn('settings', 'en-GB', 'EDUCATION')('guideCount.places_other')).toBe(
    '{{count}} organisations and schools',
  );
});

test('[S1.5] a tenant changes the words of an experience, separately from the default ones', () => {
  const overrides = {
    es: { 'case-reports:column.facility_EDUCATION': 'Plantel', 'case-reports:column.facility': 'Sede' },
  };
  const words = (experience: string) =>
    wordsIn('case-reports', 'es', experience, overrides)('column.facility');
  expect([words('EDUCATION'), words('PUBLIC_HEALTH'), words('CORRECTIONS')]).toEqual([
    'Plantel',
    'Sede',
    'Centro',
  ]);
});
