import type { Database } from './database.ts';

/**
 * Runs `work` for each tenant, one after the other, until the signal is aborted. A failure does not stop the other
 * tenants: with tenants on several servers, one of these may be away for hours. At the end it throws an
 * AggregateError with the failures, so that a job is tried again; repeated work must do nothing.
 */
export async function forEveryTenant(
  database: Database,
  work: (tenantId: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const tenants = await database.withScope({ kind: 'system' }, (tx) =>
    tx.rows<{ id: string }>('select id from tenant order by id'),
  );
  await each(
    tenants.map(({ id }) => id),
    work,
    signal,
  );
}

/** The same for a list of anything that may be on different servers. */
export async function each<One>(
  all: readonly One[],
  work: (one: One) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const failed: unknown[] = [];
  for (const one of all) {
    if (signal?.aborted) break;
    try {
      await work(one);
    } catch (error) {
      failed.push(error);
    }
  }
  if (failed.length > 0)
    throw new AggregateError(failed, `${failed.length} of ${all.length} could not be done`);
}
