import { v7 } from 'uuid';
import { beforeEach, describe, expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../../test/database.ts';
import { makeTenant } from '../../../../test/factories.ts';
import { verifyChain } from '../../../platform/audit/verify.ts';
import { retentionRuns } from '../../../platform/operations/retention.ts';
import { readMessageRow } from '../queries.ts';
import { deleteRawMessages } from './raw-retention.ts';
import { sweepUploads } from './upload-sweep.ts';

const { database, superuserUrl } = await createTestDatabase();
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

let tenant = '';
beforeEach(async () => {
  tenant = (await makeTenant(database)).id;
});

async function importOf(age: string, state = 'done', more: { dryRun?: boolean } = {}): Promise<string> {
  const id = v7();
  await sql(
    `insert into import (tenant_id, id, file_name, state, dry_run, created_at, finished_at)
     values ($1, $2, 'a.hl7', $3, $4, now() - $5::interval, now() - $5::interval)`,
    [tenant, id, state, more.dryRun ?? false, age],
  );
  return id;
}
let index = 0;
async function message(
  importId: string,
  age: string,
  { state = 'taken', ...rest }: Record<string, unknown> & { state?: string } = {},
): Promise<string> {
  const row = {
    tenant_id: tenant,
    id: v7(),
    import_id: importId,
    index: index++,
    line: 1,
    raw: state === 'duplicate' ? null : Buffer.from('MSH|^~\\&|'),
    content_hash: Buffer.from('x'),
    state,
    ...rest,
  };
  const names = Object.keys(row);
  await sql(
    `insert into import_message (${names.join(', ')}, created_at)
     values (${names.map((_, at) => `$${at + 1}`).join(', ')}, now() - $${names.length + 1}::interval)`,
    [...Object.values(row), age],
  );
  return row.id;
}
const kept = async () =>
  new Set(
    (
      await sql<{ id: string }>('select id from import_message where tenant_id = $1 and raw is not null', [
        tenant,
      ])
    ).map(({ id }) => id),
  );
const events = (action: string) =>
  sql<{ detail: Record<string, unknown>; record_ids: string[]; deed: string }>(
    'select detail, record_ids, deed from audit_event where tenant_id = $1 and action = $2 order by number',
    [tenant, action],
  );

describe('texts of messages', () => {
  test('are deleted after the months of their tenant, except those of messages that still need work', async () => {
    const old = await importOf('25 months');
    const taken = await message(old, '25 months');
    const waiting = await message(old, '25 months', { state: 'waiting', reason: 'unmapped-code' });
    const refused = await message(old, '25 months', { state: 'refused', reason: 'no-patient' });
    const again = await message(old, '25 months', { rerun: true });
    const correction = await message(old, '1 month');
    const corrected = await message(old, '25 months', { state: 'refused', corrected_by: correction });
    const repeated = await message(old, '25 months', { state: 'duplicate', duplicate_of: taken });
    const recent = await message(await importOf('23 months'), '23 months');
    const running = await message(await importOf('25 months', 'running'), '25 months');
    const before = retentionRuns['raw-messages'].deleted;

    await deleteRawMessages(database, { atOnce: 1 });
    expect(await kept()).toEqual(new Set([waiting, refused, again, correction, recent, running]));
    expect(retentionRuns['raw-messages'].deleted - before).toBe(2);
    // One transaction each here, and each event has its count; no event names a message or its contents.
    const told = await events('retention/raw-messages-deleted');
    expect(
      told.map(({ detail, record_ids, deed }) => [detail.deleted, detail.months, record_ids, deed]),
    ).toEqual([
      [1, 24, [old], 'administration'],
      [1, 24, [old], 'administration'],
    ]);
    expect((await verifyChain(database, tenant)).faults).toEqual([]);

    const read = (id: string) =>
      database.withScope({ kind: 'service', tenantId: tenant }, (tx) => readMessageRow(tx, old, id));
    for (const id of [taken, corrected, repeated])
      expect(await read(id)).toMatchObject({ raw: null, deletedAt: expect.any(Date) });
    expect(await read(waiting)).toMatchObject({ raw: expect.any(Buffer), deletedAt: null });

    // Once no work is left, the next night deletes it too, and then the import is not visited again.
    await sql(`update import_message set state = 'taken', rerun = false where tenant_id = $1`, [tenant]);
    await sql(`update import_message set created_at = now() - interval '25 months' where id = $1`, [
      correction,
    ]);
    await deleteRawMessages(database);
    expect(await kept()).toEqual(new Set([recent, running]));
    expect(
      await sql('select id from import where tenant_id = $1 and raw_deleted_at is not null', [tenant]),
    ).toEqual([{ id: old }]);
  });

  test('are kept forever if the tenant says so', async () => {
    await sql('update tenant set raw_message_months = null where id = $1', [tenant]);
    const old = await message(await importOf('40 years'), '40 years');
    await deleteRawMessages(database);
    expect(await kept()).toEqual(new Set([old]));
    expect(await events('retention/raw-messages-deleted')).toEqual([]);
  });

  test('a tenant must keep them for at least three months, and the log for at least a year', async () => {
    for (const change of ['raw_message_months = 2', 'audit_months = 11'])
      await expect(sql(`update tenant set ${change} where id = $1`, [tenant])).rejects.toThrow(
        'check constraint',
      );
  });
});

test('uploaded files that were only tried are counted in the log when the rule of the tenant deletes them', async () => {
  const tried = await importOf('4 days', 'done', { dryRun: true });
  const fresh = await importOf('2 days', 'done', { dryRun: true });
  for (const id of [tried, fresh])
    await sql(
      `insert into import_upload (tenant_id, import_id, byte_offset, byte_length, bytes) values ($1, $2, 0, 1, 'x')`,
      [tenant, id],
    );
  await sweepUploads(database);
  expect(await sql('select import_id from import_upload where tenant_id = $1', [tenant])).toEqual([
    { import_id: fresh },
  ]);
  expect(await events('retention/uploads-deleted')).toEqual([
    { detail: { deleted: 1, days: 3 }, record_ids: [tried], deed: 'administration' },
  ]);
});
