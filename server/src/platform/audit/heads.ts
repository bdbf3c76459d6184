import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { each } from '../db/every-tenant.ts';
import type { ChainHead } from './verify.ts';

/** The message of the log line, used to find it. */
export const headsMessage = 'the ends of the audit log';

const hex = z.string().regex(/^[0-9a-f]{64}$/);

/** The ends of each tenant's log: `[lane, number, hash]` of each lane, by the tenant's id. */
const heads = z.record(z.string(), z.array(z.tuple([z.number().int(), z.number().int(), hex])));

/** One line of the server's log. Each has the hash of the line before, so that removing one in the middle shows. */
const headsLine = z.object({
  msg: z.literal(headsMessage),
  auditHeads: z.object({
    /** The first line of a server after its start is number 1 and has no predecessor. */
    number: z.number().int(),
    before: hex.nullable(),
    at: z.iso.datetime(),
    heads,
    hash: hex,
  }),
});
type HeadsLine = z.infer<typeof headsLine>['auditHeads'];

const hashOf = ({ number, before, at, heads }: Omit<HeadsLine, 'hash'>): string =>
  createHash('sha256')
    .update(JSON.stringify([number, before, at, heads]))
    .digest('hex');

/**
 * Writes the ends of every tenant's audit log into the server's log now and every hour. A person who can rewrite the
 * database cannot rewrite a log that is shipped elsewhere: `npm run audit:verify -- --log FILE` compares the two.
 * Tenants whose database server is away get a separate line when it is back. Returns a function that stops it.
 */
export function logHeads(
  { database, log }: { database: Database; log: Logger },
  { everyMs = 3_600_000, againMs = 300_000 }: { everyMs?: number; againMs?: number } = {},
): () => Promise<void> {
  let last: HeadsLine | undefined;
  /** Tenants that a line could not include; another line follows for them alone. */
  let missed: string[] = [];
  const write = async (only?: readonly string[]) => {
    const found: HeadsLine['heads'] = {};
    const tenants =
      only ??
      (
        await database.withScope({ kind: 'system' }, (tx) =>
          tx.rows<{ id: string }>('select id from tenant order by id'),
        )
      ).map(({ id }) => id);
    missed = [];
    const noted = each(tenants, async (id) => {
      missed.push(id);
      const ends = await database.withScope({ kind: 'service', tenantId: id }, (tx) =>
        tx.rows<ChainHead>(
          `select lane, number, encode(hash, 'hex') as hash from audit_chain where tenant_id = $1 and number > 0
           order by lane`,
          [id],
        ),
      );
      found[id] = ends.map(({ lane, number, hash }) => [lane, Number(number), hash]);
      missed.pop();
    });
    await noted.catch((error) => {
      log.warn({ err: error }, 'the last events of some tenants could not be noted');
    });
    if (tenants.length > 0 && missed.length === tenants.length) return;
    const line = {
      number: (last?.number ?? 0) + 1,
      before: last?.hash ?? null,
      at: new Date().toISOString(),
      heads: found,
    };
    last = { ...line, hash: hashOf(line) };
    log.info({ auditHeads: last }, headsMessage);
  };
  let under: Promise<void> = Promise.resolve();
  const next = (work: () => Promise<void>) => {
    under = under.then(work).catch((error) => {
      log.warn({ err: error }, 'the last events of the tenants could not be noted');
    });
  };
  next(write);
  const timers = [
    setInterval(() => next(write), everyMs).unref(),
    setInterval(() => next(async () => (missed.length > 0 ? write(missed) : undefined)), againMs).unref(),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
    return under;
  };
}

export interface LoggedHeads {
  /** The heads in each line, by tenant. */
  noted: Map<string, ChainHead[]>;
  lines: number;
  /** Lines that were changed or that follow a missing one, by line number from 1. */
  broken: number[];
}

/** Reads the lines of `logHeads` from a server's log and skips all others. */
export function readLoggedHeads(text: string): LoggedHeads {
  const known = new Map<string, Map<string, ChainHead>>();
  const broken: number[] = [];
  let lines = 0;
  let last: HeadsLine | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.includes(headsMessage)) continue;
    const read = headsLine.safeParse(parsed(line));
    if (!read.success) {
      broken.push(index + 1);
      continue;
    }
    const entry = read.data.auditHeads;
    lines += 1;
    const isFirst = entry.number === 1 && entry.before === null;
    const follows = isFirst || !last || (entry.before === last.hash && entry.number === last.number + 1);
    if (entry.hash !== hashOf(entry) || !follows) broken.push(index + 1);
    last = entry;
    for (const [tenantId, ends] of Object.entries(entry.heads)) {
      const ofTenant = known.get(tenantId) ?? new Map<string, ChainHead>();
      known.set(tenantId, ofTenant);
      for (const [lane, number, hash] of ends) ofTenant.set(`${lane} ${number}`, { lane, number, hash });
    }
  }
  const noted = new Map([...known].map(([id, ends]) => [id, [...ends.values()]]));
  return { noted, lines, broken };
}

/** A line of the log, as JSON or formatted for people. */
function parsed(line: string): unknown {
  // A worker process writes its number first.
  const inWords = new RegExp(`${headsMessage} (?:worker=\\d+ )?auditHeads=(.*)$`).exec(line);
  try {
    return inWords ? { msg: headsMessage, auditHeads: JSON.parse(inWords[1]!) } : JSON.parse(line);
  } catch {
    return undefined;
  }
}
