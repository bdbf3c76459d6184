import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { makeTenant } from '../../../../test/factories.ts';
import { runImport } from '../running/run-import.ts';
import { countsOf, elr, importText, type TestMessage } from '../test-messages.ts';

const { database } = await createTestDatabase();

let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database, { time_zone: 'America/New_York' }));
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const count = async (table: string) =>
  (await rows<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n;
const take = (text: string) => importText(database, tenantId, text);
const report = (given: TestMessage = {}) => take(elr(given));
const current = () =>
  rows(
    `select test_loinc, result_category, status from result where superseded_by is null order by test_loinc, id`,
  );

describe('results that are not findings about a person', () => {
  test('a control sample of the laboratory is stored as nobody’s result', async () => {
    const outcome = await report({ more: ['SPM|1|||258500001^Swab^SCT|||||||Q^Control specimen^HL70369'] });
    expect(outcome.counts).toMatchObject({ taken: 1 });
    expect([await count('patient'), await count('result')]).toEqual([0, 0]);
  });

  test('an animal’s result opens no case', async () => {
    const animal = elr({ patient: { id: 'A1', last: 'Rex', first: 'Dog' } }).replace(
      /(\rPID[^\r]*)/,
      (pid) => {
        const fields = pid.split('|');
        while (fields.length < 36) fields.push('');
        fields[35] = '448771007^Canis lupus familiaris^SCT';
        return fields.join('|');
      },
    );
    expect((await take(animal)).effects).toMatchObject({ resultsCreated: 1 });
    expect(await count('case_report')).toBe(0);
  });
});

describe('results that wait', () => {
  test('an unknown test waits to be mapped, and known ones are stored immediately', async () => {
    const outcome = await report({ tests: [{}, { test: 'XGC^In-house GC^L' }] });
    expect(outcome.counts).toMatchObject({ taken: 0, waiting: 1 });
    expect(outcome.reasons).toEqual({ 'waiting:test-unknown': 1 });
    expect(await count('result')).toBe(1);
    const [mapping] = await rows(
      'select id, kind, sender, system, code, text, state, occurrences from code_mapping',
    );
    expect(mapping).toMatchObject({
      kind: 'test',
      sender: 'Peach State Laboratory',
      system: 'L',
      code: 'XGC',
      text: 'In-house GC',
      state: 'open',
      occurrences: 1,
    });
    expect(await rows('select waiting_for from import_message')).toEqual([{ waiting_for: [mapping!.id] }]);

    await rows(`update code_mapping set state = 'mapped', target = '24111-7'`);
    await rows(`update import_message set rerun = true`);
    await rows(`update import set state = 'queued'`);
    expect(await runImport({ database, tenantId, importId: outcome.importId })).toBe('done');
    expect((await countsOf(database, tenantId, outcome.importId)).counts).toEqual({
      messages: 1,
      taken: 1,
      waiting: 0,
      refused: 0,
      duplicates: 0,
    });
    expect(await current()).toHaveLength(2);
    expect(
      await rows(`select test_loinc, test_local_code from result where test_local_code is not null`),
    ).toEqual([{ test_loinc: '24111-7', test_local_code: 'XGC' }]);
  });

  test('a code that appears once another is mapped is counted then; an already counted code is not counted again', async () => {
    const outcome = await report({
      tests: [{ test: 'XGC^In-house GC^L', type: 'ST', value: 'see comment B' }],
    });
    const seen = () => rows('select kind, occurrences from code_mapping order by kind');
    expect(await seen()).toEqual([{ kind: 'test', occurrences: 1 }]);
    const again = async () => {
      await rows('update import_message set rerun = true');
      await rows(`update import set state = 'queued'`);
      await runImport({ database, tenantId, importId: outcome.importId });
    };
    await again();
    expect(await seen()).toEqual([{ kind: 'test', occurrences: 1 }]);
    await rows(`update code_mapping set state = 'mapped', target = '24111-7'`);
    await again();
    await again();
    expect(await seen()).toEqual([
      { kind: 'test', occurrences: 1 },
      { kind: 'value', occurrences: 1 },
    ]);
  });

  test('an unknown value waits, and is read as it was mapped', async () => {
    const outcome = await report({ tests: [{ type: 'ST', value: 'see comment B' }] });
    expect(outcome.reasons).toEqual({ 'waiting:value-unknown': 1 });
    expect(await count('patient')).toBe(0);
    await rows(`update code_mapping set state = 'mapped', target = 'positive'`);
    await rows(`update import_message set rerun = true`);
    await rows(`update import set state = 'queued'`);
    await runImport({ database, tenantId, importId: outcome.importId });
    expect(await current()).toEqual([
      { test_loinc: '21613-5', result_category: 'positive', status: 'final' },
    ]);
    expect(await count('case_report')).toBe(1);
  });

  test('a LOINC code outside the catalog is stored and opens no case', async () => {
    const outcome = await report({
      tests: [{ test: '2345-7^Glucose^LN', type: 'NM', value: '99', units: 'mg/dL' }],
    });
    expect(outcome.counts).toMatchObject({ taken: 1 });
    expect(
      await rows('select test_loinc, disease_family, result_category, value_number from result'),
    ).toEqual([
      { test_loinc: '2345-7', disease_family: null, result_category: 'quantitative', value_number: 99 },
    ]);
  });
});

describe('messages that are refused', () => {
  test('has its reason and its place, and nothing is lost', async () => {
    const outcome = await take(
      `${elr()}MSH|^~\\&|LIS|Lab|||20260301||ADT^A01|X1|P|2.5.1\rPID|1||1^^^A^MR||Doe^J\r`,
    );
    expect(outcome.counts).toEqual({ messages: 2, taken: 1, waiting: 0, refused: 1, duplicates: 0 });
    expect(outcome.reasons).toEqual({ 'refused:not-elr': 1 });
    const [message] = await rows<{ faults: { code: string; place: string }[]; raw: Buffer }>(
      `select faults, raw from import_message where state = 'refused'`,
    );
    expect(message!.faults[0]).toMatchObject({ code: 'not-elr', place: 'MSH-9' });
    expect(message!.raw.toString()).toContain('ADT^A01');
  });
});
