import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { places } from '../test/places.ts';
import { literals, type SqlText, sqlTexts } from '../test/sql-texts.ts';
import { factTables } from './platform/analytics/facts.ts';

const { database } = await createTestDatabase();
const tables = await database.withScope({ kind: 'system' }, (tx) =>
  tx.rows<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')",
  ),
);
const local: readonly string[] = places.local;
const shared: readonly string[] = places.shared;
// Statements for DuckDB are not statements for PostgreSQL.
const texts = (await sqlTexts()).filter(({ at }) => !at.startsWith('src/platform/analytics/replica.ts'));
/** The analytics engine replaces facts by those of one tenant, which it names. */
const isRecord = (name: string) =>
  ![...local, ...shared, ...factTables].includes(name) && tables.some((table) => table.name === name);

/** The part of a text from a place on up to the parenthesis or word that closes it. */
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
 * The parts of a statement that a server with tables spread by tenant refuses, or sends to every other server. [P22]
 */
const faults: Record<string, (text: string) => boolean> = {
  // It would copy the rows into the other server's table, which row-level security forbids.
  'insert … select that returns nothing': (text) => {
    const into = /\binsert into\s+(\S+)[^;]*?\bselect\b/i.exec(text);
    if (!into || local.includes(into[1]!)) return false;
    return !/\breturning\b|\bon conflict\b/i.test(text.slice(into.index));
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
  // Row-level security still finds the tenant, but only after every server was queried. A part of a statement is
  // checked with the whole.
  'records without their tenant': (text) =>
    /^[\s(]*(?:with|select|insert|update|delete|declare)\b/i.test(text) &&
    !/\bwhere \$\{\}|\btenant_id\s*=\s*\$|\binsert into\s+\S+\s+(?:as \w+\s+)?\(\s*tenant_id\b/i.test(text) &&
    [...text.matchAll(/\b(?:from|join|update|into)\s+(?:public\.)?(\w+)/gi)].some(([, name]) =>
      isRecord(name!),
    ),
};

/** How many statements of each kind there still are. A number may only get smaller. */
const known: Record<string, number> = {
  'insert … select that returns nothing': 0,
  'clock in case, coalesce or do update': 1,
  'records without their tenant': 14,
};

it('has no statement that several servers refuse or all have to answer, but those that are known [P22]', async () => {
  expect(texts.length).toBeGreaterThan(500);
  const found = Object.entries(faults).flatMap(([fault, holds]) =>
    texts.filter(({ text }) => holds(text)).map((one: SqlText) => ({ fault, ...one })),
  );
  const counted = Object.fromEntries(
    Object.keys(faults).map((fault) => [fault, found.filter((one) => one.fault === fault).length]),
  );
  const lines = found.map(({ fault, at, text }) => `${fault}: ${at} ${text.trim().split('\n')[0]}`);
  expect(counted, `all ${lines.length}:\n${lines.join('\n')}\n`).toEqual(known);
});

it('ends memberships in one place, which stores the person’s details for the place that they leave [P1]', () => {
  const ending = texts.filter(({ text }) => /\bupdate membership\b[^;]*\bended_at = (?!null\b)/.test(text));
  expect(ending.map(({ at }) => at.split(':')[0])).toEqual(['src/features/users/changes.ts']);
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
  ['records without their tenant', 'select 1 from patient where id = $1', true],
  ['records without their tenant', 'select 1 from patient where tenant_id = $1', false],
  ['records without their tenant', 'select 1 from facility where id = $1', false],
])('looks for: %s, in %s: %s', (fault, text, is) => {
  expect(faults[fault]!(text)).toBe(is);
});

it('never changes the address of an account without ending what was begun at the former one [P11, P12]', async () => {
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
