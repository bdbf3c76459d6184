import type { Database } from './database.ts';

/**
 * Runs `work` for each tenant, one after the other, until the signal is aborted. One for which it fails does not keep
 * the others from theirs: with tenants on several servers, one of these may be away for hours. Throws an AggregateError
 * with what failed when all others are done, so that a job is tried again; work that is done twice must do nothing.
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
