import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { literals, type SqlText, sqlTexts } from '../test/sql-texts.ts';
import { facts } from './facts.ts';
import { places } from './platform/db/places.ts';

const { database } = await createTestDatabase();
const tables = await database.withScope({ kind: 'system' }, (tx) =>
  tx.rows<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')",
  ),
);
const local: readonly string[] = places.local;
const shared: readonly string[] = places.shared;
// Statements for DuckDB are not statements for PostgreSQL.
const ofReplicas = ['replica.ts', 'replica-codes.ts', 'roll-up-tables.ts', 'staged-rows.ts'].map(
  (file) => `src/platform/analytics/${file}:`,
);
const texts = (await sqlTexts()).filter(({ at }) => !ofReplicas.some((file) => at.startsWith(file)));
/** The analytics engine replaces facts by those of one named tenant; the lists of users only have shared tables. */
const isRecord = (name: string) =>
  ![...local, ...shared, ...facts.map(({ table }) => table), 'user_list', 'inactive_org'].includes(name) &&
  tables.some((table) => table.name === name);
/** Functions of the schema that read or write a table themselves. */
const readers = await database.withScope({ kind: 'system' }, (tx) =>
  tx.rows<{ name: string }>(
    `select distinct p.proname as name from pg_proc p join pg_class c on c.relnamespace = p.pronamespace
       and p.prosrc ~* ('\\m(from|join|update|into)\\s+' || c.relname || '\\M')
     where p.pronamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  ),
);
const tablesOf = (text: string) =>
  [...text.matchAll(/\b(?:from|join|update|into|using)\s+(?:public\.)?(\w+)/gi)].map(([, name]) => name!);
/** Whether it is a whole statement: a part is checked with the whole. */
const isWhole = (text: string) => /^[\s(]*(?:with|select|insert|update|delete|declare)\b/i.test(text);

/** A statement that stays on the first server, where only PostgreSQL limits what it may contain. */
const isLocal = (text: string) =>
  tablesOf(text).every((name) => local.includes(name) || !tables.some((table) => table.name === name));
/** The text of an update or delete before `returning`. */
const changeOf = (text: string) =>
  /\b(?:(?<!\bfor |\bdo )update|delete from)\s+\w.*?(?=\breturning\b|$)/is.exec(text)?.[0];

/** The text from a position up to the parenthesis or word that closes it. */
function upTo(text: string, start: number, open: RegExp, close: RegExp): string {
  let depth = 0;
  const both = new RegExp(`${open.source}|${close.source}`, 'gi');
  both.lastIndex = start;
  for (let match = both.exec(text); match; match = both.exec(text)) {
    depth += new RegExp(`^(?:${close.source})$`, 'i').test(match[0]) ? -1 : 1;
    if (depth === 0) return text.slice(start, match.index);
  }
  return text.slice(start);
}

const clock = /\bnow\(\)|\bclock_timestamp\(\)|\bgen_random_uuid\(\)/i;

/**
 * The parts of a statement that a server with tables spread by tenant refuses, or sends to every other server. [P30]
 */
const faults: Record<string, (text: string) => boolean> = {
  // It would copy the rows into the other server's table, which row-level security forbids.
  'insert … select that returns nothing': (text) => {
    const into = /\binsert into\s+(\S+)[^;]*?\bselect\b/i.exec(text);
    if (!into || local.includes(into[1]!) || into[1]!.startsWith('pg_temp.')) return false;
    // If it selects from the row of the tenant or of another record, it runs where the row is stored.
    if (/\bselect (?:\$\{\}|[a-z]+\.tenant_id),/.test(text) && !/\bselect \$1\b/.test(text)) return false;
    return !/\breturning\b|\bon conflict\b/i.test(text.slice(into.index));
  },
  'query in the values of an insert': (text) => {
    const into = /\binsert into\s+(\w+)[^;]*?\bvalues\s*\(/i.exec(text);
    if (!into || local.includes(into[1]!)) return false;
    return /\bselect\b/i.test(upTo(text, text.indexOf('(', text.search(/\bvalues\s*\(/i)), /\(/, /\)/));
  },
  // Each server would use its own clock.
  'clock in case, coalesce or do update': (text) => {
    const [, changed] =
      /(?<!\bfor |\bdo )\bupdate\s+(\w+)/i.exec(text) ?? /\binsert into\s+(\w+)/i.exec(text) ?? [];
    if (changed !== undefined && local.includes(changed)) return false;
    const doing = /\bdo update\s+set\b[^;]*/i.exec(text);
    if (doing && clock.test(doing[0].replace(/\breturning\b.*/is, ''))) return true;
    if (!/(?<!\bfor |\bdo )\bupdate\s+\w|\bdelete from\s/i.test(text)) return false;
    return [
      ...[...text.matchAll(/\bcoalesce\(/gi)].map(({ index }) => upTo(text, index, /\(/, /\)/)),
      ...[...text.matchAll(/\bcase\b/gi)].map(({ index }) => upTo(text, index, /\bcase\b/, /\bend\b/)),
    ].some((part) => clock.test(part));
  },
  // As in case and coalesce, also for a local table that is changed by a shared one.
  'clock in what a change returns': (text) =>
    !isLocal(text) &&
    /\b(?:(?<!\bfor |\bdo )update|delete from|insert into)\s/i.test(text) &&
    clock.test(/\breturning\b.*/is.exec(text)?.[0] ?? ''),
  // A moment plus an interval depends on the time zone, so it may not be applied to rows of a change that every
  // server would make.
  'interval to a moment of the changed row': (text) =>
    !isLocal(text) &&
    /(?<!\bnow\(\) )(?<!\bclock_timestamp\(\) )[+-] (?:make_interval\(|interval ')/i.test(
      changeOf(text) ?? '',
    ),
  // Row-level security still restricts to the tenant, but only after every server was queried.
  'records without their tenant': (text) =>
    isWhole(text) &&
    !/\bwhere \$\{\}|\btenant_id\s*=\s*\$|\binsert into\s+\S+\s+(?:as \w+\s+)?\(\s*tenant_id\b/i.test(text) &&
    tablesOf(text).some(isRecord),
  // Which server has it is known only when the query has run.
  'tenant of records by a query': (text) =>
    /\btenant_id = \(select app_tenant\(\)\)/.test(text) && tablesOf(text).some(isRecord),
  // Each sub-query is sent to the server of the tenant that it names itself; a tenant named outside it is unknown
  // there.
  'sub-query on records that takes the tenant from outside': (text) =>
    [...text.matchAll(/\(\s*select\b/gi)].some(({ index }) => {
      const [, table, alias] =
        /^[^()]*?(?:\([^()]*\)[^()]*?)*?\bfrom (\w+) (?:as )?(\w+)\b/i.exec(
          upTo(text, index, /\(/, /\)/).slice(1),
        ) ?? [];
      if (table === undefined || !isRecord(table)) return false;
      const inner = upTo(text, index, /\(/, /\)/);
      return new RegExp(`\\bwhere ${alias}\\.tenant_id = (?!${alias}\\b)\\w+\\.tenant_id\\b`).test(inner);
    }),
  // The look-up behind the limit is planned without the tenant.
  'look-up that asks for the tenant behind its limit': (text) =>
    [...text.matchAll(/\blateral \(/gi)].some(({ index }) => {
      const inner = upTo(text, text.indexOf('(', index), /\(/, /\)/);
      return (
        /\b(?:offset 0|limit)\b/.test(inner) &&
        tablesOf(inner).some(isRecord) &&
        !/\btenant_id = \$/.test(inner)
      );
    }),
  // The tenant's server would call it, and cannot query the others from there.
  'records beside a function that reads tables': (text) =>
    readers.some(({ name }) => text.includes(`${name}(`)) && tablesOf(text).some(isRecord),
  // One table is only on the first server, the other on the tenant's.
  'local tables joined with records': (text) =>
    isWhole(text) && tablesOf(text).some((name) => local.includes(name)) && tablesOf(text).some(isRecord),
};

/** Statements about every tenant. */
const excused: Record<string, string> = {
  'src/platform/audit/archive.ts': 'the owner archives a month of every tenant',
  'src/platform/audit/partitions.ts': 'the owner makes partitions of the log for every tenant',
};

it('has no statement that several servers refuse or all have to answer [P30]', () => {
  expect(texts.length).toBeGreaterThan(500);
  const found = Object.entries(faults).flatMap(([fault, holds]) =>
    texts
      .filter(({ at, text }) => !(at.split(':')[0]! in excused) && holds(text))
      .map(({ at, text }: SqlText) => `${fault}: ${at} ${text.trim().split('\n')[0]}`),
  );
  expect(found).toEqual([]);
});

it('ends memberships in one place, which stores the person’s details for the place that they leave [P1]', () => {
  const ending = texts.filter(({ text }) => /\bupdate membership\b[^;]*\bended_at = (?!null\b)/.test(text));
  expect(ending.map(({ at }) => at.split(':')[0])).toEqual(['src/features/users/memberships.ts']);
  expect(ending[0]!.text).toContain('left_as = ');
});

it.each([
  ['insert … select that returns nothing', 'insert into patient (id) select $1', true],
  ['insert … select that returns nothing', 'insert into patient (id) select $1 returning 1', false],
  [
    'insert … select that returns nothing',
    'insert into patient (id) select $1 on conflict do nothing',
    false,
  ],
  ['insert … select that returns nothing', 'insert into session (id) select $1', false],
  [
    'query in the values of an insert',
    'insert into role (tenant_id, name) values ($1, (select name from role where id = $2))',
    true,
  ],
  ['query in the values of an insert', 'insert into session (id) values ((select $1))', false],
  [
    'query in the values of an insert',
    'insert into role (id) values ($1) on conflict (id) do update set a = (select 1)',
    false,
  ],
  [
    'clock in case, coalesce or do update',
    'update import set started_at = coalesce(started_at, now())',
    true,
  ],
  ['clock in case, coalesce or do update', 'update import set started_at = case when a then now() end', true],
  [
    'clock in case, coalesce or do update',
    'insert into import values ($1) on conflict (id) do update set at = now()',
    true,
  ],
  [
    'clock in case, coalesce or do update',
    'insert into session values ($1) on conflict (id) do update set at = now()',
    false,
  ],
  [
    'clock in case, coalesce or do update',
    'update import set a = coalesce(a, 1), finished_at = now()',
    false,
  ],
  ['clock in case, coalesce or do update', 'select coalesce(at, now()) from import', false],
  [
    'clock in what a change returns',
    'update session s set idle_minutes = 1 from account a where a.id = s.account_id returning now()',
    true,
  ],
  ['clock in what a change returns', 'update session set idle_minutes = 1 returning now()', false],
  ['clock in what a change returns', 'update import set state = $1 returning state', false],
  [
    'interval to a moment of the changed row',
    `update session s set expires_at = s.created_at + make_interval(hours => $1) where s.account_id in (select id from account)`,
    true,
  ],
  [
    'interval to a moment of the changed row',
    'update session set expires_at = created_at + make_interval(hours => $1)',
    false,
  ],
  [
    'interval to a moment of the changed row',
    `update import set ends_at = now() + interval '1 day' returning created_at + interval '1 day'`,
    false,
  ],
  ['records without their tenant', 'select 1 from patient where id = $1', true],
  ['records without their tenant', 'select 1 from patient where tenant_id = $1', false],
  ['records without their tenant', 'select 1 from facility where id = $1', false],
  ['insert … select that returns nothing', 'insert into patient (id) select t.tenant_id, $1', false],
  ['tenant of records by a query', 'select 1 from patient where tenant_id = (select app_tenant())', true],
  ['tenant of records by a query', 'select 1 from facility where tenant_id = (select app_tenant())', false],
  [
    'sub-query on records that takes the tenant from outside',
    'select (select count(*) from result r where r.tenant_id = p.tenant_id and r.patient_id = p.id) from patient p where p.tenant_id = $1',
    true,
  ],
  [
    'sub-query on records that takes the tenant from outside',
    'select (select count(*) from result r where r.tenant_id = $1 and r.patient_id = p.id) from patient p where p.tenant_id = $1',
    false,
  ],
  [
    'look-up that asks for the tenant behind its limit',
    'select 1 from unnest($2::text[]) k, lateral (select * from result where source_key = k offset 0) r where r.tenant_id = $1',
    true,
  ],
  [
    'look-up that asks for the tenant behind its limit',
    'select 1 from unnest($2::text[]) k, lateral (select * from result where tenant_id = $1 and source_key = k offset 0) r',
    false,
  ],
  [
    'records beside a function that reads tables',
    `select i.id from import i join tenant t on t.id = i.tenant_id where app_kept(t.upload_days, t.id, 'uploadDays') > 1`,
    true,
  ],
  [
    'records beside a function that reads tables',
    `select app_kept(upload_days, id, 'uploadDays') from tenant`,
    false,
  ],
  ['local tables joined with records', 'select 1 from session s join patient p on p.tenant_id = $1', true],
  [
    'local tables joined with records',
    'select 1 from session s join account a on a.id = s.account_id',
    false,
  ],
])('detects: %s, in %s: %s', (fault, text, is) => {
  expect(faults[fault]!(text)).toBe(is);
});

it('never changes the address of an account without ending what was begun at the previous one [P11, P12]', async () => {
  const written = texts.filter(({ text }) =>
    /\bupdate account\b.*\b(?:email|phone) =|\binsert into account\b.*\bdo update\b.*\b(?:email|phone) =/s.test(
      text,
    ),
  );
  const files = Map.groupBy(written, ({ at }) => at.replace(/:\d+$/, ''));
  expect([...files.keys()].sort()).toEqual([
    'src/features/portal/invitation.ts',
    'src/features/recovery/ending.ts',
    'src/features/users/changes.ts',
    'src/platform/auth/contact-changes.ts',
  ]);
  for (const [file, statements] of files) {
    const source = await readFile(new URL(`../${file}`, import.meta.url), 'utf8');
    expect(source.match(/\bchangeAddresses\(/g), file).toHaveLength(statements.length);
  }
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: a source as text
it('finds the texts of a source', () => {
  const source = [
    "const a = 'one'; // not 'this'",
    'const b = `two ${c ? `three ${d({ e: 1 })}` : "four"} five`;',
    "const f = /['/]/.test(a) /* nor 'this' */ && 6 / 2 > 'sev\\'en'.length;",
  ].join('\n');
  expect(literals(source).map(({ text }) => text)).toEqual([
    'one',
    'three ${}',
    'four',
    'two ${} five',
    "sev\\'en",
  ]);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: a source as text
