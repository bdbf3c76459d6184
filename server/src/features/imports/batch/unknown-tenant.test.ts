import { expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../../test/database.ts';
import { makeTenant } from '../../../../test/factories.ts';
import { load } from '../../../../test/load.ts';
import { openDatabase } from '../../../platform/db/database.ts';
import { createLog } from '../../../platform/log/log.ts';
import { elr, importText } from '../test-messages.ts';

const { database, appUrl, superuserUrl } = await createTestDatabase();

const syllables = 'ba co du fe gi ho ka lu me ni po ra so ti vu we xa yo ze'.split(' ');
const word = (n: number): string =>
  n < syllables.length
    ? syllables[n]!
    : word(Math.floor(n / syllables.length)) + syllables[n % syllables.length]!;
/** Reports about this many people, each with their own name, birth date, numbers and telephone. */
const reports = (from: number, count: number, order = 'O', clinic?: string) =>
  Array.from({ length: count }, (_, at) => from + at)
    .map((n) =>
      elr({
        control: `${order}${n}`,
        order: `${order}-${n}`,
        clinic,
        patient: {
          id: `MRN${n}`,
          last: word(n * 7919),
          first: word(n * 104_729),
          birth: `19${10 + (n % 90)}0${1 + (n % 9)}${10 + (n % 18)}`,
          phone: String(2_000_000 + n),
          street: `${n} Oak St`,
        },
      }),
    )
    .join('');

/** Rows and index entries that all statements have read so far, by table and index. */
const readSoFar = async () =>
  new Map(
    (
      await asSuperuser<{ name: string; n: string }>(
        `select relname || ' by ' || indexrelname as name, idx_tup_read as n from pg_stat_user_indexes
         union all select relname || ' as a whole', seq_tup_read from pg_stat_user_tables`,
        [],
        superuserUrl,
      )
    ).map(({ name, n }) => [name, Number(n)]),
  );

/** Imports on connections that then end, because a session reports its statistics at the latest when it ends. */
async function importing(tenantId: string, text: string) {
  const own = await openDatabase({ url: appUrl, log: createLog('fatal'), poolSize: 2 });
  const [{ pid }] = (await own.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows('select pg_backend_pid() as pid'),
  )) as [{ pid: number }];
  const done = await importText(own, tenantId, text);
  await own.close();
  await expect.poll(() => asSuperuser('select from pg_stat_activity where pid = $1', [pid])).toHaveLength(0);
  return done;
}

test('the reads of an import do not grow with a tenant that the statistics do not know', async () => {
  const stored = load(2000, 4000);
  const [full, fresh] = [await makeTenant(database), await makeTenant(database)];
  await importing(full.id, reports(0, stored));
  // From here on, the statistics describe only the first tenant.
  await asSuperuser('analyze', [], superuserUrl);
  await importing(fresh.id, reports(0, stored));
  const before = await readSoFar();
  // Enough that a connection's first five look-ups by a foreign key, which read too much, hardly count.
  const count = load(450, 900);
  // A third each: from another clinic about people with results, received before, and about new people.
  const known = reports(600, count / 3, 'A', 'Lakeside Clinic') + reports(0, count / 3);
  expect(await importing(fresh.id, known + reports(stored, count / 3))).toMatchObject({
    counts: { taken: (2 * count) / 3, duplicates: count / 3 },
  });
  const after = await readSoFar();
  const perMessage = [...after]
    .map(([name, n]) => [name, (n - (before.get(name) ?? 0)) / count] as const)
    .filter(([, n]) => n > 60);
  // A report has about ten keys and matches a few people; 2,000 stored ones have some 25,000 keys.
  expect(Object.fromEntries(perMessage)).toEqual({});
});
