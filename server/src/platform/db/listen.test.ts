import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { Way } from '../../../test/way.ts';
import { listenTo } from './listen.ts';

const { database, appUrl } = await createTestDatabase();
const notify = (payload: string) =>
  database.withScope({ kind: 'system' }, (tx) => tx.rows("select pg_notify('caseway_test', $1)", [payload]));

test('[P6] while the database is away it tries twice a second; then it reports that something was missed, and receives everything once', async () => {
  const way = await Way.to(appUrl);
  const heard: string[] = [];
  const end = await listenTo({
    url: way.url,
    channel: 'caseway_test',
    heard: (payload) => heard.push(payload),
    missed: () => heard.push('missed'),
  });
  await notify('before');
  await expect.poll(() => heard).toEqual(['before']);
  expect(way.comers).toBe(1);

  await way.block();
  await notify('meanwhile');
  const since = performance.now();
  await expect.poll(() => way.comers - 1, { interval: 5 }).toBeGreaterThanOrEqual(6);
  // Never two in the same half second; on a slow machine fewer.
  expect(way.comers - 1).toBeLessThanOrEqual(Math.ceil((performance.now() - since) / 500));

  const before = way.comers;
  await way.reopen();
  await expect.poll(() => heard).toEqual(['before', 'missed']);
  await notify('after');
  await notify('at last');
  await expect.poll(() => heard).toEqual(['before', 'missed', 'after', 'at last']);
  await sleep(1200);
  expect(heard).toHaveLength(4);
  expect(way.comers).toBe(before + 1);
  await end();
  await way.cut();
});

test('it ends while the database is away', async () => {
  const way = await Way.to(appUrl);
  const end = await listenTo({ url: way.url, channel: 'caseway_test', heard: () => {} });
  await way.cut();
  await end();
});

test('a database that does not answer is reported immediately', async () => {
  const way = await Way.to(appUrl);
  await way.cut();
  await expect(listenTo({ url: way.url, channel: 'caseway_test', heard: () => {} })).rejects.toThrow(
    /ECONNREFUSED/,
  );
});
