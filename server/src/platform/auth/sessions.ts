import { randomBytes } from 'node:crypto';
import type { Proof, Tokens } from '@caseway/contract/session';
import { v7 } from 'uuid';
import { auditAccount, type Origin } from '../audit/auditor.ts';
import type { Database, Tx } from '../db/database.ts';
import { outdateWith } from '../events/hub.ts';
import { AppError } from '../http/app-error.ts';
import type { Call } from '../http/serve.ts';
import { noteSignIn } from './account-state.ts';
import type { Audience, RefreshClaims, RefreshTimes, Signing } from './signing.ts';

/** Seconds in which a replaced refresh token gets the same successor again. [P13] */
const graceSeconds = 10;
/** Minutes after sign-in during which a person may change what protects the account. */
const recentMinutes = 15;

/** Where a sign-in request came from. */
export interface Caller extends Origin {
  userAgent?: string;
}
export const callerOf = (call: Pick<Call, 'header' | 'requestId' | 'address'>): Caller => ({
  userAgent: call.header('user-agent'),
  requestId: call.requestId,
  address: call.address,
});

export interface NewSession {
  accountId: string;
  audience: Audience;
  /** How the person was identified. */
  methods: readonly Proof[];
  /** A second factor was given. */
  secondCheck: boolean;
}

/** An active session, in an account's own list. */
export interface ListedSession {
  id: string;
  userAgent: string | null;
  address: string | null;
  methods: Proof[];
  createdAt: Date;
  lastUsedAt: Date;
  endsAt: Date;
}

/** Why a session is over; part of the audit log. */
export type EndedBecause =
  | 'signed out'
  | 'refresh token used again'
  | 'ended by its owner'
  | 'the account was recovered';

export interface Sessions {
  /** Begins a session, in the transaction that accepted the secret. */
  open(tx: Tx, session: NewSession, caller: Caller): Promise<Tokens>;
  /**
   * The next tokens; undefined if the refresh token is unknown, for another audience, expired, idle or revoked. A
   * token that was replaced longer ago than the grace period revokes its whole session, because a stranger may have
   * it. [P13]
   */
  renew(audience: Audience, refreshToken: string, caller: Caller): Promise<Tokens | undefined>;
  /**
   * Whether the session of a refresh token was ended from elsewhere, or its account closed, so that the device
   * deletes what it keeps. False if the session expired or its own device ended it, and for a reused token, as when
   * an answer was lost on the way.
   */
  wasTakenAway(audience: Audience, refreshToken: string): Promise<boolean>;
  /** Ends the session of a refresh token, even of an expired one. An unknown token has no effect. */
  end(audience: Audience, refreshToken: string, caller: Caller): Promise<void>;
  /**
   * Throws `recent-sign-in-needed` unless the session began a short while ago, with a second factor if its account
   * has one. Only the owner may change what protects an account, not someone at an unlocked screen. In the scope
   * `identity`.
   */
  assertRecent(tx: Tx, sessionId: string): Promise<void>;
  /** Records that this session gave or set up a second factor. In the scope `identity`. */
  markChecked(tx: Tx, sessionId: string): Promise<void>;
  /** The active sessions of an account, the most recently used first. In the scope `identity`. */
  list(tx: Tx, accountId: string): Promise<ListedSession[]>;
  /** Ends active sessions of an account: one, or all except one. Returns the number. In the scope `identity`. */
  endOf(
    tx: Tx,
    accountId: string,
    which: { only: string } | { except: string | null },
    because: EndedBecause,
    caller: Caller,
  ): Promise<number>;
}

export interface SessionsOptions {
  database: Database;
  signing: Signing;
  /** Called immediately when a session has changed or ended, so that this process does not use a cached state. */
  onChanged?: (sessionId: string) => void;
}

/** Session `s` of account `a` is active. */
export const sessionGoesOn = `s.revoked_at is null and s.expires_at > now()
  and s.last_used_at > now() - make_interval(mins => s.idle_minutes) and a.disabled_at is null`;

interface Row {
  refresh_hash: Buffer;
  previous_hash: Buffer | null;
  rotated_at: Date | null;
  expires_at: Date;
  idle_minutes: number;
  in_grace: boolean;
}

export function createSessions({ database, signing, onChanged }: SessionsOptions): Sessions {
  async function tokens(claims: RefreshClaims, times: RefreshTimes): Promise<Tokens> {
    const [accessToken, refreshToken] = await Promise.all([
      signing.accessToken(claims),
      signing.refreshToken(claims, times),
    ]);
    return { accessToken, refreshToken };
  }

  async function endOf(
    tx: Tx,
    accountId: string,
    which: { only: string } | { except: string | null },
    because: EndedBecause,
    caller: Caller,
  ): Promise<number> {
    const only = 'only' in which ? which.only : null;
    const except = 'except' in which ? which.except : null;
    const ended = await tx.rows<{ id: string }>(
      `update session set revoked_at = now(), revoked_because = $4
       where account_id = $1 and revoked_at is null and case when $2::uuid is not null then id = $2
         else id is distinct from $3 and expires_at > now()
           and last_used_at > now() - make_interval(mins => idle_minutes) end
       returning id`,
      [accountId, only, except, because],
    );
    const action = because === 'signed out' ? 'session/signed-out' : 'session/revoked';
    for (const { id } of ended) {
      onChanged?.(id);
      await outdateWith(tx, { kind: 'session', id });
      await auditAccount(tx, accountId, action, { ...caller, sessionId: id, because });
    }
    return ended.length;
  }

  return {
    async open(tx, { accountId, audience, methods, secondCheck }, { userAgent, address }) {
      const claims = {
        accountId,
        sessionId: v7(),
        audience,
        serial: randomBytes(32).toString('base64url'),
      };
      // The strictest of a person's tenants decides.
      const [row] = await tx.rows<{ created_at: Date; expires_at: Date; idle_minutes: number }>(
        `with own as (
           select tenant_id as id from membership where account_id = $3 and ended_at is null
           union select patient_tenant_id from account where id = $3),
         lives as (
           select coalesce(min(t.session_idle_minutes), 60) as idle, coalesce(min(t.session_hours), 24) as hours
           from tenant t join own using (id))
         insert into session (id, audience, account_id, refresh_hash, methods, second_check, expires_at, idle_minutes,
           user_agent, address)
         select $1, $2, $3, $4, $5, $6, now() + make_interval(hours => hours), idle, $7, $8 from lives
         returning created_at, expires_at, idle_minutes`,
        [
          claims.sessionId,
          audience,
          accountId,
          signing.serialHash(claims.serial),
          methods,
          secondCheck,
          userAgent?.slice(0, 300) ?? null,
          address ?? null,
        ],
      );
      await noteSignIn(tx, accountId);
      return tokens(claims, {
        issuedAt: row!.created_at,
        idleMinutes: row!.idle_minutes,
        endsAt: row!.expires_at,
      });
    },

    async renew(audience, refreshToken, caller) {
      const claims = await signing.readRefreshToken(refreshToken);
      if (!claims || claims.audience !== audience) return undefined;
      const { accountId, sessionId, serial } = claims;
      const presented = signing.serialHash(serial);
      const next = { ...claims, serial: signing.nextSerial(serial) };

      const times = await database.withScope({ kind: 'identity' }, async (tx) => {
        // Locked until the end: among simultaneous requests one rotates it, and the others find it rotated.
        const [session] = await tx.rows<Row>(
          `select s.refresh_hash, s.previous_hash, s.rotated_at, s.expires_at, s.idle_minutes,
             coalesce(s.rotated_at > now() - make_interval(secs => $4), false) as in_grace
           from session s join account a on a.id = s.account_id
           where s.id = $1 and s.account_id = $2 and s.audience = $3 and ${sessionGoesOn}
           for update of s`,
          [sessionId, accountId, audience, graceSeconds],
        );
        if (!session) return undefined;
        const from = (issuedAt: Date): RefreshTimes => ({
          issuedAt,
          idleMinutes: session.idle_minutes,
          endsAt: session.expires_at,
        });
        if (presented.equals(session.refresh_hash)) {
          const [row] = await tx.rows<{ rotated_at: Date }>(
            `update session set previous_hash = refresh_hash, refresh_hash = $2, rotated_at = now(), last_used_at = now()
             where id = $1 returning rotated_at`,
            [sessionId, signing.serialHash(next.serial)],
          );
          return from(row!.rotated_at);
        }
        if (session.previous_hash && presented.equals(session.previous_hash) && session.in_grace)
          return from(session.rotated_at!);
        await endOf(tx, accountId, { only: sessionId }, 'refresh token used again', caller);
        return undefined;
      });
      return times && tokens(next, times);
    },

    async wasTakenAway(audience, refreshToken) {
      const claims = await signing.readRefreshToken(refreshToken, { lapsed: true });
      if (!claims || claims.audience !== audience) return false;
      const because: readonly EndedBecause[] = ['ended by its owner', 'the account was recovered'];
      return database.withScope({ kind: 'identity' }, async (tx) => {
        const found = await tx.rows(
          `select from session s join account a on a.id = s.account_id
           where s.id = $1 and s.account_id = $2 and (s.revoked_because = any ($3) or a.disabled_at is not null)`,
          [claims.sessionId, claims.accountId, because],
        );
        return found.length > 0;
      });
    },

    async end(audience, refreshToken, caller) {
      const claims = await signing.readRefreshToken(refreshToken, { lapsed: true });
      if (!claims || claims.audience !== audience) return;
      await database.withScope({ kind: 'identity' }, (tx) =>
        endOf(tx, claims.accountId, { only: claims.sessionId }, 'signed out', caller),
      );
    },

    async assertRecent(tx, sessionId) {
      const recent = await tx.rows(
        `select from session s join account a on a.id = s.account_id
         where s.id = $1 and s.created_at > now() - make_interval(mins => $2)
           and (s.second_check or a.second_factor_at is null)`,
        [sessionId, recentMinutes],
      );
      if (recent.length === 0) throw new AppError('recent-sign-in-needed');
    },

    async markChecked(tx, sessionId) {
      await tx.run('update session set second_check = true where id = $1', [sessionId]);
      onChanged?.(sessionId);
      await outdateWith(tx, { kind: 'session', id: sessionId });
    },

    list: (tx, accountId) =>
      tx.rows<ListedSession>(
        `select s.id, s.user_agent as "userAgent", s.address, s.methods, s.created_at as "createdAt",
           s.last_used_at as "lastUsedAt", s.expires_at as "endsAt"
         from session s join account a on a.id = s.account_id
         where s.account_id = $1 and ${sessionGoesOn} order by s.last_used_at desc, s.id`,
        [accountId],
      ),

    endOf,
  };
}
