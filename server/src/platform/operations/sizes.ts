import type { Tx } from '../db/database.ts';

/** The size of one of several database servers. */
export interface ServerSize {
  /** `10.0.0.1:5432` */
  address: string;
  /** Null if the server does not answer. */
  bytes: number | null;
}

/**
 * The size of the database, and of each server if the data is on several, the coordinator first. `bytes` is the sum
 * of those that answer. In the scope `system`.
 */
export async function readSizes(tx: Tx): Promise<{ bytes: number; servers: ServerSize[] }> {
  const [here] = await tx.rows<{ bytes: string; spread: boolean }>(
    `select pg_database_size(current_database()) as bytes,
       exists (select from pg_extension where extname = 'citus') as spread`,
  );
  if (!here!.spread) return { bytes: Number(here!.bytes), servers: [] };
  const found = await tx.rows<{ address: string; bytes: string | null }>(
    `select n.nodename || ':' || n.nodeport as address, case when r.success then r.result end as bytes
     from run_command_on_all_nodes('select pg_database_size(current_database())', true, true) r
     join pg_dist_node n on n.nodeid = r.nodeid order by n.groupid`,
  );
  const servers = found.map(({ address, bytes }) => ({
    address,
    bytes: bytes === null ? null : Number(bytes),
  }));
  return { bytes: servers.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0), servers };
}
