import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import { addDays } from '@caseway/contract/date-range';
import { initialFilters } from '@caseway/contract/search-params';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { load, rounds } from '../../../test/load.ts';
import { facts } from '../../facts.ts';
import { type Analytics, type Ask, startAnalytics } from '../../platform/analytics/engine.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { createLog } from '../../platform/log/log.ts';
import type { Scope } from '../../platform/scope.ts';
import {
  anyQuery,
  lastDay,
  makeResults,
  storeResults,
  testingNumbers,
  values,
  wholeTenant,
} from './test-facts.ts';

const { database } = await createTestDatabase();
const results = makeResults(3, load({ people: 150, results: 700 }, { people: 300, results: 1500 }));
const tenantId = await storeResults(database, results);
const ids = results.map(({ id }) => id);

const folder = await mkdtemp(join(tmpdir(), 'caseway-analytics-'));
const options = { facts, database, log: createLog('fatal'), engine: 'duckdb' as const };
/** Makes roll-ups only when a test says so. */
const keeping = (rowsFrom: number) => ({ rowsFrom, rowsAtATime: 1000, restMs: 3_600_000 });
const rolled = await startAnalytics({ ...options, folder: join(folder, 'rolled'), keeping: keeping(0) });
const plain = await startAnalytics({
  ...options,
  folder: join(folder, 'plain'),
  keeping: keeping(Number.POSITIVE_INFINITY),
});
for (const engine of [rolled, plain]) await engine.caughtUp(tenantId);
afterAll(async () => {
  await Promise.all([rolled.close(), plain.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** The numbers, and whether they came from roll-ups. */
async function asked(engine: Analytics, scope: Scope, query: AnalyticsQuery, threshold?: number) {
  let fromRollUps = false;
  const numbers = await engine.read({ scopes: [scope], freshness: 'any', asks: 'numbers' }, (ask) => {
    const noting: Ask = async <Row extends object>(question: Parameters<Ask>[0]) => {
      const rows = await ask<Row>(question);
      if (rows.some((row) => (row as { part?: number }).part! >= 1000)) fromRollUps = true;
      return rows;
    };
    return testingNumbers(noting, query, {
      today: lastDay,
      timeZone: 'America/New_York',
      asOf: new Date(0),
      threshold,
    });
  });
  return { numbers, fromRollUps };
}

/** Changes some results: collection or entry days move, results are deleted, or categories change. */
async function change(some: readonly string[], how: 'move' | 'remove' | 'correct' | 'enter', by: number) {
  if (some.length === 0) return;
  const statement = {
    move: 'update result set collected_on = collected_on + $3::integer where tenant_id = $1 and id = any($2)',
    enter: 'update result set created_on = created_on + $3::integer where tenant_id = $1 and id = any($2)',
    remove: 'delete from result where tenant_id = $1 and id = any($2) and $3::integer is not null',
    correct: `update result set result_category = case when $3::integer > 0 then 'positive' else 'negative' end
      where tenant_id = $1 and id = any($2)`,
  }[how];
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    await tx.run(statement, [tenantId, some, by]);
    await recordChange(tx, tenantId, 'result', some);
  });
  for (const engine of [rolled, plain]) await engine.caughtUp(tenantId);
}

const wide: AnalyticsQuery = {
  dateRangeValue: { start: addDays(lastDay, -80), end: lastDay },
  filters: initialFilters(testingAnalytics),
  eventDate: 'collected',
};
const ofRace: AnalyticsQuery = {
  ...wide,
  filters: { ...wide.filters, raceFilter: [values.races[0]!, 'missing'] },
};

describe('roll-ups [P2]', () => {
  test.each([
    ['all rows', wide, undefined],
    ['rows of one filter', ofRace, undefined],
    ['protected numbers', wide, 11],
    ['protected numbers of one filter', ofRace, 11],
  ])('are read for %s once they are kept, and give the same numbers', async (_, query, threshold) => {
    for (const scope of [wholeTenant(tenantId), wholeTenant(tenantId, ['hiv'])]) {
      const expected = await asked(plain, scope, query, threshold);
      expect(expected.fromRollUps).toBe(false);
      expect((await asked(rolled, scope, query, threshold)).numbers).toEqual(expected.numbers);
      await rolled.rolledUp(tenantId);
      expect(await asked(rolled, scope, query, threshold)).toEqual({ ...expected, fromRollUps: true });
    }
  });

  test('have entry delays by the weeks of entry, and are read for them', async () => {
    const daysRead = () =>
      rolled.read(
        { scopes: [wholeTenant(tenantId)], freshness: 'any', asks: 'numbers' },
        async (ask, asOf) => {
          const days = new Set<string>();
          const noting: Ask = async <Row extends object>(question: Parameters<Ask>[0]) => {
            const rows = await ask<Row>(question);
            if (rows.some((row) => (row as { part?: number }).part! >= 1000)) days.add(question.rolled!.day);
            return rows;
          };
          await testingNumbers(noting, wide, { today: lastDay, timeZone: 'America/New_York', asOf });
          return [...days].sort();
        },
      );
    // Something is kept for most of the half year that is examined.
    await change(ids.slice(0, 1), 'enter', -150);
    await daysRead();
    await rolled.rolledUp(tenantId);
    expect(await daysRead()).toEqual(['collected_on', 'created_on']);
  });

  test('are not read for readers who see less than all of the tenant', async () => {
    const { fromRollUps } = await asked(
      rolled,
      { ...wholeTenant(tenantId), orgType: 'F', orgId: values.facilities[0]! } as Scope,
      wide,
    );
    expect(fromRollUps).toBe(false);
  });

  test('with changed blocks are not read until these have been made again', async () => {
    const scope = wholeTenant(tenantId);
    await asked(rolled, scope, wide);
    await rolled.rolledUp(tenantId);
    const tests = async () => (await asked(rolled, scope, wide)).numbers.measures.tests!.value!;
    const before = await tests();
    const gone = results.filter(
      ({ collected_on, result_category, status }) =>
        collected_on === results.find((one) => one.collected_on)!.collected_on &&
        result_category === 'positive' &&
        status === 'final',
    );
    await change(
      gone.map(({ id }) => id),
      'remove',
      0,
    );
    const after = await asked(rolled, scope, wide);
    expect(after.numbers).toEqual((await asked(plain, scope, wide)).numbers);
    expect(after.numbers.measures.tests!.value).toBeLessThan(before);
    // The other blocks still are.
    expect(after.fromRollUps).toBe(true);
    await rolled.rolledUp(tenantId);
    expect((await asked(rolled, scope, wide)).numbers).toEqual(after.numbers);
  });

  test('give the same as the rows, after any change and for any reader', async () => {
    const anyReader = fc.constantFrom<Scope>(wholeTenant(tenantId, ['hiv']), {
      ...wholeTenant(tenantId),
      orgType: 'O',
      orgId: values.organizations[0]!,
    } as Scope);
    await fc.assert(
      fc.asyncProperty(
        fc
          .tuple(anyQuery, fc.constantFrom('collected' as const, 'reported' as const))
          .map(([query, eventDate]) => ({
            ...query,
            eventDate,
          })),
        anyReader,
        fc.constantFrom(undefined, undefined, 11),
        fc.subarray(ids, { maxLength: 12 }),
        fc.constantFrom('move' as const, 'remove' as const, 'correct' as const, 'enter' as const),
        fc.integer({ min: -40, max: 40 }),
        async (query, scope, threshold, some, how, by) => {
          await asked(rolled, scope, query, threshold);
          await rolled.rolledUp(tenantId);
          const compare = async () =>
            expect((await asked(rolled, scope, query, threshold)).numbers).toEqual(
              (await asked(plain, scope, query, threshold)).numbers,
            );
          await compare();
          await change(some, how, by);
          await compare();
          // Changes arrive while roll-ups are made.
          await Promise.all([rolled.rolledUp(tenantId), change(some.slice(0, 4), 'move', 3)]);
          await compare();
        },
      ),
      rounds(2, 100),
    );
  });
});
