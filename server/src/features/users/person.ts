import type { UserDetail, UserMembership, UserRow } from '@caseway/contract/users';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { Call } from '../../platform/http/serve.ts';
import { authorityOf, lockOf } from '../../platform/policy/authority.ts';
import { readRecord } from '../../platform/records/record-sql.ts';
import { userReading } from './source.ts';

/** A user, as far as the caller administers them. */
export interface KnownUser {
  tenantId: string;
  stored: UserRow;
  /** Not accepted yet: the person is shown as the inviter knows them, and `accountId` is not an account. */
  offered: boolean;
  /** Too many codes were wrong. */
  locked: boolean;
  lock: UserDetail['lock'];
  memberships: UserMembership[];
}

interface ListedMembership {
  id: string;
  version: number;
  account_id: string;
  org_type: 'T' | 'O' | 'F' | 'PHJ';
  org_id: string;
  org_name: string | null;
  role_ids: string[];
  created_at: Date;
  ended_at: Date | null;
  locked_at: Date | null;
  locked_until: Date | null;
  offered: boolean;
}

/** The membership with this id and all others of its account that the request sees. Throws `not-found`. */
export async function knownUser(call: Call, id: string): Promise<KnownUser> {
  return call.withScope(async (tx) => {
    const { tenantId } = tx;
    const stored = await readRecord(tx, userReading, id);
    const rows = await tx.rows<ListedMembership>(
      `select u.*, coalesce(o.name, f.name, j.name, t.name) as org_name from user_list u
       left join tenant t on u.org_type = 'T' and t.id = u.tenant_id
       left join organization o on u.org_type = 'O' and o.tenant_id = u.tenant_id and o.id = u.org_id
       left join facility f on u.org_type = 'F' and f.tenant_id = u.tenant_id and f.id = u.org_id
       left join jurisdiction j on u.org_type = 'PHJ' and j.id = u.org_id
       where u.tenant_id = $1 and u.account_id = $2 order by u.created_at, u.id`,
      [tenantId, stored.accountId],
    );
    const listed = rows.find((row) => row.id === id);
    if (!listed) throw new AppError('not-found');
    const authority = await authorityOf(tx, call);
    return {
      tenantId,
      stored,
      offered: listed.offered,
      locked: listed.locked_until !== null,
      lock:
        stored.status === 'locked' && listed.locked_until
          ? { since: listed.locked_at?.toISOString() ?? null, until: listed.locked_until.toISOString() }
          : null,
      memberships: rows.map((row) => {
        const active = row.ended_at === null;
        const kind = row.org_type === 'T' ? authority.kind : row.org_type;
        const target = { accountId: row.account_id, kind, holding: { roleIds: row.role_ids, active: true } };
        return {
          id: row.id,
          version: row.version,
          orgType: row.org_type,
          orgId: row.org_id,
          orgName: row.org_name ?? '',
          roleIds: row.role_ids,
          active,
          createdAt: row.created_at.toISOString(),
          endedAt: row.ended_at?.toISOString() ?? null,
          locked: (lockOf(authority, target)?.code ?? null) as UserMembership['locked'],
        };
      }),
    };
  });
}

/**
 * What an administrator may change about a person. Sign-in codes go to the address, so administrators may change it
 * only as long as nobody has signed in with it, and only for a person whom no one else administers. People who also
 * belong to other organisations, have more rights, or have left keep their name and addresses themselves. An ended
 * membership counts only in its own tenant, which can renew it.
 */
export async function editableOf(
  tx: Tx,
  { tenantId, stored, offered, memberships }: KnownUser,
): Promise<UserDetail['editable']> {
  if (memberships.some(({ locked }) => locked !== null)) return 'nothing';
  // Their details at that time are shown.
  if (memberships.every(({ active }) => !active)) return 'nothing';
  const [{ elsewhere }] = (await tx.rows(
    offered
      ? `select exists (select from membership_offer
           where tenant_id = $3 and person_id = $1 and id <> all ($2::uuid[])) as elsewhere`
      : `select exists (select from membership where account_id = $1 and id <> all ($2::uuid[])
           and (ended_at is null or tenant_id = $3)) as elsewhere`,
    [stored.accountId, memberships.map(({ id }) => id), tenantId],
  )) as [{ elsewhere: boolean }];
  if (elsewhere) return 'nothing';
  return stored.lastSignInAt === null ? 'everything' : 'name';
}

export async function readDetail(database: Database, call: Call, id: string): Promise<UserDetail> {
  const known = await knownUser(call, id);
  const { stored, lock, memberships } = known;
  return {
    ...stored,
    lock,
    memberships,
    // Only sign-in sees whether a person belongs to another tenant.
    editable: await database.withScope({ kind: 'identity' }, (tx) => editableOf(tx, known)),
  };
}
