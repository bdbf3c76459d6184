import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { createLog } from '../log/log.ts';
import { openDatabase } from './database.ts';
import { afterSilence } from './patience.ts';
import { connect } from './roles.ts';

/* A busy process does not take its own silence for that of the database. */

const { appUrl } = await createTestDatabase();
const patienceMs = 2000;

/** For this many milliseconds nothing is read and no timer fires, as while modules are loaded. */
const busy = (milliseconds: number) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};
/** Begins as soon as something was sent, and again in each turn of the loop. */
const busyOften = (times: number) => {
  if (times === 0) return;
  busy(patienceMs / 2);
  setImmediate(() => busyOften(times - 1));
};

test('a process that is busy for longer than its patience still connects', async () => {
  const connecting = connect(appUrl, 'DATABASE_URL', patienceMs);
  busyOften(3);
  const client = await connecting;
  expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  await client.end();
});

test('a pool lends a connection to such a process, and its statements are not given up', async () => {
  const database = await openDatabase({ url: appUrl, log: createLog('fatal'), poolSize: 2, patienceMs });
  const ask = () =>
    database.withScope({ kind: 'system' }, (tx) => tx.rows('select 1 as n'), { silenceMs: patienceMs });
  const asked = Promise.all([ask(), ask(), ask()]);
  busyOften(3);
  expect(await asked).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
  await database.close();
});

test('a silent database is given up in time, and holds nothing', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.resume())).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const begun = performance.now();
  await expect(
    connect(`postgres://caseway@127.0.0.1:${port}/caseway`, 'DATABASE_URL', patienceMs),
  ).rejects.toThrow('The database of DATABASE_URL cannot be reached: it does not answer.');
  const took = performance.now() - begun;
  expect(took).toBeGreaterThan(patienceMs - 50);
  expect(took).toBeLessThan(15 * patienceMs);
  await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true]);
  silent.close();
});

test('waiting that has ended is never late', async () => {
  let late = false;
  const end = afterSilence(40, () => {
    late = true;
  });
  busy(100);
  setImmediate(end);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(late).toBe(false);
});
