import type { ActingOrg } from '../http/access.ts';
import { AppError } from '../http/app-error.ts';
import { Turns } from '../turns.ts';

/**
 * Exports under way at once on a server: each holds a connection for as long as its reader takes. One organization, with
 * its whole tenant, has two, so that its slow readers leave some for the others. Who reads several tenants for a
 * jurisdiction takes none of theirs.
 */
export class ExportTurns {
  readonly #turns = new Turns({ places: 6, perKey: 2, waiting: 0 });

  /** Takes a place; call what it answers when the file is sent. Throws `too-many-requests` when there is none. */
  take({
    orgType,
    id,
    tenantIds,
  }: Pick<ActingOrg, 'orgType' | 'id'> & { tenantIds: readonly string[] }): Promise<() => void> {
    const key = orgType === 'PHJ' ? id : tenantIds[0];
    return this.#turns.take({ key, withinMs: 0 }).catch(() => {
      throw new AppError('too-many-requests', { retryAfter: 15 });
    });
  }
}
