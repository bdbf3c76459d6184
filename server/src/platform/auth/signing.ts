import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { OrgType } from '@caseway/contract/session';
import { orgTypes } from '@caseway/contract/session';
import { jwtVerify, SignJWT } from 'jose';
import { FreshCache } from './fresh-cache.ts';

/** The audience of a challenge, session or token. The other audience refuses it. */
export type Audience = 'staff' | 'patient';

export interface AccessClaims {
  accountId: string;
  sessionId: string;
  audience: Audience;
}
export interface RefreshClaims extends AccessClaims {
  /** Random; tells the session's refresh tokens apart. */
  serial: string;
}
export interface RefreshTimes {
  issuedAt: Date;
  /** It expires if it is not used for this long. */
  idleMinutes: number;
  /** When the session ends, however much it is used. */
  endsAt: Date;
}
export interface OrgClaims {
  accountId: string;
  orgType: OrgType;
  orgId: string;
  tenantId: string;
}

/** A step that a person begins for their own account and completes with a code that is sent or shown. */
export type OwnStep = 'totp' | 'passkey' | 'contact';

/** Letters and digits that cannot be confused, for codes that people write down. */
export const codeAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Milliseconds for which an access token is valid. [S3.7] */
export const accessLifeMs = 15 * 60_000;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isId = (value: unknown) => typeof value === 'string' && uuidForm.test(value);

/**
 * Everything that the server signs. Each purpose has a key derived from TOKEN_SECRET, so that nothing signed for one
 * purpose is valid for another. Reading returns undefined if it was not signed here, was changed or has expired,
 * without the reason.
 */
export class Signing {
  readonly #keys: Record<
    | 'access'
    | 'refresh'
    | 'details'
    | 'own'
    | 'device'
    | 'org'
    | 'code'
    | 'subject'
    | 'totp'
    | 'passkey'
    | 'recovery',
    KeyObject
  >;

  readonly #accessTokens = new FreshCache<{ claims: AccessClaims; endsAtMs: number } | undefined>({
    freshMs: accessLifeMs,
    capacity: 5000,
  });

  constructor(secret: string) {
    // Key objects, because a key given as bytes is parsed again with every use, which takes five times as long.
    const derived = (purpose: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'caseway', `caseway ${purpose} 1`, 32)));
    this.#keys = {
      access: derived('access token'),
      refresh: derived('refresh token'),
      details: derived('challenge details'),
      own: derived('own step'),
      device: derived('known device'),
      org: derived('organisation token'),
      code: derived('one-time code'),
      subject: derived('sign-in subject'),
      totp: derived('authenticator app'),
      passkey: derived('passkey challenge'),
      recovery: derived('recovery code'),
    };
  }

  async accessToken({ accountId, sessionId, audience }: AccessClaims, nowMs = Date.now()): Promise<string> {
    const expires = Math.floor((nowMs + accessLifeMs) / 1000);
    return this.#sign('access', {
      sub: accountId,
      sid: sessionId,
      aud: audience,
      exp: expires,
      atExpAt: expires * 1000,
    });
  }

  /** Every request has a token: its signature is checked once, its expiry each time. */
  async readAccessToken(token: string): Promise<AccessClaims | undefined> {
    const read = await this.#accessTokens.get(token, async () => {
      const payload = await this.#read('access', token);
      if (!payload) return undefined;
      const claims: AccessClaims = {
        accountId: payload.sub as string,
        sessionId: payload.sid as string,
        audience: payload.aud as Audience,
      };
      return { claims, endsAtMs: (payload.exp as number) * 1000 };
    });
    return read && Date.now() < read.endsAtMs ? read.claims : undefined;
  }

  /** The same claims and times give the same token, letter for letter. */
  async refreshToken(claims: RefreshClaims, times: RefreshTimes): Promise<string> {
    const { accountId, sessionId, audience, serial } = claims;
    const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
    return this.#sign('refresh', {
      sub: accountId,
      sid: sessionId,
      jti: serial,
      ...(audience === 'patient' && { patient: true }),
      iat: seconds(times.issuedAt),
      exp: Math.min(seconds(times.issuedAt) + times.idleMinutes * 60, seconds(times.endsAt)),
      idle: times.idleMinutes,
      ends: seconds(times.endsAt),
    });
  }

  async readRefreshToken(token: string, { lapsed = false } = {}): Promise<RefreshClaims | undefined> {
    const payload = await this.#read('refresh', token, lapsed);
    if (!payload) return undefined;
    return {
      accountId: payload.sub as string,
      sessionId: payload.sid as string,
      audience: payload.patient === true ? 'patient' : 'staff',
      serial: payload.jti as string,
    };
  }

  /** The next serial in rotation. It can be computed again, so it need not be stored. [P13] */
  nextSerial(serial: string): string {
    return createHmac('sha256', this.#keys.refresh).update(`after ${serial}`).digest('base64url');
  }

  /** The stored form of a serial. */
  serialHash(serial: string): Buffer {
    return createHash('sha256').update(serial).digest();
  }

  /** The details of a challenge, with the same length for every challenge of an audience. */
  async challengeDetails(challengeId: string, audience: Audience, expiresAt: Date): Promise<string> {
    return this.#sign('details', {
      jti: challengeId,
      aud: audience,
      exp: Math.floor(expiresAt.getTime() / 1000),
    });
  }

  /** The challenge's id, even of expired details: the challenge has its own expiry. */
  async readChallengeDetails(details: string, audience: Audience): Promise<string | undefined> {
    const payload = await this.#read('details', details, true);
    return payload && payload.aud === audience ? (payload.jti as string) : undefined;
  }

  /** The six digits that answer a challenge. They look random without the server's secret. */
  oneTimeCode(challengeId: string): string {
    const number =
      createHmac('sha256', this.#keys.code).update(challengeId).digest().readBigUInt64BE() % 1_000_000n;
    return String(number).padStart(6, '0');
  }

  /** Whether a secret is the challenge's code. Takes the same time for every wrong one. */
  isOneTimeCode(challengeId: string, secret: string): boolean {
    const given = createHash('sha256').update(secret).digest();
    return timingSafeEqual(given, createHash('sha256').update(this.oneTimeCode(challengeId)).digest());
  }

  /** A token for a step that an account has begun. */
  async ownDetails(step: OwnStep, accountId: string, id: string, expiresAt: Date): Promise<string> {
    const expires = Math.floor(expiresAt.getTime() / 1000);
    return this.#sign('own', { sub: accountId, jti: id, step, exp: expires });
  }

  /** The id of a step that this account has begun and that has not expired. */
  async readOwnDetails(step: OwnStep, accountId: string, details: string): Promise<string | undefined> {
    const payload = await this.#read('own', details);
    return payload?.step === step && payload.sub === accountId ? (payload.jti as string) : undefined;
  }

  /** Records that these accounts have signed in on a browser. */
  deviceToken(id: string, accounts: readonly string[], expiresAt: Date): Promise<string> {
    return this.#sign('device', { jti: id, accounts, exp: Math.floor(expiresAt.getTime() / 1000) });
  }

  async readDeviceToken(token: string): Promise<{ id: string; accounts: string[] } | undefined> {
    const payload = await this.#read('device', token);
    return payload && { id: payload.jti as string, accounts: payload.accounts as string[] };
  }

  /** The secret of an authenticator app, derived only from its seed. */
  totpSecret(seed: string): Buffer {
    return createHmac('sha256', this.#keys.totp).update(seed).digest().subarray(0, 20);
  }

  /** What a passkey signs to answer a challenge or to be added. */
  passkeyChallenge(id: string): Buffer {
    return createHmac('sha256', this.#keys.passkey).update(id).digest();
  }

  /** The six digits that one of the two addresses of a contact change has to answer with. */
  contactCode(changeId: string, place: 'new' | 'present'): string {
    return this.oneTimeCode(`${changeId} ${place}`);
  }

  isContactCode(changeId: string, place: 'new' | 'present', given: string): boolean {
    return this.isOneTimeCode(`${changeId} ${place}`, given);
  }

  /** The stored form of a recovery code. */
  recoveryHash(accountId: string, code: string): Buffer {
    return createHmac('sha256', this.#keys.recovery).update(`${accountId} ${code}`).digest();
  }

  /** The code that completes an approved recovery of an account, or stops it: sixteen letters, too many to guess. */
  accountRecoveryCode(recoveryId: string, purpose: 'complete' | 'stop'): string {
    const bytes = createHmac('sha256', this.#keys.code).update(`recovery ${purpose} ${recoveryId}`).digest();
    const letters = Array.from(
      { length: 16 },
      (_, at) => codeAlphabet[bytes.readUInt16BE(at * 2) % codeAlphabet.length],
    ).join('');
    return letters.replaceAll(/.{4}(?!$)/g, '$&-');
  }

  /** The key to find such a code by, in any spelling. */
  accountRecoveryHash(purpose: 'complete' | 'stop', code: string): Buffer {
    const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
    return createHmac('sha256', this.#keys.recovery).update(`${purpose} ${plain}`).digest();
  }

  /** The key to count the sign-in limits of an account or an unknown name by. */
  subjectOf(kind: 'account' | 'name' | 'device', audience: Audience, value: string): Buffer {
    return createHmac('sha256', this.#keys.subject).update(`${kind} ${audience} ${value}`).digest();
  }

  /** The token of an organisation for one account. [S3.3] Signed synchronously, because some people have hundreds. */
  orgToken({ accountId, orgType, orgId, tenantId }: OrgClaims): string {
    const body = Buffer.concat([
      Buffer.of(1, orgTypes.indexOf(orgType)),
      ...[accountId, orgId, tenantId].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex')),
    ]);
    return Buffer.concat([body, this.#orgSeal(body)]).toString('base64url');
  }

  readOrgToken(token: string): OrgClaims | undefined {
    const bytes = Buffer.from(token, 'base64url');
    // A different spelling of the same bytes was not signed here either.
    if (bytes.length !== 82 || bytes[0] !== 1 || bytes.toString('base64url') !== token) return undefined;
    const body = bytes.subarray(0, 50);
    if (!timingSafeEqual(bytes.subarray(50), this.#orgSeal(body))) return undefined;
    const orgType = orgTypes[body[1]!];
    if (!orgType) return undefined;
    const id = (at: number) =>
      body
        .subarray(at, at + 16)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return { orgType, accountId: id(2), orgId: id(18), tenantId: id(34) };
  }

  #orgSeal(body: Buffer): Buffer {
    return createHmac('sha256', this.#keys.org).update(body).digest();
  }

  #sign(
    purpose: 'access' | 'refresh' | 'details' | 'own' | 'device',
    payload: Record<string, unknown>,
  ): Promise<string> {
    return new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(this.#keys[purpose]);
  }

  async #read(
    purpose: 'access' | 'refresh' | 'details' | 'own' | 'device',
    token: string,
    lapsed = false,
  ): Promise<Record<string, unknown> | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#keys[purpose], {
        algorithms: ['HS256'],
        // Expired details are checked as of their start.
        ...(lapsed && { currentDate: new Date(0) }),
      });
      const ids = {
        device: ['jti'],
        details: ['jti'],
        own: ['sub', 'jti'],
        access: ['sub', 'sid'],
        refresh: ['sub', 'sid'],
      };
      return ids[purpose].every((name) => isId(payload[name])) ? payload : undefined;
    } catch {
      return undefined;
    }
  }
}
