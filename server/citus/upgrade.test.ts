import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { migrate, migrateAndDistribute, readSchema } from '../src/platform/db/migrate.ts';
import { isDistributed } from '../src/platform/db/places.ts';
import { connected } from '../src/platform/db/roles.ts';
import { changedSight, databaseOf, keysOf, lost, readRelease, releasesFolder } from '../test/releases.ts';

const files = await readSchema();

it.each(await readdir(releasesFolder))(
  'a distributed database of version %s accepts every later migration, with its rows [P1, P30]',
  async (version) => {
    const release = await readRelease(version);
    const old = await databaseOf(release, files);
    const migrations = await connected(old.ownerUrl, 'the owner', async (client) => {
      const { rows } = await client.query<{ number: number }>('select number from schema_migration');
      const numbers = new Set(rows.map(({ number }) => number));
      return files.migrations.filter(({ number }) => numbers.has(number));
    });
    await migrateAndDistribute(old.ownerUrl, () => {}, { migrations, texts: [] });
    expect(await connected(old.ownerUrl, 'the owner', isDistributed)).toBe(true);

    const before = await keysOf(old.superuserUrl);
    const later = files.migrations.length - migrations.length;
    expect(await migrate(old.ownerUrl, files)).toHaveLength(later + files.texts.length);
    expect(lost(before, await keysOf(old.superuserUrl))).toEqual({});
    expect(await changedSight(release, old)).toEqual([]);
    // Each new table is in its place, so there is nothing left to move.
    const lines: string[] = [];
    await migrateAndDistribute(old.ownerUrl, (line) => lines.push(line), files);
    expect(lines).toEqual(['Every table is in its place.']);
  },
);
