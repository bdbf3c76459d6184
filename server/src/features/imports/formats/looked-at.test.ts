import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { makeTenant } from '../../../../test/factories.ts';
import type { ImportProgress } from '../running/running-import.ts';
import { importText } from '../test-messages.ts';
import { LookedAt } from './looked-at.ts';

const { database } = await createTestDatabase();
let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
});
const rows = (text: string) => database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows(text));

describe('the share of a file that has been read beforehand', () => {
  test('rises over all passes, never falls, and is reported at most as often as requested', async () => {
    const told: number[] = [];
    const looked = new LookedAt(100, 2, async (share) => void told.push(share), 0);
    const open = async function* () {
      for (let at = 0; at < 4; at++) yield new Uint8Array(25);
    };
    const read = async (pass: number, until = 5) => {
      let pieces = 0;
      for await (const _ of looked.pass(open, pass)()) if (++pieces === until) break;
    };
    await read(0);
    // The beginning again.
    await read(0, 2);
    await read(1);
    expect(told).toEqual([0.125, 0.25, 0.375, 0.5, 0.5, 0.625, 0.75, 0.875, 1]);
    const seldom: number[] = [];
    const patient = new LookedAt(100, 1, async (share) => void seldom.push(share), 60_000);
    for await (const _ of patient.pass(open, 0)());
    expect(seldom).toEqual([]);
  });

  test('is stored, reported, and removed when the first row is stored', async () => {
    const header = 'Last name,First name,DOB,Sex,Test,Result,Collected\n';
    const line = (n: number) =>
      `Person${n},Ada,1990-05-01,F,Chlamydia trachomatis DNA,${n % 2 ? 'Positive' : 'Negative'},2026-03-02\n`;
    // More than two pieces of the stored file.
    const text = header + Array.from({ length: 30_000 }, (_, n) => line(n)).join('');
    const told: ImportProgress[] = [];
    const stop = new AbortController();
    await importText(database, tenantId, text, {
      lookPause: 0,
      signal: stop.signal,
      onProgress(progress) {
        told.push(progress);
        // One batch is enough.
        if (progress.looked === undefined) stop.abort();
      },
    });
    const shares = told.flatMap(({ looked }) => looked ?? []);
    expect(shares.length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(told.every(({ looked, byteOffset }) => looked === undefined || byteOffset === 0)).toBe(true);
    expect(told.at(-1)!.byteOffset).toBeGreaterThan(0);
    expect(await rows(`select options ->> 'looked' as looked, state from import`)).toEqual([
      { looked: null, state: 'running' },
    ]);
  });
});

test('an import that is cancelled while its file is read ends before the end of the file', async () => {
  const text = `Last name,First name,DOB\n${'Okafor,Ada,1990-05-01\n'.repeat(120_000)}`;
  const shares: number[] = [];
  const { end } = await importText(database, tenantId, text, {
    lookPause: 0,
    onProgress: async ({ looked }) => {
      shares.push(looked!);
      await rows(`update import set state = 'cancelled'`);
    },
  });
  expect(end).toBe('cancelled');
  expect(shares.at(-1)).toBeLessThan(1);
});

describe('a server that stops does not wait for a large file', () => {
  // Rows that fill no batch, because each repeats the header.
  const text = 'Last name,First name\n'.repeat(30_000);

  test.each([
    ['while it is looked at', 0],
    ['while it is read', 0.999],
  ])('%s', async (_, from) => {
    const stop = new AbortController();
    const shares: number[] = [];
    const { end } = await importText(database, tenantId, text, {
      lookPause: 0,
      signal: stop.signal,
      onProgress({ looked }) {
        shares.push(looked!);
        if (looked! >= from) stop.abort();
      },
    });
    expect(end).toBe('stopped');
    expect(shares.at(-1)! < 1).toBe(from === 0);
    expect(await rows('select state, next_index, file_read from import')).toEqual([
      { state: 'running', next_index: 0, file_read: false },
    ]);
  });
});
