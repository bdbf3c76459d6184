import type { Tx } from '../db/database.ts';

/*
 * A sender's code is visible to everyone who has a message that waits for it, so it carries who they are
 * (`code_mapping.waiting_at`). Code that stores messages adds to that; code that ends their wait checks if others
 * remain.
 */

const ofMessage = `concat_ws('|', place, coalesce(m.created_by::text, ''), array_to_string(m.disease_families, ','))`;
const places = 'unnest(array[m.organization_id::text, m.facility_id::text]) as place';
const waitsFor = (tenant: string) =>
  `m.tenant_id = ${tenant} and m.state = 'waiting' and m.waiting_for @> array[q.id]`;

/** Who has messages that wait for a code `q`; `tenant`: the SQL of its tenant. */
export const waitingSight = (
  tenant: string,
) => `array(select distinct ${ofMessage} from import_message m, ${places}
  where ${waitsFor(tenant)} and place is not null order by 1)`;

/** The codes that these messages wait for. */
export async function codesWaitedFor(
  tx: Tx,
  tenantId: string,
  messageIds: readonly string[],
): Promise<string[]> {
  if (messageIds.length === 0) return [];
  const rows = await tx.rows<{ id: string }>(
    `select distinct code as id from import_message m, unnest(m.waiting_for) as code
     where m.tenant_id = $1 and m.id = any ($2) and m.state = 'waiting'`,
    [tenantId, messageIds],
  );
  return rows.map(({ id }) => id);
}

/** Adds waiting messages to what their codes carry. */
export async function noteWaiting(tx: Tx, tenantId: string, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await tx.run(
    `update code_mapping q set waiting_at = array(select distinct one from unnest(q.waiting_at || n.added) as one order by one)
     from (select code, array_agg(distinct ${ofMessage}) as added
       from import_message m, unnest(m.waiting_for) as code, ${places}
       where m.tenant_id = $1 and m.id = any ($2) and m.state = 'waiting' and place is not null group by code) n
     where q.tenant_id = $1 and q.id = n.code and not q.waiting_at @> n.added`,
    [tenantId, messageIds],
  );
}

/**
 * Removes from these codes everyone who no longer has a waiting message. Stops at the first that does: many messages
 * can wait for one code.
 */
export async function noteNotWaiting(tx: Tx, tenantId: string, codeIds: readonly string[]): Promise<void> {
  if (codeIds.length === 0) return;
  await tx.run(
    `update code_mapping q set waiting_at = n.waiting_at
     from (select q.id, array(select one from unnest(q.waiting_at) as one
         where exists (select from import_message m, ${places} where ${waitsFor('$1')} and ${ofMessage} = one)
         order by one) as waiting_at
       from code_mapping q where q.tenant_id = $1 and q.id = any ($2)) n
     where q.tenant_id = $1 and q.id = n.id`,
    [tenantId, codeIds],
  );
}

/** Recomputes who has waiting messages, after their imports have moved to other places. */
export async function noteWaitingElsewhere(
  tx: Tx,
  tenantId: string,
  importIds: readonly string[],
): Promise<void> {
  if (importIds.length === 0) return;
  await tx.run(
    `update code_mapping q set waiting_at = n.waiting_at
     from (select q.id, ${waitingSight('$1')} as waiting_at from code_mapping q
       where q.tenant_id = $1 and q.id in (select unnest(m.waiting_for) from import_message m
         where m.tenant_id = $1 and m.import_id = any ($2) and m.state = 'waiting')) n
     where q.tenant_id = $1 and q.id = n.id`,
    [tenantId, importIds],
  );
}
