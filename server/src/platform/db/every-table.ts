import type pg from 'pg';
import { isDistributed, places } from './places.ts';
import { applicationRole } from './roles.ts';

/** Tables without personal data, which anyone may read. */
const open = ['schema_migration', 'schema_text'];

/**
 * Settings of every table, so that no migration has to repeat them or can forget them. Safe to repeat.
 *
 * - Row-level security is on, for the owner too: a table without a policy shows nothing.
 * - Nobody bypasses the policies of a table by naming one of its partitions.
 * - Backups see all rows: only the owner, who is never the application role, and only in their scope. [P7]
 * - PostgreSQL keeps no statistics on the tenants of records: it would expect no rows of a tenant that they lack,
 *   and read all of that tenant for each look-up (decision record 0049). Existing statistics can be dropped by the
 *   owner from PostgreSQL 18 on, before that by a superuser.
 */
export async function prepareEveryTable(client: pg.Client): Promise<void> {
  const shared = [...places.local, ...places.shared];
  // Tables are prepared before they are spread over several servers.
  const counts = !(await isDistributed(client));
  await client.query(`
    do $$
    declare t record;
    begin
      for t in select c.oid::regclass as name, c.relispartition as part,
          not (c.relrowsecurity and c.relforcerowsecurity) as unguarded,
          (not c.relispartition or pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')
            and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup_read') as not_backed_up,
          ${counts} and c.relkind = 'r' and not c.relispartition and c.relname <> all ('{${shared.join(',')}}')
            and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull
              and coalesce(a.attstattarget, -1) <> 0) as counted
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all ('{${open.join(',')}}')
          and pg_has_role(c.relowner, 'usage')
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        order by 1
      loop
        if t.unguarded then
          execute format('alter table %s enable row level security, force row level security', t.name);
          if t.part then execute format('revoke all on %s from ${applicationRole}', t.name); end if;
        end if;
        if t.not_backed_up then
          execute format('create policy backup_read on %s for select to current_user
            using (current_setting(''app.scope'', true) = ''backup'')', t.name);
        end if;
        if t.counted then
          execute format('alter table %s alter column tenant_id set statistics 0', t.name);
          if current_setting('server_version_num')::int >= 180000 then
            perform pg_clear_attribute_stats('public', t.name::text, 'tenant_id', false);
          elsif current_setting('is_superuser') = 'on' then
            delete from pg_statistic s using pg_attribute a
            where a.attrelid = t.name and a.attname = 'tenant_id' and s.starelid = t.name and s.staattnum = a.attnum;
          end if;
        end if;
      end loop;
    end $$`);
}

/**
 * Shows the owner every row until `prepareEveryTable`, in the transaction of the caller, because migrations change
 * rows.
 */
export async function showToOwner(client: pg.Client): Promise<void> {
  await client.query(`
    do $$
    declare t regclass;
    begin
      for t in select oid from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity
        and pg_has_role(relowner, 'usage') order by 1
      loop execute format('alter table %s no force row level security', t); end loop;
    end $$`);
}
