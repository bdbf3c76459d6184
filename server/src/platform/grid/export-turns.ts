import type { Readable } from 'node:stream';
import type { ActingOrg } from '../http/access.ts';
import type { App } from '../http/app.ts';
import { AppError } from '../http/app-error.ts';
import type { Call } from '../http/serve.ts';
import { NoTurn, Turns } from '../workers/turns.ts';

/** Milliseconds; shorter than the time that a silent connection stays open. */
const withinMs = 45_000;

/**
 * Limits the exports that run at the same time on a server, because each uses a connection for as long as its reader
 * takes. An organization and its whole tenant have two, so that slow readers leave some for others. A reader of
 * several tenants for a jurisdiction uses none of theirs. Later requests wait a while, because most files take
 * seconds.
 */
export class ExportTurns {
  readonly #turns: Turns;

  /** `connections`: the connections of the process; files may use most of them. */
  constructor(connections = 10) {
    this.#turns = new Turns({ places: Math.max(1, Math.floor(connections * 0.6)), perKey: 2, waiting: 60 });
  }

  /**
   * Waits for a place; call the returned function when the file is sent. Throws `too-many-exports` if none becomes
   * free, or the signal's reason.
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

/** Shared by all files of a server. */
const turnsOfApps = new WeakMap<App, ExportTurns>();

/** A file that holds one of the places for exports until it is sent or abandoned. */
export async function inExportTurn(
  app: App,
  { org, signal }: Pick<Call, 'org' | 'signal'>,
  make: () => Promise<Readable>,
): Promise<Readable> {
  const turns = turnsOfApps.get(app) ?? new ExportTurns(app.database.size);
  turnsOfApps.set(app, turns);
  const ended = await turns.take(org, signal);
  try {
    return (await make()).once('close', ended);
  } catch (error) {
    ended();
    throw error;
  }
}
