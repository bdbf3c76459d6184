import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { elr, importText, notDetected, type TestMessage } from '../imports/test-messages.ts';

const { database } = await createTestDatabase();

let tenantId: string;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const ada = { id: 'MRN1', last: 'Okafor', first: 'Ada', birth: '19900501', sex: 'F' };
const bo = { id: 'MRN2', last: 'Quist', first: 'Bo', birth: '19550110', sex: 'M', phone: '' };
const cy = { id: 'MRN3', last: 'Ober', first: 'Cy', birth: '19700707', sex: 'M', phone: '' };
const message = (
  patient: TestMessage['patient'],
  status: string,
  day: number,
  more: { value?: string } = {},
): string =>
  elr({
    order: 'F-1',
    patient,
    reported: `202603${String(day).padStart(2, '0')}150000-0500`,
    tests: [{ status, ...more }],
  });
const take = (text: string, given: Parameters<typeof importText>[3] = {}) =>
  importText(database, tenantId, text, given);
/** The current results, with their patients. */
const results = async () =>
  (
    await rows<{ told: string }>(
      `select concat_ws(' ', p.first_name, r.result_category, r.status) as told from result r
       join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id where r.superseded_by is null order by r.id`,
    )
  ).map(({ told }) => told);
const cases = () =>
  rows(
    `select p.first_name as of, c.review_reason as review,
       (select count(*) from case_result l join result r on r.tenant_id = l.tenant_id and r.id = l.result_id
         where l.tenant_id = c.tenant_id and l.case_report_id = c.id and r.patient_id <> c.patient_id) as foreign
     from case_report c join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id order by c.id`,
  );
const pairs = async () => (await rows('select from patient_match')).length;

describe('a correction that names another patient', () => {
  test.each([1, 400])('moves the result there, in batches of %i', async (batchSize) => {
    const { effects } = await take(message(ada, 'F', 4) + message(bo, 'C', 5), { batchSize });
    expect(effects).toMatchObject({
      patientsCreated: 2,
      resultsCreated: 1,
      resultsCorrected: 1,
      casesOpened: 2,
    });
    expect(await results()).toEqual(['Bo positive corrected']);
    // The first person's case is put up for review, and reveals nothing about the other person.
    expect(await cases()).toEqual([
      { of: 'Ada', review: 'result-of-another-patient', foreign: 0 },
      { of: 'Bo', review: null, foreign: 0 },
    ]);
    expect(await pairs()).toBe(0);
  });

  test('even if the first patient’s was withdrawn after the correction was reported', async () => {
    await take(message(ada, 'F', 4));
    await take(message(ada, 'W', 6));
    const { effects } = await take(message(bo, 'C', 4));
    expect(effects).toMatchObject({ patientsCreated: 1, resultsCreated: 1, casesOpened: 1 });
    expect(await results()).toEqual(['Ada not-done withdrawn', 'Bo positive corrected']);
  });

  test('under the first one’s number makes two people, for a person to decide', async () => {
    await take(message(ada, 'F', 4));
    await take(message({ ...bo, id: 'MRN1' }, 'C', 5));
    expect(await results()).toEqual(['Bo positive corrected']);
    expect(await rows('select first_name, other_names from patient order by id')).toEqual([
      { first_name: 'Ada', other_names: [] },
      { first_name: 'Bo', other_names: [] },
    ]);
    expect(await pairs()).toBe(1);
    expect(await cases()).toMatchObject([{ of: 'Ada', review: 'result-of-another-patient' }, { of: 'Bo' }]);
  });

  test('a twin with a similar given name', async () => {
    const [jayden, kayden] = ['Jayden', 'Kayden'].map((first) => ({ ...ada, id: '', first }));
    await take(message(jayden, 'F', 4));
    await take(message(kayden, 'C', 5));
    expect(await results()).toEqual(['Kayden positive corrected']);
    expect(await pairs()).toBe(1);
  });

  test('and was reported before the first result keeps both, for review', async () => {
    await take(message(ada, 'F', 6));
    await take(message(bo, 'C', 5));
    expect(await results()).toEqual(['Ada positive final', 'Bo positive corrected']);
    expect(await cases()).toMatchObject([
      { of: 'Ada', review: 'result-of-another-patient' },
      { of: 'Bo', review: null },
    ]);
  });

  test('leaves all results in place if the number already belongs to two people', async () => {
    await take(message(ada, 'F', 4));
    await take(message(bo, 'F', 4));
    await take(message(cy, 'C', 5));
    expect(await results()).toEqual(['Ada positive final', 'Bo positive final', 'Cy positive corrected']);
    expect(await cases()).toMatchObject([
      { of: 'Ada', review: 'result-of-another-patient' },
      { of: 'Bo', review: 'result-of-another-patient' },
      { of: 'Cy', review: null },
    ]);
  });

  test('is not undone by an earlier report, but by a later correction', async () => {
    await take(message(ada, 'F', 4));
    await take(message(bo, 'C', 5));
    const late = await take(message(ada, 'F', 4, { value: notDetected }));
    expect(late.effects).toEqual({ patientsMatched: 1, resultsOutdated: 1 });
    expect((await take(message(ada, 'F', 4))).effects).toEqual({ patientsMatched: 1, resultsUnchanged: 1 });
    expect(await results()).toEqual(['Bo positive corrected']);
    await take(message(ada, 'C', 7));
    expect(await results()).toEqual(['Ada positive corrected']);
    expect(await cases()).toMatchObject([{ of: 'Ada' }, { of: 'Bo', review: 'result-of-another-patient' }]);
  });
});

describe('a report with the same number that names the same patient differently', () => {
  test.each<[string, TestMessage['patient']]>([
    ['another spelling', { ...ada, id: '', first: 'Adah' }],
    ['day and month of birth swapped', { ...ada, id: '', birth: '19900105' }],
    ['the other sex', { ...ada, id: '', sex: 'M' }],
    ['another surname', { ...ada, last: 'Bello' }],
  ])('%s: the result stays with one person', async (_, patient) => {
    await take(message(ada, 'P', 4));
    const { effects } = await take(message(patient, 'F', 5));
    expect(effects).toMatchObject({ patientsMatched: 1, resultsCorrected: 1 });
    expect(await results()).toEqual(['Ada positive final']);
  });
});
