import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { workOf } from '../../../test/durations.ts';
import { Signing } from './signing.ts';

const signing = new Signing('a secret of this test');
const claims = { accountId: randomUUID(), sessionId: randomUUID(), audience: 'staff' as const };
const serial = 'AbCdEf';
const now = new Date('2026-03-01T12:00:00Z');
const later = new Date(Date.now() + 3_600_000);
const times = { issuedAt: now, idleMinutes: 60 * 24 * 365 * 10, endsAt: later };

/** Each way to change one character of a token. */
const altered = (token: string) =>
  [...token].map(
    (character, at) => token.slice(0, at) + (character === 'A' ? 'B' : 'A') + token.slice(at + 1),
  );

describe('tokens', () => {
  test('[S3.7] an access token says in epoch milliseconds when it expires: 15 minutes from now', async () => {
    const payload = decodeJwt(await signing.accessToken(claims, Date.UTC(2026, 2, 1, 12, 0, 0)));
    expect(payload.atExpAt).toBe(Date.UTC(2026, 2, 1, 12, 15, 0));
    expect(payload.exp).toBe(Date.UTC(2026, 2, 1, 12, 15, 0) / 1000);
    expect(payload).toMatchObject({ sub: claims.accountId, sid: claims.sessionId, aud: 'staff' });
  });

  test('an access token is read back, but not once it has expired', async () => {
    expect(await signing.readAccessToken(await signing.accessToken(claims))).toEqual(claims);
    expect(
      await signing.readAccessToken(await signing.accessToken(claims, Date.now() - 16 * 60_000)),
    ).toBeUndefined();
  });

  test('[S3.7] a refresh token of a patient carries the flag, one of staff does not', async () => {
    const patient = await signing.refreshToken({ ...claims, audience: 'patient', serial }, times);
    expect(decodeJwt(patient).patient).toBe(true);
    expect(decodeJwt(await signing.refreshToken({ ...claims, serial }, times))).not.toHaveProperty('patient');
    expect(await signing.readRefreshToken(patient)).toEqual({ ...claims, audience: 'patient', serial });
  });

  test('the same refresh token is made again from the same claims and times', async () => {
    const make = () => signing.refreshToken({ ...claims, serial }, times);
    expect(await make()).toBe(await make());
    expect(signing.nextSerial(serial)).toBe(signing.nextSerial(serial));
    expect(signing.nextSerial(serial)).not.toBe(serial);
  });

  test('a token of another kind or another server is refused', async () => {
    const access = await signing.accessToken(claims);
    const refresh = await signing.refreshToken({ ...claims, serial }, times);
    expect(await signing.readRefreshToken(access)).toBeUndefined();
    expect(await signing.readAccessToken(refresh)).toBeUndefined();
    expect(await signing.readChallengeDetails(access, 'staff')).toBeUndefined();
    expect(await new Signing('another secret').readAccessToken(access)).toBeUndefined();
  });

  test('a token without a signature, or with any character changed, is refused', async () => {
    const access = await signing.accessToken(claims);
    const [, payload] = access.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    expect(await signing.readAccessToken(none)).toBeUndefined();
    // The last character of the signature has two unused bits, so only the others must all matter.
    const read = await Promise.all(
      altered(access)
        .slice(0, -1)
        .map((token) => signing.readAccessToken(token)),
    );
    expect(read.filter((one) => one !== undefined)).toEqual([]);
  });
});

describe('challenge', () => {
  test('[P11] a code has six digits, is the same for a challenge and another for the next', () => {
    const codes = Array.from({ length: 200 }, () => signing.oneTimeCode(randomUUID()));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(new Set(codes).size).toBeGreaterThan(195);
    const id = randomUUID();
    expect(signing.isOneTimeCode(id, signing.oneTimeCode(id))).toBe(true);
    expect(signing.isOneTimeCode(randomUUID(), signing.oneTimeCode(id))).toBe(false);
    expect(signing.isOneTimeCode(id, '')).toBe(false);
  });

  test('details of staff do not work for a patient, and all have the same length', async () => {
    const id = randomUUID();
    const details = await signing.challengeDetails(id, 'staff', later);
    expect(await signing.readChallengeDetails(details, 'staff')).toBe(id);
    expect(await signing.readChallengeDetails(details, 'patient')).toBeUndefined();
    const others = await Promise.all(
      Array.from({ length: 20 }, () => signing.challengeDetails(randomUUID(), 'staff', later)),
    );
    expect(new Set([details, ...others].map((one) => one.length)).size).toBe(1);
  });

  test('limits are counted separately for accounts, names and audiences', () => {
    const subjects = [
      signing.subjectOf('account', 'staff', 'x'),
      signing.subjectOf('name', 'staff', 'x'),
      signing.subjectOf('name', 'patient', 'x'),
    ].map((subject) => subject.toString('hex'));
    expect(new Set(subjects).size).toBe(3);
  });
});

describe('[S3.3] organisation token', () => {
  const org = {
    accountId: randomUUID(),
    orgType: 'PHJ' as const,
    orgId: randomUUID(),
    tenantId: randomUUID(),
  };

  test('is read back whole', () => {
    expect(signing.readOrgToken(signing.orgToken(org))).toEqual(org);
  });

  test('is refused with any character changed, cut, padded or from another server', () => {
    const token = signing.orgToken(org);
    for (const one of [...altered(token), token.slice(0, -1), `${token}=`, `${token}A`, ''])
      expect(signing.readOrgToken(one)).toBeUndefined();
    expect(new Signing('another secret').readOrgToken(token)).toBeUndefined();
  });

  test('500 of them are made in a few milliseconds', async () => {
    const make = () => {
      for (let i = 0; i < 500; i += 1) signing.orgToken(org);
    };
    expect(await workOf(make)).toBeLessThan(1000);
  });
});
