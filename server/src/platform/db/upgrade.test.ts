import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { catalogueOf } from '../../../test/catalogue.ts';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import {
  changedSight,
  databaseOf,
  keysOf,
  leftOut,
  lost,
  readRelease,
  releasesFolder,
  writeRelease,
} from '../../../test/releases.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { product } from '../operations/product.ts';
import { migrate, readSchema, type SchemaFiles } from './migrate.ts';
import { checkBackup } from './restore.ts';

/*
 * Every release leaves a small database here (test/releases), which every later migration must upgrade: no row is
 * lost, the tables match a new database, everyone sees what they saw, and the product works with it.
 */

const files = await readSchema();
const versions = (await readdir(releasesFolder)).sort();

it('the current version has left its database', async () => {
  if (!versions.includes(product.version)) await writeRelease(product.version, await createTestDatabase());
  expect(versions, `test/releases/${product.version} was missing and is made now: commit it`).toContain(
    product.version,
  );
});

interface Case {
  tenant_id: string;
  id: string;
}

describe.each(versions)('a database of version %s', async (version) => {
  const release = await readRelease(version);
  const old = await databaseOf(release, files);
  // A role that is denied what others are allowed.
  await asSuperuser(
    `insert into role_grant (tenant_id, role_id, obj, act, eft)
     select tenant_id, id, 'T', 'case-reports/write', 'deny' from role where code = 'clinician'`,
    [],
    old.superuserUrl,
  );
  const before = await keysOf(old.superuserUrl);
  const upgradedBy = (known: SchemaFiles) => migrate(old.ownerUrl, known);
  const planted = (sql: string): SchemaFiles => ({
    ...files,
    migrations: [...files.migrations, { number: 9999, name: '9999_planted.sql', sql, checksum: sql }],
  });

  it('has rows of every table', () => {
    const empty = [...before].filter(([, keys]) => keys.size === 0).map(([table]) => table);
    expect(empty.sort()).toEqual([...leftOut].sort());
  });

  it('shows that a migration was changed after the release', async () => {
    const [first, ...others] = files.migrations;
    const changed = [{ ...first!, checksum: 'another' }, ...others];
    await expect(checkBackup(release.records(), changed)).rejects.toThrow(
      `another text of the migration ${first!.name}`,
    );
  });

  it.each([
    [
      'alter table patient add column planted text not null',
      'column "planted" of relation "patient" contains null',
    ],
    ['alter table patient drop column city', 'The file views/case_fact.sql failed'],
    ['alter table result drop column county_fips', 'The file '],
    ['create unique index planted on result (tenant_id)', 'could not create unique index "planted"'],
  ])('stays as it was when a migration cannot be run with rows: %s', async (sql, message) => {
    await expect(upgradedBy(planted(sql))).rejects.toThrow(message);
    expect(await keysOf(old.superuserUrl)).toEqual(before);
  });

  it('keeps every row, and matches a new database', async () => {
    await upgradedBy(files);
    expect(lost(before, await keysOf(old.superuserUrl))).toEqual({});
    const fresh = await createTestDatabase();
    expect(await catalogueOf(old.superuserUrl)).toEqual(await catalogueOf(fresh.superuserUrl));
  });

  it('knows who completed cases that ended earlier: the last time, unless that was undone', async () => {
    const earlier = await databaseOf(release, files);
    const sql = <Row extends object>(text: string, params: unknown[] = []) =>
      asSuperuser<Row>(text, params, earlier.superuserUrl);
    const migrations = files.migrations.filter(({ number }) => number < 35);
    await migrate(earlier.ownerUrl, { migrations, texts: [] });
    const cases = await sql<{ tenant_id: string; id: string }>(
      'select tenant_id, id from case_report order by tenant_id, id limit 4',
    );
    const [again, undone, open, imported] = cases as [Case, Case, Case, Case];
    const [first, second] = [randomUUID(), randomUUID()];
    const version = (of: Case, number: number, account: string, to: string, undoes: number | null = null) =>
      sql(
        `insert into case_report_history (tenant_id, record_id, version, account_id, changes, undoes)
         values ($1, $2, $3, $4, jsonb_build_object('status', jsonb_build_object('to', $5::text)), $6)`,
        [of.tenant_id, of.id, number, account, to, undoes],
      );
    await sql('update case_report set status = $1', ['closed']);
    await version(again, 901, first, 'complete');
    await version(again, 902, first, 'under_investigation');
    await version(again, 903, second, 'complete');
    await version(again, 904, first, 'closed');
    await version(undone, 901, first, 'complete');
    await version(undone, 902, second, 'under_investigation');
    // Undoing the previous step brings back the state, but is nobody's completion.
    await version(undone, 903, second, 'complete', 902);
    await version(open, 901, first, 'complete');
    await sql('update case_report set status = $1 where id = $2', ['under_investigation', open.id]);
    await migrate(earlier.ownerUrl, files);
    const known = await sql<{ id: string; by: string | null }>(
      'select id, completed_by_id as by from case_report where id = any ($1)',
      [cases.map(({ id }) => id)],
    );
    expect(Object.fromEntries(known.map(({ id, by }) => [id, by]))).toEqual({
      [again.id]: second,
      [undone.id]: first,
      [open.id]: null,
      [imported.id]: null,
    });
  });

  it('lets those who could change cases do every transition, and no one else [S6.4]', async () => {
    const [grants] = await asSuperuser<{ writing: number; denied: number; others: string[] }>(
      `select (count(*) filter (where act = 'case-reports/write'))::int as writing,
         (count(*) filter (where act = 'case-reports/write' and eft = 'deny'))::int as denied,
         array(select act from role_grant n where act = any ($1) and exists (select from role_grant g
           where g.tenant_id = n.tenant_id and g.role_id = n.role_id and g.obj = n.obj and g.eft = n.eft
             and g.act = 'case-reports/write')) as others
       from role_grant`,
      [['case-reports/assign', 'case-reports/investigate', 'case-reports/approve', 'case-reports/route']],
      old.superuserUrl,
    );
    const { writing, denied, others } = grants!;
    expect(writing).toBeGreaterThan(denied);
    expect(denied).toBeGreaterThan(0);
    expect(others).toHaveLength(4 * writing);
    expect(
      await asSuperuser<{ n: number }>(
        `select count(*)::int as n from role_grant
         where act in ('case-reports/assign', 'case-reports/investigate', 'case-reports/approve', 'case-reports/route')`,
        [],
        old.superuserUrl,
      ),
    ).toEqual([{ n: others.length }]);
  });

  it('shows everyone what they saw [P1, P18]', async () => {
    expect(await changedSight(release, old)).toEqual([]);
    expect(Object.keys(release.readers).length).toBeGreaterThan(5);
  });

  it('is one that the product starts on and people sign in to', async () => {
    const testing = await testApp({}, { on: old });
    const epidemiologist = await signInAs(testing, 'epi@demo.caseway.test');
    const { ok } = askingAs(testing, epidemiologist);
    const [{ n }] = (await asSuperuser<{ n: number }>(
      `select count(*)::int as n from case_report c join tenant t on t.id = c.tenant_id where t.slug = 'demo' and c.disease_family <> 'hiv'`,
      [],
      old.superuserUrl,
    )) as [{ n: number }];
    expect(n).toBeGreaterThan(0);
    const list = await ok<{ rowCount: number }>('POST', 'grid/case-reports/search', {});
    expect(list.rowCount).toBe(n);
  });

  it('shows that a migration loses rows, or opens them to others', async () => {
    await upgradedBy(planted(`delete from search_key where record_kind = 'case'`));
    expect(lost(before, await keysOf(old.superuserUrl))).toEqual({
      search_key: [...before.get('search_key')!].filter((key) => key.includes(' case ')).length,
    });
    const opened = files.texts.map((text) =>
      text.name === 'policies.sql'
        ? {
            ...text,
            sql: `${text.sql}create policy planted on case_report for select using (true);`,
            checksum: 'planted',
          }
        : text,
    );
    await upgradedBy({ ...planted(`delete from search_key where record_kind = 'case'`), texts: opened });
    expect((await changedSight(release, old)).filter((one) => one.includes('case_report'))).not.toEqual([]);
  });
});
