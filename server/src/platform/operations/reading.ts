import type { Logger } from 'pino';
import type { Database, Tx } from '../db/database.ts';
import { asAppError } from '../http/app-error.ts';
import { readSizes, type ServerSize } from './sizes.ts';

/**
 * How many jobs of a kind are waiting, are running and have been given up. A job that is not due yet counts as
 * waiting.
 */
export interface JobCounts {
  task: string;
  waiting: number;
  running: number;
  failed: number;
  /** When the oldest waiting job was due. */
  oldest: Date | null;
}

/** In the scope `system`. */
export const readJobs = (tx: Tx): Promise<JobCounts[]> =>
  tx.rows<JobCounts & object>(
    `select task_identifier as task,
       count(*) filter (where locked_at is null and attempts < max_attempts)::int as waiting,
       count(*) filter (where locked_at is not null)::int as running,
       count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
       min(run_at) filter (where locked_at is null and attempts < max_attempts) as oldest
     from graphile_worker.jobs group by 1 order by 1`,
  );

export interface BackupMade {
  at: Date;
  bytes: number;
  encrypted: boolean;
}

/** The last backup; in the scope `system`. */
export async function readBackup(tx: Tx): Promise<BackupMade | undefined> {
  const [made] = await tx.rows<BackupMade & object>(
    'select at, bytes, encrypted from backup_made order by at desc limit 1',
  );
  return made;
}

const importDays = 7;

/**
 * Files that a tenant imported in the last seven days, by state. Tenants are queried separately, because the files
 * belong to them; undefined if the tenant's database server does not answer.
 */
export function readImports(
  database: Database,
  tenantId: string,
  silenceMs?: number,
): Promise<{ state: string; files: number; lastAt: Date }[] | undefined> {
  return database
    .withScope(
      { kind: 'service', tenantId },
      (tx) =>
        tx.rows<{ state: string; files: number; lastAt: Date }>(
          `select state, count(*)::int as files, max(created_at) as "lastAt" from import
           where tenant_id = $1 and created_at > now() - make_interval(days => $2) group by 1`,
          [tenantId, importDays],
        ),
      { readOnly: true, silenceMs },
    )
    .catch((error) => {
      if (asAppError(error).code !== 'unavailable') throw error;
      return undefined;
    });
}

/** The state of the server's work in the database. Counts of files and jobs, never of records. */
export interface Reading {
  database: { bytes: number; servers: ServerSize[] };
  jobs: JobCounts[];
  /** Files of the last seven days by state, over all tenants whose database server answers. */
  imports: Map<string, number>;
  lastBackup: Date | null;
  at: Date;
}

/** Milliseconds without an answer after which a database counts as away. */
const silenceMs = 5000;

async function read(database: Database): Promise<Reading> {
  const { tenants, ...told } = await database.withScope(
    { kind: 'system' },
    async (tx) => {
      const [about] = await tx.rows<{ at: Date }>('select now() as at');
      return {
        database: await readSizes(tx),
        at: about!.at,
        jobs: await readJobs(tx),
        lastBackup: (await readBackup(tx))?.at ?? null,
        tenants: await tx.rows<{ id: string }>('select id from tenant'),
      };
    },
    { readOnly: true, silenceMs },
  );
  const imports = new Map<string, number>();
  for (const { id } of tenants)
    for (const { state, files } of (await readImports(database, id, silenceMs)) ?? [])
      imports.set(state, (imports.get(state) ?? 0) + files);
  return { ...told, imports };
}

export interface ReadingOptions {
  /** Milliseconds for which a reading is reused; 15 s by default. */
  keptMs?: number;
  /** Milliseconds that a caller waits for a new reading; 2 s by default. */
  patienceMs?: number;
}

/**
 * Returns the newest reading, or undefined if the database does not answer. The database is read once at a time and at
 * most every `keptMs`, on one connection, however many callers there are.
 */
export function readingOf(
  database: Database,
  log: Logger,
  { keptMs = 15_000, patienceMs = 2000 }: ReadingOptions = {},
): () => Promise<Reading | undefined> {
  let last: { reading: Reading | undefined; until: number } | undefined;
  let underWay: Promise<Reading | undefined> | undefined;
  return async () => {
    if (last && performance.now() < last.until) return last.reading;
    underWay ??= read(database)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the metrics of the database could not be read');
        return undefined;
      })
      .then((reading) => {
        last = { reading, until: performance.now() + keptMs };
        underWay = undefined;
        return reading;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, patienceMs, undefined);
    });
    const reading = await Promise.race([underWay, late]);
    clearTimeout(timer);
    return reading;
  };
}
