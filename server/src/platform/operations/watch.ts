import { importStates } from '@caseway/contract/system';
import { Counter, Gauge } from 'prom-client';
import { auditWrites } from '../audit/auditor.ts';
import type { App } from '../http/app.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Texter } from '../mail/texter.ts';
import type { ReadDisk } from './disk.ts';
import { product } from './product.ts';
import { type Reading, type ReadingOptions, readingOf } from './reading.ts';
import { retentionRules, retentionRuns } from './retention.ts';

export interface WatchOptions extends ReadingOptions {
  readDisk: ReadDisk;
  /** The server reports that it is not ready if less disk space than this is free. */
  minFreeBytes: number;
  /**
   * Whether this process also reports what exists once per server: the disk, the database, and the deletions of
   * jobs.
   */
  isFirst?: boolean;
  mailer: Pick<Mailer, 'state'>;
  texter: Pick<Texter, 'state'>;
}

/**
 * Shows operators the state of the server's resources: the disk in /health/ready, and all of it in /metrics. [S10.7]
 */
export function watchOperations(app: App, { isFirst = true, ...options }: WatchOptions): void {
  const registers = [app.metrics];
  new Gauge({
    name: 'caseway_build_info',
    help: 'Always 1; the labels say which version and commit runs',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ version: product.version, commit: product.build }, 1);
  app.readiness.set('disk', async () => {
    const { freeBytes } = await options.readDisk();
    if (freeBytes < options.minFreeBytes) throw new Error(`${freeBytes} bytes are free`);
  });
  if (isFirst) watchDisk(app, options);
  watchMessages(app, options);
  new Counter({
    name: 'caseway_audit_write_failures_total',
    help: 'Audit events that could not be written since the start; what they would have told of was not done',
    registers,
    collect() {
      this.reset();
      this.inc(auditWrites.failed);
    },
  });
  if (isFirst) watchRetention(app);
  if (isFirst) watchDatabase(app, readingOf(app.database, app.log, options));
}

/** The deletions of the retention rules; each server counts its own. */
function watchRetention(app: App): void {
  new Counter({
    name: 'caseway_retention_deleted_total',
    help: 'Message texts, uploaded files, sessions and outbox files deleted by the rules on how long they are kept, since the start',
    labelNames: ['rule'],
    registers: [app.metrics],
    collect() {
      this.reset();
      for (const rule of retentionRules) this.inc({ rule }, retentionRuns[rule].deleted);
    },
  });
  new Gauge({
    name: 'caseway_retention_last_run_timestamp_seconds',
    help: 'When a rule was last carried out to its end by this server, in seconds since 1970; 0 when it has not since the start',
    labelNames: ['rule'],
    registers: [app.metrics],
    collect() {
      for (const rule of retentionRules)
        this.set({ rule }, (retentionRuns[rule].lastRunAt?.getTime() ?? 0) / 1000);
    },
  });
}

function watchDisk(app: App, { readDisk }: WatchOptions): void {
  const gauge = (name: string, help: string, of: (disk: Awaited<ReturnType<ReadDisk>>) => number) =>
    new Gauge({
      name,
      help,
      registers: [app.metrics],
      async collect() {
        const disk = await readDisk().catch(() => undefined);
        if (disk) this.set(of(disk));
        else this.remove();
      },
    });
  gauge(
    'caseway_disk_free_bytes',
    'Free room on the disk of DATA_DIR, or of the packaged database when that has less',
    ({ freeBytes }) => freeBytes,
  );
  gauge('caseway_disk_total_bytes', 'Size of that disk', ({ totalBytes }) => totalBytes);
}

function watchMessages(app: App, { mailer, texter }: WatchOptions): void {
  new Counter({
    name: 'caseway_messages_total',
    help: 'Messages that the mail server or the SMS webhook took, and attempts that it did not take, since the start',
    labelNames: ['kind', 'result'],
    registers: [app.metrics],
    collect() {
      this.reset();
      for (const [kind, { sent, failed }] of Object.entries({ mail: mailer.state(), text: texter.state() })) {
        this.inc({ kind, result: 'sent' }, sent);
        this.inc({ kind, result: 'failed' }, failed);
      }
    },
  });
}

/** Figures from the database. While it is away there are none, rather than old ones or 0. */
function watchDatabase(app: App, reading: () => Promise<Reading | undefined>): void {
  const registers = [app.metrics];
  const single = (name: string, help: string, of: (reading: Reading) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const found = await reading();
        if (found) this.set(of(found));
        else this.remove();
      },
    });
  new Gauge({
    name: 'caseway_database_size_bytes',
    help: 'Size of the database; where its data is on several servers, of each that answers',
    labelNames: ['server'],
    registers,
    async collect() {
      const database = (await reading())?.database;
      this.reset();
      if (database?.servers.length === 0) this.set(database.bytes);
      for (const { address, bytes } of database?.servers ?? [])
        if (bytes !== null) this.set({ server: address }, bytes);
    },
  });
  single(
    'caseway_last_backup_timestamp_seconds',
    'The moment that the last backup holds, in seconds since 1970; 0 when there has never been one',
    ({ lastBackup }) => (lastBackup?.getTime() ?? 0) / 1000,
  );
  new Gauge({
    name: 'caseway_jobs',
    help: 'Background jobs by kind and state; failed: given up after the last attempt',
    labelNames: ['task', 'state'],
    registers,
    async collect() {
      const found = await reading();
      this.reset();
      for (const { task, waiting, running, failed } of found?.jobs ?? []) {
        this.set({ task, state: 'waiting' }, waiting);
        this.set({ task, state: 'running' }, running);
        this.set({ task, state: 'failed' }, failed);
      }
    },
  });
  new Gauge({
    name: 'caseway_jobs_oldest_waiting_seconds',
    help: 'Seconds since the oldest waiting job of a kind was due; 0 when none waits or none is due yet',
    labelNames: ['task'],
    registers,
    async collect() {
      const found = await reading();
      this.reset();
      for (const { task, oldest } of found?.jobs ?? [])
        this.set({ task }, oldest ? Math.max(0, found!.at.getTime() - oldest.getTime()) / 1000 : 0);
    },
  });
  new Gauge({
    name: 'caseway_imports',
    help: 'Files imported in the last seven days by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const found = await reading();
      this.reset();
      if (found) for (const state of importStates) this.set({ state }, found.imports.get(state) ?? 0);
    },
  });
}
