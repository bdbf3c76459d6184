import { describe, expect, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { places } from './places.ts';
import { applicationRole } from './roles.ts';

const { superuserUrl, ownerUrl } = await createTestDatabase();
const ask = <Row extends object = Record<string, unknown>>(text: string, params?: unknown[]) =>
  asSuperuser<Row>(text, params, superuserUrl);
const owner = new URL(ownerUrl).username;

/** Tables without a tenant_id column, and the reason. Those with `policy` have row-level security anyway. */
const withoutTenant: Record<string, { policy: boolean; because: string }> = {
  tenant: { policy: true, because: 'is the tenant; seen by itself, by sign-in and by the jobs' },
  account: { policy: true, because: 'one account can belong to organisations of several tenants' },
  account_state: { policy: true, because: 'belongs to an account, and is seen with it' },
  session: { policy: true, because: 'belongs to an account; seen by sign-in alone' },
  sign_in_challenge: { policy: true, because: 'belongs to an account or to nobody; seen by sign-in alone' },
  sign_in_failure: { policy: true, because: 'belongs to an account; seen by sign-in alone' },
  totp_authenticator: { policy: true, because: 'belongs to an account; seen by sign-in alone' },
  contact_change: { policy: true, because: 'belongs to an account; seen by sign-in alone' },
  account_recovery: { policy: true, because: 'belongs to an account or to nobody; seen by sign-in alone' },
  passkey: { policy: true, because: 'belongs to an account; seen by sign-in alone' },
  recovery_code: { policy: true, because: 'belongs to an account; seen by sign-in alone' },
  jurisdiction: { policy: true, because: 'shared by the tenants that report to it' },
  jurisdiction_county: { policy: true, because: 'the counties of a jurisdiction' },
  backup_made: { policy: true, because: 'is of all tenants; seen by the system alone' },
  secret_mark: { policy: true, because: 'is of the installation; seen by the system alone' },
  schema_migration: { policy: false, because: 'what the database was migrated to' },
  schema_text: { policy: false, because: 'which functions, views and policies it has' },
};

/** Columns of records with a volatile default, and why no server of several has to evaluate it. */
const givenByProgram: Record<string, string> = {
  'case_counter.secret': 'is inserted with values, which the first server works out',
  'patient.half': 'every program that inserts persons gives it',
  'record_history.at': 'is inserted with values',
  'user_history.at': 'is inserted with values',
};

/** Functions that run with the rights of their owner. None, because each would be a way around the policies. */
const securityDefiners: string[] = [];

interface Table {
  name: string;
  enabled: boolean;
  forced: boolean;
  policies: number;
  has_tenant: boolean;
  first_key: string | null;
}

describe('the catalog has no row-level-security hole [P2]', async () => {
  const tables = await ask<Table>(`
    select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polname <> 'backup_read') as policies,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as has_tenant,
      (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
       where i.indrelid = c.oid and i.indisprimary) as first_key
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`);

  it('covers the whole schema', () => {
    expect(tables.length).toBeGreaterThan(30);
    expect(Object.keys(withoutTenant).filter((name) => !tables.some((table) => table.name === name))).toEqual(
      [],
    );
  });

  it('enables, forces and fills row-level security on every table of a tenant, with tenant_id first in its key', () => {
    const holes = tables
      .filter(({ has_tenant }) => has_tenant)
      .filter(
        ({ enabled, forced, policies, first_key }) =>
          !enabled || !forced || policies === 0 || first_key !== 'tenant_id',
      );
    expect(holes).toEqual([]);
  });

  it('shows patients nothing of a table that was not meant for them [S4.4, P1]', async () => {
    const own = [
      'account',
      'account_state',
      // Patients see their own follow-up and its answers.
      'case_follow_up',
      'contact',
      'facility',
      'follow_up_entry',
      'held_result_rule',
      'own_report',
      'patient',
      'patient_consent',
      'result',
      'specimen',
      'tenant',
      'vaccination',
    ];
    const log = ['audit_chain', 'audit_event', 'audit_record'];
    // Every policy of any other table requires it, in addition to its other conditions.
    const open = await ask<{ name: string }>(
      `select distinct c.relname as name from pg_class c join pg_policy p on p.polrelid = c.oid,
         unnest(array[pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)]) as text
       where c.relnamespace = 'public'::regnamespace and not c.relispartition and p.polname <> 'backup_read'
         and text not like '%AND (COALESCE(( SELECT app_scope() AS app_scope), ''''::text) <> ''patient''::text))' order by 1`,
    );
    expect(open.map(({ name }) => name)).toEqual([...log, ...own].sort());
  });

  it('knows every table that has no tenant, and protects those with data about people', () => {
    const shared = tables.filter(({ has_tenant }) => !has_tenant);
    expect(shared.map(({ name }) => name).sort()).toEqual(Object.keys(withoutTenant).sort());
    const holes = shared
      .filter(({ name }) => withoutTenant[name]!.policy)
      .filter(({ enabled, forced, policies }) => !enabled || !forced || policies === 0);
    expect(holes).toEqual([]);
  });

  it('starts a tenant’s unique constraints and foreign keys with its id, so that they reveal nothing of another', async () => {
    const holes = await ask(`
      select c.conrelid::regclass::text as table, c.conname as name
      from pg_constraint c
      join pg_attribute t on t.attrelid = c.conrelid and t.attname = 'tenant_id'
      where c.connamespace = 'public'::regnamespace
        and (c.contype in ('u', 'p') and c.conkey[1] <> t.attnum
          or c.contype = 'f' and not c.conkey @> array[t.attnum]
            and exists (select from pg_attribute f where f.attrelid = c.confrelid and f.attname = 'tenant_id'))
      union all
      select i.indrelid::regclass::text, i.indexrelid::regclass::text
      from pg_index i
      join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
      join pg_attribute t on t.attrelid = i.indrelid and t.attname = 'tenant_id'
      where i.indisunique and i.indkey[0] <> t.attnum`);
    expect(holes).toEqual([]);
  });

  it('has no new volatile default of records, which an insert from a query cannot leave out on several servers [P30]', async () => {
    const defaults = await ask<{ column: string; calls: string[] }>(
      `select concat(c.relname, '.', a.attname) as column,
         array(select m[1] from regexp_matches(pg_get_expr(d.adbin, d.adrelid), '(\\w+)\\(', 'g') m) as calls
       from pg_attrdef d join pg_class c on c.oid = d.adrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname <> all ($1)`,
      [[...places.local, ...places.shared]],
    );
    const calls = await ask<{ name: string }>(
      `select distinct proname as name from pg_proc where provolatile = 'v' and proname = any ($1)`,
      [defaults.flatMap((one) => one.calls)],
    );
    const volatile = new Set(calls.map(({ name }) => name));
    const found = defaults.filter((one) => one.calls.some((call) => volatile.has(call)));
    expect(found.map(({ column }) => column).sort()).toEqual(Object.keys(givenByProgram).sort());
  });

  it('shows all rows only to a backup: to the owner, in a scope that the application role cannot use [P7]', async () => {
    const shown = await ask(`
      select c.relname as name, pg_get_expr(p.polqual, p.polrelid) as condition, p.polcmd as command,
        (select array_agg(r.rolname::text) from pg_roles r where r.oid = any (p.polroles)) as roles
      from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = 'backup_read'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity order by 1`);
    const condition = "(current_setting('app.scope'::text, true) = 'backup'::text)";
    expect(shown).toEqual(shown.map(({ name }) => ({ name, condition, command: 'r', roles: [owner] })));
  });

  it('lets nobody bypass the policies of a table by naming one of its partitions', async () => {
    await asSuperuser(`select app_audit_partition('2031-05-01')`, [], ownerUrl);
    const partitions = await ask<{ name: string }>(
      `select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
         has_table_privilege($1, c.oid, 'select, insert, update, delete, truncate') as reached
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind in ('r', 'p')
       order by 1`,
      [applicationRole],
    );
    expect(partitions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['audit_event_2031_05', 'audit_event_rest', 'audit_record_2031_05']),
    );
    expect(partitions).toEqual(
      partitions.map(({ name }) => ({ name, enabled: true, forced: true, reached: false })),
    );
  });

  it('runs views with the rights of the reader', async () => {
    const holes = await ask(`
      select relname from pg_class where relnamespace = 'public'::regnamespace
        and (relkind = 'm' or relkind = 'v' and not coalesce(reloptions, '{}') @> '{security_invoker=true}')`);
    expect(holes).toEqual([]);
  });

  it('has no function that runs with the rights of its owner', async () => {
    const definers = await ask<{ name: string }>(
      "select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1",
    );
    expect(definers.map(({ name }) => name)).toEqual(securityDefiners);
  });

  it('has an application role that owns nothing, is not a superuser, and sees no row against a policy', async () => {
    const [role] = await ask(
      'select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = $1',
      [applicationRole],
    );
    expect(role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
    });
    const owned = await ask("select from pg_shdepend where deptype = 'o' and refobjid = $1::regrole", [
      applicationRole,
    ]);
    expect(owned).toEqual([]);
    const memberships = await ask(
      'select roleid::regrole::text from pg_auth_members where member = $1::regrole',
      [applicationRole],
    );
    expect(memberships).toEqual([]);
    const [powers] = await ask(
      `select has_schema_privilege($1, 'public', 'create') as creates,
        exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and has_table_privilege($1, c.oid, 'truncate, references, trigger')) as truncates,
        has_table_privilege($1, 'audit_event', 'update, delete') as edits_audit,
        has_table_privilege($1, 'schema_migration', 'insert, update, delete')
          or has_table_privilege($1, 'schema_text', 'insert, update, delete') as edits_migrations`,
      [applicationRole],
    );
    expect(powers).toEqual({ creates: false, truncates: false, edits_audit: false, edits_migrations: false });
  });

  it('belongs to one owner that is not a superuser', async () => {
    const owners = await ask(`
      select distinct r.rolname, r.rolsuper or r.rolbypassrls as mighty from pg_class c join pg_roles r on r.oid = c.relowner
      where c.relnamespace = 'public'::regnamespace`);
    expect(owners).toEqual([{ rolname: owner, mighty: false }]);
  });
});
