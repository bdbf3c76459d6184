import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../http/app-error.ts';
import type { Tx } from './database.ts';

/** Another transaction has the turn. */
class TurnTaken extends Error {}

/**
 * Takes the turn of a key until the transaction ends. Throws immediately if another transaction has it, so that
 * nobody waits while holding a connection; call it within `inTurn`.
 */
export async function takeTurn(tx: Tx, key: string | bigint): Promise<void> {
  const [row] = await tx.rows<{ mine: boolean }>(
    typeof key === 'bigint'
      ? 'select pg_try_advisory_xact_lock($1) as mine'
      : 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as mine',
    [key],
  );
  if (!row!.mine) throw new TurnTaken();
}

/** Milliseconds to wait for a turn before the request is refused. */
const patienceMs = 3000;

/**
 * Runs a transaction that takes turns, and repeats it after a short pause while another one has the turn. Throws
 * `too-many-requests` if that takes too long.
 */
export async function inTurn<T>(transaction: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof TurnTaken)) throw error;
      if (performance.now() > deadline)
        throw new AppError('too-many-requests', { cause: error, retryAfter: 2 });
    }
    await pause(10 + Math.random() * 30);
  }
}
