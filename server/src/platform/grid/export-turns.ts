import type { ActingOrg } from '../http/access.ts';
import { AppError } from '../http/app-error.ts';
import { NoTurn, Turns } from '../turns.ts';

/** Less than a silent connection is left open. */
const withinMs = 45_000;

/**
 * Exports under way at once on a server: each holds a connection for as long as its reader takes. One organization, with
 * its whole tenant, has two, so that its slow readers leave some for the others. Who reads several tenants for a
 * jurisdiction takes none of theirs. Whoever comes later waits a while, as most files are sent in seconds.
 */
export class ExportTurns {
  readonly #turns = new Turns({ places: 6, perKey: 2, waiting: 60 });

  /**
   * Waits for a place; call what it answers when the file is sent. Throws `too-many-exports` when none becomes free, or
   * the signal's reason.
   */
  take(
    { orgType, id, tenantIds }: Pick<ActingOrg, 'orgType' | 'id'> & { tenantIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<() => void> {
    const key = orgType === 'PHJ' ? id : tenantIds[0];
    return this.#turns.take({ key, withinMs, signal }).catch((error) => {
      throw error instanceof NoTurn ? new AppError('too-many-exports', { retryAfter: 15 }) : error;
    });
  }
}
