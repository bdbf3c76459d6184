import type { NotificationKind } from '@caseway/contract/inbox';
import type { Database, Tx } from '../../platform/db/database.ts';
import { insertRows } from '../../platform/db/rows.ts';
import { publishEachWith } from '../../platform/events/hub.ts';
import { type Telling, tellJob } from '../../platform/inbox/tell.ts';
import { type Work, work } from '../../platform/jobs/jobs.ts';
import { mailSoon } from './mail-job.ts';
import { wayOf, waysOf } from './ways.ts';

/** Writes the queued notifications. The number of statements does not grow with the records. */
export const tellWork = (database: Database): Work =>
  work(tellJob, (telling) =>
    database.withScope({ kind: 'service', tenantId: telling.tenantId }, (tx) => write(tx, telling)),
  );

interface Row {
  id: string;
  account_id: string;
  kind: NotificationKind;
  record_id: string;
}

async function write(tx: Tx, telling: Telling): Promise<void> {
  const { tenantId, recordKind, actorId, at } = telling;
  const changed = await takeBack(tx, telling);
  const found = await foundBy(tx, telling);
  const rows = telling.told.flatMap(({ to, version, recordId, ...one }) => {
    const account_id = typeof to === 'string' ? to : found(recordId, to, version);
    return account_id === undefined || account_id === actorId
      ? []
      : [
          {
            ...one,
            account_id,
            record_kind: recordKind,
            record_id: recordId,
            actor_id: actorId,
            made_version: version,
            at,
          },
        ];
  });
  const ways = await waysOf(
    tx,
    rows.map((row) => row.account_id),
  );
  const wanted = rows.filter(({ account_id, kind }) => wayOf(ways, account_id, kind) !== 'off');
  await insertNotifications(tx, tenantId, wanted);
  await publish(tx, tenantId, [...changed, ...wanted]);
  const mailed = new Set(
    wanted.flatMap(({ account_id, kind }) => (wayOf(ways, account_id, kind) === 'mail' ? [account_id] : [])),
  );
  await mailSoon(tx, tenantId, [...mailed]);
}

/** Adds notifications, except existing ones. */
export const insertNotifications = (tx: Tx, tenantId: string, rows: readonly object[]): Promise<void> =>
  insertRows(
    tx,
    tenantId,
    'notification',
    {
      id: 'uuid', account_id: 'uuid', kind: 'text', record_kind: 'text', record_id: 'uuid', actor_id: 'uuid',
      made_version: 'integer', due_on: 'date', at: 'timestamptz',
    }, // biome-ignore format: a table
    rows,
    { conflict: 'on conflict do nothing' },
  );

/** Makes these people's screens load the inbox again. */
export async function publish(
  tx: Tx,
  tenantId: string,
  about: readonly Pick<Row, 'id' | 'account_id'>[],
): Promise<void> {
  const atOnce = 100;
  await publishEachWith(
    tx,
    [...Map.groupBy(about, ({ account_id }) => account_id)].flatMap(([accountId, of]) =>
      Array.from({ length: Math.ceil(of.length / atOnce) }, (_, part) => ({
        hearers: { tenantId, accountId },
        event: {
          type: 'inbox-changed' as const,
          ids: of.slice(part * atOnce, (part + 1) * atOnce).map(({ id }) => id),
        },
      })),
    ),
  );
}

/** Withdraws unread notifications of versions that were undone. If the undo is undone, they are sent again. */
async function takeBack(tx: Tx, { tenantId, takenBack }: Telling): Promise<Row[]> {
  if (takenBack.length === 0) return [];
  const given = [
    tenantId,
    takenBack.map(({ recordId }) => recordId),
    takenBack.map(({ undone }) => undone),
    takenBack.map(({ by }) => by),
  ];
  const again = await tx.rows<Row>(
    `update notification n set withdrawn_at = null, withdrawn_version = null
     from unnest($2::uuid[], $3::integer[], $4::integer[]) as t (record_id, undone, by)
     where n.tenant_id = $1 and n.record_id = t.record_id and n.withdrawn_version = t.undone
     returning n.id, n.account_id, n.kind, n.record_id`,
    given,
  );
  const gone = await tx.rows<Row>(
    `update notification n set withdrawn_at = now(), withdrawn_version = t.by
     from unnest($2::uuid[], $3::integer[], $4::integer[]) as t (record_id, undone, by)
     where n.tenant_id = $1 and n.record_id = t.record_id and n.made_version = t.undone and n.read_at is null
       and n.withdrawn_at is null
     returning n.id, n.account_id, n.kind, n.record_id`,
    given,
  );
  return [...again, ...gone];
}

type Sought = Extract<Telling['told'][number]['to'], object>;

/** The person who last set a field of a record to a value before a version. */
async function foundBy(
  tx: Tx,
  { tenantId, history, told }: Telling,
): Promise<(recordId: string, sought: Sought, version: number | null) => string | undefined> {
  const sought = told.flatMap(({ to, recordId }) =>
    typeof to === 'string' ? [] : [{ recordId, field: to.field }],
  );
  if (sought.length === 0 || history === null) return () => undefined;
  const rows = await tx.rows<{ recordId: string; version: number; by: string; set: Record<string, unknown> }>(
    `select h.record_id as "recordId", h.version, h.account_id as by,
       (select jsonb_object_agg(c.key, c.value -> 'to') from jsonb_each(h.changes) c where c.key = any ($3::text[])) as set
     from ${history} h
     where h.tenant_id = $1 and h.record_id = any ($2::uuid[]) and h.account_id is not null and h.changes ?| $3::text[]
     order by h.version desc`,
    [
      tenantId,
      [...new Set(sought.map(({ recordId }) => recordId))],
      [...new Set(sought.map(({ field }) => field))],
    ],
  );
  const byRecord = Map.groupBy(rows, ({ recordId }) => recordId);
  return (recordId, { field, value }, version) =>
    byRecord
      .get(recordId)
      ?.find((one) => (version === null || one.version < version) && one.set[field] === value)?.by;
}
