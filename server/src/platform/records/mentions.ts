import type { Permission } from '@caseway/contract/endpoint';
import type { Fault } from '@caseway/contract/error';
import type { Colleague } from '@caseway/contract/mentions';
import type { IdentityAuthorizer } from '../auth/authorizer.ts';
import { hasCome } from '../auth/memberships.ts';
import type { Database, Tx } from '../db/database.ts';

/* Who can be mentioned in a note on a record: people of its tenant who may see that record. */

export type Readers = Pick<IdentityAuthorizer, 'readersOf'>;

export interface Noted {
  tenantId: string;
  id: string;
  /** The table of the record; each reader sees its rows by the policies of the database. */
  table: string;
  permission: Permission;
}

/** So many colleagues are offered at once. */
const offered = 8;
/** So many people of that name are asked whether they may see the record. */
const asked = 24;

/**
 * People of the tenant by the words of their names, as far as the scope of the transaction knows them; first those
 * with a name that begins with the first word.
 */
export const peopleNamed = (tx: Tx, tenantId: string, words: readonly string[]): Promise<Colleague[]> =>
  tx.rows<Colleague>(
    `select a.id, a.first_name || ' ' || a.last_name as name from account a
     where a.patient_id is null and a.disabled_at is null and a.id <> app_account()
       and exists (select from membership m where m.tenant_id = $1 and m.account_id = a.id and m.ended_at is null
         and ${hasCome})
       and not exists (select from unnest($2::text[]) as word
         where strpos(app_fold(a.first_name || ' ' || a.last_name), word) = 0)
     order by strpos(' ' || app_fold(a.first_name || ' ' || a.last_name), ' ' || ($2::text[])[1]) = 0, name, a.id
     limit ${asked}`,
    [tenantId, words],
  );

/** Whether the scope of the transaction sees the record. */
export async function seesRecord(tx: Tx, { tenantId, id, table }: Noted): Promise<boolean> {
  const found = await tx.rows(`select from ${table} where tenant_id = $1 and id = $2`, [tenantId, id]);
  return found.length > 0;
}

/** Whether someone sees the record through any of their organizations. */
async function mayRead(
  database: Database,
  readers: Readers,
  noted: Noted,
  accountId: string,
): Promise<boolean> {
  for (const { scope, may } of await readers.readersOf(accountId, noted.tenantId)) {
    if (!may(noted.permission)) continue;
    const isSeen = await database.withScope(scope, (tx) => seesRecord(tx, noted), { readOnly: true });
    if (isSeen) return true;
  }
  return false;
}

/** Those of some people who may see the record, in their order. */
export async function colleaguesAmong(
  database: Database,
  readers: Readers,
  noted: Noted,
  people: readonly Colleague[],
): Promise<Colleague[]> {
  const found: Colleague[] = [];
  for (const person of people) {
    if (found.length === offered) break;
    if (await mayRead(database, readers, noted, person.id)) found.push(person);
  }
  return found;
}

/** The fault of a text that mentions someone who may not see the record, or who is not known in its tenant. */
export async function faultsOfMentions(
  database: Database,
  readers: Readers,
  noted: Noted,
  accountIds: readonly string[],
): Promise<Fault[]> {
  for (const accountId of accountIds)
    if (!(await mayRead(database, readers, noted, accountId)))
      return [
        {
          path: 'text',
          code: 'mention-hidden',
          message: 'somebody whom the text mentions may not see this record',
        },
      ];
  return [];
}

/** The present names of accounts, by account, as far as the scope of the transaction knows them. */
export async function namesOf(tx: Tx, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await tx.rows<Colleague>(
    `select id, first_name || ' ' || last_name as name from account where id = any ($1::uuid[])`,
    [accountIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
