// npm run audit:verify: finds events of the audit log that were edited, taken out or put in by another hand. [P15]
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { loadConfig } from '../config.ts';
import { readLoggedHeads } from '../platform/audit/heads.ts';
import { lostHeads, verifyChain } from '../platform/audit/verify.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { createLog } from '../platform/log.ts';
import { answered } from './asked.ts';

const usage = `Usage: npm run audit:verify -- [--tenant SLUG] [--json] [--write FILE] [--against FILE] [--log FILE]

--write FILE    notes where the log of each tenant ends now. Keep the file where nobody of this machine can change it.
--against FILE  also finds out whether everything noted earlier is still there.
--log FILE      the same against the server's own log, in which it notes the ends of the audit log every hour.

Ends with 1 when anything was found.`;

const notes = z.record(
  z.string(),
  z.array(z.object({ lane: z.number().int(), number: z.number().int(), hash: z.string() })),
);

if (!answered(usage))
  try {
    const { values } = parseArgs({
      options: {
        tenant: { type: 'string' },
        json: { type: 'boolean' },
        write: { type: 'string' },
        against: { type: 'string' },
        log: { type: 'string' },
      },
    });
    const config = loadConfig();
    const { database, close } = await connectDatabase({ ...config, log: createLog(config.logLevel) });
    try {
      const faulty = await verify(database, values);
      if (faulty) process.exitCode = 1;
    } finally {
      await close();
    }
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }

async function verify(
  database: Database,
  {
    tenant,
    json,
    write,
    against,
    log,
  }: { tenant?: string; json?: boolean; write?: string; against?: string; log?: string },
): Promise<boolean> {
  const noted = against === undefined ? undefined : notes.parse(JSON.parse(await readFile(against, 'utf8')));
  const logged = log === undefined ? undefined : readLoggedHeads(await readFile(log, 'utf8'));
  if (logged?.lines === 0) throw new Error(`No line of ${log} notes the ends of the audit log.`);
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
    reports.push({ tenant: slug, events: report.events, digest: report.digest, faults: report.faults, lost });
    if (json) continue;
    const sound = report.faults.length + lost.length === 0;
    console.log(`${sound ? '✓' : '✗'} ${name}: ${report.events} events, ${report.digest.slice(0, 16)}`);
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
  if (write !== undefined) await writeFile(write, JSON.stringify(heads, null, 1));
  return faults > 0;
}
