import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  BackupFault,
  type BackupRecord,
  isEncrypted,
  openBackup,
  sealBackup,
  writeWhole,
} from '../db/backup-file.ts';
import type { Tx } from '../db/database.ts';
import type { Connection } from '../db/roles.ts';
import { writeEvent } from './auditor.ts';

/** An archive cannot be made or read. The message is a sentence for the operator. */
export class ArchiveFault extends Error {}

const hex = z.string().regex(/^([0-9a-f]{64})?$/);

/** Consecutive events of a lane: the hash before the first one, and the hash of the last one. */
const segment = z.strictObject({
  tenantId: z.uuid(),
  lane: z.number().int(),
  first: z.number().int(),
  last: z.number().int(),
  /** Empty at the beginning of a lane. */
  hashBefore: hex,
  hash: hex,
});
export type ArchiveSegment = z.infer<typeof segment>;

const head = z.strictObject({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  version: z.string(),
  at: z.iso.datetime(),
  /** Short names of the tenants by their ids, for readers who have only the file. */
  tenants: z.record(z.string(), z.string()),
  segments: z.array(segment),
});
const end = z.strictObject({ events: z.number().int() });

export interface Archive {
  month: string;
  events: number;
  tenants: Record<string, string>;
  segments: ArchiveSegment[];
  /** Changed events, by their place. */
  faults: { tenantId: string; lane: number | null; number: number | null; eventId: string }[];
  /** SHA-256 of the file, in hexadecimal. */
  digest: string;
}

/** Queries a database that has the function for the text of an event; its rows are not read. */
type Ask = Pick<Tx, 'rows'>['rows'];

/** Events read, or verified, at a time. */
const batchSize = 500;

const record = (kind: string, value: unknown): BackupRecord => ({
  kind,
  bytes: Buffer.from(JSON.stringify(value)),
});

export const asked = (client: Connection): Pick<Tx, 'rows' | 'run' | 'prepared'> => ({
  rows: async <Row extends object>(text: string, params: readonly unknown[] = []) =>
    (await client.query<Row>(text, params as unknown[])).rows,
  prepared: async <Row extends object>(name: string, text: string, params: readonly unknown[] = []) =>
    (await client.query<Row>({ name, text, values: params as unknown[] })).rows,
  run: async (text, params = []) => (await client.query(text, params as unknown[])).rowCount ?? 0,
});

export const archiveName = (month: string): string => `audit-${month}.caseway`;

/**
 * Writes a whole month of the log into a file of `folder`, reads it back and verifies each event. Then it removes
 * the month from the database and stores the places of its events; if anything fails, the month stays. A file from
 * an interrupted run is verified and used. Runs as the owner of the tables. Throws an `ArchiveFault` if an event was
 * changed, or if there is another file of that name.
 */
export async function archiveMonth(
  client: Connection,
  month: string,
  { folder, key, version, signal }: { folder: string; key?: string; version: string; signal?: AbortSignal },
): Promise<{ path: string; archive: Archive } | undefined> {
  const { rows } = asked(client);
  const path = join(folder, archiveName(month));
  await client.query(`set timezone = 'UTC'; begin isolation level repeatable read read only`);
  await client.query(`set local app.scope = 'backup'`);
  let segments: ArchiveSegment[];
  let counts: { events: number; foreign: number }[];
  let isNew = false;
  try {
    counts = await rows<{ events: number; foreign: number }>(
      `select count(*)::int as events, count(*) filter (where lane is null or number is null or hash is null)::int as foreign
       from audit_event where ${ofMonth}`,
      [month],
    );
    segments = await segmentsOf(rows, month);
    if (counts[0]!.events > 0 && !(await isThere(path))) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const tenants = await rows<{ id: string; slug: string }>('select id, slug from tenant');
      const about = {
        month,
        version,
        at: new Date().toISOString(),
        tenants: Object.fromEntries(tenants.map(({ id, slug }) => [id, slug])),
        segments,
      };
      await writeWhole(path, sealBackup(recordsOf(client, about), key), signal);
      isNew = true;
    }
  } finally {
    await client.query('commit');
  }
  const [{ events, foreign }] = counts as [(typeof counts)[number]];
  if (foreign > 0)
    throw new ArchiveFault(
      `${foreign} events of ${month} were put in by another hand. See npm run audit:verify; nothing was taken out.`,
    );
  if (events === 0) {
    await takeOut(client, month, 0, async () => {});
    return undefined;
  }
  if (key !== undefined && !isNew && !(await isEncrypted(path)))
    throw new ArchiveFault(
      `${path} is not encrypted, although a key is set; an earlier run without one has written it. Move it away to have it written again; nothing was taken out.`,
    );
  const archive = await readArchive(path, rows, key);
  if (archive.month !== month || JSON.stringify(archive.segments) !== JSON.stringify(segments))
    throw new ArchiveFault(
      `${path} is not an archive of this month of this database; nothing was taken out.`,
    );
  if (archive.faults.length > 0 || archive.events !== events) {
    if (isNew) await rm(path);
    throw new ArchiveFault(
      `${archive.faults.length} events of ${month} are not as they were written. See npm run audit:verify; nothing was taken out.`,
    );
  }
  await takeOut(client, month, events, () => anchor(client, archive, basename(path)));
  return { path, archive };
}

const ofMonth = `at >= ($1 || '-01 00:00:00+00')::timestamptz
  and at < ($1 || '-01 00:00:00+00')::timestamptz + interval '1 month'`;

/** In the scope `backup`, in a session whose time zone is UTC. */
const segmentsOf = (rows: Ask, month: string): Promise<ArchiveSegment[]> =>
  rows<ArchiveSegment>(
    `with run as (
       select tenant_id, lane, min(number)::float8 as first, max(number)::float8 as last from (
         select tenant_id, lane, number, number - row_number() over (partition by tenant_id, lane order by number) as place
         from audit_event where ${ofMonth} and lane is not null) placed
       group by tenant_id, lane, place
     )
     select r.tenant_id as "tenantId", r.lane, r.first, r.last,
       encode(coalesce(
         (select b.hash from audit_event b where b.tenant_id = r.tenant_id and b.lane = r.lane and b.number = r.first - 1 limit 1),
         (select b.hash from audit_archive b where b.tenant_id = r.tenant_id and b.lane = r.lane and b.last = r.first - 1 limit 1),
         ''), 'hex') as "hashBefore",
       encode(e.hash, 'hex') as hash
     from run r join audit_event e on e.tenant_id = r.tenant_id and e.lane = r.lane and e.number = r.last and ${ofMonth}
     order by r.tenant_id, r.lane, r.first`,
    [month],
  );

async function* recordsOf(client: Connection, about: z.infer<typeof head>): AsyncGenerator<BackupRecord> {
  yield record('H', about);
  await client.query(
    `declare archived no scroll cursor for select to_jsonb(e)::text as line from audit_event e
     where ${ofMonth} order by tenant_id, lane, number`,
    [about.month],
  );
  let events = 0;
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${batchSize} from archived`);
    if (rows.length === 0) break;
    events += rows.length;
    yield record(
      'R',
      rows.map(({ line }) => line),
    );
  }
  yield record('E', { events });
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Detaches the partitions of a month and runs `note` in the same transaction, or changes nothing. */
async function takeOut(
  client: Connection,
  month: string,
  events: number,
  note: () => Promise<void>,
): Promise<void> {
  const suffix = month.replace('-', '_');
  await client.query('begin');
  await client.query(`set local app.scope = 'backup'`);
  try {
    // Counted while others can still read. After this lock nobody writes into the month.
    await client.query(`lock table audit_event_${suffix}, audit_record_${suffix} in share mode`);
    const { rows } = await client.query(`select count(*)::int as n from audit_event where ${ofMonth}`, [
      month,
    ]);
    if (rows[0].n !== events)
      throw new ArchiveFault(`Events were added to ${month} in the meantime; try again.`);
    await detach(client, suffix);
    await note();
    await client.query(`drop table audit_event_${suffix}, audit_record_${suffix}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Waits for readers of the log, one second at a time. While it waits, everyone behind it waits too, including every
 * audited answer.
 */
async function detach(client: Connection, suffix: string): Promise<void> {
  await client.query(`set local lock_timeout = '1s'`);
  for (let tries = 1; ; tries += 1) {
    await client.query('savepoint before');
    try {
      for (const table of ['audit_event', 'audit_record'])
        await client.query(`alter table ${table} detach partition ${table}_${suffix}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
      if (tries === 60)
        throw new ArchiveFault(
          `Somebody reads the audit log without a pause, so ${suffix.replace('_', '-')} cannot be taken out. Try again at a quieter time.`,
        );
      await client.query('rollback to savepoint before');
      await sleep(1000);
    }
  }
}

/** Stores the places of the archived events and their file, in the chain of each tenant and in a separate table. */
async function anchor(client: Connection, archive: Archive, file: string): Promise<void> {
  await client.query(`set local app.scope = 'identity'`);
  const { month, segments, digest } = archive;
  await client.query(
    `insert into audit_archive (tenant_id, month, lane, first, last, hash_before, hash, file, digest)
     select "tenantId", ($2 || '-01')::date, lane, first, last, decode("hashBefore", 'hex'), decode(hash, 'hex'), $3,
       decode($4, 'hex')
     from json_to_recordset($1::json) as s ("tenantId" uuid, lane int, first bigint, last bigint, "hashBefore" text, hash text)
     returning 1`,
    [JSON.stringify(segments), month, file, digest],
  );
  for (const tenantId of new Set(segments.map((one) => one.tenantId))) {
    const own = segments.filter((one) => one.tenantId === tenantId);
    await writeEvent(asked(client), {
      tenantId,
      accountId: null,
      orgType: null,
      orgId: null,
      action: 'audit/archived',
      deed: 'administration',
      recordKind: 'audit-event',
      recordIds: [],
      detail: {
        month,
        events: own.reduce((sum, { first, last }) => sum + last - first + 1, 0),
        file,
        digest,
      },
    });
  }
}

/**
 * Reads and verifies a whole archive: every byte, and every event against its stored hash. Throws an `ArchiveFault`
 * when the file is damaged or cut off, or its key is missing.
 */
export async function readArchive(
  path: string,
  rows: Ask,
  key: string | undefined,
  onEvents: (lines: string[]) => void = () => {},
): Promise<Archive> {
  let about: z.infer<typeof head> | undefined;
  let told: z.infer<typeof end> | undefined;
  let events = 0;
  const faults: Archive['faults'] = [];
  const laneEnds = new Map<string, string>();
  try {
    // An archive may be unencrypted: its events, and the entry in the log, prove who wrote it.
    for await (const { kind, bytes } of openBackup(path, key, { unencrypted: true })) {
      const value: unknown = JSON.parse(bytes.toString());
      if (kind === 'H') {
        about = head.parse(value);
        for (const { tenantId, lane, first, hashBefore } of about.segments)
          laneEnds.set(`${tenantId} ${lane} ${first - 1}`, hashBefore);
      } else if (kind === 'E') told = end.parse(value);
      else if (kind === 'R' && about) {
        const lines = z.array(z.string()).parse(value);
        events += lines.length;
        faults.push(...(await faultsIn(lines, laneEnds, about.month, rows)));
        onEvents(lines);
      } else throw new ArchiveFault(`${path} is no archive of the audit log.`);
    }
  } catch (error) {
    if (error instanceof BackupFault)
      throw new ArchiveFault(
        error.message.includes('BACKUP_KEY')
          ? `${path} is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE to its key.`
          : `${path} is damaged, was cut off, or its key is another one.`,
      );
    throw error;
  }
  if (!about || told?.events !== events) throw new ArchiveFault(`${path} is no archive of the audit log.`);
  // The last event of each segment must match the head.
  for (const { tenantId, lane, last, hash } of about.segments)
    if (laneEnds.get(`${tenantId} ${lane} ${last}`) !== hash)
      faults.push({ tenantId, lane, number: last, eventId: '' });
  const { month, tenants, segments } = about;
  return { month, events, tenants, segments, faults, digest: await digestOf(path) };
}

/** Events whose hash does not follow from the one before and their contents, or that belong to another month. */
async function faultsIn(
  lines: string[],
  laneEnds: Map<string, string>,
  month: string,
  rows: Ask,
): Promise<Archive['faults']> {
  const found = await rows<{
    tenantId: string;
    eventId: string;
    lane: number;
    number: number;
    hash: string;
    month: string;
    text: string;
  }>(
    `select e.tenant_id as "tenantId", e.id as "eventId", e.lane, e.number::float8, encode(e.hash, 'hex') as hash,
       to_char(e.at at time zone 'UTC', 'YYYY-MM') as month,
       app_audit_text(e.tenant_id, e.id, e.at, e.account_id, e.org_type, e.org_id, e.action, e.record_kind, e.record_ids,
         e.detail, e.request_id, e.address, e.deed) as text
     from unnest($1::text[]) with ordinality as l (line, place), jsonb_populate_record(null::audit_event, l.line::jsonb) e
     order by l.place`,
    [lines],
  );
  return found.filter((event) => {
    const { tenantId, lane, number, hash, text } = event;
    const place = `${tenantId} ${lane} ${number - 1}`;
    const before = laneEnds.get(place);
    laneEnds.delete(place);
    laneEnds.set(`${tenantId} ${lane} ${number}`, hash);
    const expected = createHash('sha256')
      .update(Buffer.from(before ?? '', 'hex'))
      .update(text)
      .digest('hex');
    return before === undefined || hash !== expected || event.month !== month;
  });
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

/** The months before `before` (`YYYY-MM`, at most this one in UTC) that have a partition, the earliest first. */
export async function monthsBefore(client: Connection, before: string): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select to_char(to_date(substr(c.relname, 13), 'YYYY_MM'), 'YYYY-MM') as month
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_event'::regclass and c.relname ~ '^audit_event_[0-9]{4}_[0-9]{2}$'
     order by 1`,
  );
  const now = new Date().toISOString().slice(0, 7);
  return rows.map(({ month }) => month).filter((month) => month < before && month < now);
}
