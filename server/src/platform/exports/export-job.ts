import { randomUUID } from 'node:crypto';
import { fileDays, fileHours } from '@caseway/contract/exported-files';
import { z } from 'zod';
import type { Absent, IdentityAuthorizer } from '../auth/authorizer.ts';
import type { Database } from '../db/database.ts';
import { forEveryTenant } from '../db/every-tenant.ts';
import { json } from '../db/rows.ts';
import { publishWith } from '../events/hub.ts';
import type { Auditor } from '../http/access.ts';
import type { App } from '../http/app.ts';
import { AppError, isOutage } from '../http/app-error.ts';
import { tell } from '../inbox/tell.ts';
import { defineJob, type Work, work } from '../jobs/jobs.ts';
import { noteDeleted, noteRun } from '../operations/retention.ts';
import { type Exporter, type Exporting, exportsIn, seenBy } from './exporters.ts';
import type { FileRef, FileRun } from './file-store.ts';

/* Makes files of lists in the background, with the same contents as a direct download. */

/** Makes a file from its beginning. A killed job leaves no downloadable file. */
export const exportJob = defineJob({
  name: 'exports/make',
  payload: z.strictObject({ tenantId: z.uuid(), file: z.uuid() }),
  lane: 'long',
  attempts: 5,
});
const sweepJob = defineJob({
  name: 'exports/sweep',
  payload: z.strictObject({}),
  lane: 'quick',
  attempts: 1,
});

/** Milliseconds between checks whether the file is still wanted and its owner still sees the same. */
const lookMs = 1000;

interface ExportWorkOptions {
  database: Database;
  auditor: Auditor;
  authorizer: Pick<IdentityAuthorizer, 'authoriseAbsent'>;
}

interface Asked extends Absent {
  grid: string;
  request: unknown;
  format: string;
  language: string;
  requestId: string;
  address: string;
}

export function exportWorks(app: App, options: ExportWorkOptions): Work[] {
  return [
    work(exportJob, async ({ tenantId, file: id }, { attempt, signal }) => {
      const file = { tenantId, id, run: randomUUID() };
      try {
        await make(app, options, file, signal);
      } catch (error) {
        if (signal.aborted || isOutage(error)) throw error;
        const refused = error instanceof AppError && error.status < 500 ? error.code : undefined;
        if (!refused && attempt < exportJob.attempts) throw error;
        await failed(options.database, file, refused ?? 'internal');
        if (!refused) throw error;
      }
    }),
    work(sweepJob, (_, { signal }) => sweepFiles(options.database, signal), '29 * * * *'),
  ];
}

/** A file that one run is making: `$1` to `$3`. */
const isOfRun = `tenant_id = $1 and id = $2 and run = $3 and state = 'preparing'`;

const serviceOf = ({ tenantId }: FileRef) => ({ kind: 'service', tenantId }) as const;

/** Its owner has cancelled it, or another run makes it. */
class Unwanted extends Error {}

async function make(
  app: App,
  { database, auditor, authorizer }: ExportWorkOptions,
  file: FileRun,
  ending: AbortSignal,
): Promise<void> {
  const asked = await begun(database, file);
  if (!asked) return;
  const { exporters, store } = exportsIn(app);
  await store!.removeEarlier(file);
  const exporter = exporters.get(asked.grid)!;
  const request = exporter.request.parse(asked.request);
  const stop = new AbortController();
  const given = new Map<string, number>();
  const rows = () => [...given.values()].reduce((sum, one) => sum + one, 0);
  const person = await personOf(authorizer, asked, exporter);
  const call: Exporting = {
    ...person,
    signal: AbortSignal.any([ending, stop.signal]),
    gaveOut: (tenantId, more) => void given.set(tenantId, (given.get(tenantId) ?? 0) + more),
    writeAudit: (tenantId, entry) =>
      database.withScope(person.scopeIn(tenantId), (tx) =>
        auditor.write(tx, {
          tenantId,
          accountId: asked.accountId,
          orgType: asked.orgType,
          orgId: asked.orgId,
          action: entry.action ?? 'export',
          deed: 'export',
          recordKind: exporter.recordKind,
          recordIds: entry.recordIds ?? [],
          detail: { ...entry.detail, file: file.id },
          requestId: asked.requestId,
          address: asked.address,
        }),
      ),
  };
  exporter.refuse(call, request);
  const seen = seenBy(call);
  // A file must not contain what its owner may no longer see.
  const look = async () => {
    if (seenBy(await personOf(authorizer, asked, exporter)) !== seen) throw new AppError('file-outdated');
    if (!(await noteProgress(database, file, asked.accountId, rows()))) throw new Unwanted();
  };
  const source = await exporter.write(call, request);
  const looked = async function* () {
    let next = performance.now();
    for await (const chunk of source) {
      if (performance.now() >= next) {
        await look();
        next = performance.now() + lookMs;
      }
      yield chunk as Buffer;
    }
  };
  try {
    const size = await store!.store(file, looked());
    ending.throwIfAborted();
    await look();
    for (const tenantId of call.org.tenantIds)
      await call.writeAudit(tenantId, {
        action: 'export/prepared',
        detail: { rows: given.get(tenantId) ?? 0 },
      });
    const { name } = exporter.named(call, asked.format);
    await ended(database, file, {
      seen,
      given: json(Object.fromEntries(given)),
      done: rows(),
      name,
      size,
    });
  } catch (error) {
    stop.abort();
    source.destroy();
    await store!.remove(file).catch(() => {});
    if (!(error instanceof Unwanted)) throw error;
  }
}

/** Claims the file for this run and returns the request. Undefined if the file is no longer wanted. */
const begun = (database: Database, file: FileRun): Promise<Asked | undefined> =>
  database.withScope(serviceOf(file), async (tx) => {
    await tx.run(
      `update exported_file set run = $3 where tenant_id = $1 and id = $2 and state = 'preparing'`,
      [file.tenantId, file.id, file.run],
    );
    const [asked] = await tx.rows<Asked>(
      `select grid, request, format, language, account_id as "accountId", session_id as "sessionId",
         org_type as "orgType", org_id as "orgId", request_id as "requestId", address
       from exported_file where ${isOfRun}`,
      [file.tenantId, file.id, file.run],
    );
    return asked;
  });

/** The owner, with their current permissions. Throws if one is missing. */
async function personOf(
  authorizer: ExportWorkOptions['authorizer'],
  asked: Asked,
  { grid }: Exporter,
): Promise<Omit<Exporting, 'signal' | 'writeAudit' | 'gaveOut'>> {
  const { account, authorisation } = await authorizer.authoriseAbsent(asked, grid.exportable, grid.feature);
  const { org, scopeIn } = authorisation;
  const [first] = org.tenantIds;
  if (first === undefined) throw new AppError('not-found');
  return { account, ...authorisation, scope: scopeIn(first), language: asked.language };
}

/** False if this run's file is no longer wanted. */
const noteProgress = (database: Database, file: FileRun, accountId: string, done: number): Promise<boolean> =>
  database.withScope(serviceOf(file), async (tx) => {
    const noted = await tx.run(`update exported_file set done = $4 where ${isOfRun}`, [
      file.tenantId,
      file.id,
      file.run,
      done,
    ]);
    await publishWith(tx, { tenantId: file.tenantId, accountId }, { type: 'file-progress', file: file.id });
    return noted > 0;
  });

interface Made {
  seen: string;
  given: string;
  done: number;
  name: string;
  size: number;
}

const ended = (database: Database, file: FileRun, { seen, given, done, name, size }: Made): Promise<void> =>
  database.withScope(serviceOf(file), async (tx) => {
    const [of] = await tx.rows<{ accountId: string }>(
      `update exported_file set state = 'ready', seen = $4, given = $5, done = $6, name = $7, byte_size = $8,
         expires_at = now() + make_interval(hours => ${fileHours}), failed_by = null
       where ${isOfRun} returning account_id as "accountId"`,
      [file.tenantId, file.id, file.run, seen, given, done, name, size],
    );
    if (!of) throw new Unwanted();
    await tellEnd(tx, file, of.accountId);
  });

async function failed(database: Database, file: FileRun, code: string): Promise<void> {
  await database.withScope(serviceOf(file), async (tx) => {
    const [of] = await tx.rows<{ accountId: string }>(
      `update exported_file set state = 'failed', failed_by = $4
       where ${isOfRun} returning account_id as "accountId"`,
      [file.tenantId, file.id, file.run, code],
    );
    if (of) await tellEnd(tx, file, of.accountId);
  });
}

async function tellEnd(
  tx: Parameters<typeof tell>[0],
  { tenantId, id }: FileRef,
  accountId: string,
): Promise<void> {
  await publishWith(tx, { tenantId, accountId }, { type: 'file-progress', file: id });
  await tell(tx, { tenantId, recordKind: 'exported-file', actorId: null }, [
    { kind: 'export-ended', recordId: id, to: accountId },
  ]);
}

/** Deletes expired files with their requests, and later the rows that say what became of them. */
export async function sweepFiles(database: Database, signal?: AbortSignal): Promise<void> {
  await forEveryTenant(
    database,
    async (tenantId) => {
      const deleted = await database.withScope({ kind: 'service', tenantId }, async (tx) => {
        const expired = await tx.rows<{ id: string }>(
          `update exported_file set state = 'expired', request = null
           where tenant_id = $1 and (state = 'ready' and expires_at <= now()
             or state in ('failed', 'preparing') and at <= now() - make_interval(hours => ${2 * fileHours}))
           returning id`,
          [tenantId],
        );
        await tx.run('delete from exported_piece where tenant_id = $1 and file_id = any ($2::uuid[])', [
          tenantId,
          expired.map(({ id }) => id),
        ]);
        await tx.run(
          `delete from exported_file where tenant_id = $1 and state = 'expired'
             and at <= now() - make_interval(days => ${fileDays})`,
          [tenantId],
        );
        return expired.length;
      });
      noteDeleted('exports', deleted);
    },
    signal,
  );
  if (!signal?.aborted) noteRun('exports');
}
