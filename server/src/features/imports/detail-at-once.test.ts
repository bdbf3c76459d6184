import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import type { Tx } from '../../platform/db/database.ts';
import { readDetailAtOnce } from './queries.ts';
import { elr, importText } from './test-messages.ts';

const { database } = await createTestDatabase();

test('the counts of an import and its reasons are from one moment, even if a batch is stored between two queries', async () => {
  const { id: tenantId } = await makeTenant(database);
  const { importId } = await importText(database, tenantId, elr({}));
  const storeBatch = () =>
    database.withScope({ kind: 'service', tenantId }, async (tx) => {
      for (const [kind, key] of [
        ['state', 'waiting'],
        ['reason', 'waiting:test-unknown'],
      ])
        await tx.run(
          `insert into import_tally (tenant_id, import_id, kind, key, families, n) values ($1, $2, $3, $4, '{}', 30)`,
          [tenantId, importId, kind, key],
        );
      await tx.run('update import set next_index = next_index + 30 where id = $1', [importId]);
    });
  const detail = (afterFirst: () => Promise<void>) =>
    readDetailAtOnce(
      (work, options) =>
        database.withScope(
          { kind: 'service', tenantId },
          (tx) => {
            let asked = 0;
            const rows = async (text: string, params: unknown[]) => {
              const found = await tx.rows(text, params);
              asked += 1;
              if (asked === 1) await afterFirst();
              return found;
            };
            return work({ tenantId, rows } as unknown as Tx);
          },
          options,
        ),
      importId,
    );

  expect(await detail(storeBatch)).toMatchObject({ messages: 1, waiting: 0, reasons: [] });
  expect(await detail(async () => {})).toMatchObject({
    messages: 31,
    waiting: 30,
    reasons: [{ state: 'waiting', reason: 'test-unknown', n: 30 }],
  });
});
