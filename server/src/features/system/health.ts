import type { FailedJob, SystemHealth } from '@caseway/contract/system';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { auditWrites } from '../../platform/audit/auditor.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { checkParts } from '../../platform/http/health.ts';
import { outage } from '../../platform/jobs/jobs.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { ReadDisk } from '../../platform/operations/disk.ts';
import { product } from '../../platform/operations/product.ts';
import { readBackup, readImports, readJobs } from '../../platform/operations/reading.ts';
import { readSizes } from '../../platform/operations/sizes.ts';
import type { Crew } from '../../platform/workers/crew.ts';

export interface HealthOptions {
  app: Pick<App, 'database' | 'readiness'>;
  crew: Pick<Crew, 'offer' | 'gather'>;
  analytics: Pick<Analytics, 'replicas'>;
  mailer: Pick<Mailer, 'state'>;
  readDisk: ReadDisk;
  minFreeDiskBytes: number;
}

const shownFailures = 50;

/** The health of a single process of the server. */
interface OwnHealth {
  replicas: Awaited<ReturnType<Analytics['replicas']>>;
  connections: ReturnType<Database['usage']>;
  failedAudits: number;
  mail: ReturnType<Mailer['state']>;
}

/** Lets the other processes of the server show the health of this one. */
export function offerHealth({ crew, app, analytics, mailer }: HealthOptions): void {
  crew.offer(
    'health',
    async (): Promise<OwnHealth> => ({
      replicas: await analytics.replicas(),
      connections: app.database.usage(),
      failedAudits: auditWrites.failed,
      mail: mailer.state(),
    }),
  );
}

const latest = (moments: readonly (Date | null)[]): string | null =>
  moments
    .flatMap((moment) => (moment ? [moment.toISOString()] : []))
    .sort()
    .at(-1) ?? null;

/** The state of everything that the product needs. Counts of files and jobs, never of records. */
export async function systemHealth(options: HealthOptions): Promise<SystemHealth> {
  const { app, crew, readDisk, minFreeDiskBytes } = options;
  const { database } = app;
  const [{ tenants, ...told }, processes, disk, parts] = await Promise.all([
    database.withScope({ kind: 'system' }, readDatabase, { readOnly: true }),
    crew.gather<OwnHealth>('health'),
    // A value that cannot be read is reported as such, also in the parts.
    readDisk().catch(() => null),
    checkParts(app),
  ]);
  const nameOf = new Map(tenants.map(({ id, name }) => [id, name]));
  const imports: SystemHealth['imports'] = [];
  // Imports belong to tenants, so each tenant is queried in its own scope.
  for (const { id, name } of tenants)
    imports.push({ tenantId: id, tenant: name, ...(await importsOf(database, id)) });
  const sum = (of: (one: OwnHealth) => number) => processes.reduce((total, one) => total + of(one), 0);
  const mails = processes.map(({ mail }) => mail);
  const lastFailedAt = latest(mails.map((mail) => mail.lastFailedAt));
  return {
    at: new Date().toISOString(),
    product,
    parts,
    database: {
      ...told.database,
      connections: {
        total: sum(({ connections }) => connections.total),
        idle: sum(({ connections }) => connections.idle),
        waiting: sum(({ connections }) => connections.waiting),
      },
    },
    replicas: processes
      .flatMap(({ replicas }) => replicas)
      .flatMap((replica) => {
        const tenant = nameOf.get(replica.tenantId);
        return tenant === undefined ? [] : [{ ...replica, tenant }];
      })
      .sort((a, b) => a.tenant.localeCompare(b.tenant)),
    imports,
    storage: disk && { ...disk, minFreeBytes: minFreeDiskBytes },
    backup: told.backup,
    audit: { failed: sum(({ failedAudits }) => failedAudits) },
    jobs: told.jobs,
    failedJobs: told.failedJobs,
    mail: {
      ...mails[0]!,
      sent: sum(({ mail }) => mail.sent),
      failed: sum(({ mail }) => mail.failed),
      lastFailure:
        mails.find((mail) => mail.lastFailedAt?.toISOString() === lastFailedAt)?.lastFailure ?? null,
      lastSentAt: latest(mails.map((mail) => mail.lastSentAt)),
      lastFailedAt,
    },
  };
}

async function readDatabase(tx: Tx) {
  const begun = performance.now();
  const [about] = await tx.rows<{ version: string; started_at: Date; migration: string }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version, pg_postmaster_start_time() as started_at,
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
  const sizes = await readSizes(tx);
  return {
    tenants,
    backup: backup ? { ...backup, at: backup.at.toISOString() } : null,
    database: {
      version: about!.version,
      ...sizes,
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
        away: job.last_error.startsWith(outage),
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
): Promise<Pick<SystemHealth['imports'][number], 'states' | 'lastAt' | 'away'>> {
  const rows = await readImports(database, tenantId);
  if (!rows) return { states: {}, lastAt: null, away: true };
  const last = Math.max(...rows.map(({ lastAt }) => lastAt.getTime()));
  return {
    states: Object.fromEntries(rows.map(({ state, files }) => [state, files])),
    lastAt: rows.length > 0 ? new Date(last).toISOString() : null,
    away: false,
  };
}

/** Runs a failed job again from its first attempt; returns its former state. In the scope `system` or `identity`. */
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
  // It is running at this moment.
  if (again.length === 0) throw new AppError('conflict');
  return { task: job.task, attempts: job.attempts };
}
