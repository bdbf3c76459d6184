// npm run audit:verify: finds events of the audit log that someone else edited, removed or inserted. [P15]
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { loadConfig } from '../config.ts';
import { type ArchiveSegment, readArchive } from '../platform/audit/archive.ts';
import { type LoggedHeads, readLoggedHeads } from '../platform/audit/heads.ts';
import { lostHeads, verifyChain } from '../platform/audit/verify.ts';
import type { Database } from '../platform/db/database.ts';
import { naming } from '../platform/words/in-words.ts';
import { backupKey } from './backup-key.ts';
import { command, withDatabase } from './command.ts';
import { fileToRead, fileToWrite } from './named-files.ts';

const usage = `Usage: npm run audit:verify -- [--tenant SLUG] [--json] [--write FILE] [--against FILE] [--log FILE]
       npm run audit:verify -- --archive FILE

--write FILE    notes where the log of each tenant ends now. Keep the file where nobody of this machine can change it.
--against FILE  also finds out whether everything noted earlier is still there.
--log FILE      the same against the server's own log, in which it notes the ends of the audit log every hour.
--archive FILE  verifies a file of npm run audit:archive instead, and that it is the one the log was moved to.

Ends with 1 when anything was found.`;

const notes = z.record(
  z.string(),
  z.array(z.object({ lane: z.number().int(), number: z.number().int(), hash: z.string() })),
);

await command(usage, async () => {
  const { values } = parseArgs({
    options: {
      tenant: { type: 'string' },
      json: { type: 'boolean' },
      write: { type: 'string' },
      against: { type: 'string' },
      log: { type: 'string' },
      archive: { type: 'string' },
    },
  });
  const { tenant, json, archive, write, against, log } = values;
  if (archive !== undefined && Object.keys(values).length > 1)
    throw new Error(`--archive goes alone.\n\n${usage}`);
  const config = loadConfig();
  const given = {
    tenant,
    json,
    archive: archive === undefined ? undefined : await fileToRead(archive),
    write: write === undefined ? undefined : await fileToWrite(write),
    noted: against === undefined ? undefined : await readNotes(await fileToRead(against)),
    logged: log === undefined ? undefined : await readLog(await fileToRead(log)),
  };
  const key = archive === undefined ? undefined : await backupKey(config);
  await withDatabase(
    async ({ database }) => {
      const faulty =
        given.archive === undefined
          ? await verify(database, given)
          : await verifyArchive(database, given.archive, key);
      if (faulty) process.exitCode = 1;
    },
    { config, mustExist: true },
  );
});

interface Given {
  tenant?: string;
  json?: boolean;
  /** Path of the file for the current ends. */
  write?: string;
  noted?: z.infer<typeof notes>;
  logged?: LoggedHeads;
}

/** What --write stored earlier. Throws one clear sentence if the file contains something else. */
async function readNotes(path: string): Promise<z.infer<typeof notes>> {
  const text = await naming(path, readFile(path, 'utf8'));
  try {
    return notes.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is no file of npm run audit:verify -- --write, or it is damaged.`);
  }
}

/** The heads in a log of the server. Throws one clear sentence if there are none. */
async function readLog(path: string): Promise<LoggedHeads> {
  const logged = readLoggedHeads(await naming(path, readFile(path, 'utf8')));
  if (logged.lines === 0) throw new Error(`No line of ${path} notes the ends of the audit log.`);
  return logged;
}

/** Whether any archived event was changed. */
async function verifyArchive(database: Database, path: string, key: string | undefined): Promise<boolean> {
  const archive = await database.withScope({ kind: 'system' }, (tx) =>
    readArchive(path, (text, params) => tx.rows(text, params), key),
  );
  const { month, events, tenants, segments, faults, digest } = archive;
  const unknown: string[] = [];
  for (const tenantId of new Set(segments.map((one) => one.tenantId))) {
    const noted = await database.withScope({ kind: 'service', tenantId }, (tx) =>
      tx.rows<ArchiveSegment & { digest: string }>(
        `select tenant_id as "tenantId", lane, first, last, encode(hash_before, 'hex') as "hashBefore",
           encode(hash, 'hex') as hash, encode(digest, 'hex') as digest
         from audit_archive where tenant_id = $1 and month = ($2 || '-01')::date order by lane, first`,
        [tenantId, month],
      ),
    );
    const told = segments.flatMap((one) => (one.tenantId === tenantId ? [{ ...one, digest }] : []));
    if (JSON.stringify(noted) !== JSON.stringify(told)) unknown.push(tenants[tenantId] ?? tenantId);
  }
  console.log(`${month}: ${events} events, SHA-256 ${digest}`);
  for (const { tenantId, lane, number, eventId } of faults)
    console.log(
      `  edited: ${tenants[tenantId] ?? tenantId}, lane ${lane}, place ${number}, event ${eventId}`,
    );
  for (const tenant of unknown)
    console.log(`  not the file that the log of ${tenant} in this database was moved to`);
  const found = faults.length + unknown.length;
  console.log(found === 0 ? 'The archive is as it was written.' : `${found} faults were found.`);
  return found > 0;
}

async function verify(database: Database, { tenant, json, write, noted, logged }: Given): Promise<boolean> {
  const tenants = await database.withScope({ kind: 'system' }, (tx) =>
    tx.rows<{ id: string; name: string; slug: string }>(
      'select id, name, slug from tenant where $1::text is null or slug = $1 order by name',
      [tenant ?? null],
    ),
  );
  if (tenants.length === 0) throw new Error(tenant ? `There is no tenant ${tenant}.` : 'There is no tenant.');
  let faults = logged?.broken.length ?? 0;
  const heads: z.infer<typeof notes> = {};
  const reports: unknown[] = [];
  for (const { id, name, slug } of tenants) {
    const report = await verifyChain(database, id);
    const earlier = [...(noted?.[id] ?? []), ...(logged?.noted.get(id) ?? [])];
    const lost = earlier.length > 0 ? await lostHeads(database, id, earlier) : [];
    heads[id] = report.heads;
    faults += report.faults.length + lost.length;
    reports.push({
      tenant: slug,
      events: report.events,
      archived: report.archived,
      digest: report.digest,
      faults: report.faults,
      lost,
    });
    if (json) continue;
    const sound = report.faults.length + lost.length === 0;
    console.log(
      `${sound ? '✓' : '✗'} ${name}: ${report.events} events${report.archived ? ` and ${report.archived} in archives` : ''}, ${report.digest.slice(0, 16)}`,
    );
    for (const { kind, lane, number, eventId, at } of report.faults)
      console.log(
        `  ${kind}: ${lane === null ? 'no place' : `lane ${lane}, place ${number}`}${eventId ? `, event ${eventId}` : ''}${at ? `, ${at.toISOString()}` : ''}`,
      );
    for (const { lane, number } of lost) console.log(`  no longer as noted: lane ${lane}, place ${number}`);
  }
  if (!json)
    for (const line of logged?.broken ?? [])
      console.log(`  line ${line} of the log was changed, or one before it is missing`);
  if (json) console.log(JSON.stringify({ faults, tenants: reports, brokenLogLines: logged?.broken }));
  else console.log(faults === 0 ? 'The audit log is as it was written.' : `${faults} faults were found.`);
  if (write !== undefined) await naming(write, writeFile(write, JSON.stringify(heads, null, 1)));
  return faults > 0;
}
