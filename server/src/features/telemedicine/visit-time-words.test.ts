import { expect, test } from 'vitest';
import { wordsIn } from '../../platform/words/words.ts';
import { visitTimeIn } from './visit-time-words.ts';

test('the time of a visit is given in each language, in the tenant’s time zone, with its name', () => {
  // At 15:05 UTC the clocks of New York, then five hours behind, show 10:05.
  const said = (language: string) => visitTimeIn(language, 'America/New_York', '2026-12-04T15:05:00.000Z');
  expect(said('en')).toBe('Friday, December 4, 2026, 10:05 AM\nEastern Time (New York)');
  expect(said('en-GB')).toBe('Friday, December 4, 2026, 10:05 AM\nEastern Time (New York)');
  expect(said('es')).toBe('viernes, 4 de diciembre de 2026, 10:05\nHora oriental (Nueva York)');
  expect(said('ht')).toBe('vandredi 4 desanm 2026, 10:05\nLè lès (Nouyòk)');
});

test.each(['en', 'es', 'ht'])('the sample on the settings reads like a message: %s', (language) => {
  const of = (namespace: string) => wordsIn(namespace, language, 'PUBLIC_HEALTH');
  const sample = of('settings');
  expect(sample('sample.when')).toBe(visitTimeIn(language, 'America/New_York', '2026-12-04T15:00:00.000Z'));
  expect(sample('sample.how')).toBe(of('portal')('mail.byVideo'));
});

test('the day is that of the tenant', () => {
  // In Honolulu, ten hours behind, it is still the day before.
  expect(visitTimeIn('ht', 'Pacific/Honolulu', '2026-02-01T08:00:00.000Z')).toBe(
    'samdi 31 janvye 2026, 22:00\nLè Awayi (Honolulu)',
  );
});
