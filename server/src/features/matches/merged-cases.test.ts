import { randomUUID } from 'node:crypto';
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
import { decideMatch } from './matches.ts';

/* Two records of one person: what a merge does to their cases, and that undo restores them. */

const { database } = await createTestDatabase();
let tenantId: string;
let orders: number;
beforeEach(async () => {
  ({ id: tenantId } = await makeTenant(database));
  orders = 0;
});

const rows = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId }, (tx) => tx.rows<Row>(text, params));

const reactive = '11214006^Reactive^SCT';
const nonreactive = '131194007^Non-reactive^SCT';
const rpr = '20507-0^RPR^LN';
const treponemal = '24110-9^Treponema pallidum Ab^LN';
const blot = '5221-7^HIV 1 Ab immunoblot^LN';
const rna = '5018-7^HIV 1 RNA^LN';
const hcvAb = '13955-0^HCV Ab^LN';
const hcvRna = '11259-9^HCV RNA^LN';
const gonorrhea = '24111-7^N gonorrhoeae DNA^LN';

/** A is the older record; B has another birth date, and may be the same person. */
const people: Record<'A' | 'B', TestMessage['patient']> = {
  A: { last: 'Vandermeer', first: 'Ottoline', sex: 'F', id: 'A1', birth: '19810203', phone: '5550777' },
  B: { last: 'Vandermeer', first: 'Ottoline', sex: 'F', id: '', birth: '19810302', phone: '', street: '', zip: '', city: '' },
}; // biome-ignore format: a table
type Told = [
  who: 'A' | 'B',
  test: string,
  value: string,
  day?: string,
  more?: { order?: string; status?: string },
];
const take = async (...told: Told[]) => {
  for (const [who, name, value, day = '0302', { order = `F-${++orders}`, status } = {}] of told)
    await importText(
      database,
      tenantId,
      elr({
        order,
        collected: `2026${day}093000-0500`,
        reported: status ? '20260901150000-0500' : `2026${day}150000-0500`,
        tests: [{ test: name, value, status }],
        patient: people[who],
      }),
    );
};
/** The person of a row; the tenant is `$1`. */
const person = `case when patient_id = (select id from patient where tenant_id = $1 and birth_date = '1981-02-03') then 'A' else 'B' end`;
/** The cases, their patients, and their classification. */
const cases = async () =>
  (
    await rows<{ told: string }>(
      `select concat_ws(' ', ${person}, condition_code, classification, classified_by, review_reason) as told
       from case_report where tenant_id = $1 order by collected_on, case_id`,
      [tenantId],
    )
  ).map(({ told }) => told);
const decide = async (decision: 'same' | 'open') => {
  const [pair] = await rows<{ id: string }>('select id from patient_match');
  await database.withScope({ kind: 'service', tenantId }, (tx) =>
    decideMatch(tx, tenantId, pair!.id, decision, randomUUID()),
  );
};
const byHand = (classification: string, more = '') =>
  rows(`update case_report set classification = $1, classified_by = 'person', review_reason = null${more}`, [
    classification,
  ]);
/** Everything about cases, results, their links and people except when it was last touched. */
const everything = async () => ({
  cases: await rows(
    `select to_jsonb(c) - '{version,updated_at,told_within}'::text[] as one from case_report c order by id`,
  ),
  links: await rows('select case_report_id, result_id from case_result order by 1, 2'),
  results: await rows('select id, patient_id, superseded_by from result order by id'),
  keys: await rows(`select record_id, key from search_key where record_kind = 'case' order by 1, 2`),
  people: await rows(
    `select to_jsonb(p) - '{version,updated_at,informed_at}'::text[] as one from patient p order by id`,
  ),
});

describe('a merge applies the rules to the results of both', () => {
  const sequences: [name: string, told: Told[], before: string[], after: string[]][] = [
    ['a screen and a supplemental test', [['A', hivScreen, reactive], ['B', blot, reactive, '0310']],
      ['A hiv suspect rule', 'B hiv suspect rule'],
      ['A hiv confirmed rule', 'A hiv confirmed rule second-case']],
    ['a screen, and a negative supplemental test without a case', [['A', hivScreen, reactive], ['B', blot, nonreactive, '0310']],
      ['A hiv suspect rule'], ['A hiv suspect rule confirmatory-negative']],
    ['the screen of the newer record, and the negative tests of the older', [['B', hivScreen, reactive], ['A', blot, nonreactive, '0310'], ['A', rna, notDetected, '0310']],
      ['B hiv suspect rule'], ['A hiv not_a_case rule confirmatory-negative']],
    ['antibody, and no virus', [['A', hcvAb, reactive], ['B', hcvRna, notDetected, '0320']],
      ['A hepatitis-c-undetermined probable rule'], ['A hepatitis-c-undetermined not_a_case rule confirmatory-negative']],
    ['antibody, and the virus', [['A', hcvAb, reactive], ['B', hcvRna, detected, '0320']],
      ['A hepatitis-c-undetermined probable rule', 'B hepatitis-c-undetermined confirmed rule'],
      ['A hepatitis-c-undetermined confirmed rule', 'A hepatitis-c-undetermined confirmed rule second-case']],
    ['RPR and a treponemal test', [['B', rpr, reactive], ['A', treponemal, reactive, '0305']],
      ['B syphilis-unknown-stage suspect rule', 'A syphilis-unknown-stage suspect rule'],
      ['A syphilis-unknown-stage probable rule', 'A syphilis-unknown-stage probable rule second-case']],
    ['gonorrhea twice within the window', [['A', gonorrhea, detected], ['B', gonorrhea, detected, '0401']],
      ['A gonorrhea confirmed rule', 'B gonorrhea confirmed rule'],
      ['A gonorrhea confirmed rule', 'A gonorrhea confirmed rule second-case']],
    ['gonorrhea twice, a day outside of the window', [['A', gonorrhea, detected], ['B', gonorrhea, detected, '0402']],
      ['A gonorrhea confirmed rule', 'B gonorrhea confirmed rule'],
      ['A gonorrhea confirmed rule', 'A gonorrhea confirmed rule']],
    ['different diseases', [['A', gonorrhea, detected], ['B', hcvAb, reactive, '0310']],
      ['A gonorrhea confirmed rule', 'B hepatitis-c-undetermined probable rule'],
      ['A gonorrhea confirmed rule', 'A hepatitis-c-undetermined probable rule']],
  ]; // biome-ignore format: a table

  test.each(sequences)('%s; undo restores exactly what was', async (_, told, before, after) => {
    // The older record is kept.
    await take(['A', gonorrhea, notDetected, '0101'], ...told);
    expect(await cases()).toEqual(before);
    const was = await everything();
    await decide('same');
    expect(await cases()).toEqual(after);
    await decide('open');
    expect(await everything()).toEqual(was);
    // And once more.
    await decide('same');
    expect(await cases()).toEqual(after);
    await decide('open');
    expect(await everything()).toEqual(was);
  });

  test('the explanation is that of the joined results, and names them', async () => {
    await take(['A', hivScreen, reactive], ['B', blot, nonreactive, '0310']);
    await decide('same');
    const [found] = await rows<{ explanation: object; ids: string[] }>(
      `select explanation, (select array_agg(id) from result where tenant_id = $1) as ids from case_report where tenant_id = $1`,
      [tenantId],
    );
    for (const id of found!.ids) expect(JSON.stringify(found!.explanation)).toContain(id);
    expect(await rows('select from case_result')).toHaveLength(2);
    const [told] = await rows(
      `select detail ->> 'reason' as reason from case_event where kind = 'review-needed'`,
    );
    expect(told).toEqual({ reason: 'confirmatory-negative' });
  });

  test('results that open a case only for their own person, and undo removes it', async () => {
    await take(['A', gonorrhea, notDetected, '0101'], ['B', hivScreen, reactive], ['B', blot, reactive]);
    // First stored as an infant, for whom a mother's antibodies say nothing.
    await rows(`delete from case_event`);
    await rows(`delete from case_report_history`);
    await rows(`delete from case_result`);
    await rows(`delete from case_report`);
    await rows(
      `update patient set birth_date = '2025-12-01', born_from = '2025-12-01', born_to = '2025-12-01' where birth_date = '1981-03-02'`,
    );
    const was = await everything();
    await decide('same');
    expect(await cases()).toEqual(['A hiv confirmed rule']);
    await decide('open');
    expect({ ...(await everything()), keys: [] }).toEqual({ ...was, keys: [] });
  });

  test('a result that would open a case on its own, but has not, is left alone', async () => {
    await take(['A', gonorrhea, notDetected, '0101'], ['B', gonorrhea, detected]);
    await rows(`delete from case_event`);
    await rows(`delete from case_report_history`);
    await rows(`delete from case_result`);
    await rows(`delete from case_report`);
    await decide('same');
    expect(await cases()).toEqual([]);
  });
});

describe('a person’s decision survives a merge', () => {
  test.each<[string, Told[], string, string]>([
    ['the rule comes to say less', [['A', hcvAb, reactive], ['B', hcvRna, notDetected, '0320']], 'confirmed',
      'A hepatitis-c-undetermined confirmed person confirmatory-negative'],
    ['the rule comes to agree', [['A', hivScreen, reactive], ['B', blot, nonreactive, '0310']], 'suspect',
      'A hiv suspect person confirmatory-negative'],
  ])('%s', async (_, told, decided, after) => {
    await take(['A', gonorrhea, notDetected, '0101'], ...told);
    await byHand(decided, `, status = 'closed', closed_at = now()`);
    const was = await everything();
    await decide('same');
    expect(await cases()).toEqual([after]);
    expect(await rows('select status from case_report')).toEqual([{ status: 'closed' }]);
    await decide('open');
    expect(await everything()).toEqual(was);
  }); // biome-ignore format: a table

  test('also a later one: undo keeps later decisions', async () => {
    await take(
      ['A', gonorrhea, notDetected, '0101'],
      ['A', hivScreen, reactive],
      ['B', blot, nonreactive, '0310'],
    );
    await decide('same');
    await byHand('not_a_case');
    await decide('open');
    expect(await cases()).toEqual(['A hiv not_a_case person rule-differs']);
  });
});

describe('records that came after a merge', () => {
  test('a correction goes with the result that it corrects', async () => {
    await take(
      ['A', gonorrhea, notDetected, '0101'],
      ['A', gonorrhea, notDetected, '0102'],
      ['B', hcvRna, detected, '0302', { order: 'B-1' }],
    );
    await decide('same');
    await take(['B', hcvRna, notDetected, '0302', { order: 'B-1', status: 'C' }]);
    expect(await cases()).toEqual(['A hepatitis-c-undetermined not_a_case rule result-no-longer-positive']);
    await decide('open');
    expect(await cases()).toEqual(['B hepatitis-c-undetermined not_a_case rule result-no-longer-positive']);
    expect(
      await rows(
        `select ${person} as who from result where tenant_id = $1 and superseded_by is null order by 1`,
        [tenantId],
      ),
    ).toEqual([{ who: 'A' }, { who: 'A' }, { who: 'B' }]);
  });

  test('another result stays with the older record, and each case again depends on its own results', async () => {
    await take(['A', gonorrhea, notDetected, '0101'], ['B', hivScreen, reactive]);
    await decide('same');
    await take(['A', blot, reactive, '0310']);
    expect(await cases()).toEqual(['A hiv confirmed rule']);
    await decide('open');
    expect(await cases()).toEqual(['B hiv suspect rule', 'A hiv suspect rule']);
    expect(await rows('select from case_result')).toHaveLength(2);
  });
});
