import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import {
  detected,
  elr,
  hivScreen,
  importText,
  notDetected,
  type TestMessage,
} from '../imports/test-messages.ts';

const { database } = await createTestDatabase();

let tenantId: string;
let orders: number;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
  orders = 0;
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));
const take = (text: string, given: Parameters<typeof importText>[3] = {}) =>
  importText(database, tenantId, text, given);

const reactive = '11214006^Reactive^SCT';
const nonreactive = '131194007^Non-reactive^SCT';
const rpr = '20507-0^RPR^LN';
const titer = '31147-2^RPR titer^LN';
const treponemal = '24110-9^Treponema pallidum Ab^LN';
const blot = '5221-7^HIV 1 Ab immunoblot^LN';
const rna = '5018-7^HIV 1 RNA^LN';
const hcvAb = '13955-0^HCV Ab^LN';
const hcvRna = '11259-9^HCV RNA^LN';

/** A report of one test, collected on a day of 2026. Give its order to correct it later. */
const told = (
  test: string,
  value: string,
  day = '0302',
  more: {
    order?: string;
    status?: string;
    type?: string;
    reported?: string;
    patient?: TestMessage['patient'];
  } = {},
) =>
  elr({
    order: more.order ?? `F-${++orders}`,
    collected: `2026${day}093000-0500`,
    reported: more.reported ?? `2026${day}150000-0500`,
    tests: [{ test, value, status: more.status, type: more.type }],
    patient: more.patient,
  });
const cases = () =>
  rows<{ told: string }>(
    `select concat_ws(' ', condition_code, classification, classified_by, review_reason) as told
     from case_report order by case_id`,
  ).then((found) => found.map((row) => row.told));
const decideByHand = (classification: string) =>
  rows(`update case_report set classification = $1, classified_by = 'person', review_reason = null`, [
    classification,
  ]);

describe('the rules at an import', () => {
  test('the explanation is stored with the case, with the rule and the results', async () => {
    await take(told(hivScreen, reactive));
    const [found] = await rows<{ explanation: Record<string, unknown>; result: string }>(
      `select c.explanation, r.result_id as result from case_report c
       join case_result r on r.tenant_id = c.tenant_id and r.case_report_id = c.id`,
    );
    expect(found!.explanation).toMatchObject({
      rule: 'hiv-2014',
      classification: 'suspect',
      condition: 'hiv',
      eventDay: '2026-03-02',
      validFrom: 2014,
    });
    expect(JSON.stringify(found!.explanation)).toContain(found!.result);
  });

  test.each([1, 400])(
    'three titers of 1:4 in a serofast person are one suspect case, in batches of %i',
    async (batchSize) => {
      await take(['0102', '0315', '0601'].map((day) => told(titer, '1:4', day, { type: 'ST' })).join(''), {
        batchSize,
      });
      expect(await cases()).toEqual(['syphilis-unknown-stage suspect rule']);
      expect(await rows('select from case_result')).toHaveLength(3);
      await take(told(titer, '1:16', '0901', { type: 'ST' }));
      expect(await cases()).toHaveLength(2);
    },
  );

  test('antibody in an infant opens no case of HIV or hepatitis C', async () => {
    const patient = { birth: '20251201' };
    await take(told(hivScreen, reactive, '0302', { patient }) + told(hcvAb, reactive, '0302', { patient }));
    expect(await cases()).toEqual([]);
    await take(told(hcvRna, detected, '0310', { patient }));
    expect(await cases()).toEqual(['hepatitis-c-perinatal confirmed rule']);
  });

  test('a preliminary positive does not confirm, and its final report does', async () => {
    await take(told(rna, detected, '0302', { order: 'P-1', status: 'P' }));
    expect(await cases()).toEqual(['hiv suspect rule']);
    await take(told(rna, detected, '0302', { order: 'P-1', status: 'F', reported: '20260303150000-0500' }));
    expect(await cases()).toEqual(['hiv confirmed rule']);
  });

  test('the result is the same in one file or in several, in batches of any size', async () => {
    const text = [
      told(hcvAb, reactive),
      told(hcvRna, notDetected, '0305'),
      told(hcvRna, detected, '0701'),
    ].join('');
    const one = await take(text, { batchSize: 1 });
    const seen = await cases();
    ({ id: tenantId } = await makeTenant(database));
    const all = await take(text);
    expect(await cases()).toEqual(seen);
    expect(all.effects).toEqual(one.effects);
    ({ id: tenantId } = await makeTenant(database));
    expect((await take(text, { dryRun: true, batchSize: 1 })).effects).toEqual(one.effects);
  });
});

describe('a negative confirmatory test flags the case that its screen opened', () => {
  test.each([
    [
      'RPR and a treponemal test',
      [
        [rpr, reactive],
        [treponemal, nonreactive],
      ],
      'syphilis-unknown-stage not_a_case rule confirmatory-negative',
    ],
    [
      'HIV screen and differentiation',
      [
        [hivScreen, reactive],
        [blot, nonreactive],
      ],
      'hiv suspect rule confirmatory-negative',
    ],
    [
      'HIV screen, differentiation and RNA',
      [
        [hivScreen, reactive],
        [blot, nonreactive],
        [rna, notDetected],
      ],
      'hiv not_a_case rule confirmatory-negative',
    ],
    [
      'hepatitis C antibody and RNA',
      [
        [hcvAb, reactive],
        [hcvRna, notDetected],
      ],
      'hepatitis-c-undetermined not_a_case rule confirmatory-negative',
    ],
    [
      'Lyme, two tiers',
      [
        ['20449-5^Lyme Ab^LN', reactive],
        ['6320-6^Lyme IgG blot^LN', nonreactive],
      ],
      'lyme-disease not_a_case rule confirmatory-negative',
    ],
    [
      'a smear, and another mycobacterium in the culture',
      [
        ['11545-1^Acid fast stain^LN', detected],
        ['543-9^Mycobacterium culture^LN', '83723009^Mycobacterium avium^SCT'],
      ],
      'tuberculosis suspect rule confirmatory-negative',
    ],
  ] as [string, [string, string][], string][])('%s', async (_, tests, expected) => {
    for (const [at, [test, value]] of tests.entries()) await take(told(test, value, `030${at + 2}`));
    expect(await cases()).toEqual([expected]);
    expect((await rows('select from case_result')).length).toBe(tests.length);
    expect(await rows(`select from case_event where kind = 'explanation-changed'`)).not.toHaveLength(0);
  });

  test.each([1, 400])(
    'another mycobacterium that is reported before the smear also flags it, in batches of %i',
    async (batchSize) => {
      const text = [
        told('543-9^Mycobacterium culture^LN', '83723009^Mycobacterium avium^SCT', '0302'),
        told('11545-1^Acid fast stain^LN', detected, '0303'),
      ].join('');
      await take(text, { batchSize });
      expect(await cases()).toEqual(['tuberculosis suspect rule confirmatory-negative']);
    },
  );

  test('a correction of the negative test is no reason to ask about the positive one', async () => {
    await take(told(hcvAb, reactive) + told(hcvRna, notDetected, '0305', { order: 'R-1' }));
    const later = '20260401150000-0500';
    await take(told(hcvRna, nonreactive, '0305', { order: 'R-1', status: 'C', reported: later }));
    expect(await cases()).toEqual(['hepatitis-c-undetermined not_a_case rule confirmatory-negative']);
    await take(
      told(hcvRna, notDetected, '0305', { order: 'R-1', status: 'W', reported: '20260402150000-0500' }),
    );
    expect(await cases()).toEqual(['hepatitis-c-undetermined probable rule']);
  });

  test('a test that no longer contradicts the case is no reason to review it: an acute HIV infection', async () => {
    await take(told(hivScreen, reactive) + told(blot, nonreactive, '0303') + told(rna, detected, '0304'));
    expect(await cases()).toEqual(['hiv confirmed rule']);
    expect(await rows(`select from case_event where kind = 'review-settled'`)).toHaveLength(1);
  });

  test('a rise after a titer that was only suspect is not a new infection of someone who had syphilis', async () => {
    await take(told(titer, '1:4', '0102', { type: 'ST' }));
    await take(told(titer, '1:16', '0602', { type: 'ST' }));
    expect(await cases()).toEqual([
      'syphilis-unknown-stage suspect rule',
      'syphilis-unknown-stage suspect rule',
    ]);
  });

  test('the explanation names what contradicts the case', async () => {
    await take(told(hcvAb, reactive) + told(hcvRna, notDetected, '0305'));
    const [found] = await rows<{ against: { kind: string; state: string; what?: string[] }[] }>(
      `select explanation -> 'against' as against from case_report`,
    );
    expect(found!.against).toContainEqual(
      expect.objectContaining({ kind: 'negative', state: 'met', what: ['hcv-detection'] }),
    );
  });

  test('a virus that was found before is not refuted by a later cure', async () => {
    await take(told(hcvAb, reactive) + told(hcvRna, detected));
    await take(told(hcvRna, notDetected, '0801'));
    expect(await cases()).toEqual(['hepatitis-c-undetermined confirmed rule']);
  });
});

describe('a person’s decision is never overwritten', () => {
  beforeEach(async () => {
    await take(told(hcvAb, reactive, '0302', { order: 'A-1' }));
    await decideByHand('confirmed');
  });
  const later = '20260401150000-0500';

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'another positive',
      () => take(told(hcvAb, reactive, '0310')),
      'hepatitis-c-undetermined confirmed person',
    ],
    [
      'a stronger one, with which the rule agrees',
      () => take(told(hcvRna, detected, '0310')),
      'hepatitis-c-undetermined confirmed person',
    ],
    [
      'a negative confirmation',
      () => take(told(hcvRna, notDetected, '0310')),
      'hepatitis-c-undetermined confirmed person confirmatory-negative',
    ],
    [
      'a correction',
      () => take(told(hcvAb, nonreactive, '0302', { order: 'A-1', status: 'C', reported: later })),
      'hepatitis-c-undetermined confirmed person rule-differs',
    ],
    [
      'a withdrawal',
      () => take(told(hcvAb, reactive, '0302', { order: 'A-1', status: 'W', reported: later })),
      'hepatitis-c-undetermined confirmed person rule-differs',
    ],
    [
      'the same file again',
      () => take(told(hcvAb, reactive, '0302', { order: 'A-1' })),
      'hepatitis-c-undetermined confirmed person',
    ],
  ])('%s', async (_, act, expected) => {
    await act();
    expect(await cases()).toEqual([expected]);
  });

  test('a case that was ruled out stays ruled out, and is put up for review', async () => {
    await decideByHand('not_a_case');
    await take(told(hcvRna, detected, '0310'));
    expect(await cases()).toEqual(['hepatitis-c-undetermined not_a_case person positive-after-ruled-out']);
  });

  test('a result that turns out to be someone else’s', async () => {
    await take(
      told(hcvAb, reactive, '0302', {
        order: 'A-1',
        status: 'C',
        reported: later,
        patient: { id: 'MRN9', last: 'Quist', first: 'Bo', birth: '19550110', sex: 'M', phone: '' },
      }),
    );
    const [mine] = await rows<{ classification: string; review: string }>(
      `select classification, review_reason as review from case_report where classified_by = 'person'`,
    );
    expect(mine!.classification).toBe('confirmed');
    expect(mine!.review).not.toBeNull();
  });
});

describe('a corrected collection date', () => {
  const at = () =>
    rows(
      `select c.collected_on as case, (s.collected_at at time zone 'America/New_York')::date::text as specimen,
         c.explanation ->> 'eventDay' as event
       from case_report c join specimen s on s.tenant_id = c.tenant_id`,
    );

  test.each([
    ['later', '0315', '2026-03-15'],
    ['earlier', '0220', '2026-02-20'],
  ])('moves the case, its specimen and its event %s', async (_, day, expected) => {
    await take(told(rna, detected, '0302', { order: 'A-1' }));
    expect(await at()).toEqual([{ case: '2026-03-02', specimen: '2026-03-02', event: '2026-03-02' }]);
    await take(told(rna, detected, day, { order: 'A-1', status: 'C', reported: '20260401150000-0500' }));
    expect(await at()).toEqual([{ case: expected, specimen: expected, event: expected }]);
    expect(
      await rows(`select detail -> 'changes' as changes from case_event where kind = 'updated'`),
    ).toEqual([{ changes: { collectedOn: { from: '2026-03-02', to: expected } } }]);
  });

  test('leaves the day of an earlier result, and a day that a person has set', async () => {
    await take(told(rna, detected, '0220') + told(rna, detected, '0302', { order: 'A-1' }));
    await take(told(rna, detected, '0315', { order: 'A-1', status: 'C', reported: '20260401150000-0500' }));
    expect(await rows('select collected_on from case_report')).toEqual([{ collected_on: '2026-02-20' }]);
    await rows(`update case_report set collected_on = '2026-02-01'`);
    await take(told(rna, detected, '0316', { order: 'A-1', status: 'C', reported: '20260402150000-0500' }));
    expect(await rows('select collected_on from case_report')).toEqual([{ collected_on: '2026-02-01' }]);
  });
});
