import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Duck } from './duckdb.ts';

const outside = await mkdtemp(join(tmpdir(), 'caseway-duckdb-'));
const folder = join(outside, "a folder's own");
const duck = await Duck.open(folder);
const connection = await duck.connect();
afterAll(async () => {
  connection.close();
  duck.close();
  await rm(outside, { recursive: true, force: true });
});

describe('DuckDB is walled in', () => {
  it('reaches files of its folder', async () => {
    await writeFile(join(folder, 'rows.csv'), '1\n');
    expect(
      await connection.rows(`select * from read_csv('${join(folder, 'rows.csv').replace("'", "''")}')`),
    ).toHaveLength(1);
  });

  it.each([
    ['reading', `select * from read_text('/etc/hostname')`],
    ['reading beside its folder', `select * from read_text('${outside}/x')`],
    ['reading through its folder', `select * from read_text('${folder.replace("'", "''")}/../x')`],
    ['writing', `copy (select 1) to '${outside}/x.csv'`],
    ['attaching', `attach '${outside}/x.duckdb' as x`],
    ['the network', `select * from read_csv('http://127.0.0.1:7600/x.csv')`],
    ['an extension', 'install httpfs'],
    ['loading an extension', "load '/tmp/x.duckdb_extension'"],
    ['its configuration', 'set enable_external_access = true'],
    ['its allowance', "set allowed_directories = ['/']"],
    ['its memory', "set memory_limit = '100GB'"],
  ])('and not %s', async (_, text) => {
    await expect(connection.run(text)).rejects.toThrow(
      /disabled by configuration|configuration has been locked|Permission Error/i,
    );
  });
});

describe('values', () => {
  it('of a type whose form differs from PostgreSQL are refused, not guessed', async () => {
    await expect(connection.rows('select sum(n) as n from range(3) t(n)')).rejects.toThrow(
      'cast it to bigint',
    );
    await expect(connection.rows("select timestamp without time zone '2026-01-01' as t")).rejects.toThrow(
      'cast it',
    );
    await expect(connection.rows('select 9007199254740993 as n')).rejects.toThrow('too large');
  });

  it('arrive as PostgreSQL gives them', async () => {
    const [row] = await connection.rows(
      "select 7 / 2 as n, date '0099-03-01' as d, timestamptz '2026-03-01 12:00:00.5+01' as t, ['a', null] as l, null as z",
    );
    expect(row).toEqual({
      n: 3,
      d: '0099-03-01',
      t: new Date('2026-03-01T11:00:00.500Z'),
      l: ['a', null],
      z: null,
    });
  });
});
