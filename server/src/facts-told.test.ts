import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../test/database.ts';
import { sqlTexts } from '../test/sql-texts.ts';
import { facts } from './facts.ts';
import type { StoredFact, TableName } from './platform/analytics/facts.ts';

/*
 * Code that writes what a fact reads announces it, so that replicas follow. [P5] Checked in the sources: which files
 * write to which tables, and which of them call recordChange for the affected records.
 */

const { superuserUrl } = await createTestDatabase();

/** Files that write without announcing it themselves, with the files that do so in the same transaction. */
const toldBy: Readonly<Record<string, readonly string[]>> = {
  'src/features/patients/stored-patients.ts': [
    'src/features/case-reports/write-cases.ts',
    'src/features/matches/matches.ts',
  ],
  'src/features/case-reports/rejudge.ts': ['src/features/matches/matches.ts'],
  // The fact only reads notes of imported rows, not those of staff.
  'src/features/case-reports/case-events.ts': ['src/features/case-reports/case-server.ts'],
};

/** The columns of each table that facts read: those that their views depend on, and those named elsewhere. */
async function columnsRead(facts: readonly StoredFact[]): Promise<Map<TableName, Set<string>>> {
  const read = new Map<TableName, Set<string>>();
  const all = await asSuperuser<{ name: TableName; column: string }>(
    `select table_name as name, column_name as column from information_schema.columns where table_schema = 'public'`,
    [],
    superuserUrl,
  );
  for (const { table, sql } of facts) {
    const inView = await asSuperuser<{ name: TableName; column: string }>(
      `select distinct d.refobjid::regclass::text as name, a.attname::text as column from pg_depend d
       join pg_rewrite r on r.oid = d.objid
       join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
       where d.classid = 'pg_rewrite'::regclass and r.ev_class = $1::regclass and d.refclassid = 'pg_class'::regclass
         and d.refobjid <> r.ev_class and d.refobjsubid > 0`,
      [table],
      superuserUrl,
    );
    const beside = (sql.beside ?? []).map((one) => one.from('') + JSON.stringify(one.columns)).join();
    for (const name of Object.keys(sql.changedBy) as TableName[]) {
      const columns = inView.some((one) => one.name === name)
        ? inView
        : all.filter(({ column }) => new RegExp(`\\b${column}\\b`).test(beside));
      const known = read.get(name) ?? new Set();
      read.set(name, known);
      for (const one of columns) if (one.name === name) known.add(one.column);
    }
  }
  return read;
}

/** The kinds that may be announced for a change of a table. */
function kindsOf(facts: readonly StoredFact[], name: TableName): Set<TableName> {
  const kinds = facts.flatMap(({ sql }) => {
    const how = sql.changedBy[name];
    return how === undefined ? [] : 'with' in how ? how.with : [name];
  });
  return new Set(kinds);
}

/** The files that write what facts read without announcing it, with the table; and the number of writing files. */
async function silentWriters(facts: readonly StoredFact[]) {
  const read = await columnsRead(facts);
  const silent: string[] = [];
  const others = new Set<string>();
  let writing = 0;
  const texts = Map.groupBy(await sqlTexts(), ({ at }) => at.replace(/:\d+$/, ''));
  const sources = new Map<string, string>();
  for (const file of texts.keys())
    sources.set(file, await readFile(new URL(`../${file}`, import.meta.url), 'utf8'));
  const tells = (file: string, kinds: Set<TableName>) =>
    [...kinds].some((kind) =>
      new RegExp(`recordChange\\(\\s*\\w+,\\s*[\\w.]+,\\s*'${kind}'`).test(sources.get(file)!),
    );
  for (const [file, own] of texts) {
    if (file.startsWith('src/commands/')) continue;
    for (const [name, columns] of read) {
      const writes = own.some(({ text }) => {
        // The name of the table is inserted.
        if (/\b(?:insert into|delete from|update) \$\{\}/.test(text))
          return new RegExp(`\\w\\('${name}'`).test(sources.get(file)!);
        if (new RegExp(`\\b(?:insert into|delete from) ${name}\\b`).test(text)) return true;
        const [, set] =
          new RegExp(
            `\\bupdate ${name}\\b(?: (?:as )?\\w+)? set (.*?)(?:\\bfrom\\b|\\bwhere\\b|$)`,
            's',
          ).exec(text) ?? [];
        if (set === undefined) return false;
        // A column list that is built at run time is unknown.
        return set.includes('${') || [...columns].some((column) => new RegExp(`\\b${column} =`).test(set));
      });
      const inserts = new RegExp(`insertRows\\(\\s*\\w+,\\s*[\\w.]+,\\s*'${name}'`).test(sources.get(file)!);
      if (!writes && !inserts) continue;
      writing++;
      const kinds = kindsOf(facts, name);
      if (tells(file, kinds)) continue;
      const telling = toldBy[file] ?? [];
      others.add(file);
      if (telling.length === 0 || !telling.every((other) => tells(other, kinds)))
        silent.push(`${file}: ${name}`);
    }
  }
  return { silent, others, writing };
}

it('every file that writes what a fact reads announces it, or another one does in its transaction', async () => {
  const { silent, others, writing } = await silentWriters(facts);
  expect(silent).toEqual([]);
  expect(writing).toBeGreaterThan(10);
  // All listed files still write.
  expect(Object.keys(toldBy).filter((file) => !others.has(file))).toEqual([]);
});

it('and a fact that reads another table names who has to announce it', async () => {
  const [results] = facts;
  const withSpecimen: StoredFact = {
    ...results!,
    sql: {
      ...results!.sql,
      changedBy: { ...results!.sql.changedBy, specimen: { by: 'specimen_id' } },
      beside: [{ from: () => 'specimen s', columns: { type: { kind: 'code', sql: 's.type_code' } } }],
    },
  };
  const { silent } = await silentWriters([withSpecimen]);
  expect(silent.filter((one) => one.endsWith(': specimen')).sort()).toEqual([
    'seeds/demo/portal-patient.ts: specimen',
    'src/features/imports/batch/write-plan.ts: specimen',
    'src/features/matches/matches.ts: specimen',
  ]);
});
