import { describe, expect, test } from 'vitest';
import { sessionEnd } from './session-end.ts';

const minute = 60_000;
const begun = Date.UTC(2026, 2, 1, 9, 0);
const claims = (idle: number, hours = 24) => ({
  iat: begun / 1000,
  idle,
  ends: (begun + hours * 60 * minute) / 1000,
});

describe('[S8.1] the end of a session', () => {
  test('comes after an hour without activity, with a warning five minutes before', () => {
    const last = begun + 20 * minute;
    expect(sessionEnd(claims(60), last)).toEqual({
      because: 'unused',
      at: last + 60 * minute,
      warnAt: last + 55 * minute,
      renewAt: begun + 15 * minute,
    });
  });

  test('with a short idle time, the warning takes a third of it', () => {
    expect(sessionEnd(claims(12), begun)).toMatchObject({
      at: begun + 12 * minute,
      warnAt: begun + 8 * minute,
      renewAt: begun + 3 * minute,
    });
  });

  test('comes by age even with activity', () => {
    const last = begun + 7.9 * 60 * minute;
    expect(sessionEnd(claims(60, 8), last)).toMatchObject({
      because: 'age',
      at: begun + 8 * 60 * minute,
      warnAt: begun + 7 * 60 * minute + 55 * minute,
    });
  });

  test('is unknown for a token that does not say it', () => {
    expect(sessionEnd({ iat: 1 }, begun)).toBeNull();
  });
});
