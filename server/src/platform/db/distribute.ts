import type pg from 'pg';
import { quoted } from './backup-rows.ts';
import { inTransaction } from './in-transaction.ts';
import { hasCitus, type PlacedTable, placedTables, places } from './places.ts';
import { applicationRole } from './roles.ts';

/**
 * The text of a policy, given as in a migration or in the catalogue, for tables that are spread over servers.
 * PostgreSQL evaluates a scope function once a statement if it is a subquery, `(select app_x())`, but Citus refuses
 * any query in a policy. So subqueries without a table become `(app_x())`.
 */
export function withoutQueries(text: string): string {
  let turned = '';
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "'") i = endOfText(text, i);
    const before = /^\(\s*select\s/i.exec(text.slice(i, i + 64))?.[0];
    if (!before) continue;
    const end = closing(text, i);
    const inner = text.slice(i + before.length, end).trim();
    if (/\bfrom\b/i.test(inner)) continue;
    turned += `${text.slice(at, i)}(${withoutQueries(inner.replace(/\s+as\s+("[^"]+"|\w+)$/i, ''))})`;
    at = end + 1;
    i = end;
  }
  return turned + text.slice(at);
}

/** The position of the closing quote for the one at a position. */
function endOfText(text: string, from: number): number {
  const end = text.indexOf("'", from + 1);
  if (end < 0) throw new Error(`A text is not closed in ${text.slice(from, from + 80)}`);
  return end;
}

/** The position of the closing parenthesis for the one at a position; parentheses in texts do not count. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "'") i = endOfText(text, i);
    else if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i;
  }
  throw new Error(`A parenthesis is not closed in ${text.slice(from, from + 80)}`);
}

/**
 * Moves every table to its place: shared ones to every server, records to the server of their tenant, with their
 * rows, keys, policies and functions. Does nothing if all are in place; after a kill, another run continues. `say`
 * gets a line for each step. Throws one clear sentence if the database cannot be spread.
 */
export async function distributeTables(client: pg.Client, say: (line: string) => void): Promise<void> {
  if (!(await hasCitus(client)))
    throw new Error(
      'The database cannot be distributed: it has no extension citus. Let an administrator of the database run create extension citus on every server, and add the servers.',
    );
  const names = await pendingTables(client);
  if (names.length > 0) {
    await refuseServers(client);
    await assertReachesServers(client);
    // It would also apply to partitions, which nobody may read directly.
    await onWorkers(client, ofNewTables('revoke', 'from'));
    await inTransaction(client, async () => {
      await leaveKeys(client, names);
      await placeTables(client, say);
    });
  }
  const keys = await inTransaction(client, () => putKeysBack(client));
  await onWorkers(client, ofNewTables('grant', 'to'));
  await onWorkers(client, grantViews);
  say(
    names.length + keys === 0
      ? 'Every table is in its place.'
      : `${names.length} tables and ${keys} foreign keys are in their place.`,
  );
}

/**
 * Throws one clear sentence if the role of this connection cannot log in from the coordinator to each of the other
 * servers. Citus connects to them as the current role, so a role that is only assumed with SET ROLE does not work.
 */
export async function assertReachesServers(client: Pick<pg.Client, 'query'>): Promise<void> {
  const { rows } = await client.query<{ role: string; server: string }>(
    `select current_user::text as role, nodename || ':' || nodeport as server
     from run_command_on_workers('select 1') where not success order by 2`,
  );
  if (rows.length === 0) return;
  const servers = rows.map(({ server }) => server).join(' and ');
  throw new Error(
    `The role ${rows[0]!.role} cannot log in from the coordinator to ${servers}. See that they run, that the role may log in, and that its password is in .pgpass on the coordinator (docs/scale-out.md).`,
  );
}

/**
 * Citus does not propagate rights to views. On the other servers, the application role gets them from the default
 * privileges of new tables.
 */
const ofNewTables = (verb: 'grant' | 'revoke', to: 'to' | 'from') =>
  `alter default privileges in schema public ${verb} select on tables ${to} ${applicationRole}`;

/** Lets the application role read views that it may not read yet, such as those of an added server. */
const grantViews = `
  do $$ declare one text; begin
    set local citus.enable_ddl_propagation = off;
    for one in select format('grant select on %s to ${applicationRole}', c.oid::regclass) from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and pg_has_role(c.relowner, 'usage')
        and not has_table_privilege('${applicationRole}', c.oid, 'select')
    loop execute one; end loop;
  end $$`;

/** Runs a statement on every worker, in a separate transaction there. */
async function onWorkers(client: pg.Client, statement: string): Promise<void> {
  const { rows } = await client.query<{ server: string; result: string }>(
    `select nodename || ':' || nodeport as server, result from run_command_on_workers($1) where not success`,
    [statement],
  );
  if (rows[0])
    throw new Error(`The server ${rows[0].server} refuses what it is asked to do: ${rows[0].result}`);
}

/** A server that started before does not send its scope to the others, and would see no rows there. */
async function refuseServers(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'caseway listen' limit 1`,
  );
  if (rows.length > 0)
    throw new Error('A server works with this database. Stop every server first; no table was moved.');
}

/** Whether a statement creates a table with foreign keys. They can be added only once the table is in its place. */
export const makesKeysAtOnce = (statement: string): boolean =>
  /^create\s+table\b.*\breferences\b/is.test(statement);

/** Whether a statement adds a column together with a constraint, which a distributed table refuses. */
export const constrainsAtOnce = (statement: string): boolean =>
  /^alter\s+table\b/i.test(statement) &&
  [
    ...statement
      .replaceAll(/--.*/g, '')
      .matchAll(/\badd\s+column\s+((?:[^,()]|\((?:[^()]|\([^()]*\))*\))*)/gi),
  ].some(([, column]) => /\b(check|unique|primary\s+key|references)\b/i.test(column!));

/**
 * Runs a migration on a distributed database, in the transaction of the caller. Each new table is moved to its place
 * as soon as it is created, and policies are written without queries.
 */
export async function inPlace(client: pg.Client, sql: string): Promise<void> {
  for (const statement of statementsOf(sql)) {
    if (makesKeysAtOnce(statement))
      throw new Error(
        'a table is made without its foreign keys, and they are added in a statement of their own',
      );
    if (constrainsAtOnce(statement))
      throw new Error(
        'a column is added without its constraints, and they are added in a statement of their own',
      );
    const policy = /^(create|alter)\s+policy\s+(\S+)\s+on\s+(\w+)/i.exec(statement);
    const isLocal = policy && (places.local as readonly string[]).includes(policy[3]!);
    if (!policy || isLocal) await client.query(statement);
    else if (policy[1]!.toLowerCase() === 'alter') await client.query(withoutQueries(statement));
    else for (const part of policyParts(withoutQueries(statement))) await client.query(part);
    if (/^create\s+table\b/i.test(statement)) await placeTables(client);
  }
  await refuseRestrictive(client);
}

/**
 * Splits a policy into two steps: one that shows nothing, then its conditions. Citus reads the conditions of `create
 * policy` after PostgreSQL has changed them, and then does not understand `app_x() is null`; those of `alter policy`
 * it reads before.
 */
function policyParts(statement: string): string[] {
  let made = '';
  const conditions: string[] = [];
  let at = 0;
  for (const { index, 0: kind } of statement.matchAll(/\b(?:using|with\s+check)\s*(?=\()/gi)) {
    if (index < at) continue;
    const end = closing(statement, index + kind.length) + 1;
    made += `${statement.slice(at, index)}${kind}(false)`;
    conditions.push(statement.slice(index, end));
    at = end;
  }
  const [, name, table] = /^create\s+policy\s+(\S+)\s+on\s+(\S+)/i.exec(statement)!;
  return [made + statement.slice(at), `alter policy ${name} on ${table} ${conditions.join(' ')}`];
}

/** The statements of a text, without leading comments. */
export function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  const add = (end: number) => {
    const statement = sql.slice(start, end).replace(/^(\s+|--[^\n]*\n?|\/\*.*?\*\/)+/s, '');
    if (statement !== '') statements.push(statement);
    start = end + 1;
  };
  const past = (text: string, from: number) => {
    const end = sql.indexOf(text, from);
    return end < 0 ? sql.length : end + text.length - 1;
  };
  for (let i = 0; i < sql.length; i++) {
    const rest = sql.slice(i, i + 64);
    const dollar = /^\$\w*\$/.exec(rest)?.[0];
    if (rest.startsWith('--')) i = past('\n', i);
    else if (rest.startsWith('/*')) i = past('*/', i);
    else if (dollar) i = past(dollar, i + dollar.length);
    else if (rest[0] === "'" || rest[0] === '"') i = past(rest[0], i + 1);
    else if (rest[0] === ';') add(i);
  }
  add(sql.length);
  return statements;
}

/** The tables that are not in their place yet. Throws if a table has no place, or is in the wrong one. */
async function pendingTables(client: pg.Client): Promise<string[]> {
  const tables = await placedTables(client);
  for (const { name, place, there } of tables) {
    if (place === null)
      throw new Error(
        `The table ${name} has no place: it has no tenant_id, and is in no list of platform/db/places.ts.`,
      );
    if (there !== null && there !== place)
      throw new Error(`The table ${name} should be ${said[place]}, and is ${said[there]}.`);
  }
  return tables.filter(({ place, there }) => place !== 'local' && there === null).map(({ name }) => name);
}

/** Moves new tables, which have no keys, to their place, in the transaction of the caller. */
async function placeTables(client: pg.Client, say: (line: string) => void = () => {}): Promise<void> {
  const names = await pendingTables(client);
  if (names.length === 0) return;
  const tables = await placedTables(client);
  await client.query('set local client_min_messages = error');
  await refuseRestrictive(client);
  await turnPolicies(client, names);
  const placing = async ({ name, place }: PlacedTable, statement: string, colocateWith?: string) =>
    say(`${name}: ${said[place!]}, ${await placeTable(client, name, statement, colocateWith)} rows`);
  const pending = tables.filter(({ name }) => names.includes(name));
  for (const table of pending)
    if (table.place === 'shared') await placing(table, 'select create_reference_table($1)');
  let first = tables.find(({ there }) => there === 'record')?.name;
  for (const table of pending) {
    if (table.place !== 'record') continue;
    await placing(
      table,
      `select create_distributed_table($1, 'tenant_id', colocate_with => $2)`,
      first ?? 'none',
    );
    first ??= table.name;
  }
  // Functions that policies, columns and views call move with their tables; this moves the others.
  await placeFunctions(client);
}

const said = {
  local: 'on the first server only',
  shared: 'on every server',
  record: 'on the server of each tenant',
};

interface Key {
  table: string;
  name: string;
  text: string;
}

/** The table of keys that still have to be restored. */
const aside = 'caseway_distribution.foreign_key';

/** Drops the keys from and to some tables, and stores them: Citus accepts keys only between tables in their place. */
async function leaveKeys(client: pg.Client, names: string[]): Promise<void> {
  const { rows } = await client.query<Key>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text
     from pg_constraint where contype = 'f' and conparentid = 0
       and (conrelid = any ($1::text[]::regclass[]) or confrelid = any ($1::text[]::regclass[]))`,
    [names],
  );
  await client.query(`create schema if not exists caseway_distribution`);
  await client.query(`create table if not exists ${aside} ("table" text, name text, text text)`);
  for (const { table, name, text } of rows) {
    await client.query(`insert into ${aside} values ($1, $2, $3)`, [table, name, text]);
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  }
}

/** Restores the stored keys, and returns their number. */
async function putKeysBack(client: pg.Client): Promise<number> {
  const { rows: there } = await client.query('select to_regclass($1) is not null as is', [aside]);
  if (!there[0].is) return 0;
  const { rows } = await client.query<Key>(`select * from ${aside} order by 1, 2`);
  // The owner checks the keys, and needs to see the rows.
  await client.query(`set local app.scope = 'backup'`);
  for (const { table, name, text } of rows)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${text}`);
  await client.query('drop schema caseway_distribution cascade');
  return rows.length;
}

/** Throws if there is a restrictive policy, because Citus would create it as a permissive one on every server. */
async function refuseRestrictive(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; table: string }>(
    `select policyname as name, tablename as table from pg_policies
     where schemaname = 'public' and permissive = 'RESTRICTIVE' and tablename <> all ($1) limit 1`,
    [places.local],
  );
  if (rows[0])
    throw new Error(
      `The policy ${rows[0].name} of the table ${rows[0].table} is restrictive: write what it asks into each of the others.`,
    );
}

/** Removes subqueries from the policies of some tables and their partitions. */
async function turnPolicies(client: pg.Client, names: string[]): Promise<void> {
  const { rows } = await client.query<{
    table: string;
    name: string;
    seen: string | null;
    written: string | null;
  }>(
    `select p.polrelid::regclass::text as table, p.polname as name,
       pg_get_expr(p.polqual, p.polrelid) as seen, pg_get_expr(p.polwithcheck, p.polrelid) as written
     from pg_policy p
     where p.polrelid = any ($1::text[]::regclass[])
       or exists (select from pg_inherits i where i.inhrelid = p.polrelid and i.inhparent = any ($1::text[]::regclass[]))`,
    [names],
  );
  for (const { table, name, seen, written } of rows) {
    const parts = [...(seen ? [['using', seen]] : []), ...(written ? [['with check', written]] : [])].map(
      ([kind, text]) => `${kind} (${withoutQueries(text!)})`,
    );
    const text = parts.join(' ');
    if (/\(\s*select\b/i.test(text))
      throw new Error(`The policy ${name} of the table ${table} holds a query other than (select app_x()).`);
    await client.query(`alter policy ${quoted(name)} on ${table} ${text}`);
  }
}

/**
 * Moves one table to its place, and returns the number of its rows. The owner copies them, and row-level security
 * would hide them.
 */
async function placeTable(
  client: pg.Client,
  name: string,
  statement: string,
  colocateWith?: string,
): Promise<number> {
  const { rows: parts } = await client.query<{ name: string; forced: boolean }>(
    `select c.oid::regclass::text as name, c.relforcerowsecurity as forced from pg_class c
     where c.oid = $1::regclass or exists (select from pg_inherits i where i.inhrelid = c.oid and i.inhparent = $1::regclass)`,
    [name],
  );
  const forced = parts.filter((part) => part.forced);
  for (const part of forced) await client.query(`alter table ${part.name} no force row level security`);
  // Citus does not allow this later; see prepareEveryTable.
  if (colocateWith !== undefined && parts.length === 1)
    await client.query(`alter table ${quoted(name)} alter column tenant_id set statistics 0`);
  const { rows } = await client.query(`select count(*)::int as n from ${quoted(name)}`);
  await client.query(statement, colocateWith === undefined ? [name] : [name, colocateWith]);
  if (rows[0].n > 0) await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
  for (const part of forced) await client.query(`alter table ${part.name} force row level security`);
  return rows[0].n;
}

/** Distributes every function to all servers, so that a statement can be sent to one of them whole. */
async function placeFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
     order by 1`,
  );
  for (const { name } of rows) await client.query('select create_distributed_function($1)', [name]);
}
