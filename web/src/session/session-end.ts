import type { refreshTokenPayload } from '@caseway/contract/session';
import type { z } from 'zod';

type Claims = z.infer<typeof refreshTokenPayload>;

/** How a session will end, by its refresh token. */
export interface SessionEnd {
  /** `unused`: because of inactivity; `age`: despite activity. */
  because: 'unused' | 'age';
  /** Epoch milliseconds. */
  at: number;
  /** When to warn the user. */
  warnAt: number;
  /** When to renew an active session, even if nothing was requested from the server. */
  renewAt: number;
}

const minute = 60_000;
const warningMs = 5 * minute;

/**
 * When a session ends for a user last active at `lastActivity`. Null for a token that does not say; then only
 * the server knows.
 */
export function sessionEnd({ iat, idle, ends }: Claims, lastActivity: number): SessionEnd | null {
  if (iat === undefined || idle === undefined || ends === undefined) return null;
  const idleMs = idle * minute;
  const unused = lastActivity + idleMs;
  const because = unused < ends * 1000 ? 'unused' : 'age';
  const at = Math.min(unused, ends * 1000);
  return { because, at, warnAt: at - Math.min(warningMs, idleMs / 3), renewAt: iat * 1000 + idleMs / 4 };
}
