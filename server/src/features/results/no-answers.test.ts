import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import {
  chlamydia,
  detected,
  elr,
  importText,
  type TestMessage,
  type TestResult,
} from '../imports/test-messages.ts';

const { database } = await createTestDatabase();

let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database, { time_zone: 'America/New_York' }));
});

const rows = <Row extends object = Record<string, unknown>>(text: string) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text));
const report = (given: TestMessage) => importText(database, tenantId, elr(given));
const results = () =>
  rows<{ category: string; status: string; condition: string | null }>(
    `select result_category as category, status, condition_code as condition
     from result where superseded_by is null order by id`,
  );
const cases = () => rows('select condition_code as condition, classification from case_report order by id');
const waits = async () =>
  (
    await rows<{ reason: string; faults: { code: string; place: string; severity: string }[] }>(
      `select reason, faults from import_message where state = 'waiting' order by id`,
    )
  ).map(({ reason, faults }) => [reason, faults.find(({ severity }) => severity === 'waits')?.place]);

const culture = '625-4^Bacteria identified in stool^LN';
const load = '20447-9^HIV 1 RNA^LN';
const venousLead = '77307-7^Lead venous^LN';

describe('texts about what else was not found [P8]', () => {
  const salmonella = { test: culture, value: '27268008^Salmonella^SCT' };
  const noMore = { test: culture, type: 'TX', value: 'NO OTHER GROWTH' };

  test('beside an organism is not a negative culture, and the case does not change', async () => {
    await report({ tests: [salmonella, noMore] });
    expect(await results()).toEqual([
      { category: 'positive', status: 'final', condition: 'salmonellosis' },
      expect.objectContaining({ category: 'quantitative' }),
    ]);
    expect(await cases()).toEqual([{ condition: 'salmonellosis', classification: 'confirmed' }]);
    expect(await rows(`select id from result_fact where result_category = 'negative'`)).toEqual([]);
  });

  test('alone it waits, even with the flag of a normal result', async () => {
    await report({ tests: [{ ...noMore, flag: 'N' }] });
    expect(await results()).toEqual([]);
    expect(await waits()).toEqual([['value-unknown', undefined]]);
  });

  test('in place of an organism that was sent before, it waits for a person', async () => {
    await report({ order: 'F-1', tests: [salmonella] });
    await report({
      order: 'F-1',
      reported: '20260305150000-0500',
      tests: [{ ...noMore, status: 'C' }],
    });
    expect(await results()).toMatchObject([{ category: 'positive', condition: 'salmonellosis' }]);
    expect(await waits()).toEqual([['value-unknown', undefined]]);
  });
});

describe('a date in place of an answer', () => {
  test.each([
    ['DT', '20260301'],
    ['TM', '1430'],
    ['TS', '20260301143000-0500'],
    ['DTM', '202603011430'],
    ['TS', '20269999'],
    ['ST', '03/01/2026'],
    ['ST', '2026-03-01 14:30'],
    ['TX', '1.3.2026'],
  ])('%s %s waits, whatever its flag', async (type, value) => {
    await report({ tests: [{ type, value, flag: 'A' }] });
    expect(await results()).toEqual([]);
    expect(await waits()).toEqual([['date-for-answer', 'OBX[1]-5']]);
  });

  test('a time of day is not a titre, a viral load or an amount of lead', async () => {
    const tests: TestResult[] = [load, venousLead, '31147-2^RPR titer^LN'].map((test) => ({
      test,
      type: 'TM',
      value: '1430',
      units: 'ug/dL',
    }));
    await report({ tests });
    expect(await results()).toEqual([]);
  });

  test('a titre is not a date', async () => {
    await report({ tests: [{ test: '31147-2^RPR titer^LN', type: 'ST', value: '1:64' }] });
    expect(await results()).toMatchObject([{ category: 'positive' }]);
  });
});

describe('a flag without a value', () => {
  test.each(['A', 'AA', 'H'])('%s waits: it is no failed test', async (flag) => {
    await report({ tests: [{ type: '', value: '', flag }] });
    expect(await results()).toEqual([]);
    expect(await waits()).toEqual([['value-missing', 'OBX[1]-5']]);
  });

  test('no flag and no value is a test without a result', async () => {
    await report({ tests: [{ type: '', value: '' }] });
    expect(await results()).toMatchObject([{ category: 'invalid' }]);
  });
});

describe('a number with its unit in one text', () => {
  test.each([
    // Nothing counted is nothing found.
    [load, 'NM', '0', 'negative'],
    [load, 'SN', '^0', 'negative'],
    [load, 'SN', '=^0', 'negative'],
    [load, 'ST', '0 copies/mL', 'negative'],
    [load, 'TX', '0 copias/mL', 'negative'],
    [load, 'ST', '1,250 copies/mL', 'positive'],
    [load, 'ST', '3,45 log10 copies/mL', 'positive'],
    // Below the limit of counting there may be a virus, or none.
    [load, 'ST', '<20 copies/mL', 'inconclusive'],
    [venousLead, 'ST', '3,5 µg/dL', 'positive'],
    [venousLead, 'ST', '3.4 ug/dL', 'negative'],
    [venousLead, 'ST', '<1 mcg/dL', 'negative'],
  ])('%s, %s %s is %s', async (testCode, type, value, category) => {
    await report({ tests: [{ test: testCode, type, value }] });
    expect(await results()).toMatchObject([{ category }]);
  });

  test('in an unknown unit it waits', async () => {
    await report({ tests: [{ test: venousLead, type: 'ST', value: '3.6 grains/pint' }] });
    expect(await waits()).toEqual([['unit-unknown', 'OBX[1]-6']]);
  });

  test('for a test that is answered in words it waits, and is not asked about as if it were a word', async () => {
    await report({ tests: [{ type: 'ST', value: '12.3 S/CO' }] });
    expect(await waits()).toEqual([['number-for-answer', 'OBX[1]-5']]);
    expect(await rows('select id from code_mapping')).toEqual([]);
  });
});

describe('each status of OBX-11 (HL7 table 0085)', () => {
  const confirmed = [{ condition: 'chlamydia', classification: 'confirmed' }];
  test.each([
    // A positive chlamydia test: its answer, its status, and the case that it opens.
    ['F', 'positive', 'final', confirmed],
    ['B', 'positive', 'final', confirmed],
    ['U', 'positive', 'final', confirmed],
    ['V', 'positive', 'final', confirmed],
    ['C', 'positive', 'corrected', confirmed],
    ['A', 'positive', 'corrected', confirmed],
    ['P', 'presumptive-positive', 'preliminary', [{ condition: 'chlamydia', classification: 'unknown' }]],
    ['R', 'presumptive-positive', 'preliminary', [{ condition: 'chlamydia', classification: 'unknown' }]],
    ['S', 'presumptive-positive', 'preliminary', [{ condition: 'chlamydia', classification: 'unknown' }]],
    ['I', 'pending', 'pending', []],
    ['O', 'pending', 'pending', []],
    ['N', 'not-done', 'cancelled', []],
    ['X', 'not-done', 'cancelled', []],
    ['D', 'not-done', 'withdrawn', []],
    ['W', 'not-done', 'withdrawn', []],
  ])('%s: %s, %s', async (status, category, kept, opened) => {
    await report({ tests: [{ test: chlamydia, value: detected, status }] });
    expect(await results()).toEqual([{ category, status: kept, condition: 'chlamydia' }]);
    const isOpened = (await cases()).length > 0;
    expect(isOpened ? await cases() : []).toEqual(opened);
  });

  test.each(['U', 'B', 'V'])(
    '%s without the value removes nothing from the earlier result',
    async (status) => {
      await report({ order: 'F-1', tests: [{ status: status === 'U' ? 'P' : 'F' }] });
      const before = await results();
      await report({
        order: 'F-1',
        reported: '20260305150000-0500',
        tests: [{ type: '', value: '', status }],
      });
      expect(await results()).toEqual(before);
      expect(await waits()).toEqual([['value-not-sent-again', 'OBX[1]-11']]);
    },
  );

  test('more information to a final result leaves it positive, and its case confirmed', async () => {
    await report({ order: 'F-1' });
    await report({ order: 'F-1', reported: '20260305150000-0500', tests: [{ status: 'B', flag: 'A' }] });
    expect(await results()).toMatchObject([{ category: 'positive', status: 'final' }]);
    expect(await cases()).toEqual(confirmed);
  });
});
