import type pg from 'pg';

/**
 * Where the tables are once the data is spread over several servers by tenant (Citus). All other tables are records:
 * they have a `tenant_id`, and are on the server of their tenant. [P30]
 */
export const places = {
  /** Only on the first server: sign-in, and data of the installation. */
  local: [
    'account_recovery',
    'account_state',
    'backup_made',
    'contact_change',
    'passkey',
    'recovery_approval',
    'recovery_code',
    'replica_owner',
    'schema_migration',
    'schema_text',
    'secret_mark',
    'session',
    'sign_in_challenge',
    'sign_in_failure',
    'totp_authenticator',
  ],
  /**
   * On every server: data that sign-in reads over all tenants, and data that is joined with records of every tenant.
   */
  shared: [
    'account',
    'facility',
    'facility_alias',
    'feature_switch',
    'held_result_rule',
    'jurisdiction',
    'jurisdiction_county',
    'label_override',
    'location',
    'mail_text',
    'membership',
    'membership_offer',
    'membership_role',
    'organization',
    'policy_version',
    'program',
    'program_type',
    'role',
    'role_grant',
    'role_parent',
    'task',
    'team',
    'tenant',
    'tenant_reporting',
  ],
} as const;

/** Views that read local tables, and so are only on the first server too. */
export const localViews = ['user_list'] as const;

export type Place = 'local' | 'shared' | 'record';

/** A table of the schema `public`, without partitions. */
export interface PlacedTable {
  name: string;
  /** Null if the table is in no list and has no tenant. */
  place: Place | null;
  /** The place that Citus reports; null if it is only on the first server, and on plain PostgreSQL. */
  there: Place | null;
}

/** A connection, or a pool of them. */
interface Asked {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Whether tables are spread over servers; false on plain PostgreSQL, and before `npm run migrate -- --distribute`. */
export async function isDistributed(client: Asked): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rows } = await client.query(
    `select exists (select from pg_dist_partition where logicalrelid = to_regclass('public.tenant')) as spread`,
  );
  return rows[0]!.spread as boolean;
}

/** Whether the database has the extension that can spread tables. */
export async function hasCitus(client: Asked): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

/** Every table and its place; on a database with Citus also its current place. */
export async function placedTables(client: Pick<pg.Client, 'query'>): Promise<PlacedTable[]> {
  const there = (await hasCitus(client))
    ? `(select case p.partmethod when 'h' then 'record' when 'n' then 'shared' end from pg_dist_partition p where p.logicalrelid = c.oid)`
    : 'null';
  const { rows } = await client.query<PlacedTable>(
    `select c.relname as name, case when c.relname = any ($1::text[]) then 'local'
       when c.relname = any ($2::text[]) then 'shared'
       when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull)
         then 'record' end as place, ${there} as there
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by 1`,
    [places.local, places.shared],
  );
  return rows;
}
