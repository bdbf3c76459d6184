import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { recordChange } from './outbox.ts';

const { database } = await createTestDatabase({ poolSize: 10 });
const service = (tenantId: string): Scope => ({ kind: 'service', tenantId });

interface Row {
  number: number;
  record_ids: string[];
}
const above = (tenantId: string, cursor: number) =>
  database.withScope(
    service(tenantId),
    (tx) =>
      tx.rows<Row>(
        'select number, record_ids from outbox where tenant_id = $1 and number > $2 order by number',
        [tenantId, cursor],
      ),
    { readOnly: true },
  );

describe('changes are numbered in the order of their commits [P5]', () => {
  it('so that a reader who continues from the last number misses no change of many writers', async () => {
    const tenants = await Promise.all([makeTenant(database), makeTenant(database)]);
    const committed = new Map(tenants.map(({ id }) => [id, [] as string[]]));
    const undone = new Error('undone');
    const write = async (writer: number, turn: number) => {
      const { id: tenantId } = tenants[(writer + turn) % 2]!;
      const ids = Array.from({ length: 3 }, () => randomUUID());
      // Some take longer than later ones, some write a lot, and some are rolled back.
      const work = async (tx: Tx) => {
        await recordChange(tx, tenantId, 'result', ids.slice(0, 2));
        if (turn % 3 === 0) await tx.rows('select pg_sleep(0.02)');
        if (turn % 4 === 0)
          await tx.run(
            `insert into case_counter (tenant_id, year, last_number)
             select $1, year, 1 from generate_series($2::integer, $2::integer + 300) as year returning 1`,
            [tenantId, (writer * 100 + turn) * 1000],
          );
        await recordChange(tx, tenantId, 'case_report', ids.slice(2));
        if (turn % 5 === 4) throw undone;
        committed.get(tenantId)!.push(...ids);
      };
      await database.withScope(service(tenantId), work).catch((error) => {
        if (error !== undone) throw error;
      });
    };
    let writing = true;
    const read = async (tenantId: string) => {
      const seen: Row[] = [];
      let last = false;
      while (!last) {
        last = !writing;
        seen.push(...(await above(tenantId, seen.at(-1)?.number ?? 0)));
      }
      return seen;
    };
    const reading = Promise.all(tenants.map(({ id }) => read(id)));
    await Promise.all(
      Array.from({ length: 7 }, async (_, writer) => {
        for (let turn = 0; turn < 30; turn++) await write(writer, turn);
      }),
    );
    writing = false;
    const seen = await reading;
    for (const [index, { id }] of tenants.entries()) {
      const rows = seen[index]!;
      expect(rows.map(({ number }) => number)).toEqual(rows.map((_, place) => place + 1));
      expect(rows.flatMap(({ record_ids }) => record_ids).sort()).toEqual(committed.get(id)!.sort());
    }
    // Of 30 turns, each writer rolls back 6 and writes two changes in each of the others.
    expect(seen.flat()).toHaveLength(7 * 24 * 2);
  });

  it('and a transaction that has recorded a change and continues blocks nobody', async () => {
    const { id: tenantId } = await makeTenant(database);
    const [slow, quick] = [randomUUID(), randomUUID()];
    await database.withScope(service(tenantId), async (tx) => {
      await recordChange(tx, tenantId, 'result', [slow]);
      await database.withScope(service(tenantId), (other) =>
        recordChange(other, tenantId, 'result', [quick]),
      );
      expect(await above(tenantId, 0)).toEqual([{ number: 1, record_ids: [quick] }]);
    });
    expect(await above(tenantId, 1)).toEqual([{ number: 2, record_ids: [slow] }]);
  });

  it('and many records of one transaction are several changes, 5,000 in each', async () => {
    const { id: tenantId } = await makeTenant(database);
    const ids = Array.from({ length: 5001 }, () => randomUUID());
    await database.withScope(service(tenantId), (tx) => recordChange(tx, tenantId, 'patient', ids));
    expect(await above(tenantId, 0)).toEqual([
      { number: 1, record_ids: ids.slice(0, 5000) },
      { number: 2, record_ids: ids.slice(5000) },
    ]);
  });
});
