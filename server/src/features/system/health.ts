import type { FailedJob, SystemHealth } from '@caseway/contract/system';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { auditWrites } from '../../platform/audit/auditor.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { checkParts } from '../../platform/http/health.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { ReadDisk } from '../../platform/operations/disk.ts';
import { readBackup, readImports, readJobs } from '../../platform/operations/reading.ts';
import { product } from '../../platform/product.ts';

export interface HealthOptions {
  app: Pick<App, 'database' | 'readiness'>;
  analytics: Pick<Analytics, 'replicas'>;
  mailer: Pick<Mailer, 'state'>;
  readDisk: ReadDisk;
  minFreeDiskBytes: number;
}

const shownFailures = 50;

/** The state of everything that the product needs. Counts of files and jobs, never of records. */
export async function systemHealth(options: HealthOptions): Promise<SystemHealth> {
  const { app, analytics, mailer, readDisk, minFreeDiskBytes } = options;
  const { database } = app;
  const [{ tenants, ...told }, replicas, disk, parts] = await Promise.all([
    database.withScope({ kind: 'system' }, readDatabase, { readOnly: true }),
    analytics.replicas(),
    // A value that cannot be read is reported as such, also in the parts.
    readDisk().catch(() => null),
    checkParts(app),
  ]);
  const nameOf = new Map(tenants.map(({ id, name }) => [id, name]));
  const imports: SystemHealth['imports'] = [];
  // Imports belong to tenants: each is queried in its own scope.
  for (const { id, name } of tenants)
    imports.push({ tenantId: id, tenant: name, ...(await importsOf(database, id)) });
  const { lastSentAt, lastFailedAt, ...mail } = mailer.state();
  return {
    at: new Date().toISOString(),
    product,
    parts,
    database: { ...told.database, connections: database.usage() },
    replicas: replicas
      .flatMap((replica) => {
        const tenant = nameOf.get(replica.tenantId);
        return tenant === undefined ? [] : [{ ...replica, tenant }];
      })
      .sort((a, b) => a.tenant.localeCompare(b.tenant)),
    imports,
    storage: disk && { ...disk, minFreeBytes: minFreeDiskBytes },
    backup: told.backup,
    audit: { ...auditWrites },
    jobs: told.jobs,
    failedJobs: told.failedJobs,
    mail: {
      ...mail,
      lastSentAt: lastSentAt?.toISOString() ?? null,
      lastFailedAt: lastFailedAt?.toISOString() ?? null,
    },
  };
}

async function readDatabase(tx: Tx) {
  const begun = performance.now();
  const [about] = await tx.rows<{ version: string; bytes: number; started_at: Date; migration: string }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version,
       pg_database_size(current_database()) as bytes, pg_postmaster_start_time() as started_at,
       (select name from schema_migration order by number desc limit 1) as migration`,
  );
  const answerMs = Math.round((performance.now() - begun) * 10) / 10;
  const tenants = await tx.rows<{ id: string; name: string }>(
    'select id, name from tenant order by app_fold(name), id',
  );
  const jobs = await readJobs(tx);
  const failures = await tx.rows<{
    id: string;
    task: string;
    attempts: number;
    max_attempts: number;
    last_error: string;
    created_at: Date;
    run_at: Date;
  }>(
    `select id::text, task_identifier as task, attempts, max_attempts, last_error, created_at, run_at
     from graphile_worker.jobs where last_error is not null and locked_at is null
     order by updated_at desc, id desc limit $1`,
    [shownFailures],
  );
  const backup = await readBackup(tx);
  return {
    tenants,
    backup: backup ? { ...backup, at: backup.at.toISOString() } : null,
    database: {
      version: about!.version,
      bytes: Number(about!.bytes),
      startedAt: about!.started_at.toISOString(),
      answerMs,
      migration: about!.migration,
    },
    jobs: jobs.map((job) => ({ ...job, oldest: job.oldest?.toISOString() ?? null })),
    failedJobs: failures.map(
      (job): FailedJob => ({
        id: job.id,
        task: job.task,
        attempts: job.attempts,
        maxAttempts: job.max_attempts,
        // The first line is the kind of error; the rest is the place in the program.
        reason: job.last_error.split('\n')[0]!,
        since: job.created_at.toISOString(),
        givenUp: job.attempts >= job.max_attempts,
        nextAt: job.run_at.toISOString(),
      }),
    ),
  };
}

async function importsOf(
  database: Database,
  tenantId: string,
): Promise<Pick<SystemHealth['imports'][number], 'states' | 'lastAt'>> {
  const rows = await readImports(database, tenantId);
  const last = Math.max(...rows.map(({ lastAt }) => lastAt.getTime()));
  return {
    states: Object.fromEntries(rows.map(({ state, files }) => [state, files])),
    lastAt: rows.length > 0 ? new Date(last).toISOString() : null,
  };
}

/** Runs a failed job again from its first attempt; returns what it was. In the scope `system` or `identity`. */
export async function retryFailedJob(tx: Tx, id: string): Promise<{ task: string; attempts: number }> {
  const [job] = await tx.rows<{ task: string; attempts: number; failed: boolean }>(
    `select task_identifier as task, attempts, last_error is not null and locked_at is null as failed
     from graphile_worker.jobs where id = $1`,
    [id],
  );
  if (!job) throw new AppError('not-found');
  const again = job.failed
    ? await tx.rows('select from graphile_worker.reschedule_jobs(array[$1::bigint], now(), null, 0)', [id])
    : [];
  // It is being done at this moment.
  if (again.length === 0) throw new AppError('conflict');
  return { task: job.task, attempts: job.attempts };
}
