import type pg from 'pg';
import { PatientClient } from './patience.ts';
import { hasCitus } from './places.ts';

/** The role that the server works as. Migrations grant to it by this name. */
export const applicationRole = 'caseway_app';

/** One connection of a role, as `connected` lends it. */
export type Connection = pg.Client;

export type Ask = (text: string, params?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

/**
 * Throws one clear sentence if the connected role could bypass row-level security: a superuser, a role with BYPASSRLS,
 * or one that owns a table or may become its owner. [P3]
 */
export async function assertApplicationRole(ask: Ask): Promise<void> {
  const { rows } = await ask(`
    select rolname, rolsuper, rolbypassrls from pg_roles where rolname in (session_user, current_user)
    order by rolsuper desc, rolbypassrls desc`);
  const role = rows[0] as { rolname: string; rolsuper: boolean; rolbypassrls: boolean };
  if (role.rolsuper || role.rolbypassrls)
    throw new Error(
      `The database role ${role.rolname} ${role.rolsuper ? 'is a superuser' : 'has BYPASSRLS'} and would see past row-level security. Give DATABASE_URL a role that is neither a superuser nor has BYPASSRLS.`,
    );
  const owned = await ask(`
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and pg_has_role(current_user, c.relowner, 'member') order by 1 limit 1`);
  if (owned.rows[0])
    throw new Error(
      `The database role that the server works with owns the table ${owned.rows[0].relname}. Give DATABASE_URL a role that owns nothing, or let npm run migrate make the role ${applicationRole}.`,
    );
}

/**
 * Throws one clear sentence if the session assumed the role after it logged in as another one. If tables are spread
 * over servers, the coordinator logs in to the others as the role itself.
 */
export async function assertLogsIn(ask: Ask): Promise<void> {
  const { rows } = await ask(
    `select rolname from pg_roles where rolname = current_user and not rolcanlogin
       and exists (select from pg_dist_partition where logicalrelid = to_regclass('public.tenant'))`,
  );
  if (rows[0])
    throw new Error(
      `The tables are spread over several servers, and the role ${rows[0].rolname} cannot log in to them. Give DATABASE_URL a role that logs in and owns nothing, and DATABASE_OWNER_URL the one that migrates (docs/scale-out.md).`,
    );
}

/** How to connect for migrations and for work. `owner` is absent if this server may not migrate. */
export interface Connections {
  owner?: string;
  app: string;
}

/**
 * Prepares the application role on the operator's own database server, and returns how to connect.
 * - With `ownerUrl`, its role migrates, and the role of `url` works.
 * - With only `url`, its role migrates if it may create tables in the database, and works as the application role.
 *   Throws one clear sentence that says what to run if rights are missing. [P3]
 */
export async function prepareRoles(url: string, ownerUrl?: string): Promise<Connections> {
  const login = await connected(url, 'DATABASE_URL', async (client) => {
    const ask: Ask = (text, params) => client.query(text, params);
    const { rows } = await ask(`
      select session_user::text as name, rolsuper, rolbypassrls, current_setting('server_version_num')::int as version,
        has_schema_privilege('public', 'create') as may_create
      from pg_roles where rolname = session_user`);
    const role = rows[0] as {
      name: string;
      rolsuper: boolean;
      rolbypassrls: boolean;
      version: number;
      may_create: boolean;
    };
    if (role.version < 150_000)
      throw new Error('Caseway needs PostgreSQL 15 or newer; the server behind DATABASE_URL is older.');
    if (role.rolsuper || role.rolbypassrls) await assertApplicationRole(ask);
    return role;
  });
  const owner = ownerUrl ?? (login.may_create ? url : undefined);
  if (owner !== undefined)
    await ensureApplicationRole(owner, login.name, ownerUrl ? 'DATABASE_OWNER_URL' : 'DATABASE_URL');
  return { owner, app: login.name === applicationRole ? url : asApplicationRole(url) };
}

/** Creates the application role and lets `login` use it; does nothing if that is already done. */
async function ensureApplicationRole(owner: string, login: string, variable: string): Promise<void> {
  await connected(owner, variable, async (client) => {
    const { rows } = await client.query<{ exists: boolean; granted: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as exists,
        exists (select from pg_roles r where r.rolname = $1 and pg_has_role($2, r.oid, 'member')) as granted`,
      [applicationRole, login],
    );
    const missing: string[] = [];
    if (!rows[0]!.exists) missing.push(`create role ${applicationRole} nologin nosuperuser nobypassrls`);
    if (!rows[0]!.granted && login !== applicationRole)
      missing.push(`grant ${applicationRole} to ${client.escapeIdentifier(login)}`);
    for (const statement of missing)
      await client.query(statement).catch((error: Error) => {
        throw new Error(
          `The role of ${variable} may not prepare the role ${applicationRole} (${error.message}). Let an administrator of the database run: ${missing.join('; ')};`,
        );
      });
  });
}

/** The same connection string; each connection assumes the application role from the start. */
function asApplicationRole(url: string): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options');
  changed.searchParams.set('options', `${given ? `${given} ` : ''}-c role=${applicationRole}`);
  return changed.href;
}

/** Why there is no connection, by the operating system's error code. */
const unreachable: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it has closed the connection',
  ENOTFOUND: 'no machine of that name is known',
  EAI_AGAIN: 'no machine of that name is known at the moment',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to that machine',
  ENETUNREACH: 'there is no way to that machine',
  ENOENT: 'there is no such socket',
};

/**
 * Settings of a transaction also apply on the servers that it queries. Each is queried on one connection, which sees
 * one state; and shared tables can be changed after records in one transaction.
 */
const onCitus = `set citus.propagate_set_commands = 'local'; set citus.max_adaptive_executor_pool_size = 1;
  set citus.multi_shard_modify_mode = 'sequential'`;

/**
 * Opens a connection; the error names `variable` as the source of the connection string. `patienceMs`: how long the
 * database may be silent.
 */
export async function connect(url: string, variable: string, patienceMs = 10_000): Promise<pg.Client> {
  const client = new PatientClient({ connectionString: url, application_name: 'caseway', patienceMs });
  client.on('error', () => {});
  try {
    await client.connect();
    if (await hasCitus(client)) await client.query(onCitus);
  } catch (error) {
    await client.end().catch(() => {});
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(
      `The database of ${variable} cannot be reached: ${unreachable[code] ?? (message || code)}.`,
      {
        cause: error,
      },
    );
  }
  return client;
}

/** Runs `work` on one connection; see `connect`. */
export async function connected<T>(
  url: string,
  variable: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url, variable);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
