import { describe, expect, test } from 'vitest';
import { base32, matchingStep, stepAt, totpAddress, totpCode } from './totp.ts';

// The secret and the codes of RFC 6238, appendix B, cut to six digits.
const secret = Buffer.from('12345678901234567890');

describe('codes of an authenticator app', () => {
  test.each([
    ['1970-01-01T00:00:59Z', '287082'],
    ['2005-03-18T01:58:29Z', '081804'],
    ['2005-03-18T01:58:31Z', '050471'],
    ['2009-02-13T23:31:30Z', '005924'],
    ['2033-05-18T03:33:20Z', '279037'],
    ['2603-10-11T11:33:20Z', '353130'],
  ])('at %s it is %s, as in RFC 6238', (at, code) => {
    expect(totpCode(secret, stepAt(Date.parse(at)))).toBe(code);
  });

  const now = Date.parse('2026-03-01T12:00:10Z');
  const step = stepAt(now);

  test('one step before and after the present one are accepted, for clocks that are wrong; two are not', () => {
    const found = [-2, -1, 0, 1, 2].map((away) =>
      matchingStep(secret, totpCode(secret, step + away), -1, now),
    );
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  test('no code is accepted twice, nor one older than the last', () => {
    expect(matchingStep(secret, totpCode(secret, step), step, now)).toBeUndefined();
    expect(matchingStep(secret, totpCode(secret, step - 1), step, now)).toBeUndefined();
    expect(matchingStep(secret, totpCode(secret, step + 1), step, now)).toBe(step + 1);
  });

  test('refuses what is not a code', () => {
    for (const text of ['', '12345', '1234567', 'abcdef', '１２３４５６', '12 456'])
      expect(matchingStep(secret, text, -1, now)).toBeUndefined();
  });

  test('[RFC 4648] base 32', () => {
    const written = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) =>
      base32(Buffer.from(text)),
    );
    expect(written).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
  });

  test('the address in the QR code names product and account', () => {
    expect(
      totpAddress({ secret: 'MZXW6', issuer: 'Caseway health.example', username: 'a+b@c.example' }),
    ).toBe(
      'otpauth://totp/Caseway%20health.example:a%2Bb%40c.example?secret=MZXW6&issuer=Caseway%20health.example',
    );
  });
});
