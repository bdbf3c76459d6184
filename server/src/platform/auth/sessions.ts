import { randomBytes } from 'node:crypto';
import type { Tokens } from '@caseway/contract/session';
import { v7 } from 'uuid';
import { auditAccount, type Origin } from '../audit/auditor.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Audience, RefreshClaims, Signing } from './signing.ts';

export interface SessionLives {
  /** Minutes without a renewal after which a session is over; at most 60. */
  idleMinutes: number;
  /** Hours after which it is over in any case; at most 24. */
  absoluteHours: number;
  /** Seconds in which a refresh token that was just replaced gets the same successor; at most 10. */
  graceSeconds: number;
}
export const defaultSessionLives: SessionLives = { idleMinutes: 60, absoluteHours: 24, graceSeconds: 10 };

/** From where a request of somebody who signs in came. */
export interface Caller extends Origin {
  userAgent?: string;
}

export interface Sessions {
  /** Begins a session, within the transaction that found the secret right. */
  open(tx: Tx, account: { id: string; audience: Audience }, caller: Caller): Promise<Tokens>;
  /**
   * The next tokens; undefined when the refresh token is unknown, for another audience, lapsed, idle or revoked. A token
   * that was replaced earlier than the grace revokes its whole session, for it may be in a stranger's hands. [P13]
   */
  renew(audience: Audience, refreshToken: string, caller: Caller): Promise<Tokens | undefined>;
  /** Ends the session of a refresh token, also of a lapsed one. Of an unknown one nothing happens. */
  end(audience: Audience, refreshToken: string, caller: Caller): Promise<void>;
}

export interface SessionsOptions {
  database: Database;
  signing: Signing;
  lives?: SessionLives;
  /** Told at once of a session that is over, so that this process does not remember it a moment longer. */
  onRevoked?: (sessionId: string) => void;
}

interface Row {
  refresh_hash: Buffer;
  previous_hash: Buffer | null;
  rotated_at: Date | null;
  expires_at: Date;
  in_grace: boolean;
}

export function createSessions({
  database,
  signing,
  lives = defaultSessionLives,
  onRevoked,
}: SessionsOptions): Sessions {
  const { idleMinutes, absoluteHours, graceSeconds } = lives;

  async function tokens(claims: RefreshClaims, issuedAt: Date, expiresAt: Date): Promise<Tokens> {
    const [accessToken, refreshToken] = await Promise.all([
      signing.accessToken(claims),
      signing.refreshToken(claims, issuedAt, expiresAt),
    ]);
    return { accessToken, refreshToken };
  }

  return {
    async open(tx, { id, audience }, { userAgent }) {
      const claims = {
        accountId: id,
        sessionId: v7(),
        audience,
        serial: randomBytes(32).toString('base64url'),
      };
      const [row] = await tx.rows<{ created_at: Date; expires_at: Date }>(
        `insert into session (id, audience, account_id, refresh_hash, expires_at, user_agent)
         values ($1, $2, $3, $4, now() + make_interval(hours => $5), $6) returning created_at, expires_at`,
        [
          claims.sessionId,
          audience,
          id,
          signing.serialHash(claims.serial),
          absoluteHours,
          userAgent?.slice(0, 300) ?? null,
        ],
      );
      await tx.run('update account set last_sign_in_at = now() where id = $1', [id]);
      return tokens(claims, row!.created_at, row!.expires_at);
    },

    async renew(audience, refreshToken, caller) {
      const claims = await signing.readRefreshToken(refreshToken);
      if (!claims || claims.audience !== audience) return undefined;
      const { accountId, sessionId, serial } = claims;
      const presented = signing.serialHash(serial);
      const next = { ...claims, serial: signing.nextSerial(serial) };

      const outcome = await database.withScope({ kind: 'identity' }, async (tx) => {
        // Held until the end, so that of requests at the same time one rotates and the others find it done.
        const [session] = await tx.rows<Row>(
          `select s.refresh_hash, s.previous_hash, s.rotated_at, s.expires_at,
             coalesce(s.rotated_at > now() - make_interval(secs => $4), false) as in_grace
           from session s join account a on a.id = s.account_id
           where s.id = $1 and s.account_id = $2 and s.audience = $3 and s.revoked_at is null and s.expires_at > now()
             and s.last_used_at > now() - make_interval(mins => $5) and a.disabled_at is null
           for update of s`,
          [sessionId, accountId, audience, graceSeconds, idleMinutes],
        );
        if (!session) return undefined;
        if (presented.equals(session.refresh_hash)) {
          const [row] = await tx.rows<{ rotated_at: Date }>(
            `update session set previous_hash = refresh_hash, refresh_hash = $2, rotated_at = now(), last_used_at = now()
             where id = $1 returning rotated_at`,
            [sessionId, signing.serialHash(next.serial)],
          );
          return { issuedAt: row!.rotated_at, expiresAt: session.expires_at };
        }
        if (session.previous_hash && presented.equals(session.previous_hash) && session.in_grace)
          return { issuedAt: session.rotated_at!, expiresAt: session.expires_at };
        await revoke(tx, claims, 'refresh token used again', caller);
        return undefined;
      });
      return outcome && tokens(next, outcome.issuedAt, outcome.expiresAt);
    },

    async end(audience, refreshToken, caller) {
      const claims = await signing.readRefreshToken(refreshToken, { lapsed: true });
      if (!claims || claims.audience !== audience) return;
      await database.withScope({ kind: 'identity' }, (tx) => revoke(tx, claims, 'signed out', caller));
    },
  };

  async function revoke(
    tx: Tx,
    { sessionId, accountId }: RefreshClaims,
    because: string,
    caller: Caller,
  ): Promise<void> {
    const ended = await tx.run(
      `update session set revoked_at = now(), revoked_because = $3
       where id = $1 and account_id = $2 and revoked_at is null`,
      [sessionId, accountId, because],
    );
    onRevoked?.(sessionId);
    if (ended === 0) return;
    const action = because === 'signed out' ? 'session/signed-out' : 'session/revoked';
    await auditAccount(tx, accountId, action, { ...caller, sessionId, because });
  }
}
