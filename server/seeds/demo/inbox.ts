import { createHash } from 'node:crypto';
import { openCaseStatuses } from '@caseway/contract/case-reports';
import { addDays } from '@caseway/contract/date-range';
import { v7 } from 'uuid';
import type { Tx } from '../../src/platform/db/database.ts';
import { insertRows } from '../../src/platform/db/rows.ts';

/** For how many of their latest cases each investigator has a notification, and how many of these are unread. */
const told = 6;
const unread = 2;

/** Notifications of investigators: who assigned their latest open cases to them, in the days before. */
export async function seedInbox(tx: Tx, today: string, giver: string): Promise<void> {
  const cases = await tx.rows<{ id: string; account: string; place: number }>(
    `select * from (select id, investigator_id as account,
       row_number() over (partition by investigator_id order by created_on desc, case_id desc)::integer - 1 as place
       from case_report where tenant_id = $1 and investigator_id is not null and investigator_id <> $2
         and status = any ($3::text[])) c
     where place < $4 order by account, place`,
    [tx.tenantId, giver, openCaseStatuses, told],
  );
  await insertRows(
    tx,
    tx.tenantId,
    'notification',
    {
      id: 'uuid', account_id: 'uuid', kind: 'text', record_kind: 'text', record_id: 'uuid', actor_id: 'uuid',
      at: 'timestamptz', read_at: 'timestamptz',
    }, // biome-ignore format: a table
    cases.map(({ id, account, place }) => {
      const day = addDays(today, -1 - Math.floor(place / 2));
      const at = `${day}T${place % 2 === 0 ? 18 : 14}:20:00Z`;
      const random = createHash('sha256').update(`told of ${id}`).digest().subarray(0, 16);
      return {
        // In the order of their times, like those that the product makes.
        id: v7({ msecs: Date.parse(at), random, seq: place }),
        account_id: account,
        kind: 'assigned',
        record_kind: 'case',
        record_id: id,
        actor_id: giver,
        at,
        read_at: place < unread ? null : `${day}T20:00:00Z`,
      };
    }),
    { conflict: 'on conflict do nothing' },
  );
}
