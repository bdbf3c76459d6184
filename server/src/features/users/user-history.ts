import type { OrgType } from '@caseway/contract/session';
import type { Tx } from '../../platform/db/database.ts';
import { type Changes, changesOf, keepVersions } from '../../platform/records/record-history.ts';
import { userReading } from './source.ts';

/*
 * The versions of users. A version carries its organisation and is read by people who administer the membership. In
 * the scope `identity`.
 */

interface Writer {
  tenantId: string;
  /** Null: the person themself, about whom nothing is shown. */
  accountId: string | null;
}

/** A new membership or offer. */
export interface Begun {
  id: string;
  version: number;
  orgType: OrgType;
  orgId: string;
  roleIds: readonly string[];
}

const readersOf = ({ orgType, orgId }: Pick<Begun, 'orgType' | 'orgId'>) => ({
  org_type: orgType,
  org_id: orgId,
});

/** Stores the first versions of new or renewed memberships or offers. */
export async function keepBegun(
  tx: Tx,
  { tenantId, accountId }: Writer,
  begun: readonly Begun[],
  earlier: readonly { id: string; active: boolean; roleIds: readonly string[] }[],
): Promise<void> {
  const before = new Map(earlier.map((one) => [one.id, one]));
  const versions = begun.map(({ id, version, roleIds, ...place }) => {
    const was = before.get(id);
    const roles = [...roleIds].sort();
    const changes: Changes = was
      ? changesOf({ active: was.active, roles: [...was.roleIds].sort() }, { active: true, roles })
      : { roles: { to: roles } };
    return { id, version, accountId, changes, readers: readersOf(place) };
  });
  await keepVersions(
    tx,
    userReading,
    tenantId,
    versions.filter(({ version, changes }) => version === 1 || changes.active !== undefined),
  );
}

/** Raises the versions of memberships and offers, and stores the changes of each. */
export async function keepChanges(
  tx: Tx,
  { tenantId, accountId }: Writer,
  changed: ReadonlyMap<string, Changes>,
  undoes?: number,
): Promise<void> {
  if (changed.size === 0) return;
  const raise = (table: 'membership' | 'membership_offer') =>
    tx.rows<Omit<Begun, 'roleIds'> & { ended: boolean }>(
      `update ${table} set version = version + 1 where tenant_id = $1 and id = any ($2::uuid[])
       returning id, version, org_type as "orgType", org_id as "orgId", ended_at is not null as ended`,
      [tenantId, [...changed.keys()]],
    );
  const rows = [...(await raise('membership')), ...(await raise('membership_offer'))];
  await keepVersions(
    tx,
    userReading,
    tenantId,
    rows.map(({ id, version, ended, ...place }) => {
      const changes = changed.get(id)!;
      const { roles: _, active, ...ofPerson } = changes;
      // A person's new name after they have left a place is not shown there. [P1]
      const later = ended && active === undefined && Object.keys(ofPerson).length > 0;
      const readers = readersOf(later ? { orgType: 'T', orgId: tenantId } : place);
      return { id, version, accountId, changes, ...(undoes !== undefined && { undoes }), readers };
    }),
  );
}

/** Locks the memberships and offers of a person, and returns their versions. */
export async function lockVersions(
  tx: Tx,
  tenantId: string,
  personId: string,
): Promise<ReadonlyMap<string, number>> {
  const lock = (table: 'membership' | 'membership_offer', by: 'account_id' | 'person_id') =>
    tx.rows<{ id: string; version: number }>(
      `select id, version from ${table} where tenant_id = $1 and ${by} = $2 order by id for update`,
      [tenantId, personId],
    );
  const rows = [
    ...(await lock('membership', 'account_id')),
    ...(await lock('membership_offer', 'person_id')),
  ];
  return new Map(rows.map(({ id, version }) => [id, version]));
}
